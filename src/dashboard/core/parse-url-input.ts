/**
 * Finds the path in a pasted URL. `parameters` are the names of the site's page parameters, such as `p`, if `/?p=1` and
 * `/?p=2` are two pages. All other query parameters are removed. A hash such as `#top` is removed too, but the hash
 * `#/route`, a page of an app, stays. A text that is not a URL stays unchanged, such as `/blog/*`.
 */
export function pathIn(typed: string, parameters: readonly string[] = []): string {
  const text = typed.trim();
  if (!/^https?:\/\//i.test(text)) return text;
  const [, path = '', query = '', route = ''] =
    /^https?:\/\/[^/?#]*([^?#]*)(?:\?([^#]*))?(#[/!][^?]*)?/is.exec(text) ?? [];
  const kept = query.split('&').filter((part) => parameters.some((name) => part.startsWith(`${name}=`)));
  return (path || '/') + (kept.length > 0 ? `?${kept.join('&')}` : '') + route;
}

/** The scheme and the host of a pasted URL, without its path. */
export const originIn = (typed: string): string => typed.trim().replace(/^(https?:\/\/[^/?#]*).*$/is, '$1');

export const hostIn = (typed: string): string =>
  typed
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/s, '');
