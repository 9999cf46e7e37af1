// A day of one site, as columns for counting. A column has a value for each visit, or for each hit. Sealed days (packed
// for good), shards (some visitors of an open day), and parts of both have this type.
// Invariant: visits are sorted by visitor, then by time. Hits are sorted by visit, then by time. So all visits of a
// visitor are neighbours.
//
// Example: visitor A has two visits, with 2 hits and 1 hit. Visitor B has one visit with 3 hits. The column `hits` is
// [2, 1, 3]. The column `again` is [0, 1, 0], because the second visit is by the same visitor as the first. The column
// `page` has six rows. `findStarts` gives [0, 2, 3, 6].
//
// query/day-reader.ts makes days. The files of count/ read them.
import type { Totals } from '../../stats/aggregates.ts';
import type { Column, ColumnName } from '../column/column.ts';
import type { Numbers } from '../column/packing.ts';

/**
 * The visits that pass the filters of a query, by number, ascending. The list `visits` may be a larger shared buffer.
 * So only its first `count` entries are in use.
 */
export type Selection = { visits: Uint32Array; count: number };

/**
 * Sums of a sealed day (packed for good) for each quarter hour with hits. So a chart by hour need not read all hits.
 * `last` is the time of the latest hit, in seconds of the day. count/quarter-hour-sums.ts makes and reads these sums.
 */
export type QuarterSums = { quarters: Numbers; counts: Numbers; last: number };

export type Day = {
  day: number;
  totals: Totals;
  column(name: ColumnName): Column;
  /**
   * The quarter hour of each hit. Only sealed days (packed for good) have this column, because their seconds are slow
   * to unpack.
   */
  quarters?(): Column;
  quarterSums?(): QuarterSums;
  /**
   * The time at which each visit ended, in seconds of the day. A day without this function gets the list from
   * `findEnds`, which computes it anew.
   */
  ends?(): Int32Array;
  /**
   * Returns the visits that pass some filters. `find` is called only if the cache does not have them. Only sealed days
   * (packed for good) have this function. Other days change, so a cached list would soon be wrong.
   */
  selected?(filters: string, find: () => Selection): Selection;
};

/**
 * Visits of which some do not count, because new rows changed them. Another list has these visits in their new form.
 * `counted` removes their old form from a selection, so that no visit counts twice.
 */
export type SomeVisits = { day: Day; counted(some: Selection): Selection };

export const takeAllVisits = (day: Day): SomeVisits => ({ day, counted: (some) => some });

const buffers: Record<
  'visits' | 'starts' | 'funnelVisits' | 'hits' | 'rareHits' | 'before' | 'again' | 'owners',
  Uint32Array
> = {
  visits: new Uint32Array(0),
  starts: new Uint32Array(0),
  funnelVisits: new Uint32Array(0),
  hits: new Uint32Array(0),
  rareHits: new Uint32Array(0),
  before: new Uint32Array(0),
  again: new Uint32Array(0),
  owners: new Uint32Array(0),
};

/**
 * Returns a shared buffer of at least `rows` numbers, which saves megabytes of garbage for each day. The next call with
 * the same `use` returns the same buffer. So the caller may use the buffer only while it counts this day.
 */
export function sharedBuffer(use: keyof typeof buffers, rows: number): Uint32Array {
  if (buffers[use].length < rows) buffers[use] = new Uint32Array(2 ** Math.ceil(Math.log2(rows)));
  return buffers[use];
}

/**
 * The column `hits` from which `findStarts` filled its shared buffer last. A query calls `findStarts` several times for
 * one day, and only the first call computes the list.
 */
let startsFor: Numbers | undefined;

/**
 * Returns the index of each visit's first hit, and then the number of all hits. For the column `hits` [2, 1, 3] this is
 * [0, 2, 3, 6]. The result is a shared buffer, which a call for another day overwrites.
 */
export function findStarts({ column, totals: { visits } }: Day): Uint32Array {
  const { codes: hits } = column('hits');
  const starts = sharedBuffer('starts', visits + 1);
  if (startsFor === hits) return starts;
  startsFor = hits;
  let sum = 0;
  for (let visit = 0; visit < visits; visit++) {
    starts[visit] = sum;
    sum += hits[visit] as number;
  }
  starts[visits] = sum;
  return starts;
}

export const readEnds = (day: Day): Int32Array => day.ends?.() ?? findEnds(day);

/**
 * Computes the time at which each visit ended, in seconds of the day. The result is a new list, not a shared buffer, so
 * the caller may keep it.
 */
export function findEnds(day: Day): Int32Array {
  const starts = findStarts(day);
  const second = day.column('second').codes;
  const { terms, codes } = day.column('seconds');
  const ends = new Int32Array(day.totals.visits);
  for (let visit = 0; visit < ends.length; visit++) {
    ends[visit] = (second[starts[visit] as number] as number) + (terms[codes[visit] as number] as number);
  }
  return ends;
}

/** Returns the time of the day's first hit, in seconds of the day. Returns Infinity for a day without hits. */
export function findFirstSecond({ column }: Day): number {
  const { codes: seconds } = column('second');
  let first = Number.POSITIVE_INFINITY;
  for (let hit = 0; hit < seconds.length; hit++) first = Math.min(first, seconds[hit] as number);
  return first;
}

export function selectAll({ totals: { visits } }: Day): Selection {
  const all = sharedBuffer('visits', visits);
  for (let visit = 0; visit < visits; visit++) all[visit] = visit;
  return { visits: all, count: visits };
}

export function findFirstVisit(again: Numbers, visit: number): number {
  let first = visit;
  while (again[first] === 1) first--;
  return first;
}
