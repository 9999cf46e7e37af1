import { noTotals, type Totals } from '../stats/measured.ts';
import { type ByVisit, pageviewsByVisit } from './by-visit.ts';
import type { Numbers } from './bytes.ts';
import type { Conditions } from './conditions.ts';
import { type Day, sharedBuffer, startsOf } from './day.ts';
import { type HitTest, matchesOf, noHits, PAGEVIEW } from './hit-test.ts';
import { NO_VISITS, select } from './select.ts';
import { bothOf, everyVisit, firstOf, isEqual, isPossible, type Selection, type Sums, tallyHits } from './tally.ts';

const [NONE, ONE_TERM] = [new Uint8Array(0), Uint8Array.of(0)];

export type Figure = 'visitors' | 'pageviews' | 'seconds';

/** True if no earlier visit of the same visitor was counted; `latest` is the last visit that was counted. */
const isNewVisitor = (again: Numbers, visit: number, latest: number): boolean =>
  again[visit] === 0 || firstOf(again, visit) > latest;

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
    bounces += isEqual(hitCount + eventCount, 1);
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

/** How many pageviews of a day are on some pages. */
function pageviewsOn(day: Day, { page }: HitTest): number {
  const matches = matchesOf(day, { page, event: PAGEVIEW });
  if (!isPossible(matches)) return 0;
  const hits = day.column('event').codes.length;
  const [first, second] = bothOf(matches, hits);
  let count = 0;
  for (let hit = 0; hit < hits; hit++) {
    count += isEqual(first.codes[hit] as number, first.code) & isEqual(second.codes[hit] as number, second.code);
  }
  return count;
}

/** Some visits of a day, which of their hits count, and whether these are all such hits of the day. */
type Selected = { selection: Selection; narrowing: HitTest; hasAll?: boolean };

/** The totals of the selected visits of a day. Figures that are not wanted stay 0. */
export function totalsOf(
  day: Day,
  { selection, narrowing, hasAll = false }: Selected,
  wanted: readonly Figure[],
): Totals {
  const totals = { ...noTotals(), visits: selection.count, visitors: visitorsIn(day, selection) };
  if (wanted.includes('pageviews')) addPageviews(totals, day, selection);
  if (wanted.includes('pageviews') && narrowing.page !== undefined) {
    totals.pageviews = hasAll
      ? pageviewsOn(day, narrowing)
      : sumOf(pageviewsByVisit(day, selection, narrowing), selection);
  }
  if (wanted.includes('seconds')) totals.seconds = secondsOf(day, selection);
  return totals;
}

/** The same day with its totals, which are counted. */
export const withTotals = <Some extends Day>(day: Some): Some => ({
  ...day,
  totals: totalsOf(day, { selection: everyVisit(day), narrowing: {} }, ['visitors', 'pageviews', 'seconds']),
});

/** The visits that a funnel reads. Without filters these are the visits with its first step and the visitor's later visits. */
export function selectForFunnel(day: Day, conditions: Conditions, [step]: readonly HitTest[]): Selection {
  const { values, some, none } = conditions;
  if (values.length + some.length + none.length > 0 || !step) return select(day, conditions);
  const { visits, count } = select(day, { ...conditions, some: [[step]] });
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

/** Adds the visitors of a day to the steps that they reached. A step counts only after the step before it. */
export function addSteps(day: Day, { visits, count }: Selection, steps: readonly HitTest[], reached: number[]): void {
  const tests = steps.map((step) => matchesOf(day, step));
  // A step whose terms the day does not have cannot be reached.
  const unreachable = tests.findIndex((test) => !isPossible(test));
  const reachable = unreachable < 0 ? tests.length : unreachable;
  if (reachable === 0) return;
  const starts = startsOf(day);
  const again = day.column('again').codes;
  let latest = -1;
  let step = 0;
  let [first, second] = tests[0] ?? [];
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const isNew = isNewVisitor(again, visit, latest);
    latest = visit;
    if (isNew) {
      step = 0;
      [first, second] = tests[0] ?? [];
    }
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end && step < reachable; hit++) {
      if (first && first.codes[hit] !== first.code) continue;
      if (second && second.codes[hit] !== second.code) continue;
      reached[step] = (reached[step] as number) + 1;
      step++;
      [first, second] = tests[step] ?? [];
    }
  }
}

/** Adds to the sums of each test, under the key 0, the visitors of a day with a hit that meets it, and these hits. */
export function addReached(sums: readonly Sums[], day: Day, selection: Selection, tests: readonly HitTest[]): void {
  const codes = tests.length === 0 ? NONE : noHits(day);
  for (const [i, test] of tests.entries()) {
    const own = sums[i] as Sums;
    tallyHits(own, day, { terms: ONE_TERM, codes }, selection, matchesOf(day, test));
    own.visitsBefore += day.totals.visits;
  }
}

/** How many visitors have a hit from second `from` of the day to before second `to`. */
export function visitorsBetween(
  day: Day,
  { visits, count }: Selection,
  narrowing: HitTest,
  [from, to]: readonly [number, number],
): number {
  const starts = startsOf(day);
  const again = day.column('again').codes;
  const second = day.column('second').codes;
  const [pageMatch] = matchesOf(day, narrowing);
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
