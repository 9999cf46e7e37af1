import { withoutPrivate } from './private.ts';

const LONGEST = 1024;

/**
 * The page that a path stands for: as the WHATWG URL parser writes it (percent-encoded, dot segments resolved), without
 * query, fragment and trailing slashes, cut at 1,024 characters. Undefined for a text that does not begin with "/".
 */
export const readPage = (path: string): string | undefined => pageIn(path, (pathname) => pathname);

/** The path as a site keeps it. Private parts are hidden first: half an e-mail address would not be found after the cut. */
export const keptPage = (path: string, privatePaths: string): string | undefined =>
  pageIn(path, (pathname) => withoutPrivate(pathname, privatePaths));

/** The page of a parsed URL. */
export const keepPage = ({ pathname }: URL, privatePaths: string): string =>
  trimmed(withoutPrivate(pathname, privatePaths)) ?? '/';

const pageIn = (path: string, kept: (pathname: string) => string): string | undefined =>
  path.startsWith('/') ? trimmed(kept(new URL(`http://page.invalid${path}`).pathname)) : undefined;

/** A cut may leave "/.." at the end, which is another page again. */
const trimmed = (pathname: string): string | undefined =>
  pathname.length > LONGEST
    ? readPage(pathname.slice(0, LONGEST))
    : (pathname.endsWith('/') ? pathname.replace(/\/+$/, '') : pathname) || '/';

/** A pattern of pages as they are kept: percent-encoded, but nothing is resolved, because what stands around a `*` is not known. */
export function readPagePattern(typed: string): string {
  const url = new URL('http://page.invalid');
  return typed
    .split(/[\\/]/)
    .map((part) => {
      // The letter keeps a part of dots from being resolved.
      url.pathname = `/x${part}`;
      return url.pathname.slice(2);
    })
    .join('/');
}
