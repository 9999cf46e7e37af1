/** The messages of the dashboard in a language, made by the bundle from src/lang/dashboard.ts. */
declare module 'texts:*' {
  export const texts: import('../lang/messages.ts').Texts;
}
