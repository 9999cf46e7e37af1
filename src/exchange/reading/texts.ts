// Texts of other products, written so that an import can read them. Anybody can send odd texts to those products, and one
// of them must not make a whole file unreadable.

/** A site counts an event by a name of at most this many characters. */
const LONGEST_EVENT = 120;

/** Cuts the name of an event, as the script of a site does. */
export const cutEvent = (name: string): string =>
  name.length <= LONGEST_EVENT ? name : [...name.slice(0, 2 * LONGEST_EVENT)].slice(0, LONGEST_EVENT).join('');

/**
 * Writes the URL of a page of the site. The query goes before the fragment of the path: what follows a `#` belongs to the
 * fragment, and the campaign tags would be lost. Example: `/a#b` and `utm_source=x` give `/a?utm_source=x#b`.
 */
export function writeUrl(domain: string, path: string, query: string): string {
  const [bare = ''] = path.split('#', 1);
  const tags = query === '' ? '' : `${bare.includes('?') ? '&' : '?'}${query}`;
  // A path without a slash would be read as a part of the host.
  return `https://${domain}${path.startsWith('/') ? '' : '/'}${bare}${tags}${path.slice(bare.length)}`;
}
