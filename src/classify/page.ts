import { hidePrivate } from './private.ts';

const LONGEST = 1024;

/**
 * Reads the page of a path: encoded as browsers do, without query, fragment and slashes at the end, and at most 1,024
 * characters long. Undefined if the text does not begin with "/".
 */
export const readPage = (path: string): string | undefined => parsePage(path, (pathname) => pathname);

/**
 * Reads the page of a path as the site stores it. Private segments are hidden before the path is cut. Otherwise half of
 * an e-mail address could be left, which nobody recognizes as private.
 */
export const keepPath = (path: string, privatePaths: string): string | undefined =>
  parsePage(path, (pathname) => hidePrivate(pathname, privatePaths));

/** Reads the page of a URL as the site stores it. */
export const keepPage = ({ pathname }: URL, privatePaths: string): string =>
  trimPage(hidePrivate(pathname, privatePaths)) ?? '/';

const parsePage = (path: string, kept: (pathname: string) => string): string | undefined =>
  path.startsWith('/') ? trimPage(kept(new URL(`http://page.invalid${path}`).pathname)) : undefined;

/** Cuts a page and removes slashes at its end. A cut may leave "/.." at the end, so the result is parsed again. */
const trimPage = (pathname: string): string | undefined =>
  pathname.length > LONGEST
    ? readPage(pathname.slice(0, LONGEST))
    : (pathname.endsWith('/') ? pathname.replace(/\/+$/, '') : pathname) || '/';

/**
 * Reads a pattern of pages, and encodes it like stored pages. "." and ".." stay, because the text that `*` stands for
 * is unknown.
 */
export function readPagePattern(typed: string): string {
  const url = new URL('http://page.invalid');
  return typed
    .split(/[\\/]/)
    .map((part) => {
      // Without the letter x, the URL parser would remove a segment such as "..".
      url.pathname = `/x${part}`;
      return url.pathname.slice(2);
    })
    .join('/');
}
