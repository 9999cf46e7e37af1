// Pages: the path of a URL, in the one spelling that is stored. A page also contains the parameters that the site lists
// as page parameters. If an app navigates by hash, its pages also contain the route.
//
// A route is a fragment that begins with "#/" or "#!". The tracking script sends a route only if its tag has
// `data-hash`. Any other fragment, such as `#top` or `#access_token=…`, is not stored.
//
// Example: `/app/?ref=x#/users/17/?tab=1` gives the page `/app#/users/17`. With the page parameter `p`, `/?ref=x&p=1`
// gives `/?p=1`. The code that counts hits (src/collect), imports, filters and goals all read pages here. So a filter
// finds what was stored. A private segment is a part of a path that may name a person. It is stored as `:id`
// (private.ts).

import { type IsKept, isPageParameter, keepQuery, makeIsKept, readQueryPattern } from './page-parameters.ts';
import { hidePrivate } from './private.ts';

/** The settings of a site that decide how its pages are stored. Each has one entry per line. */
export type PageRules = { privatePaths: string; pageParameters: string };

/**
 * Reads a page without its query. Returns undefined if the text does not begin with "/".
 *
 * The page is encoded as browsers encode paths, and has at most 1,024 characters. Slashes at the end are removed, and
 * so is a fragment that is no route.
 */
export const readPage = (path: string): string | undefined => parsePage(path, { hide: leave });

/**
 * Reads a page that a filter names. Keeps all parameters that a site can list, and not only those on the present list
 * of the site. The page may have been stored when the site had another list.
 */
export const readStoredPage = (path: string): string | undefined =>
  parsePage(path, { hide: leave, isKept: isPageParameter });

/** Removes from a page the parameters that the site does not list. */
export const keepParameters = (page: string, pageParameters: string): string =>
  parsePage(page, { hide: leave, isKept: makeIsKept(pageParameters) }) ?? page;

/** Reads a query such as `?p=1&x=2`, and keeps only its page parameters. If none is left, the result is empty. */
export const keepSearch = (query: string, { pageParameters }: PageRules): string =>
  pageParameters === ''
    ? ''
    : keepQuery(new URL(query, 'http://page.invalid').search, makeIsKept(pageParameters), LONGEST);

/** Hides the private segments of a stored page. Its parameters stay. */
export const hideInPage = (page: string, privatePaths: string): string =>
  parsePage(page, { hide: (text) => hidePrivate(text, privatePaths), isKept: isPageParameter }) ?? page;

/**
 * Turns a path into the page that is stored. Private segments are hidden before a long path is cut. Otherwise, the cut
 * could leave half of an e-mail address, and nothing would recognise this half.
 */
export const keepPath = (path: string, rules: PageRules): string | undefined => parsePage(path, makeKeep(rules));

/** Reads the page of a URL with its page parameters, and hides its private segments. */
export const keepPage = (url: UrlParts, rules: PageRules): string => joinPage(url, makeKeep(rules));

/**
 * Reads a pattern of pages such as `/blog/*` or `/index.php?t=*`. The pattern is encoded like stored pages, because it
 * is compared with them. The segments "." and ".." stay.
 */
export function readPagePattern(typed: string): string {
  const url = new URL('http://page.invalid');
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(?:#(.*))?$/s.exec(typed) ?? [];
  const encoded = path
    .split(/[\\/]/)
    .map((part) => {
      // The letter x keeps the URL parser from removing a segment such as "..". The next line removes the x.
      url.pathname = `/x${part}`;
      return url.pathname.slice(2);
    })
    .join('/');
  url.search = query;
  url.hash = fragment;
  return encoded + readQueryPattern(url.search) + url.hash;
}

const LONGEST = 1024;

type UrlParts = Pick<URL, 'pathname' | 'search' | 'hash'>;

/** `hide` returns a path or a route without its private segments. Without `isKept`, no parameter is kept. */
type Keep = { hide: (text: string) => string; isKept?: IsKept };

const leave = (text: string): string => text;

const makeKeep = ({ privatePaths, pageParameters }: PageRules): Keep => ({
  hide: (text) => hidePrivate(text, privatePaths),
  ...(pageParameters !== '' && { isKept: makeIsKept(pageParameters) }),
});

const parsePage = (path: string, keep: Keep): string | undefined =>
  path.startsWith('/') ? joinPage(new URL(`http://page.invalid${path}`), keep) : undefined;

function joinPage({ pathname, search, hash }: UrlParts, { hide, isKept }: Keep): string {
  const path = trimPath(hide(pathname));
  const page = isKept && search !== '' ? path + keepQuery(search, isKept, LONGEST - path.length) : path;
  return /^#[/!]/.test(hash) ? page + trimRoute(hash, hide, LONGEST - page.length) : page;
}

/**
 * Cuts a long path, and removes slashes at its end. A cut may leave "/.." at the end, therefore the result is parsed
 * again.
 */
const trimPath = (pathname: string): string =>
  pathname.length > LONGEST
    ? trimPath(new URL(`http://page.invalid${pathname.slice(0, LONGEST)}`).pathname)
    : (pathname.endsWith('/') ? pathname.replace(/\/+$/, '') : pathname) || '/';

/**
 * Reads the route of an app from a fragment such as `#/users/17?tab=1`. The query and slashes at the end are removed.
 * An empty route, "#/" or "#!", is the page itself.
 *
 * The "!" is no part of the first segment. Otherwise, a private pattern such as `/users/*` would not match
 * `#!/users/17`.
 */
function trimRoute(hash: string, hide: Keep['hide'], room: number): string {
  const [, prefix = '', route = ''] = /^(#!?)([^?]*)/.exec(hash) ?? [];
  const cut = hide(route).slice(0, Math.max(0, room - prefix.length));
  const kept = cut.endsWith('/') ? cut.replace(/\/+$/, '') : cut;
  return kept === '' ? '' : prefix + kept;
}
