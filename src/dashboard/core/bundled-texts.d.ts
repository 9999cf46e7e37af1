/**
 * The texts of the dashboard in one language. The build makes this module from src/lang/dashboard.ts
 * (src/embedded/bundle.ts).
 */
declare module 'texts:*' {
  export const texts: import('../../lang/messages.ts').Texts;
}
