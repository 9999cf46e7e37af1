// The dimensions that a site does not keep. A site lists these dimensions, and their texts are dropped before anything
// is stored.
//
// Invariant: a dimension that is off is never stored. Other dimensions that would reveal its value are not stored
// either. `Chrome 141` reveals the browser, so a site without browsers has no browser versions. What was stored before
// stays.
//
// Example: a site lists `country`. Then the country, the region and the city of each new hit become empty.
//
// api/sites.ts writes the list. The code that counts hits (src/collect) and the imports (exchange/reading/file-hits.ts,
// exchange/day-sums.ts) obey this list.

import { cached } from '../lib/cache.ts';
import { type Breakdown, DIMENSIONS, type DimensionName, FILTERS, TEXT_FIELDS, type TextField } from './dimensions.ts';

/** A site cannot switch off pages and events, because they say what a hit is. */
const NEEDED = ['page', 'event'] as const;
export type OptionalDimension = Exclude<Extract<DimensionName, TextField>, (typeof NEEDED)[number] | 'label'>;

/** The dimensions that a site may switch off: stored texts that have a filter, except `NEEDED`. */
export const OPTIONAL_DIMENSIONS = FILTERS.filter(
  (name) => (TEXT_FIELDS as readonly string[]).includes(name) && !(NEEDED as readonly string[]).includes(name),
) as OptionalDimension[];

/** For a dimension, the other dimensions that would reveal its value. */
const NAMING: Partial<Record<OptionalDimension, readonly OptionalDimension[]>> = {
  country: ['region', 'city'],
  region: ['city'],
  browser: ['browser_version'],
  os: ['os_version'],
};

/**
 * Adds the dimensions that would reveal the value of a listed dimension. For example, a list with browsers also gets
 * browser versions. The result has each name once, in the order of `OPTIONAL_DIMENSIONS`.
 */
export function completeOff(names: readonly OptionalDimension[]): OptionalDimension[] {
  const off = new Set(names.flatMap((name) => [name, ...(NAMING[name] ?? [])]));
  return OPTIONAL_DIMENSIONS.filter((name) => off.has(name));
}

/**
 * Lists the texts that a site does not keep. `lines` has one dimension per line. An ad network says where a visit came
 * from. So a site that does not keep sources does not keep the text `ad` either.
 */
export const listDroppedTexts = cached(
  (lines: string): readonly TextField[] => {
    const names = readOff(lines);
    return names.includes('source') ? [...names, 'ad'] : names;
  },
  { size: 1_000 },
);

/** Reads a list with one dimension per line. Names that this version of daybook does not know are ignored. */
export const readOff = (lines: string): OptionalDimension[] => {
  const names: readonly string[] = lines.split('\n');
  return OPTIONAL_DIMENSIONS.filter((name) => names.includes(name));
};

/** Drops the texts of a hit that its site does not keep. */
export function dropTexts(hit: Record<TextField, string>, lines: string): void {
  if (lines === '') return;
  for (const name of listDroppedTexts(lines)) hit[name] = '';
}

/** The dimensions that a site keeps only if it has switched `places` on. */
const PLACES = ['region', 'city'] as const satisfies OptionalDimension[];

/** Adds regions and cities to the dimensions that a site has switched off, unless the site has switched `places` on. */
export const addPlaces = <Name extends string>(
  off: readonly Name[],
  hasPlaces: boolean,
): (Name | OptionalDimension)[] => [...off, ...(hasPlaces ? [] : PLACES)];

/** True if a site keeps regions or cities. Finding them takes longer than finding only the country. */
export const keepsPlaces = cached(
  (lines: string): boolean => {
    const off = readOff(lines);
    return !PLACES.every((name) => off.includes(name));
  },
  { size: 1_000 },
);

/**
 * The dimensions from which imports of daily totals work out channels. If a site does not keep one of them, an import
 * leaves out channels too.
 */
const OF_CHANNELS: readonly OptionalDimension[] = ['source', 'utm_source', 'utm_medium'];

/** Lists the breakdowns that an import of daily totals leaves out for a site. */
export function listSumsOff(lines: string): Breakdown[] {
  const off = readOff(lines);
  return [
    ...off.map((name) => DIMENSIONS[name].breakdown),
    ...(off.some((name) => OF_CHANNELS.includes(name)) ? (['channels'] as const) : []),
  ];
}
