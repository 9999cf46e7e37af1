/**
 * The texts of the dashboard in one language. The bundle (src/embedded/bundle.ts) makes this module from
 * src/lang/dashboard.ts.
 */
declare module 'texts:*' {
  export const texts: import('../lang/messages.ts').Texts;
}
