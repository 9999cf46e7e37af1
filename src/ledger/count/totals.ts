// This file counts the totals of a day: visitors, visits, pageviews, events, bounces and seconds. Only visits that pass
// the filters of the query count. They are called the selected visits.
// Invariant: a visitor with several selected visits counts once a day. Bounces and seconds are those of whole visits,
// even if the filter is by page.
//
// Example: a visitor has two visits, one with pages /a and /b, and one with page /a alone. The filter is "page is /a".
// The totals are 1 visitor, 2 visits and 2 pageviews of /a. Only the second visit is a bounce, because the first visit
// has two pageviews.
//
// query/scan.ts calls `countTotals` for each day. Sealing, which packs a past day for good, calls `withTotals`.

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
 * Counts the totals of the visits of a day that pass the filters. Visits and visitors are always counted. If `wanted`
 * has `pageviews`, events and bounces are counted too. Figures that are not wanted stay 0, so that their columns need
 * not be read.
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

/**
 * True if no earlier visit of the same visitor was counted, so that each visitor counts once. `again` has 0 for the
 * first visit of a visitor, and 1 for the next visits, which follow it directly. `latest` is the number of the visit
 * that was counted last.
 */
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
  // Adding to local variables is faster than adding to fields of `totals` for each visit.
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

/**
 * Counts the rows that pass two tests, for example hits that are pageviews and on page /a. `codes[row]` stands for the
 * row's value in one column. `ones` has a 1 at each code whose value passes the first test. `others` and `otherOnes`
 * are the same for the second column and test.
 */
function countBoth(codes: Numbers, ones: Uint8Array, others: Numbers, otherOnes: Uint8Array): number {
  let count = 0;
  // This loop has no `if`. A processor guesses in advance how an `if` turns out, and each wrong guess costs time.
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
 * `selection` has the visits of a day that pass the filters. `narrowing` is the test that a hit must pass to count. If
 * the only filter is by pages, `pages` tests for these pages. Then every pageview of these pages counts, and no visit
 * needs to be read.
 */
type Selected = { selection: Selection; narrowing: HitTest; pages?: TermTest | undefined };

export const withTotals = <Some extends Day>(day: Some): Some => ({
  ...day,
  totals: countTotals(day, { selection: selectAll(day), narrowing: {} }, ['visitors', 'pageviews', 'seconds']),
});

/**
 * Selects the visits that a funnel without filters needs. These are the visits with a hit on the first step, and later
 * visits of the same visitors. All other visitors reach no step.
 */
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
 * For each goal, counts the hits that reach the goal, and the visitors with at least one of these hits. `tests[i]` says
 * which hits reach goal i. The counts are added to `sums[i].hits[0]` and `sums[i].visitors[0]`.
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
 * Counts the visitors with a hit at the time `from` or later, but before the time `to`. Both times are in seconds after
 * 00:00 UTC of the day. The report of active visitors asks for the last 300 seconds.
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
