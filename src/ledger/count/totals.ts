// Totals are the figures of a day as a whole: visitors, visits, pageviews, events, bounces and seconds.
// Invariant: a visitor with several selected visits counts once a day. Bounces and seconds are those of whole visits, filtered or not.
//
// Example: a visitor has a visit with pages /a and /b and one with page /a alone. With the filter "page is /a" there are 1 visitor, 2
// visits, 2 pageviews of /a, and 1 bounce: the first visit has two pageviews.
//
// query/scan.ts counts days with it, and sealing counts the totals of a new day with `withTotals`.

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

/** Counts the totals of the selected visits of a day. Figures that are not wanted stay 0. */
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

/** True if no earlier visit of the visitor was counted. `latest` is the last visit that was counted. */
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
  // Local variables, because writing into an object for each visit takes longer.
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

/** Counts the rows whose codes have a 1 in both lists. */
function countBoth(codes: Numbers, ones: Uint8Array, others: Numbers, otherOnes: Uint8Array): number {
  let count = 0;
  // No branch: both outcomes are frequent, so the processor would guess a branch wrong.
  for (let row = 0; row < codes.length; row++) {
    count += (ones[codes[row] as number] as number) & (otherOnes[others[row] as number] as number);
  }
  return count;
}

/** Counts the pageviews of a day on some pages. */
function countPageviewsOn(day: Day, pages: TermTest): number {
  const page = day.column('page');
  const event = day.column('event');
  const pageviews = Uint8Array.from(event.terms, (term) => isEqual(term, 0));
  return countBoth(page.codes, pages(page.terms), event.codes, pageviews);
}

/** Some visits of a day, and which of their hits count. If `pages` is given, all hits of the day on these pages count. */
type Selected = { selection: Selection; narrowing: HitTest; pages?: TermTest | undefined };

/** Gives the day with its totals, which are counted. */
export const withTotals = <Some extends Day>(day: Some): Some => ({
  ...day,
  totals: countTotals(day, { selection: selectAll(day), narrowing: {} }, ['visitors', 'pageviews', 'seconds']),
});

/** Selects the visits that a funnel without filters reads: those with its first step, and later visits of these visitors. */
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

/** Counts the visitors of a day with a hit that passes a test, and these hits. Each test has its own sums, under key 0. */
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

/** Counts the visitors with a hit from second `from` of the day to before second `to`. */
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
