import type { Numbers } from './bytes.ts';
import type { Column } from './columns.ts';
import { type Day, listFor, startsOf } from './day.ts';

/** Visits of a day that are meant, ascending, in the first `count` places. */
export type Selection = { visits: Uint32Array; count: number };

/** A condition on rows: their code in a column is this one. */
export type Only = { codes: Numbers; code: number };

export function everyVisit({ totals: { visits } }: Day): Selection {
  const all = listFor('visits', visits);
  for (let visit = 0; visit < visits; visit++) all[visit] = visit;
  return { visits: all, count: visits };
}

/** The first visit of the same visitor. */
export function firstOf(again: Numbers, visit: number): number {
  let first = visit;
  while (again[first] === 1) first--;
  return first;
}

/** Counts by key, over any number of days. Keys are terms, or codes of one column. */
export type Sums = {
  visitors: Uint32Array;
  hits: Uint32Array;
  /**
   * The visit that was last counted for a key, from 1 on over all days. As visits stand in the order of their visitors, whether
   * a visitor is new to a key is one comparison with that visitor's first visit.
   */
  latest: Uint32Array;
  /** How many visits the days before had. */
  passed: number;
};

export const emptySums = (keys: number): Sums => ({
  visitors: new Uint32Array(keys),
  hits: new Uint32Array(keys),
  latest: new Uint32Array(keys),
  passed: 0,
});

/** Makes room for keys up to the largest of ascending ones. */
export function makeRoom(sums: Sums, keys: ArrayLike<number>): void {
  const largest = keys[keys.length - 1] ?? 0;
  if (largest < sums.visitors.length) return;
  const size = 2 ** Math.ceil(Math.log2(largest + 1));
  for (const name of ['visitors', 'hits', 'latest'] as const) {
    const larger = new Uint32Array(size);
    larger.set(sums[name]);
    sums[name] = larger;
  }
}

export function tallyVisits(sums: Sums, day: Day, { terms, codes }: Column, { visits, count }: Selection): void {
  const { visitors, latest, passed } = sums;
  const again = day.column('again').codes;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const key = terms[codes[visit] as number] as number;
    const before = latest[key] as number;
    latest[key] = passed + visit + 1;
    if (again[visit] === 1 && before > passed + firstOf(again, visit)) continue;
    visitors[key] = (visitors[key] as number) + 1;
  }
}

/** Counts those hits of the visits that meet all conditions, of which there are two at most. */
export function tallyHits(
  sums: Sums,
  day: Day,
  { terms, codes }: Column,
  { visits, count }: Selection,
  [first, second]: readonly Only[],
): void {
  const { visitors, hits, latest, passed } = sums;
  const again = day.column('again').codes;
  const starts = startsOf(day);
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const newest = passed + firstOf(again, visit);
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      if (first && first.codes[hit] !== first.code) continue;
      if (second && second.codes[hit] !== second.code) continue;
      const key = terms[codes[hit] as number] as number;
      hits[key] = (hits[key] as number) + 1;
      if ((latest[key] as number) > newest) continue;
      latest[key] = passed + visit + 1;
      visitors[key] = (visitors[key] as number) + 1;
    }
  }
}
