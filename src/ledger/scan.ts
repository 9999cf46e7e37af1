import { noTotals, type Totals } from '../stats/measured.ts';
import { type Narrowing, ofEvent, onPage } from './breakdowns.ts';
import type { Numbers } from './bytes.ts';
import { type Day, listFor, startsOf } from './day.ts';
import { type Conditions, type HitTest, NOTHING, onlyOf, select } from './select.ts';
import { emptySums, firstOf, makeRoom, type Selection, tallyHits } from './tally.ts';

/** What can be asked of the visits of a day. */
export type Figure = 'visitors' | 'pageviews' | 'seconds';

/** Where a visitor is new among those that are counted: none of the same visitor's visits was counted before. */
const isNew = (again: Numbers, visit: number, latest: number): boolean =>
  again[visit] === 0 || firstOf(again, visit) > latest;

function visitorsIn(day: Day, { visits, count }: Selection): number {
  const again = day.column('again').codes;
  let visitors = 0;
  let latest = -1;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    if (isNew(again, visit, latest)) visitors++;
    latest = visit;
  }
  return visitors;
}

function pageviewsOn(day: Day, selection: Selection, narrowing: Narrowing): number {
  const column = day.column('event');
  const sums = emptySums(0);
  makeRoom(sums, column.terms);
  tallyHits(sums, day, column, selection, [...onPage(day, narrowing), ofEvent(day, 0)]);
  return sums.hits[0] ?? 0;
}

function addPageviews(totals: Totals, day: Day, { visits, count }: Selection): void {
  const hits = day.column('hits').codes;
  const { terms, codes } = day.column('events');
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const all = hits[visit] as number;
    const sent = terms[codes[visit] as number] as number;
    totals.pageviews += all - sent;
    totals.events += sent;
    if (all === 1 && sent === 0) totals.bounces++;
  }
}

function secondsOf(day: Day, { visits, count }: Selection): number {
  const { terms, codes } = day.column('seconds');
  let seconds = 0;
  for (let i = 0; i < count; i++) seconds += terms[codes[visits[i] as number] as number] as number;
  return seconds;
}

/** The figures of a day for the visits that are meant, as far as they are wanted. */
export function totalsOf(day: Day, selection: Selection, narrowing: Narrowing, wanted: readonly Figure[]): Totals {
  const totals = { ...noTotals(), visits: selection.count, visitors: visitorsIn(day, selection) };
  if (wanted.includes('pageviews')) addPageviews(totals, day, selection);
  if (wanted.includes('pageviews') && narrowing.page !== undefined) {
    totals.pageviews = pageviewsOn(day, selection, narrowing);
  }
  if (wanted.includes('seconds')) totals.seconds = secondsOf(day, selection);
  return totals;
}

/** Where a funnel begins: without filters, with the visits that have its first step, and those of the same visitors after. */
export function begin(day: Day, conditions: Conditions, [step]: readonly HitTest[]): Selection {
  if (conditions.values.length > 0 || conditions.tests.length > 0 || !step) return select(day, conditions);
  const { visits, count } = select(day, { ...conditions, tests: [step] });
  if (count === 0) return NOTHING;
  const again = day.column('again').codes;
  const all = listFor('more', day.totals.visits);
  let left = 0;
  let end = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    if (visit < end) continue;
    all[left++] = visit;
    for (end = visit + 1; again[end] === 1; end++) all[left++] = end;
  }
  return { visits: all, count: left };
}

/** Adds up how many visitors of a day reached each step, having reached those before it with earlier hits. */
export function addSteps(day: Day, { visits, count }: Selection, steps: readonly HitTest[], reached: number[]): void {
  const tests = steps.map((step) => onlyOf(day, step));
  // Nobody gets past a step that the day never saw.
  const never = tests.findIndex((test) => test.some(({ code }) => code < 0));
  const reachable = never < 0 ? tests.length : never;
  if (reachable === 0) return;
  const starts = startsOf(day);
  const again = day.column('again').codes;
  let latest = -1;
  let step = 0;
  let [first, second] = tests[0] ?? [];
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const isOther = isNew(again, visit, latest);
    latest = visit;
    if (isOther) {
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

/** Visitors with a counted hit from one second of a day to before another. */
export function visitorsBetween(
  day: Day,
  { visits, count }: Selection,
  narrowing: Narrowing,
  [from, to]: readonly [number, number],
): number {
  const starts = startsOf(day);
  const again = day.column('again').codes;
  const second = day.column('second').codes;
  const [only] = onPage(day, narrowing);
  let latest = -1;
  let visitors = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    if (!isNew(again, visit, latest)) continue;
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      const at = second[hit] as number;
      if (at < from || at >= to || (only && only.codes[hit] !== only.code)) continue;
      latest = visit;
      visitors++;
      break;
    }
  }
  return visitors;
}
