/**
 * Finds the path in a pasted URL, without its query. A hash such as `#top` is removed too, but `#/route`, a page of an
 * app, stays. Any other text stays unchanged, such as `/blog/*`.
 */
export function pathIn(typed: string): string {
  const text = typed.trim();
  if (!/^https?:\/\//i.test(text)) return text;
  const [, path = '', route = ''] = /^https?:\/\/[^/?#]*([^?#]*)(?:\?[^#]*)?(#[/!][^?]*)?/is.exec(text) ?? [];
  return (path || '/') + route;
}

/** The scheme and the host of a pasted URL, without its path. */
export const originIn = (typed: string): string => typed.trim().replace(/^(https?:\/\/[^/?#]*).*$/is, '$1');

export const hostIn = (typed: string): string =>
  typed
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/s, '');
