// Counts the totals of a day: visitors, visits, pageviews, events, bounces and seconds of the selected visits.
//
// Invariant: a visitor with several selected visits counts once. Events, bounces and seconds always count whole visits,
// even with a filter by page.
//
// Example: a visitor has two visits, one with the pages /a and /b, and one with page /a alone. The filter is "page is
// /a". The totals are 1 visitor, 2 visits and 2 pageviews of /a. Only the second visit is a bounce. query/scan.ts calls
// `countTotals` for each day. Sealing and compaction call `withTotals`.

import { noTotals, type Totals } from '../../stats/aggregates.ts';
import { BOUNCE_SUM } from '../../stats/definitions.ts';
import type { Numbers } from '../column/packing.ts';
import { type Day, findFirstVisit, findStarts, type Selection, selectAll, sharedBuffer } from '../day/day.ts';
import type { Conditions } from './conditions.ts';
import { type DistinctSums, tallyHits } from './distinct.ts';
import { type HitTest, isNarrow, makeMatches, makeNarrowing, makeZeros } from './hit-filter.ts';
import { isEqual } from './match.ts';
import { type ByVisit, countPageviewsByVisit } from './per-visit.ts';
import { NO_VISITS, select } from './select.ts';
import type { TermTest } from './term-filter.ts';

const [NONE, ONE_TERM] = [new Uint8Array(0), Uint8Array.of(0)];

export type Figure = 'visitors' | 'pageviews' | 'seconds';

/**
 * Counts the wanted totals. Visits and visitors are always counted. If `wanted` has `pageviews`, pageviews, events and
 * bounces are counted too. Totals that are not wanted stay 0, so that their columns need not be read.
 */
export function countTotals(day: Day, { selection, narrowing, pages }: Selected, wanted: readonly Figure[]): Totals {
  const totals = { ...noTotals(), visits: selection.count, visitors: countVisitors(day, selection) };
  if (wanted.includes('pageviews')) addPageviews(totals, day, selection);
  if (wanted.includes('pageviews') && isNarrow(narrowing)) {
    totals.pageviews = pages
      ? countPageviewsOn(day, pages)
      : sumNumbers(countPageviewsByVisit(day, selection, narrowing), selection);
  }
  if (wanted.includes('seconds')) totals.seconds = sumSeconds(day, selection);
  return totals;
}

/**
 * True if no earlier visit of the same visitor was counted. `again` is 0 for the first visit of a visitor, and 1 for
 * all further visits. `latest` is the visit that was counted last.
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
  // Adding to local variables is faster than adding to fields of `totals`.
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
 * Counts the rows that pass two tests, for example pageviews on page /a. `ones` has a 1 for each code of `codes` that
 * passes the first test. `otherOnes` has a 1 for each code of `others` that passes the second test.
 */
function countBoth(codes: Numbers, ones: Uint8Array, others: Numbers, otherOnes: Uint8Array): number {
  let count = 0;
  // An `if` in this loop would be slower, because the processor would often predict the wrong branch.
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
 * The visits and pageviews to count. A pageview must pass `narrowing` to count. If the only filter is by pages, `pages`
 * tests these pages. In this case, every pageview of these pages counts, and `countPageviewsOn` reads no visits.
 */
type Selected = { selection: Selection; narrowing: HitTest; pages?: TermTest | undefined };

export const withTotals = <Some extends Day>(day: Some): Some => ({
  ...day,
  totals: countTotals(day, { selection: selectAll(day), narrowing: {} }, ['visitors', 'pageviews', 'seconds']),
});

/**
 * Selects the visits that a funnel without filters needs. They are the visits with a hit on the first step, and all
 * later visits of the same visitors. Later visits are needed, because a visitor may reach the next step in a later
 * visit.
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
 * Counts the hits that reach each goal, and the visitors with such hits. `tests[i]` finds the hits of goal i. All hits
 * of a goal are counted together, as if they had the term 0. So the counts are added to `sums[i].hits[0]` and
 * `sums[i].visitors[0]`.
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
 * Counts the visitors with a hit at time `from` or later, and before time `to`. Both times are in seconds from 00:00
 * UTC of the day. For example, the report of active visitors asks for the last 300 seconds.
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
  const narrow = makeNarrowing(day, narrowing);
  let latest = -1;
  let visitors = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    if (!isNewVisitor(again, visit, latest)) continue;
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      const at = second[hit] as number;
      if (at < from || at >= to || (narrow && narrow.codes[hit] !== narrow.code)) continue;
      latest = visit;
      visitors++;
      break;
    }
  }
  return visitors;
}
