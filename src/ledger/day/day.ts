// Defines a day of one site as columns. Sealed days and shards both have this type, so the same functions count sealed
// days and shards.
//
// Invariant: visits are sorted by visitor and then by time. Hits are sorted by visit and then by time.
//
// Example: visitor A has two visits, with 2 hits and 1 hit. Visitor B has one visit with 3 hits. The column `hits` is
// [2, 1, 3]. The column `again` is [0, 1, 0], because the second visit is by the same visitor as the first visit.
// query/day-reader.ts makes days, and the files of count/ read days.
import type { Totals } from '../../stats/aggregates.ts';
import type { DerivedBreakdown } from '../../stats/dimensions.ts';
import type { ColumnName } from '../column/column.ts';
import type { Column, Numbers } from '../column/packing.ts';
import type { DayProperties } from '../column/properties.ts';

/**
 * The selected visits, as indexes, ascending. `visits` may be a larger shared buffer. Only its first `count` entries
 * are in use.
 */
export type Selection = { visits: Uint32Array; count: number };

/**
 * Sums of a sealed day for each quarter hour with hits. With these sums, a chart by hour reads no hits. `quarters` has
 * the quarter hours, and `counts` has their sums (count/quarter-hour-sums.ts). `last` is the time of the latest hit, in
 * seconds from 00:00 UTC of the day.
 */
export type QuarterSums = { quarters: Numbers; counts: Numbers; last: number };

/**
 * The sales of a day, in the order of time within each visit. A sale is a hit with revenue. Entry i of each list
 * belongs to sale i. A currency is stored as its index in a list (count/revenue.ts).
 */
export type Sales = { hits: Uint32Array; visits: Uint32Array; amounts: Float64Array; currencies: Uint8Array };

/** Counts of a breakdown: entry i of each list belongs to the term i of `terms`. */
export type ValueCounts = { terms: Uint32Array; visitors: Uint32Array; hits: Uint32Array };

export type Day = {
  day: number;
  totals: Totals;
  column(name: ColumnName): Column;
  /**
   * The quarter hour of each hit. Only sealed days have this function, because their column `second` is slow to unpack.
   */
  quarters?(): Column;
  quarterSums?(): QuarterSums;
  /** For a sealed day, caches the column of channels, because most queries of a dashboard need this column again. */
  channels?(make: () => Column): Column;
  /**
   * For a sealed day without excluded visits, caches the counts of a derived breakdown, such as channels. These counts
   * are computed from other columns, and only totals-only days store them. A new release of daybook may have better
   * rules for channels. The new rules then also apply to past days with hits.
   */
  derived?(breakdown: DerivedBreakdown, make: () => ValueCounts): ValueCounts;
  /** For a sealed day, caches the list of sales, because most queries about revenue need this list again. */
  sales?(make: () => Sales): Sales;
  /** The properties of a sealed day. An open day has the column `properties` instead. */
  properties?: DayProperties;
  /** Returns whether a sealed day still has its hits. An import may have replaced it since it was listed. */
  isStored?(): boolean;
  /**
   * When each visit ended, in seconds since 00:00 UTC of the day. If a day lacks this function, each query computes the
   * list (`findEnds`).
   */
  ends?(): Int32Array;
  /**
   * Returns the visits that pass the filters, from a cache. If the cache lacks these visits, calls `find`. Only sealed
   * days have this function, because all other days may change.
   */
  selected?(filters: string, find: () => Selection): Selection;
};

/**
 * Some or all visits of a day, stored in `day`. If new rows extend a visit of an open day, one `SomeVisits` has the
 * visit without the new rows, and another has the visit with the new rows. `counted` takes a selection of visits in
 * `day`, and leaves out the visits that lack new rows. No visit therefore counts twice.
 */
export type SomeVisits = { day: Day; counted(some: Selection): Selection };

export const takeAllVisits = (day: Day): SomeVisits => ({ day, counted: (some) => some });

const buffers: Record<
  | 'visits'
  | 'starts'
  | 'sales'
  | 'funnelVisits'
  | 'hits'
  | 'rareHits'
  | 'before'
  | 'again'
  | 'owners'
  | 'cells'
  | 'counted'
  | 'countedVisitors'
  | 'evenCodes'
  | 'oddCodes'
  | 'spread',
  Uint32Array
> = {
  visits: new Uint32Array(0),
  starts: new Uint32Array(0),
  sales: new Uint32Array(0),
  funnelVisits: new Uint32Array(0),
  hits: new Uint32Array(0),
  rareHits: new Uint32Array(0),
  before: new Uint32Array(0),
  again: new Uint32Array(0),
  owners: new Uint32Array(0),
  cells: new Uint32Array(0),
  counted: new Uint32Array(0),
  countedVisitors: new Uint32Array(0),
  evenCodes: new Uint32Array(0),
  oddCodes: new Uint32Array(0),
  spread: new Uint32Array(0),
};

/**
 * Returns a buffer of at least `rows` numbers. All calls with the same `use` share one buffer. A larger buffer replaces
 * a buffer that is too small. A new buffer for each call would leave megabytes of garbage for each day.
 */
export function sharedBuffer(use: keyof typeof buffers, rows: number): Uint32Array {
  if (buffers[use].length < rows) buffers[use] = new Uint32Array(2 ** Math.ceil(Math.log2(rows)));
  return buffers[use];
}

/**
 * The column `hits` from which `findStarts` computed its latest result. A query calls `findStarts` several times for a
 * day, and only the first call computes the result.
 */
let startsFor: Numbers | undefined;

/**
 * Returns the index of each visit's first hit, and then the number of all hits. For example, the column `hits` [2, 1,
 * 3] gives [0, 2, 3, 6]. A call for another day overwrites the result.
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

/** Returns the second at which each visit ended. The list is not a shared buffer, so the caller may keep it. */
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

/** Returns the time of the day's first hit in seconds, or Infinity if the day has no hits. */
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
