// Totals are the figures of a whole day: visitors, visits, pageviews, events, bounces and seconds.
// Invariant: a visitor with several selected visits counts once a day. Bounces and seconds are always those of whole visits, even with a
// page filter.
//
// Example: a visitor has a visit with pages /a and /b, and a visit with page /a alone. The filter is "page is /a". The totals are 1
// visitor, 2 visits and 2 pageviews of /a. Only the second visit is a bounce, because the first visit has two pageviews.
//
// query/scan.ts calls `countTotals` for each day. Sealing calls `withTotals` for a new day.

import { noTotals, type Totals } from '../../stats/aggregates.ts';
import { BOUNCE_SUM } from '../../stats/definitions.ts';
import type { Numbers } from '../column/packing.ts';
import { type Day, findFirstVisit, findStarts, type Selection, selectAll, sharedBuffer } from '../day/day.ts';
import { type DistinctSums, tallyHits } from './distinct.ts';
import type { Conditions } from './filters.ts';
import { type HitTest, makeMatches, makeZeros } from './hit-filter.ts';
import { isEqual } from './match.ts';
import { type ByVisit, countPageviewsByVisit } from './per-visit.ts';
import { NO_VISITS, select } from './select.ts';
import type { TermTest } from './term-filter.ts';

const [NONE, ONE_TERM] = [new Uint8Array(0), Uint8Array.of(0)];

export type Figure = 'visitors' | 'pageviews' | 'seconds';

/**
 * Counts the totals of the selected visits of a day. Visits and visitors are always counted. Other figures stay 0 if they are not in
 * `wanted`.
 */
export function countTotals(day: Day, { selection, narrowing, pages }: Selected, wanted: readonly Figure[]): Totals {
  const totals = { ...noTotals(), visits: selection.count, visitors: countVisitors(day, selection) };
  if (wanted.includes('pageviews')) addPageviews(totals, day, selection);
  if (wanted.includes('pageviews') && narrowing.page !== undefined) {
    totals.pageviews = pages
      ? countPageviewsOn(day, pages)
      : sumNumbers(countPageviewsByVisit(day, selection, narrowing), selection);
  }
  if (wanted.includes('seconds')) totals.seconds = sumSeconds(day, selection);
  return totals;
}

/** True if no earlier visit of the same visitor was counted. `latest` is the visit that was counted last. */
const isNewVisitor = (again: Numbers, visit: number, latest: number): boolean =>
  again[visit] === 0 || findFirstVisit(again, visit) > latest;

function countVisitors(day: Day, { visits, count }: Selection): number {
  const again = day.column('again').codes;
  let visitors = 0;
  let latest = -1;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    if (isNewVisitor(again, visit, latest)) visitors++;
    latest = visit;
  }
  return visitors;
}

function addPageviews(totals: Totals, day: Day, { visits, count }: Selection): void {
  const hits = day.column('hits').codes;
  const { terms, codes } = day.column('events');
  // Local variables are faster here than writing into `totals` for each visit.
  let [allHits, events, bounces] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const hitCount = hits[visit] as number;
    const eventCount = terms[codes[visit] as number] as number;
    allHits += hitCount;
    events += eventCount;
    bounces += isEqual(hitCount + eventCount, BOUNCE_SUM);
  }
  totals.pageviews += allHits - events;
  totals.events += events;
  totals.bounces += bounces;
}

function sumNumbers(numbers: ByVisit, { visits, count }: Selection): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += numbers[visits[i] as number] as number;
  return sum;
}

function sumSeconds(day: Day, { visits, count }: Selection): number {
  const { terms, codes } = day.column('seconds');
  let seconds = 0;
  for (let i = 0; i < count; i++) seconds += terms[codes[visits[i] as number] as number] as number;
  return seconds;
}

/** Counts the rows that pass two tests. Each test is a list: 1 or 0 for each code of its column. */
function countBoth(codes: Numbers, ones: Uint8Array, others: Numbers, otherOnes: Uint8Array): number {
  let count = 0;
  // This loop has no `if`. The processor would often guess the outcome wrong, which takes time.
  for (let row = 0; row < codes.length; row++) {
    count += (ones[codes[row] as number] as number) & (otherOnes[others[row] as number] as number);
  }
  return count;
}

function countPageviewsOn(day: Day, pages: TermTest): number {
  const page = day.column('page');
  const event = day.column('event');
  const pageviews = Uint8Array.from(event.terms, (term) => isEqual(term, 0));
  return countBoth(page.codes, pages(page.terms), event.codes, pageviews);
}

/**
 * The selected visits of a day, and which of their hits count. `pages` is given if the only filter is one by pages. Then all pageviews of
 * these pages count.
 */
type Selected = { selection: Selection; narrowing: HitTest; pages?: TermTest | undefined };

export const withTotals = <Some extends Day>(day: Some): Some => ({
  ...day,
  totals: countTotals(day, { selection: selectAll(day), narrowing: {} }, ['visitors', 'pageviews', 'seconds']),
});

/** Selects the visits that a funnel without filters needs: visits with its first step, and later visits of the same visitors. */
export function selectForFunnel(day: Day, firstStep: Conditions): Selection {
  const { visits, count } = select(day, firstStep);
  if (count === 0) return NO_VISITS;
  const again = day.column('again').codes;
  const funnelVisits = sharedBuffer('funnelVisits', day.totals.visits);
  let size = 0;
  let end = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    if (visit < end) continue;
    funnelVisits[size++] = visit;
    for (end = visit + 1; again[end] === 1; end++) funnelVisits[size++] = end;
  }
  return { visits: funnelVisits, count: size };
}

/**
 * For each test, counts the hits that pass the test, and the visitors with such a hit. Entry i of `sums` is for test i. A test has only one
 * row, so its counts stand at index 0 of the lists of the entry.
 */
export function addReached(
  sums: readonly DistinctSums[],
  day: Day,
  selection: Selection,
  tests: readonly HitTest[],
): void {
  const codes = tests.length === 0 ? NONE : makeZeros(day);
  for (const [i, test] of tests.entries()) {
    const own = sums[i] as DistinctSums;
    tallyHits(own, day, { terms: ONE_TERM, codes }, selection, makeMatches(day, test));
  }
}

/**
 * Counts the visitors with a hit at the time `from` or later, but before the time `to`. Both times are in seconds after 00:00 UTC of the
 * day.
 */
export function countVisitorsBetween(
  day: Day,
  { visits, count }: Selection,
  narrowing: HitTest,
  [from, to]: readonly [number, number],
): number {
  const starts = findStarts(day);
  const again = day.column('again').codes;
  const second = day.column('second').codes;
  const [pageMatch] = makeMatches(day, narrowing);
  let latest = -1;
  let visitors = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    if (!isNewVisitor(again, visit, latest)) continue;
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      const at = second[hit] as number;
      if (at < from || at >= to || (pageMatch && pageMatch.codes[hit] !== pageMatch.code)) continue;
      latest = visit;
      visitors++;
      break;
    }
  }
  return visitors;
}
