// Adds up the revenue of hits: of a day by currency, of each visit, and of the hits that reach a goal.
// Invariant: only hits of selected visits that pass the test of a query count. Amounts of two currencies are never
// added.
// Example: a day has the revenues `EUR 1999`, `EUR 500` and `USD 100`. `sumRevenue` gives { EUR: 2499, USD: 100 }. In
// EUR, a visit with the first two hits has 2499.
// query/scan.ts and row-figures.ts call this file. Most hits have no revenue, so a day without any is left early.
import { type Amounts, type Money, parseRevenue } from '../../stats/revenue.ts';
import type { Column, Numbers } from '../column/packing.ts';
import { type Day, findStarts, type Selection } from '../day/day.ts';
import { type HitTest, makeMatches } from './hit-filter.ts';
import { isPossible, pairMatches } from './match.ts';
import type { ByVisit } from './per-visit.ts';

/** Gives the revenue that a term of the column `revenue` stands for. */
export type ReadRevenue = (term: number) => Money | undefined;

/** Revenue in other currencies does not count. */
export type RevenueIn = { read: ReadRevenue; currency: string };

/** Most days of a query have the same terms, so the revenue of each term is remembered. */
export function makeRevenueReader({ readText }: { readText(term: number): string }): ReadRevenue {
  const known = new Map<number, Money | undefined>([[0, undefined]]);
  return (term) => {
    if (!known.has(term)) known.set(term, parseRevenue(readText(term)));
    return known.get(term);
  };
}

/**
 * Calls `take` for each counted hit with revenue, in the order of the hits. Few hits have revenue, so a list of them is
 * made first.
 */
function eachSale(
  day: Day,
  selection: Selection,
  test: HitTest,
  read: ReadRevenue,
  take: (revenue: Money, visit: number, hit: number) => void,
): void {
  const sales = listSales(day, read);
  if (sales.length === 0 || selection.count === 0) return;
  const matches = makeMatches(day, test);
  if (!isPossible(matches)) return;
  const [first, second] = pairMatches(matches, day.column('revenue').codes.length);
  const isAll = selection.count === day.totals.visits;
  for (const { revenue, visit, hit } of sales) {
    if (first.codes[hit] !== first.code || second.codes[hit] !== second.code) continue;
    if (!isAll && selection.visits[findLastUpTo(selection.visits, selection.count, visit)] !== visit) continue;
    take(revenue, visit, hit);
  }
}

type Sale = { revenue: Money; visit: number; hit: number };

/** The sales of the day that was counted last. A query counts its revenue several times. */
let latest: { codes: Numbers; sales: Sale[] } | undefined;

/** The visit of each hit is found by halving, which is faster than walking through all visits. */
function listSales(day: Day, read: ReadRevenue): Sale[] {
  const { terms, codes } = day.column('revenue');
  if (latest?.codes === codes) return latest.sales;
  const starts = findStarts(day);
  const sales: Sale[] = [];
  for (const hit of listHitsWithRevenue(codes, terms)) {
    const revenue = read(terms[codes[hit] as number] as number);
    if (revenue) sales.push({ revenue, visit: findLastUpTo(starts, day.totals.visits, hit), hit });
  }
  latest = { codes, sales };
  return sales;
}

/** The empty text has term 0. Terms ascend, so its code is 0. */
function listHitsWithRevenue(codes: Numbers, terms: ArrayLike<number>): number[] {
  const without = terms[0] === 0 ? 0 : -1;
  const hits: number[] = [];
  for (let hit = 0; hit < codes.length; hit++) if (codes[hit] !== without) hits.push(hit);
  return hits;
}

/** Finds the place of the last of `count` ascending numbers that is not above `value`. Gives 0 if all are above it. */
function findLastUpTo(numbers: Uint32Array, count: number, value: number): number {
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] as number) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function sumRevenue(day: Day, selection: Selection, test: HitTest, read: ReadRevenue): Amounts {
  const sums: Amounts = {};
  eachSale(day, selection, test, read, ({ currency, amount }) => {
    sums[currency] = (sums[currency] ?? 0) + amount;
  });
  return sums;
}

/** Adds up the revenue of each selected visit. Returns undefined if there is none in the currency. */
export function sumRevenueByVisit(
  day: Day,
  selection: Selection,
  test: HitTest,
  { read, currency: wanted }: RevenueIn,
): ByVisit | undefined {
  let sums: Float64Array | undefined;
  eachSale(day, selection, test, read, ({ currency, amount }, visit) => {
    if (currency !== wanted) return;
    sums ??= new Float64Array(day.totals.visits);
    sums[visit] = (sums[visit] as number) + amount;
  });
  return sums;
}

/** Adds the revenue of each hit to the sum of its code in a column of hits. */
export function addRevenueOfHits(
  sums: Float64Array,
  day: Day,
  { codes }: Column,
  selection: Selection,
  { read, currency: wanted, test }: RevenueIn & { test: HitTest },
): void {
  eachSale(day, selection, test, read, ({ currency, amount }, _, hit) => {
    const code = codes[hit] as number;
    if (currency === wanted) sums[code] = (sums[code] as number) + amount;
  });
}

/** Adds the revenue of the hits that reach each goal. `tests[i]` finds the hits of goal i. */
export function addEarned(
  earned: number[],
  day: Day,
  selection: Selection,
  tests: readonly HitTest[],
  { read, currency }: RevenueIn,
): void {
  for (const [i, test] of tests.entries()) {
    earned[i] = (earned[i] ?? 0) + (sumRevenue(day, selection, test, read)[currency] ?? 0);
  }
}

/** Adds up the revenue of some hits. */
export function sumRevenueOf(day: Day, hits: readonly number[], { read, currency: wanted }: RevenueIn): number {
  const { terms, codes } = day.column('revenue');
  let sum = 0;
  for (const hit of hits) {
    const { currency, amount } = read(terms[codes[hit] as number] as number) ?? { currency: '', amount: 0 };
    if (currency === wanted) sum += amount;
  }
  return sum;
}
