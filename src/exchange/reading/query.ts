/**
 * Adds a query to a path, which may have a query and a fragment already. The query goes before the `#`: what follows it
 * belongs to the fragment, and the campaign tags would be lost. Example: `/a#b` and `utm_source=x` give
 * `/a?utm_source=x#b`.
 */
export function addQuery(path: string, query: string): string {
  if (query === '') return path;
  const [bare = ''] = path.split('#', 1);
  return `${bare}${bare.includes('?') ? '&' : '?'}${query}${path.slice(bare.length)}`;
}
