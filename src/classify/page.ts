const LONGEST = 1024;

/**
 * The page that a path stands for: as the WHATWG URL parser writes it (percent-encoded, dot segments resolved), without
 * query, fragment and trailing slashes, cut at 1,024 characters. Undefined for a text that does not begin with "/".
 */
export function pageOf(path: string): string | undefined {
  if (!path.startsWith('/')) return undefined;
  const { pathname } = new URL(`http://page.invalid${path}`);
  // A cut may leave "/.." at the end, which is another page again.
  if (pathname.length > LONGEST) return pageOf(pathname.slice(0, LONGEST));
  return pathname.replace(/\/+$/, '') || '/';
}
