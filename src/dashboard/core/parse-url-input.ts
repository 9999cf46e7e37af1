/**
 * Finds the path in a typed or pasted text. If the text is a URL, its query is removed, and a hash that is no route of an
 * app, such as `#top`. Patterns with stars stay unchanged.
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
