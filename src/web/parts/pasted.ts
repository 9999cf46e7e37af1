/**
 * Finds the path in a typed or pasted text. If the text is a URL, its query and hash are removed. Patterns with stars stay
 * unchanged.
 */
export function pathIn(typed: string): string {
  const text = typed.trim();
  return /^https?:\/\//i.test(text) ? text.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '') || '/' : text;
}

/** The scheme and the host of a pasted URL, without its path. */
export const originIn = (typed: string): string => typed.trim().replace(/^(https?:\/\/[^/?#]*).*$/is, '$1');

export const hostIn = (typed: string): string =>
  typed
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/s, '');
