/** The path in a typed or pasted text. Of a URL it is the path without query and hash. Patterns stay as they are. */
export function pathIn(typed: string): string {
  const text = typed.trim();
  return /^https?:\/\//i.test(text) ? text.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '') || '/' : text;
}

/** The scheme and host of a pasted URL, without its path. */
export const originIn = (typed: string): string => typed.trim().replace(/^(https?:\/\/[^/?#]*).*$/is, '$1');

/** The host in a typed or pasted text. */
export const hostIn = (typed: string): string =>
  typed
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/s, '');
