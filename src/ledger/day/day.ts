// A day of one site as columns, for counting. Sealed days, open shards and parts of both have this type.
// Invariant: visits are sorted by visitor and then by time, hits by visit and then by time. So visits of a visitor are neighbours.
//
// Example: visitor A has two visits with 2 and 1 hits, visitor B one visit with 3 hits. The column `hits` is 2, 1, 3, and `again` is
// 0, 1, 0. The column `page` has six rows, and `findStarts` gives 0, 2, 3, 6.
//
// query/day-reader.ts makes days, and the files of count/ read them.
import type { Totals } from '../../stats/aggregates.ts';
import type { Column, ColumnName } from '../column/column.ts';
import type { Numbers } from '../column/packing.ts';

/** The selected visits of a day, ascending, in the first `count` entries of a buffer. */
export type Selection = { visits: Uint32Array; count: number };

/**
 * Sums of a sealed day by quarter hours with hits. `last` is the second of its latest hit. count/quarter-hour-sums.ts makes and reads them.
 */
export type QuarterSums = { quarters: Numbers; counts: Numbers; last: number };

/** One open or sealed day of a site. */
export type Day = {
  day: number;
  totals: Totals;
  column(name: ColumnName): Column;
  /** The quarter hour of each hit. Only sealed days have them, because their seconds are slow to unpack. */
  quarters?(): Column;
  quarterSums?(): QuarterSums;
  /** The second at which each visit ended. Recent visits of a shard keep them. */
  ends?(): Int32Array;
  /** Gives the selection for some filters from the cache, or by `find`. Only sealed days have it, because they never change. */
  selected?(filters: string, find: () => Selection): Selection;
};

/** A day of which not all visits count. `counted` removes the other visits from a selection. */
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
 * A shared buffer of at least `rows` numbers, which saves megabytes of garbage a day. The next call with the same `use` overwrites it. So
 * nothing may keep it beyond its day.
 */
export function sharedBuffer(use: keyof typeof buffers, rows: number): Uint32Array {
  if (buffers[use].length < rows) buffers[use] = new Uint32Array(2 ** Math.ceil(Math.log2(rows)));
  return buffers[use];
}

/** The column `hits` for which the shared buffer `starts` is filled. A query asks several times for one day. */
let startsFor: Numbers | undefined;

/** The index of the first hit of each visit: a prefix sum of `hits`. The last entry is the number of all hits. */
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

/** The second at which each visit ended. */
export const readEnds = (day: Day): Int32Array => day.ends?.() ?? findEnds(day);

/** Computes the second at which each visit ended, in a new list that the caller may keep. */
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

/** The second of the day's first hit. */
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

/** The first visit of the visitor of a visit. */
export function findFirstVisit(again: Numbers, visit: number): number {
  let first = visit;
  while (again[first] === 1) first--;
  return first;
}
