import type { SealedDay } from '../../catalog/sealed-days.ts';
import { BREAKDOWNS, type Breakdown, DIMENSIONS, findVersion } from '../../stats/dimensions.ts';
import type { Db } from '../../store/db.ts';
import { findBlob, makeMissingError, rollupTable } from '../column/blobs.ts';
import type { Column, ColumnName } from '../column/column.ts';
import { compress, decompressForNow, isCompressed, type Numbers, narrow, pack, unpack } from '../column/packing.ts';
import { addDay, type Count, keepsEmpty } from '../count/breakdown.ts';
import { emptySums } from '../count/distinct.ts';
import { only } from '../count/term-filter.ts';
import { type Day, type Selection, selectAll } from '../day/day.ts';

const NONE = new Uint8Array(0);

/** The unfiltered counts of a breakdown. Labels have the event of each label, and are sorted by it first. */
export type Rollup = Count & { events: ArrayLike<number> };

/** The same as it is stored. */
export type StoredRollup = Record<keyof Rollup, Numbers>;

/** A day whose column has codes in place of terms, so that counting needs buffers of the dictionary's size only. */
export function withCodesAsTerms(day: Day, name: ColumnName): Day {
  const { terms, codes } = day.column(name);
  const own = new Uint32Array(terms.length);
  for (let code = 0; code < own.length; code++) own[code] = code;
  const coded: Column = { terms: own, codes };
  return { ...day, column: (other) => (other === name ? coded : day.column(other)) };
}

function listCounts(day: Day, breakdown: Breakdown, all: Selection, event?: number): Count {
  const name = BREAKDOWNS[breakdown];
  const { terms } = day.column(name);
  const sums = emptySums(terms.length);
  addDay(sums, withCodesAsTerms(day, name), breakdown, all, event === undefined ? {} : { event: only(event) });
  const codes: number[] = [];
  for (let code = 0; code < terms.length; code++) {
    if (sums.visitors[code] !== 0 && (keepsEmpty(breakdown) || terms[code] !== 0)) codes.push(code);
  }
  const pick = (list: ArrayLike<number>) => codes.map((code) => list[code] as number);
  return { terms: pick(terms), visitors: pick(sums.visitors), hits: pick(sums.hits) };
}

/** The unfiltered counts of a breakdown for one day. An unfiltered query adds these up. */
export function makeRollup(day: Day, breakdown: Breakdown): Rollup {
  const all = selectAll(day);
  if (breakdown !== 'event_labels') return { ...listCounts(day, breakdown, all), events: NONE };
  const events = [...day.column('event').terms].filter((event) => event !== 0);
  const counts = events.map((event) => listCounts(day, breakdown, all, event));
  const flat = (list: (count: Count) => ArrayLike<number>) => counts.flatMap((count) => Array.from(list(count)));
  return {
    events: counts.flatMap(({ terms }, i) => new Array<number>(terms.length).fill(events[i] as number)),
    terms: flat(({ terms }) => terms),
    visitors: flat(({ visitors }) => visitors),
    hits: flat(({ hits }) => hits),
  };
}

/** The lists of a rollup that are stored. Only breakdowns by hits have counts of hits. */
function listsOf(breakdown: Breakdown): (keyof Rollup)[] {
  if (breakdown === 'event_labels') return ['terms', 'visitors', 'events'];
  return DIMENSIONS[BREAKDOWNS[breakdown]].kind === 'hit' ? ['terms', 'visitors', 'hits'] : ['terms', 'visitors'];
}

function gapsIn(ascending: ArrayLike<number>): Uint32Array {
  const gaps = new Uint32Array(ascending.length);
  for (let i = 0, last = 0; i < gaps.length; i++) {
    gaps[i] = (ascending[i] as number) - last;
    last = ascending[i] as number;
  }
  return gaps;
}

function sumsOfGaps(gaps: Numbers): Uint32Array {
  const sums = new Uint32Array(gaps.length);
  let sum = 0;
  for (let i = 0; i < gaps.length; i++) {
    sum += gaps[i] as number;
    sums[i] = sum;
  }
  return sums;
}

export const packRollup = (breakdown: Breakdown, rollup: Rollup): Buffer =>
  pack(listsOf(breakdown).map((list) => narrow(rollup[list])));

/** Pages are so many that their rollups of each day would be a tenth of the file. */
const isOfPages = (breakdown: Breakdown): boolean =>
  DIMENSIONS[BREAKDOWNS[breakdown]].kind === 'end' || DIMENSIONS[BREAKDOWNS[breakdown]].counts === 'pageviews';

/** The same of a day: those of pages are compressed, with the gaps between terms in place of terms, which takes a quarter of the room. */
export const packDayRollup = (breakdown: Breakdown, rollup: Rollup): Buffer =>
  isOfPages(breakdown)
    ? compress(listsOf(breakdown).map((list) => narrow(list === 'terms' ? gapsIn(rollup.terms) : rollup[list])))
    : packRollup(breakdown, rollup);

export function unpackRollup(breakdown: Breakdown, bytes: Uint8Array): StoredRollup {
  const hasGaps = isCompressed(bytes);
  const lists = hasGaps ? decompressForNow(bytes) : unpack(bytes);
  const names = listsOf(breakdown);
  if (lists.length !== names.length)
    throw new RangeError(`rollup ${breakdown} has ${lists.length} lists, expected ${names.length}`);
  const rollup: StoredRollup = { terms: NONE, visitors: NONE, hits: NONE, events: NONE };
  names.forEach((list, i) => {
    rollup[list] = lists[i] as Numbers;
  });
  return hasGaps ? { ...rollup, terms: narrow(sumsOfGaps(rollup.terms)) } : rollup;
}

/** True if the dimension of the breakdown existed when the day was sealed. */
export const hasRollup = (breakdown: Breakdown, { format }: Pick<SealedDay, 'format'>): boolean =>
  findVersion(BREAKDOWNS[breakdown]) <= format;

/** The rollup of a dimension that was added after the day was sealed: all its visitors have the empty value. */
const emptyRollup = (breakdown: Breakdown, { visitors }: SealedDay): StoredRollup =>
  keepsEmpty(breakdown) && visitors > 0
    ? { terms: narrow([0]), visitors: narrow([visitors]), hits: narrow([0]), events: NONE }
    : { terms: NONE, visitors: NONE, hits: NONE, events: NONE };

/** A rollup of a sealed day. Throws if it is missing or damaged, because a wrong figure is worse than none. */
export function readRollup(db: Db, day: SealedDay, breakdown: Breakdown): StoredRollup {
  if (!hasRollup(breakdown, day)) return emptyRollup(breakdown, day);
  const table = rollupTable(day.reduced !== undefined);
  const bytes = findBlob(db, table, day.id, breakdown);
  if (!bytes) throw makeMissingError(table, day.id, breakdown);
  return unpackRollup(breakdown, bytes);
}

/** The labels of one event, out of a rollup with the labels of all events, which is in the order of events. */
export function takeLabels({ events, terms, visitors, hits }: StoredRollup, event: number): Count {
  const [from, to] = [Math.max(events.indexOf(event), 0), events.lastIndexOf(event) + 1];
  const pick = (list: Numbers) => list.subarray(from, to);
  return { terms: pick(terms), visitors: pick(visitors), hits: pick(hits) };
}
