import type { Totals } from '../../stats/measured.ts';
import type { Column, ColumnName } from '../column/column.ts';
import type { Numbers } from '../column/packing.ts';

/** The selected visits of a day, ascending, in the first `count` entries of a buffer. */
export type Selection = { visits: Uint32Array; count: number };

/** The quarters of a sealed day with hits, some counts of each (src/ledger/count/quarter-hour-sums.ts), and the second of the latest hit. */
export type QuarterSums = { quarters: Numbers; counts: Numbers; last: number };

/**
 * One open or sealed day of a site as columns. Visits are sorted by visitor and then by time, hits by visit and then by time.
 */
export type Day = {
  day: number;
  totals: Totals;
  column(name: ColumnName): Column;
  /** The quarters of its hits, and what is counted by them: of sealed days, whose seconds are slow to read. */
  quarters?(): Column;
  quarterSums?(): QuarterSums;
  /** The second at which each visit ended, where that is kept. */
  ends?(): Int32Array;
  /** The visits that some filters select, which `find` looks for where they are not known: of sealed days, which never change. */
  selected?(filters: string, find: () => Selection): Selection;
};

/** A day, and what leaves those of some visits that count. */
export type SomeVisits = { day: Day; counted(some: Selection): Selection };

export const allVisits = (day: Day): SomeVisits => ({ day, counted: (some) => some });

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
 * A shared buffer of at least `rows` numbers, to save megabytes of garbage for each day. The next call with the same use overwrites
 * it, so nothing may keep it beyond its day.
 */
export function sharedBuffer(use: keyof typeof buffers, rows: number): Uint32Array {
  if (buffers[use].length < rows) buffers[use] = new Uint32Array(2 ** Math.ceil(Math.log2(rows)));
  return buffers[use];
}

/** The hits of which the starts are in the shared buffer: a question asks for those of one day several times. */
let begun: Numbers | undefined;

/** The index of the first hit of each visit, a prefix sum of their hits. The last entry is the number of all hits. */
export function findStarts({ column, totals: { visits } }: Day): Uint32Array {
  const { codes: hits } = column('hits');
  const starts = sharedBuffer('starts', visits + 1);
  if (begun === hits) return starts;
  begun = hits;
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

/** The same, counted: for who keeps it. */
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

/** The second of the first hit. */
export function findFirstSecond({ column }: Day): number {
  const { codes: seconds } = column('second');
  let first = Number.POSITIVE_INFINITY;
  for (let hit = 0; hit < seconds.length; hit++) first = Math.min(first, seconds[hit] as number);
  return first;
}

export function everyVisit({ totals: { visits } }: Day): Selection {
  const all = sharedBuffer('visits', visits);
  for (let visit = 0; visit < visits; visit++) all[visit] = visit;
  return { visits: all, count: visits };
}

/** The first visit of the same visitor. */
export function findFirstVisit(again: Numbers, visit: number): number {
  let first = visit;
  while (again[first] === 1) first--;
  return first;
}
