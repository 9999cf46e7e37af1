/**
 * A part of the texts of the dashboard in one language, such as `texts:first/de`. The build makes this module from
 * src/lang/dashboard.ts (src/embedded/bundle.ts).
 */
declare module 'texts:*' {
  export const texts: import('../../lang/messages.ts').Texts;
}

/**
 * A style sheet of the dashboard as a text, for a page that is loaded later. The path after `style:` is relative to
 * src/dashboard.
 */
declare module 'style:*' {
  export const css: string;
}
