import type { ColumnName } from '../ledger/columns.ts';
import { codeIn, type Day, startsOf, type Totals } from '../ledger/day.ts';
import { type Narrowing, ofEvent, onPage } from '../ledger/dimensions.ts';
import { everyVisit, type Only, type Selection, tallyHits } from '../ledger/tally.ts';
import type { Target } from '../store/goals.ts';
import { type Filters, VISIT_FILTERS } from './question.ts';

/** Finds the number of a text; undefined for one that the site never saw. */
export type TermOf = (text: string) => number | undefined;

/** What a hit must be: on a page, or an event of a name; 0 as the event is a pageview. */
export type HitTest = { page?: number; event?: number };

/** Filters in numbers. A visit must have each of the values, and for each test a hit that meets it. */
export type Conditions = { values: [ColumnName, number][]; tests: HitTest[]; narrowing: Narrowing };

const FIRST_COLUMN: Record<(typeof VISIT_FILTERS)[number], ColumnName> = {
  entry: 'entry',
  source: 'source',
  utm_source: 'utm_source',
  utm_medium: 'utm_medium',
  utm_campaign: 'utm_campaign',
  country: 'country',
  device: 'device',
  browser: 'browser',
  os: 'os',
};

/** A term that no hit has. */
export const NEVER = 0xffff_ffff;

export function testOf({ type, value }: Target, termOf: TermOf): HitTest {
  const term = termOf(value) ?? NEVER;
  return type === 'page' ? { page: term, event: 0 } : { event: term };
}

export function conditionsOf({ page, event, goal, ...values }: Filters, termOf: TermOf): Conditions {
  const term = (text: string) => termOf(text) ?? NEVER;
  return {
    values: VISIT_FILTERS.flatMap((name) => {
      const value = values[name];
      return value === undefined ? [] : [[FIRST_COLUMN[name], term(value)]];
    }),
    tests: [
      ...(event === undefined ? [] : [{ event: term(event) }]),
      ...(goal === undefined ? [] : [testOf(goal, termOf)]),
      ...(page === undefined ? [] : [{ page: term(page) }]),
    ],
    narrowing: page === undefined ? {} : { page: term(page) },
  };
}

export const onlyOf = (day: Day, { page, event }: HitTest): Only[] => [
  ...onPage(day, { page }),
  ...(event === undefined ? [] : [ofEvent(day, event)]),
];

const NOTHING: Selection = { visits: new Uint32Array(0), count: 0 };

/** Leaves of a selection the visits whose value it is. */
function withValue({ visits, count }: Selection, codes: ArrayLike<number>, code: number): Selection {
  let left = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    visits[left] = visit;
    if (codes[visit] === code) left++;
  }
  return { visits, count: left };
}

/** Leaves of a selection the visits that have a hit which meets all conditions. */
function withHit({ visits, count }: Selection, starts: Uint32Array, [first, second]: readonly Only[]): Selection {
  let left = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      if (first && first.codes[hit] !== first.code) continue;
      if (second && second.codes[hit] !== second.code) continue;
      visits[left++] = visit;
      break;
    }
  }
  return { visits, count: left };
}

/** The visits of a day that the filters mean. A day that never saw one of the values is left at the first look. */
export function select(day: Day, { values, tests }: Conditions): Selection {
  const wanted = values.map(([name, term]) => {
    const column = day.column(name);
    return { codes: column.codes, code: codeIn(column, term) };
  });
  const needed = tests.map((one) => onlyOf(day, one));
  if ([...wanted, ...needed.flat()].some(({ code }) => code < 0)) return NOTHING;
  let selection = everyVisit(day);
  for (const { codes, code } of wanted) selection = withValue(selection, codes, code);
  if (needed.length === 0 || selection.count === 0) return selection;
  const starts = startsOf(day);
  for (const conditions of needed) selection = withHit(selection, starts, conditions);
  return selection;
}

function pageviewsOf(day: Day, selection: Selection, narrowing: Narrowing): number {
  const { hits } = tallyHits(day, day.column('event'), selection, [ofEvent(day, 0), ...onPage(day, narrowing)]);
  return hits.reduce((sum, n) => sum + n, 0);
}

/** The figures of a day for the visits that are meant. */
export function totalsOf(day: Day, selection: Selection, narrowing: Narrowing): Totals {
  const totals: Totals = { visitors: 0, visits: selection.count, pageviews: 0, events: 0, bounces: 0, seconds: 0 };
  const [visitor, pageviews, events, seconds] = (['visitor', 'pageviews', 'events', 'seconds'] as const).map((name) =>
    day.column(name),
  ) as [Col, Col, Col, Col];
  let latest = -1;
  for (let i = 0; i < selection.count; i++) {
    const visit = selection.visits[i] as number;
    const who = visitor.codes[visit] as number;
    if (who !== latest) totals.visitors++;
    latest = who;
    const viewed = pageviews.terms[pageviews.codes[visit] as number] as number;
    const sent = events.terms[events.codes[visit] as number] as number;
    totals.pageviews += viewed;
    totals.events += sent;
    totals.seconds += seconds.terms[seconds.codes[visit] as number] as number;
    if (viewed === 1 && sent === 0) totals.bounces++;
  }
  if (narrowing.page !== undefined) totals.pageviews = pageviewsOf(day, selection, narrowing);
  return totals;
}
type Col = ReturnType<Day['column']>;

/** How many visitors of a day reached each step, having reached those before it with earlier hits. */
export function stepsOf(day: Day, { visits, count }: Selection, steps: readonly HitTest[]): number[] {
  const reached = new Array<number>(steps.length).fill(0);
  const tests = steps.map((step) => onlyOf(day, step));
  // Nobody gets past a step that the day never saw.
  const never = tests.findIndex((test) => test.some(({ code }) => code < 0));
  const reachable = never < 0 ? tests.length : never;
  if (reachable === 0 || count === 0) return reached;
  const starts = startsOf(day);
  const visitor = day.column('visitor').codes;
  let who = -1;
  let step = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    if (visitor[visit] !== who) {
      who = visitor[visit] as number;
      step = 0;
    }
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end && step < reachable; hit++) {
      const [first, second] = tests[step] as Only[];
      if (first && first.codes[hit] !== first.code) continue;
      if (second && second.codes[hit] !== second.code) continue;
      reached[step] = (reached[step] as number) + 1;
      step++;
    }
  }
  return reached;
}

/** Visitors with a counted hit from one second of a day to before another. */
export function visitorsBetween(
  day: Day,
  { visits, count }: Selection,
  narrowing: Narrowing,
  from: number,
  to: number,
): number {
  const starts = startsOf(day);
  const visitor = day.column('visitor').codes;
  const second = day.column('second').codes;
  const [only] = onPage(day, narrowing);
  let latest = -1;
  let visitors = 0;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const who = visitor[visit] as number;
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end && who !== latest; hit++) {
      const at = second[hit] as number;
      if (at < from || at >= to || (only && only.codes[hit] !== only.code)) continue;
      latest = who;
      visitors++;
    }
  }
  return visitors;
}
