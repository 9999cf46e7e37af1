import type { Numbers } from './bytes.ts';
import type { Column } from './columns.ts';
import { type Day, startsOf } from './day.ts';

/** Visits of a day that are meant, ascending, in the first `count` places; and the visitor of each, counted from 0. */
export type Selection = { visits: Uint32Array; who: Uint32Array; count: number };

/** A condition on rows: their code in a column is this one. */
export type Only = { codes: Numbers; code: number };

/** The visitors of visits: visits stand in their order, and the day knows which have the same as the one before. */
export function selected(day: Day, visits: Uint32Array, count: number): Selection {
  const again = day.column('again').codes;
  const who = new Uint32Array(count);
  let before = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    while (before < again.length && (again[before] as number) <= visit) before++;
    who[i] = visit - before;
  }
  return { visits, who, count };
}

export function everyVisit(day: Day): Selection {
  const { visits } = day.totals;
  const all = new Uint32Array(visits);
  for (let visit = 0; visit < visits; visit++) all[visit] = visit;
  return selected(day, all, visits);
}

/** Counts by key, over any number of days. Keys are terms, or codes of one column. */
export type Sums = {
  visitors: Uint32Array;
  hits: Uint32Array;
  /** The visitor who was last counted for a key, counted from 1 over all days: because visits come in the order of their
   * visitors, this one comparison says whether a visitor is new to the key. */
  latest: Uint32Array;
  /** How many visitors the days before had. */
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

export function tallyVisits(sums: Sums, { terms, codes }: Column, { visits, who, count }: Selection): void {
  const { visitors, latest, passed } = sums;
  for (let i = 0; i < count; i++) {
    const key = terms[codes[visits[i] as number] as number] as number;
    const visitor = passed + (who[i] as number) + 1;
    if (latest[key] === visitor) continue;
    latest[key] = visitor;
    visitors[key] = (visitors[key] as number) + 1;
  }
}

/** Counts those hits of the visits that meet all conditions, of which there are two at most. */
export function tallyHits(
  sums: Sums,
  day: Day,
  { terms, codes }: Column,
  { visits, who, count }: Selection,
  [first, second]: readonly Only[],
): void {
  const { visitors, hits, latest, passed } = sums;
  const starts = startsOf(day);
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const visitor = passed + (who[i] as number) + 1;
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      if (first && first.codes[hit] !== first.code) continue;
      if (second && second.codes[hit] !== second.code) continue;
      const key = terms[codes[hit] as number] as number;
      hits[key] = (hits[key] as number) + 1;
      if (latest[key] === visitor) continue;
      latest[key] = visitor;
      visitors[key] = (visitors[key] as number) + 1;
    }
  }
}
