const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;

/** Tells if a text contains another, whatever the case of their letters: Unicode's simple folding, which is that of these flags. */
export function containing(wanted: string): (text: string) => boolean {
  const literal = new RegExp(wanted.replaceAll(SYNTAX, '\\$&'), 'iu');
  return (text) => literal.test(text);
}
