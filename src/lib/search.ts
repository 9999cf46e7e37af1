const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;

/**
 * Makes a function that tells whether a text contains `wanted`, in upper or lower case. The flags `iu` treat letters
 * such as É and é as equal in all alphabets.
 */
export function makeSearch(wanted: string): (text: string) => boolean {
  const literal = new RegExp(wanted.replaceAll(SYNTAX, '\\$&'), 'iu');
  return (text) => literal.test(text);
}
