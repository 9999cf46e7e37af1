// Makes and reads rollups. A rollup has the sums of one breakdown of a sealed day, without filters. Queries without
// filters add up rollups, and read no hits.
//
// Invariant: a rollup equals the counts that the columns give. A recount compares them each month.
//
// Example: the pages 3, 7 and 900 have 20, 5 and 1 visitors, and 31, 6 and 1 hits. The three lists take 40 bytes: 24
// for headers, 8 for terms, 4 for visitors and 4 for hits. Each list is filled up to a multiple of 4 bytes.
//
// A day's rollup of pages or of host names is compressed if it takes more than 64 bytes. Without compression, these
// rollups would take a tenth of the database file. All other rollups are stored without compression. A compressed
// rollup has the gaps between terms, such as 3, 4 and 893 for the pages 3, 7 and 900.
//
// row-sums.ts packs rollups when a day is sealed. day-reader.ts and month.ts read them for queries and months.
import type { SealedDay } from '../../catalog/sealed-days.ts';
import {
  BREAKDOWNS,
  type Breakdown,
  type ColumnBreakdown,
  DIMENSIONS,
  findColumnDimension,
  findVersion,
  hasStoredHits,
  isOfProperties,
  type PropertyBreakdown,
  type StoredBreakdown,
} from '../../stats/dimensions.ts';
import type { Db } from '../../store/db.ts';
import { findBlob, makeMissingError, rollupTable } from '../column/blobs.ts';
import type { ColumnName } from '../column/column.ts';
import {
  type Column,
  compress,
  decompressForNow,
  isCompressed,
  isShort,
  type Numbers,
  narrow,
  pack,
} from '../column/packing.ts';
import { findProperties, type SetTexts } from '../column/properties.ts';
import { addDay, keepsEmpty, type TermCounts } from '../count/breakdown.ts';
import { emptySums, tallyHits } from '../count/distinct.ts';
import { makeZeros } from '../count/hit-filter.ts';
import { hasText } from '../count/term-filter.ts';
import { type Day, selectAll } from '../day/day.ts';

const NONE = new Uint8Array(0);

/**
 * The rows of a rollup. Entry i of each list belongs to row i. `events` is filled for two breakdowns only. For event
 * labels, it has the event of each label. For values of properties, it has the property name of each value. Rows are
 * sorted by the term in `events`, and then by the term in `terms`.
 */
export type Rollup = TermCounts & { events: ArrayLike<number> };

export type StoredRollup = Record<keyof Rollup, Numbers>;

/** Finds texts, property sets, and the terms of property names. */
export type NameTexts = SetTexts & { findTerm(text: string): number | undefined; readText(term: number): string };
/** Finds no texts. This is enough to pack a day whose hits have no properties and no revenue. */
export const NO_NAMES: NameTexts = { findTerm: () => undefined, readText: () => '' };

export function makeRollup(day: Day, breakdown: StoredBreakdown, texts: NameTexts): Rollup {
  if (breakdown === 'event_labels') return countLabels(day);
  if (isOfProperties(breakdown)) return countProperties(day, breakdown, texts);
  return { ...countTerms(day, breakdown), events: NONE };
}

/** Counts visitors and hits by property name, or by the values of each property. */
function countProperties(day: Day, breakdown: PropertyBreakdown, texts: NameTexts): Rollup {
  const { names, column } = findProperties(day, texts);
  const known = names().map((name) => ({ name, term: texts.findTerm(name) ?? 0 }));
  const rollup = { events: [] as number[], terms: [] as number[], visitors: [] as number[], hits: [] as number[] };
  for (const { name, term } of known.sort((one, other) => one.term - other.term)) {
    const { terms, codes } = column(name);
    const ofValues = breakdown === 'property_values';
    const own = ofValues ? Uint32Array.from(terms.keys()) : Uint8Array.of(0);
    const sums = emptySums(own.length);
    const counted = { terms: own, codes: ofValues ? codes : makeZeros(day) };
    const has = hasText({ terms, codes });
    tallyHits(sums, day, counted, selectAll(day), has ? [has] : []);
    for (let code = 0; code < own.length; code++) {
      if (sums.visitors[code] === 0) continue;
      if (ofValues) rollup.events.push(term);
      rollup.terms.push(ofValues ? (terms[code] as number) : term);
      rollup.visitors.push(sums.visitors[code] as number);
      rollup.hits.push(sums.hits[code] as number);
    }
  }
  return rollup;
}

/**
 * Counts all pairs of an event and a label in one loop over the hits. With a loop for each event name, a day with
 * thousands of different names would take minutes.
 */
function countLabels(day: Day): Rollup {
  const [events, labels] = [day.column('event'), day.column('label')];
  const { pairs, codes } = numberPairs(events, labels);
  const sums = emptySums(pairs.length);
  tallyHits(sums, day, { terms: Uint32Array.from(pairs.keys()), codes }, selectAll(day), []);
  // The first pair is left out. It stands for all pageviews, and for all events without a label.
  const found = Array.from(pairs.keys()).slice(1);
  const width = labels.terms.length;
  return {
    events: found.map((number) => events.terms[Math.floor((pairs[number] as number) / width)] as number),
    terms: found.map((number) => labels.terms[(pairs[number] as number) % width] as number),
    visitors: found.map((number) => sums.visitors[number] as number),
    hits: found.map((number) => sums.hits[number] as number),
  };
}

/**
 * Numbers the distinct pairs of an event and a label, sorted by event and then by label. For each hit, `codes` has the
 * number of its pair, which is an index of `pairs`. Pageviews, and events without a label, have the number 0, and
 * `pairs[0]` is -1. All other entries of `pairs` are event × L + label. Event and label are codes. L is the number of
 * labels.
 */
function numberPairs(events: Column, labels: Column): { pairs: Float64Array; codes: Uint32Array } {
  const width = labels.terms.length;
  const keys = new Float64Array(events.codes.length).fill(-1);
  for (let hit = 0; hit < keys.length; hit++) {
    const event = events.codes[hit] as number;
    const label = labels.codes[hit] as number;
    if (events.terms[event] !== 0 && labels.terms[label] !== 0) keys[hit] = event * width + label;
  }
  const pairs = Float64Array.from(new Set(keys).add(-1)).sort();
  const numbers = new Map(Array.from(pairs, (key, number) => [key, number] as const));
  return { pairs, codes: Uint32Array.from(keys, (key) => numbers.get(key) as number) };
}

/**
 * Makes a day in which one column has codes in place of terms. Codes are smaller numbers, so arrays with an entry for
 * each code are shorter.
 */
export function withCodesAsTerms(day: Day, name: ColumnName): Day {
  const { terms, codes } = day.column(name);
  const own = new Uint32Array(terms.length);
  for (let code = 0; code < own.length; code++) own[code] = code;
  const coded: Column = { terms: own, codes };
  return { ...day, column: (other) => (other === name ? coded : day.column(other)) };
}

function countTerms(day: Day, breakdown: ColumnBreakdown): TermCounts {
  const name = findColumnDimension(breakdown);
  const { terms } = day.column(name);
  const sums = emptySums(terms.length);
  const coded = withCodesAsTerms(day, name);
  addDay(sums, coded, { breakdown, column: coded.column(name) }, selectAll(day));
  const codes: number[] = [];
  for (let code = 0; code < terms.length; code++) {
    if (sums.visitors[code] !== 0 && (keepsEmpty(breakdown) || terms[code] !== 0)) codes.push(code);
  }
  const pick = (list: ArrayLike<number>) => codes.map((code) => list[code] as number);
  return { terms: pick(terms), visitors: pick(sums.visitors), hits: pick(sums.hits) };
}

/**
 * Names the lists that are stored for a breakdown. Breakdowns of visits, such as countries, store only terms and
 * visitors. Breakdowns of hits, such as pages, also store hits, except event labels. For event labels and property
 * values, `events` says to which event or property name each row belongs.
 */
function nameLists(breakdown: Breakdown): (keyof Rollup)[] {
  if (breakdown === 'event_labels') return ['terms', 'visitors', 'events'];
  if (breakdown === 'property_values') return ['terms', 'visitors', 'hits', 'events'];
  return hasStoredHits(breakdown) ? ['terms', 'visitors', 'hits'] : ['terms', 'visitors'];
}

function takeGaps(ascending: ArrayLike<number>): Uint32Array {
  const gaps = new Uint32Array(ascending.length);
  for (let i = 0, last = 0; i < gaps.length; i++) {
    gaps[i] = (ascending[i] as number) - last;
    last = ascending[i] as number;
  }
  return gaps;
}

function addGaps(gaps: Numbers): Uint32Array {
  const sums = new Uint32Array(gaps.length);
  let sum = 0;
  for (let i = 0; i < gaps.length; i++) {
    sum += gaps[i] as number;
    sums[i] = sum;
  }
  return sums;
}

export const packRollup = (breakdown: Breakdown, rollup: Rollup): Buffer =>
  pack(nameLists(breakdown).map((list) => narrow(rollup[list])));

/**
 * True for pages, entry pages, exit pages and host names. Only their rollups are compressed, because most of these
 * breakdowns have many rows.
 */
const isOfPages = (breakdown: Breakdown): boolean =>
  DIMENSIONS[BREAKDOWNS[breakdown]].kind === 'end' || DIMENSIONS[BREAKDOWNS[breakdown]].counts === 'pageviews';

/**
 * Packs a rollup of a day. For pages, the gaps between ascending terms are stored, because gaps are small numbers,
 * which compress better. A short rollup is not compressed, and keeps its terms.
 */
export function packDayRollup(breakdown: Breakdown, rollup: Rollup): Buffer {
  const packed = packRollup(breakdown, rollup);
  if (!isOfPages(breakdown) || isShort(packed)) return packed;
  return compress(nameLists(breakdown).map((list) => narrow(list === 'terms' ? takeGaps(rollup.terms) : rollup[list])));
}

export function unpackRollup(breakdown: Breakdown, bytes: Uint8Array): StoredRollup {
  const hasGaps = isCompressed(bytes);
  const lists = decompressForNow(bytes);
  const names = nameLists(breakdown);
  if (lists.length !== names.length)
    throw new RangeError(`rollup ${breakdown} has ${lists.length} lists, expected ${names.length}`);
  const rollup: StoredRollup = { terms: NONE, visitors: NONE, hits: NONE, events: NONE };
  names.forEach((list, i) => {
    rollup[list] = lists[i] as Numbers;
  });
  return hasGaps ? { ...rollup, terms: narrow(addGaps(rollup.terms)) } : rollup;
}

/**
 * True if a day has the rollup of a breakdown. If an older version of daybook sealed the day, the rollups of newer
 * breakdowns are missing.
 */
export const hasRollup = (breakdown: Breakdown, { format }: Pick<SealedDay, 'format'>): boolean =>
  findVersion(BREAKDOWNS[breakdown]) <= format;

/**
 * Returns the rollup of a breakdown that did not exist when the day was sealed. All visitors of the day then have the
 * empty value.
 */
const emptyRollup = (breakdown: Breakdown, { visitors }: SealedDay): StoredRollup =>
  keepsEmpty(breakdown) && visitors > 0
    ? { terms: narrow([0]), visitors: narrow([visitors]), hits: narrow([0]), events: NONE }
    : { terms: NONE, visitors: NONE, hits: NONE, events: NONE };

/** Reads a rollup. Throws if the rollup is missing or damaged, because a wrong figure is worse than an error. */
export function readRollup(db: Db, day: SealedDay, breakdown: Breakdown): StoredRollup {
  if (!hasRollup(breakdown, day)) return emptyRollup(breakdown, day);
  const table = rollupTable(day.reduced !== undefined);
  const bytes = findBlob(db, table, day.id, breakdown);
  if (!bytes) throw makeMissingError(db, table, day.id, breakdown);
  return unpackRollup(breakdown, bytes);
}

/**
 * Returns the rows of one event, or of one property name. In the rollup of event labels, `event` is the term of the
 * event. In the rollup of property values, `event` is the term of the property's name. The wanted rows are neighbours,
 * because rows are sorted by event or property name first.
 */
export function takeRowsOf({ events, terms, visitors, hits }: StoredRollup, event: number): TermCounts {
  const [from, to] = [Math.max(events.indexOf(event), 0), events.lastIndexOf(event) + 1];
  const pick = (list: Numbers) => list.subarray(from, to);
  return { terms: pick(terms), visitors: pick(visitors), hits: pick(hits) };
}
