// A day of one site, as columns for counting. Sealed days, shards of open days, and parts of both have this type.
// Invariant: visits are sorted by visitor, then by time. Hits are sorted by visit, then by time. So all visits of a visitor are neighbours.
//
// Example: visitor A has two visits, with 2 hits and 1 hit. Visitor B has one visit with 3 hits. The column `hits` is [2, 1, 3]. The column
// `again` is [0, 1, 0], because the second visit is by the same visitor as the first. The column `page` has six rows. `findStarts` gives
// [0, 2, 3, 6].
//
// query/day-reader.ts makes days. The files of count/ read them.
import type { Totals } from '../../stats/aggregates.ts';
import type { Column, ColumnName } from '../column/column.ts';
import type { Numbers } from '../column/packing.ts';

/** The numbers of the selected visits, ascending. Only the first `count` entries of `visits` are in use. */
export type Selection = { visits: Uint32Array; count: number };

/**
 * Sums of a sealed day for each quarter hour with hits. `last` is the time of the latest hit, in seconds of the day.
 * count/quarter-hour-sums.ts makes and reads these sums.
 */
export type QuarterSums = { quarters: Numbers; counts: Numbers; last: number };

export type Day = {
  day: number;
  totals: Totals;
  column(name: ColumnName): Column;
  /** The quarter hour of each hit. Only sealed days store this column, because their seconds are slow to unpack. */
  quarters?(): Column;
  quarterSums?(): QuarterSums;
  /** The time at which each visit ended, in seconds of the day. A day without this function gets the list from `findEnds`. */
  ends?(): Int32Array;
  /**
   * Returns the selection of visits for some filters. Calls `find` only if the cache does not have the selection. Only sealed days have
   * this function, because a sealed day never changes.
   */
  selected?(filters: string, find: () => Selection): Selection;
};

/** A day of which only some visits count. `counted` removes the other visits from a selection. */
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
 * Returns a shared buffer of at least `rows` numbers, which saves megabytes of garbage for each day. The next call with the same `use`
 * returns the same buffer. So the caller may use the buffer only while it counts this day.
 */
export function sharedBuffer(use: keyof typeof buffers, rows: number): Uint32Array {
  if (buffers[use].length < rows) buffers[use] = new Uint32Array(2 ** Math.ceil(Math.log2(rows)));
  return buffers[use];
}

/** The column `hits` for which the shared buffer `starts` was filled. A query calls `findStarts` several times for one day. */
let startsFor: Numbers | undefined;

/**
 * Returns the index of the first hit of each visit, and then the number of all hits. For the column `hits` [2, 1, 3] this is [0, 2, 3, 6].
 * The result is a shared buffer. A call for another day overwrites the buffer.
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

/** Computes the time at which each visit ended, in seconds of the day. The result is a new list that the caller may keep. */
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

/** Returns the time of the first hit, in seconds of the day. Returns Infinity for a day without hits. */
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
