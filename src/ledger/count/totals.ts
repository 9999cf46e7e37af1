import { BOUNCE_SUM } from '../../stats/definitions.ts';
import { noTotals, type Totals } from '../../stats/measured.ts';
import type { Numbers } from '../column/packing.ts';
import { type Day, findFirstVisit, findStarts, type Selection, selectAll, sharedBuffer } from '../day/day.ts';
import { type Sums, tallyHits } from './distinct.ts';
import type { Conditions } from './filters.ts';
import { type HitTest, makeMatches, noHits } from './hit-filter.ts';
import { isEqual } from './match.ts';
import { type ByVisit, pageviewsByVisit } from './per-visit.ts';
import { NO_VISITS, select } from './select.ts';
import type { TermTest } from './term-filter.ts';

const [NONE, ONE_TERM] = [new Uint8Array(0), Uint8Array.of(0)];

export type Figure = 'visitors' | 'pageviews' | 'seconds';

/** True if no earlier visit of the same visitor was counted; `latest` is the last visit that was counted. */
const isNewVisitor = (again: Numbers, visit: number, latest: number): boolean =>
  again[visit] === 0 || findFirstVisit(again, visit) > latest;

function visitorsIn(day: Day, { visits, count }: Selection): number {
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
  // Added up here, because to write into an object for each visit takes longer.
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

function sumOf(numbers: ByVisit, { visits, count }: Selection): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += numbers[visits[i] as number] as number;
  return sum;
}

function secondsOf(day: Day, { visits, count }: Selection): number {
  const { terms, codes } = day.column('seconds');
  let seconds = 0;
  for (let i = 0; i < count; i++) seconds += terms[codes[visits[i] as number] as number] as number;
  return seconds;
}

/** How many rows have a 1 for their code in one column and in another. */
function countBoth(codes: Numbers, ones: Uint8Array, others: Numbers, otherOnes: Uint8Array): number {
  let count = 0;
  // Without a branch, because there are many of either kind.
  for (let row = 0; row < codes.length; row++) {
    count += (ones[codes[row] as number] as number) & (otherOnes[others[row] as number] as number);
  }
  return count;
}

/** How many pageviews of a day are on some pages. */
function pageviewsOn(day: Day, pages: TermTest): number {
  const page = day.column('page');
  const event = day.column('event');
  const pageviews = Uint8Array.from(event.terms, (term) => isEqual(term, 0));
  return countBoth(page.codes, pages(page.terms), event.codes, pageviews);
}

/** Some visits of a day, and which of their hits count: where `pages` says of which pages, these are all such hits of the day. */
type Selected = { selection: Selection; narrowing: HitTest; pages?: TermTest | undefined };

/** The totals of the selected visits of a day. Figures that are not wanted stay 0. */
export function countTotals(day: Day, { selection, narrowing, pages }: Selected, wanted: readonly Figure[]): Totals {
  const totals = { ...noTotals(), visits: selection.count, visitors: visitorsIn(day, selection) };
  if (wanted.includes('pageviews')) addPageviews(totals, day, selection);
  if (wanted.includes('pageviews') && narrowing.page !== undefined) {
    totals.pageviews = pages ? pageviewsOn(day, pages) : sumOf(pageviewsByVisit(day, selection, narrowing), selection);
  }
  if (wanted.includes('seconds')) totals.seconds = secondsOf(day, selection);
  return totals;
}

/** The same day with its totals, which are counted. */
export const withTotals = <Some extends Day>(day: Some): Some => ({
  ...day,
  totals: countTotals(day, { selection: selectAll(day), narrowing: {} }, ['visitors', 'pageviews', 'seconds']),
});

/** The visits that a funnel without filters reads: those with its first step and the visitor's later visits. */
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

/** Adds to the sums of each test, under the key 0, the visitors of a day with a hit that meets it, and these hits. */
export function addReached(sums: readonly Sums[], day: Day, selection: Selection, tests: readonly HitTest[]): void {
  const codes = tests.length === 0 ? NONE : noHits(day);
  for (const [i, test] of tests.entries()) {
    const own = sums[i] as Sums;
    tallyHits(own, day, { terms: ONE_TERM, codes }, selection, makeMatches(day, test));
  }
}

/** How many visitors have a hit from second `from` of the day to before second `to`. */
export function visitorsBetween(
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
