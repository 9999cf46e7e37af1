// Turns texts of other products into texts that an import can read. Anybody can send odd texts to those products, and
// one odd text must not make a whole file unreadable.
//
// Example: the name `Chrome` and the version `141.0.7` of a file become the browser version `Chrome 141`. The readers
// in ../products call these functions.

import { findHost } from '../../classify/known-sources.ts';
import { writeCity, writeRegion } from '../../classify/place.ts';
import { findScreen } from '../../classify/screen.ts';

const LONGEST_EVENT = 120;

/** Finds the host of a source that a file names, such as "Google" or "x.org". */
export const findNamedHost = (name: string): string | undefined =>
  findHost(name) ?? (/^[^\s/:]+\.[^\s/:]+$/.test(name) ? name : undefined);

/** Reads a true or false value of a CSV file. A spreadsheet writes TRUE when it saves the file again. */
export const isTrue = (text = ''): boolean => text === '1' || text.toLowerCase() === 'true';

/**
 * Cuts the name of an event as the server cuts it in a message of the tracking script (collect/payload.ts). An imported
 * event then has the same name as a live one.
 */
export const cutEvent = (name: string): string =>
  name.length <= LONGEST_EVENT ? name : [...name.slice(0, 2 * LONGEST_EVENT)].slice(0, LONGEST_EVENT).join('');

/**
 * Writes a name with its major version: `Chrome` and `141.0.7` give `Chrome 141`. Returns an empty text if the name or
 * the number is missing.
 */
export function writeVersion(name = '', version = ''): string {
  const major = /^\s*(\d+)/.exec(version)?.[1];
  return name === '' || major === undefined ? '' : `${name} ${major}`;
}

type ToldPlace = { country?: string | undefined; region?: string | undefined; city?: string | undefined };

/**
 * Writes a region and a city in the form in which daybook stores them. The file may have the region as `US-CA` or as
 * `CA`.
 */
export function writePlace(told: ToldPlace): { region: string; city: string } {
  const code = (told.country ?? '').toUpperCase();
  // XX is Cloudflare's code for an unknown country. Its code T1 (Tor) has a digit, so it gives no region and no city.
  const country = code === 'XX' ? '' : code;
  const region = writeRegion(country, told.region);
  return { region, city: writeCity({ country, region }, /^[A-Z]{2}$/.test(country) ? told.city : '') };
}

/**
 * Finds the class of a screen from its width: `1440x900` gives `Desktop`. Returns an empty text if there is no number.
 */
export function readScreen(size = ''): string {
  const width = /^\s*(\d{1,6})/.exec(size)?.[1];
  return width === undefined ? '' : findScreen(Number(width));
}

/**
 * Writes the URL of a page of the site. The query string is put in front of the fragment of the path: `/a#b` and
 * `utm_source=x` give `/a?utm_source=x#b`. After the `#`, the campaign tags would be part of the fragment, and would be
 * lost.
 */
export function writeUrl(domain: string, path: string, query: string): string {
  const [bare = ''] = path.split('#', 1);
  const tags = query === '' ? '' : `${bare.includes('?') ? '&' : '?'}${query}`;
  // Without the slash, the path would be read as a part of the host.
  return `https://${domain}${path.startsWith('/') ? '' : '/'}${bare}${tags}${path.slice(bare.length)}`;
}

const TAGS = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;

/**
 * For each campaign tag, the columns from which the tag can be read. These are the tag's own column, and the column
 * with the whole query string.
 */
export const tagColumns = (query: string): Record<string, readonly string[]> =>
  Object.fromEntries(TAGS.map((tag) => [tag.replace('_', ' '), [tag, query]]));

/**
 * Adds campaign tags to a query string, because daybook reads the tags of a hit from its URL. Other products store the
 * tags in columns of their own.
 */
export function writeTags(query: string, row: Readonly<Record<string, string>>): string {
  const tags = TAGS.filter((tag) => row[tag]);
  // A `#` in the query string would begin the fragment of the URL.
  if (tags.length === 0) return query.replace(/^\?/, '').replaceAll('#', '%23');
  const all = new URLSearchParams(query);
  for (const tag of tags) all.set(tag, row[tag] ?? '');
  return `${all}`;
}
