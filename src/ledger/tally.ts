import type { Numbers } from './bytes.ts';
import type { Column } from './columns.ts';
import { type Day, sharedBuffer, startsOf } from './day.ts';

/** The selected visits of a day, ascending, in the first `count` entries of a buffer. */
export type Selection = { visits: Uint32Array; count: number };

/** A row matches if it has this code in the column of these codes. */
export type Match = { codes: Numbers; code: number };

/** 1 for equal codes, else 0. Without a branch it takes a third of the time of a mispredicted one. Codes are from 0 to below 2^31. */
export const isEqual = (code: number, other: number): number => ((code ^ other) - 1) >>> 31;

/** False where no row can match all of these. */
export const isPossible = (matches: readonly Match[]): boolean => matches.every(({ code }) => code >= 0);

/** Two matches that hold where all of these do, up to two. */
export function bothOf(matches: readonly Match[], rows: number): [Match, Match] {
  const [first = { codes: new Uint8Array(rows), code: 0 }, second = first] = matches;
  return [first, second];
}

/** A match is rare where less than one row in so many has it. */
const RARE = 32;

/** No more of so many rows are rare. */
const mostRare = (rows: number): number => Math.ceil(rows / RARE) + RARE;

/**
 * The rows that match, ascending, in the first `count` entries of a buffer; undefined where they are not rare. indexOf is several times
 * as fast as a loop over all rows, unless it is called again for every other one.
 */
export function rareRowsOf({ codes, code }: Match, rows: Uint32Array): Selection | undefined {
  let count = 0;
  let from = 0;
  for (let row = codes.indexOf(code); row >= 0; row = codes.indexOf(code, from)) {
    rows[count++] = row;
    from = row + 1;
    if (count >= RARE && count * RARE > from) return undefined;
  }
  return { visits: rows, count };
}

export function everyVisit({ totals: { visits } }: Day): Selection {
  const all = sharedBuffer('visits', visits);
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
   * The last visit that was counted for a key, numbered from 1 over all days. Visits are sorted by visitor, so one comparison with
   * the visitor's first visit tells if the visitor is new to the key.
   */
  latest: Uint32Array;
  /** The number of visits on the days before. */
  visitsBefore: number;
};

export const emptySums = (keys: number): Sums => ({
  visitors: new Uint32Array(keys),
  hits: new Uint32Array(keys),
  latest: new Uint32Array(keys),
  visitsBefore: 0,
});

/** Grows the buffers for the largest of the keys, which are ascending. */
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
  const { visitors, latest, visitsBefore } = sums;
  const again = day.column('again').codes;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const key = terms[codes[visit] as number] as number;
    const latestVisit = latest[key] as number;
    latest[key] = visitsBefore + visit + 1;
    if (again[visit] === 1 && latestVisit > visitsBefore + firstOf(again, visit)) continue;
    visitors[key] = (visitors[key] as number) + 1;
  }
}

/** Counts those of some hits, of any visits, that match both conditions. */
function tallyFew(
  sums: Sums,
  day: Day,
  { terms, codes }: Column,
  { visits: few, count }: Selection,
  [first, second]: readonly Match[],
): void {
  const { visitors, hits, latest, visitsBefore } = sums;
  const again = day.column('again').codes;
  const ofVisit = day.column('hits').codes;
  let visit = -1;
  let end = 0;
  let firstVisit = 0;
  for (let i = 0; i < count; i++) {
    const hit = few[i] as number;
    if (first && first.codes[hit] !== first.code) continue;
    if (second && second.codes[hit] !== second.code) continue;
    while (end <= hit) {
      end += ofVisit[++visit] as number;
      if (again[visit] === 0) firstVisit = visitsBefore + visit;
    }
    const key = terms[codes[hit] as number] as number;
    hits[key] = (hits[key] as number) + 1;
    if ((latest[key] as number) > firstVisit) continue;
    latest[key] = visitsBefore + visit + 1;
    visitors[key] = (visitors[key] as number) + 1;
  }
}

/** The hits that match, if these are few and all visits are selected. */
function fewOf(day: Day, { count }: Selection, matches: readonly Match[]): Selection | undefined {
  if (count < day.totals.visits) return undefined;
  for (const match of matches) {
    const rare = rareRowsOf(match, sharedBuffer('rareHits', mostRare(match.codes.length)));
    if (rare) return rare;
  }
  return undefined;
}

/** Counts the hits of the selected visits that match both conditions. */
export function tallyHits(
  sums: Sums,
  day: Day,
  { terms, codes }: Column,
  selection: Selection,
  matches: readonly Match[],
): void {
  if (!isPossible(matches)) return;
  const few = fewOf(day, selection, matches);
  if (few) {
    tallyFew(sums, day, { terms, codes }, few, matches);
    return;
  }
  const { visits, count } = selection;
  const [first, second] = bothOf(matches, codes.length);
  const { visitors, hits, latest, visitsBefore } = sums;
  const again = day.column('again').codes;
  const starts = startsOf(day);
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const firstVisit = visitsBefore + firstOf(again, visit);
    const end = starts[visit + 1] as number;
    // Without a branch, because there are many of either kind.
    for (let hit = starts[visit] as number; hit < end; hit++) {
      const isCounted =
        isEqual(first.codes[hit] as number, first.code) & isEqual(second.codes[hit] as number, second.code);
      const key = terms[codes[hit] as number] as number;
      hits[key] = (hits[key] as number) + isCounted;
      const last = latest[key] as number;
      const isNew = isCounted & ((last - firstVisit - 1) >>> 31);
      latest[key] = last + ((visitsBefore + visit + 1 - last) & -isNew);
      visitors[key] = (visitors[key] as number) + isNew;
    }
  }
}
