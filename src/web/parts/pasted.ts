/** A path in what was typed or pasted: of a whole address only that, without what follows ? and #. Patterns stay as they are. */
export function pathIn(typed: string): string {
  const text = typed.trim();
  return /^https?:\/\//i.test(text) ? text.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '') || '/' : text;
}

/** The site of a pasted address: its scheme and host, without a path. */
export const originIn = (typed: string): string => typed.trim().replace(/^(https?:\/\/[^/?#]*).*$/is, '$1');

/** The host in what was typed or pasted. */
export const hostIn = (typed: string): string =>
  typed
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/s, '');
