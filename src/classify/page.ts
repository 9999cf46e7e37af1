// Pages: the path of a URL, in the one spelling that is stored. If an app navigates by hash, its pages also contain the
// route.
//
// A fragment that begins with "#/" or "#!" is a route. The script of a site sends a route only with `data-hash`. Any
// other fragment, such as `#top` or `#access_token=…`, is not stored.
//
// Example: `/app/?ref=x#/users/17/?tab=1` gives the page `/app#/users/17`. The collector, imports, filters and goals
// read pages here, so a filter finds what was stored.

import { hidePrivate } from './private.ts';

/**
 * Gives undefined if the text does not begin with "/". The page is encoded as browsers encode paths, and has at most
 * 1,024 characters. The query, slashes at the end, and a fragment that is no route are removed.
 */
export const readPage = (path: string): string | undefined => parsePage(path, (text) => text);

/**
 * Private segments are hidden before a long path is cut. Otherwise the cut could leave half of an e-mail address, which
 * would not be recognized.
 */
export const keepPath = (path: string, privatePaths: string): string | undefined =>
  parsePage(path, (text) => hidePrivate(text, privatePaths));

/** Reads the page of a URL, and hides its private segments. */
export const keepPage = (url: Pick<URL, 'pathname' | 'hash'>, privatePaths: string): string =>
  joinPage(url, (text) => hidePrivate(text, privatePaths));

/**
 * Reads a pattern of pages such as `/blog/*`, and encodes it like stored pages, so that the two can be compared. The
 * segments "." and ".." stay.
 */
export function readPagePattern(typed: string): string {
  const url = new URL('http://page.invalid');
  const [path = '', ...fragment] = typed.split('#');
  const encoded = path
    .split(/[\\/]/)
    .map((part) => {
      // The letter x keeps the URL parser from removing a segment such as "..", and is cut off again.
      url.pathname = `/x${part}`;
      return url.pathname.slice(2);
    })
    .join('/');
  url.hash = fragment.join('#');
  return encoded + url.hash;
}

const LONGEST = 1024;

/** Returns a path or a route without its private segments. */
type Keep = (text: string) => string;

const parsePage = (path: string, keep: Keep): string | undefined =>
  path.startsWith('/') ? joinPage(new URL(`http://page.invalid${path}`), keep) : undefined;

function joinPage({ pathname, hash }: Pick<URL, 'pathname' | 'hash'>, keep: Keep): string {
  const path = trimPath(keep(pathname));
  return /^#[/!]/.test(hash) ? path + trimRoute(hash, keep, LONGEST - path.length) : path;
}

/**
 * Cuts a long path, and removes slashes at its end. A cut may leave "/.." at the end, so the result is parsed again.
 */
const trimPath = (pathname: string): string =>
  pathname.length > LONGEST
    ? trimPath(new URL(`http://page.invalid${pathname.slice(0, LONGEST)}`).pathname)
    : (pathname.endsWith('/') ? pathname.replace(/\/+$/, '') : pathname) || '/';

/**
 * Reads the route of an app from a fragment such as `#/users/17?tab=1`. The query is removed, and so are slashes at the
 * end. An empty route, "#/" or "#!", is the page itself. The "!" is no part of the first segment. Otherwise a private
 * pattern such as `/users/*` would not match `#!/users/17`.
 */
function trimRoute(hash: string, keep: Keep, room: number): string {
  const [, mark = '', route = ''] = /^(#!?)([^?]*)/.exec(hash) ?? [];
  const cut = keep(route).slice(0, Math.max(0, room - mark.length));
  const kept = cut.endsWith('/') ? cut.replace(/\/+$/, '') : cut;
  return kept === '' ? '' : mark + kept;
}
