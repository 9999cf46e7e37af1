// Page parameters: the parameters of a query string that belong to a page, such as `p` in `/?p=1` of WordPress.
//
// A site lists the names of its page parameters. A stored page has these parameters in alphabetical order. All other
// parameters are dropped. A value with an e-mail address becomes `:id`.
//
// Invariant: a stored query has one spelling. Two URLs are one page if they differ only in the order of parameters, or
// in how characters are escaped (test/classify/page-parameters.test.ts).
//
// Example: with the names `t` and `f`, the query `?sid=9&t=12&f=3` becomes `?f=3&t=12`. page.ts calls these functions,
// and src/api checks the names of a site with findNamesFault.

import { type Coded, coded } from '../lang/coded.ts';
import { cached } from '../lib/cache.ts';
import { isClickId } from './ad.ts';
import { hasEmail } from './private.ts';

/**
 * Returns the query with the parameters that are kept, or an empty text. The query has at most `room` characters. The
 * first parameter that does not fit, and all parameters after it, are dropped. A value cut in half would name another
 * page.
 */
export function keepQuery(search: string, isKept: IsKept, room: number): string {
  let query = '';
  for (const { name, value } of splitQuery(search, STAR, isKept).sort(compareNames)) {
    const next = `${query}${query === '' ? '?' : '&'}${name}=${hasEmail(value) ? HIDDEN : value}`;
    if (next.length > room) break;
    query = next;
  }
  return query;
}

/** True if a parameter with this name is kept. */
export type IsKept = (name: string) => boolean;

/** Makes the function that tells whether a site keeps a parameter. `lines` has the names to keep, one per line. */
export const makeIsKept = cached(
  (lines: string): IsKept => {
    const names = new Set(lines.split('\n'));
    return (name) => names.has(name);
  },
  { size: 1_000 },
);

/** True if a site may list this name as a page parameter. */
export const isPageParameter = (name: string): boolean => NAME.test(name) && !isTag(name);

/**
 * Writes the query of a pattern, such as `?t=*&f=2`, in the spelling of stored pages. Stars are not escaped.
 *
 * The parameters are sorted, unless a name has a star. For example, `?*&t=2` keeps its order, because the star may
 * stand for several parameters.
 */
export function readQueryPattern(search: string): string {
  const parts = splitQuery(search, '*', () => true);
  if (!parts.some(({ name }) => name.includes('*'))) parts.sort(compareNames);
  const texts = parts.map(({ name, value, isBare }) => (isBare && name.includes('*') ? name : `${name}=${value}`));
  return texts.length === 0 ? '' : `?${texts.join('&')}`;
}

export const MOST_NAMES = 10;
export const LONGEST_NAME = 40;
const NAME = /^[\w.[\]-]{1,40}$/;

/** Finds the first fault in a site's list of page parameters. */
export function findNamesFault(names: readonly string[]): Coded | undefined {
  for (const [index, typed] of names.entries()) {
    const name = typed.slice(0, LONGEST_NAME);
    if (!NAME.test(typed)) return coded('parameter_wrong_name', { name, most: LONGEST_NAME });
    if (isTag(name)) return coded('parameter_of_source', { name });
    if (names.indexOf(name) < index) return coded('parameter_twice', { name });
  }
  return undefined;
}

/**
 * Parameters, besides click ids (ad.ts), that ad networks, social networks and mail programs add to links. Their values
 * differ from visitor to visitor. If they were kept, one page would become many pages.
 */
const LINK_IDS = new Set([
  ...['gclsrc', 'gad_source', 'gad_campaignid', 'srsltid', '_gl', '_ga', 'igshid', 'igsh', 'epik', 'sccid', 'rdt_cid'],
  ...['qclid', 'ysclid', 'tblci', 'dicbo', 'obclid', 'irclickid', 'cjevent', 's_kwcid', 'wickedid'],
  ...['mc_cid', 'mc_eid', 'mkt_tok', 'vero_id', '_hsenc', '_hsmi', '_kx'],
]);

/**
 * True for a name that a site cannot list as a page parameter. The tags `source` and `ref` already name the source of a
 * visit, therefore they belong to no page.
 */
function isTag(typed: string): boolean {
  const name = typed.toLowerCase();
  return /^(?:utm_.*|source|ref)$/.test(name) || isClickId(name) || LINK_IDS.has(name);
}

/** This text replaces a value that contains an e-mail address. In paths, the same text replaces private segments. */
const HIDDEN = ':id';

/** `isBare` is true for a parameter without "=". In a stored page, such a parameter is written as `name=`. */
type Parameter = { name: string; value: string; isBare: boolean };

const compareNames = (one: Parameter, other: Parameter): number =>
  one.name < other.name ? -1 : Number(one.name > other.name);

/**
 * The number of characters of a value that are read. Reading all of a very long value would take time (torture trial
 * H10).
 *
 * A page has at most 1,024 characters, and one spelling of a text is at most three times as long as another. Therefore
 * a longer value fits into no page.
 */
const LONGEST_VALUE = 3 * 1_025;

function splitQuery(search: string, star: string, isKept: IsKept): Parameter[] {
  const parameters: Parameter[] = [];
  for (const part of search.slice(1).split('&')) {
    const end = part.indexOf('=');
    const isBare = end < 0;
    const name = spell(isBare ? part : part.slice(0, end), star);
    if (name !== '' && isKept(name)) {
      parameters.push({ name, value: isBare ? '' : spell(part.slice(end + 1, end + 1 + LONGEST_VALUE), star), isBare });
    }
  }
  return parameters;
}

/** A star in a stored page is escaped. Otherwise, a goal for this page would be read as a pattern. */
const STAR = '%2A';

/** The characters that a stored query has without escapes. Browsers do not escape them in paths either. */
const PLAIN = /[!$'(),\-./0-9:;=@A-Z[\\\]_a-z|~]/;

/**
 * Writes a name or a value in one spelling. The URL parser has already escaped spaces, and all characters that are not
 * ASCII. `+` means a space.
 */
function spell(text: string, star: string): string {
  if (!/[%+*?^`{}]/.test(text)) return text;
  return text.replaceAll(/%[\da-f]{2}|[%+*?^`{}]/gi, (found) => {
    if (found === '*') return star;
    if (found === '+') return '%20';
    if (found.length === 1) return `%${found.charCodeAt(0).toString(16).toUpperCase()}`;
    const character = String.fromCharCode(Number.parseInt(found.slice(1), 16));
    return PLAIN.test(character) ? character : found.toUpperCase();
  });
}
