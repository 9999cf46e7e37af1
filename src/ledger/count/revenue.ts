// Adds up the revenue of hits: for a day by currency, for each row of a breakdown, and for the hits that reach a goal.
//
// Invariant: a hit counts only if its visit is selected and the hit passes the test of the query. Amounts in different
// currencies are never added.
//
// Example: a day has the revenues `EUR 1999`, `EUR 500` and `USD 100`, in cents. `sumRevenue` returns { EUR: 2499, USD:
// 100 }. If the first two hits are of one visit, this visit has 2499 in EUR.
//
// Queries, row figures and sealing call this file. Most hits have no revenue. For this reason, the sales of a day (the
// hits with revenue) are listed first. For a sealed day, this list is cached for the next query.
import { OTHER } from '../../stats/dimensions.ts';
import { type Amounts, CURRENCIES, type Money, parseRevenue } from '../../stats/revenue.ts';
import type { Column, Numbers } from '../column/packing.ts';
import { type Day, findStarts, type Sales, type Selection, sharedBuffer } from '../day/day.ts';
import { type HitTest, makeMatches } from './hit-filter.ts';
import { isPossible, pairMatches } from './match.ts';

/** Returns the revenue for which a term of the column `revenue` stands. */
export type ReadRevenue = (term: number) => Money | undefined;

/** The currency whose revenue is added up, and the function that reads revenue. Other currencies are left out. */
export type RevenueIn = { read: ReadRevenue; currency: string };

/**
 * All currencies. `Sales` stores a currency as its index in this list. An index takes one byte, because there are fewer
 * than 256 currencies.
 */
const NAMES = [...CURRENCIES, OTHER];

/** Makes a reader that remembers the revenue of each term, because most days of a query have the same terms. */
export function makeRevenueReader({ readText }: { readText(term: number): string }): ReadRevenue {
  const known = new Map<number, Money | undefined>([[0, undefined]]);
  return (term) => {
    if (!known.has(term)) known.set(term, parseRevenue(readText(term)));
    return known.get(term);
  };
}

export function sumRevenue(day: Day, selection: Selection, test: HitTest, read: ReadRevenue): Amounts {
  const { sales, places, count } = listCounted(day, selection, test, read);
  const sums: Amounts = {};
  let [currency, sum] = [-1, 0];
  const keep = (): void => {
    const name = NAMES[currency];
    if (name !== undefined) sums[name] = (sums[name] ?? 0) + sum;
  };
  for (let i = 0; i < count; i++) {
    const place = places[i] as number;
    if (sales.currencies[place] !== currency) {
      keep();
      [currency, sum] = [sales.currencies[place] as number, 0];
    }
    sum += sales.amounts[place] as number;
  }
  keep();
  return sums;
}

/**
 * Adds up revenue in one currency by the codes of a column. `sums[code]` grows by the amount of each counted sale whose
 * visit or hit has this code. `rows` says whether the column has codes of visits or of hits.
 */
export function addRevenue(
  sums: Float64Array,
  rows: 'visits' | 'hits',
  day: Day,
  { codes }: Column,
  selection: Selection,
  { read, currency, test }: RevenueIn & { test: HitTest },
): void {
  const { sales, places, count } = listCounted(day, selection, test, read);
  const wanted = NAMES.indexOf(currency);
  for (let i = 0; i < count; i++) {
    const place = places[i] as number;
    if (sales.currencies[place] !== wanted) continue;
    const code = codes[sales[rows][place] as number] as number;
    sums[code] = (sums[code] as number) + (sales.amounts[place] as number);
  }
}

type Counted = { sales: Sales; places: Uint32Array; count: number };

/**
 * Lists the sales that count: their visits are selected, and their hits pass the test. The next call overwrites the
 * list.
 */
function listCounted(day: Day, { visits, count }: Selection, test: HitTest, read: ReadRevenue): Counted {
  const sales = findSales(day, read);
  const found = { sales, places: sharedBuffer('sales', sales.hits.length), count: 0 };
  if (sales.hits.length === 0 || count === 0) return found;
  const matches = makeMatches(day, test);
  if (!isPossible(matches)) return found;
  const [first, second] = pairMatches(matches, (sales.hits.at(-1) as number) + 1);
  const isAll = count === day.totals.visits;
  let at = 0;
  for (let place = 0; place < sales.hits.length; place++) {
    const [hit, visit] = [sales.hits[place] as number, sales.visits[place] as number];
    if (first.codes[hit] !== first.code || second.codes[hit] !== second.code) continue;
    if (!isAll) while (at < count && (visits[at] as number) < visit) at++;
    if (isAll || (at < count && visits[at] === visit)) found.places[found.count++] = place;
  }
  return found;
}

/**
 * The sales of the day that was counted last. The sales are kept, because a query counts the revenue of a day several
 * times.
 */
let latest: { codes: Numbers; sales: Sales } | undefined;

function findSales(day: Day, read: ReadRevenue): Sales {
  if (day.sales) return day.sales(() => listSales(day, read));
  const { codes } = day.column('revenue');
  if (latest?.codes !== codes) latest = { codes, sales: listSales(day, read) };
  return latest.sales;
}

function listSales(day: Day, read: ReadRevenue): Sales {
  const { terms, codes } = day.column('revenue');
  const starts = findStarts(day);
  const found = listHitsWithRevenue(codes, terms).flatMap((hit) => {
    const revenue = read(terms[codes[hit] as number] as number);
    return revenue ? [{ hit, ...revenue }] : [];
  });
  let visit = 0;
  const findVisit = (hit: number): number => {
    while ((starts[visit + 1] as number) <= hit) visit++;
    return visit;
  };
  return {
    hits: Uint32Array.from(found, ({ hit }) => hit),
    visits: Uint32Array.from(found, ({ hit }) => findVisit(hit)),
    amounts: Float64Array.from(found, ({ amount }) => amount),
    currencies: Uint8Array.from(found, ({ currency }) => NAMES.indexOf(currency)),
  };
}

/**
 * Lists the hits with revenue. Most hits have none, and their term is 0, the empty text. Terms are ascending, so the
 * code of term 0 is 0.
 */
function listHitsWithRevenue(codes: Numbers, terms: ArrayLike<number>): number[] {
  const without = terms[0] === 0 ? 0 : -1;
  const hits: number[] = [];
  for (let hit = 0; hit < codes.length; hit++) if (codes[hit] !== without) hits.push(hit);
  return hits;
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

/** Adds up the revenue of some hits, in one currency. */
export function sumRevenueOf(day: Day, hits: readonly number[], { read, currency: wanted }: RevenueIn): number {
  const { terms, codes } = day.column('revenue');
  let sum = 0;
  for (const hit of hits) {
    const { currency, amount } = read(terms[codes[hit] as number] as number) ?? { currency: '', amount: 0 };
    if (currency === wanted) sum += amount;
  }
  return sum;
}
