const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;

/**
 * Makes a function that tells whether a text contains another, regardless of case. Case folding is Unicode's simple
 * one, which the flags `iu` use.
 */
export function makeSearch(wanted: string): (text: string) => boolean {
  const literal = new RegExp(wanted.replaceAll(SYNTAX, '\\$&'), 'iu');
  return (text) => literal.test(text);
}
