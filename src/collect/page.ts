const LONGEST = 1024;

/**
 * The page that a path stands for: as the WHATWG URL parser writes it (percent-encoded, dot segments resolved), without
 * query, fragment and trailing slashes, cut at 1,024 characters. Undefined for a text that does not begin with "/".
 */
export function pageOf(path: string): string | undefined {
  if (!path.startsWith('/')) return undefined;
  const { pathname } = new URL(`http://page.invalid${path}`);
  // Characters are ASCII here, whatever was typed.
  return pathname.slice(0, LONGEST).replace(/\/+$/, '') || '/';
}
