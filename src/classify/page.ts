import { hidePrivate } from './private.ts';

const LONGEST = 1024;

/**
 * Reads the page of a path: as the WHATWG URL parser writes it, without query, fragment and trailing slashes, cut at
 * 1,024 characters. Undefined for a text without "/" at its start.
 */
export const readPage = (path: string): string | undefined => parsePage(path, (pathname) => pathname);

/**
 * Reads the page of a path as a site keeps it. Private segments are hidden before the cut, which could leave half an
 * e-mail address that is not recognized.
 */
export const keepPath = (path: string, privatePaths: string): string | undefined =>
  parsePage(path, (pathname) => hidePrivate(pathname, privatePaths));

/** Makes the page of a parsed URL. */
export const keepPage = ({ pathname }: URL, privatePaths: string): string =>
  trimPage(hidePrivate(pathname, privatePaths)) ?? '/';

const parsePage = (path: string, kept: (pathname: string) => string): string | undefined =>
  path.startsWith('/') ? trimPage(kept(new URL(`http://page.invalid${path}`).pathname)) : undefined;

/** Cuts a page and removes trailing slashes. A cut may leave "/.." at the end, so the result is parsed again. */
const trimPage = (pathname: string): string | undefined =>
  pathname.length > LONGEST
    ? readPage(pathname.slice(0, LONGEST))
    : (pathname.endsWith('/') ? pathname.replace(/\/+$/, '') : pathname) || '/';

/**
 * Reads a pattern of pages in the spelling of stored pages, percent-encoded. Dots stay, because the text at a `*` is
 * not known.
 */
export function readPagePattern(typed: string): string {
  const url = new URL('http://page.invalid');
  return typed
    .split(/[\\/]/)
    .map((part) => {
      // The letter keeps a segment of dots from being resolved.
      url.pathname = `/x${part}`;
      return url.pathname.slice(2);
    })
    .join('/');
}
