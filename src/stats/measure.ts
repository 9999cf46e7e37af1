import type { Day } from '../ledger/day.ts';
import type { DayTotals, Ledger } from '../ledger/days.ts';
import { addDay, type Count, countOf, type Dimension } from '../ledger/dimensions.ts';
import type { Rollup } from '../ledger/rollups.ts';
import { emptySums, makeRoom, type Sums } from '../ledger/tally.ts';
import type { Target } from '../store/goals.ts';
import { type DayHours, hoursOf } from './hours.ts';
import type { Question, Range } from './question.ts';
import { addSteps, begin, type Figure, totalsOf } from './scan.ts';
import { conditionsOf, NEVER, select, type TermOf, testOf } from './select.ts';

/** What a report is made from. All of it adds up over days, so that a range may be measured in parts. */
export type Measured = {
  totals: DayTotals[];
  counts: Partial<Record<Dimension, Count>>;
  steps: number[];
  hours: DayHours[];
  /** The days that are left out, because of them only sums are known. */
  left: number[];
};

type Needs = {
  totals: readonly Figure[];
  counts: readonly Dimension[];
  steps: readonly Target[];
  hours: boolean;
};

const NONE: Needs = { totals: [], counts: [], steps: [], hours: false };

/** Where goals of a type are counted. */
export const GOALS: Record<Target['type'], Dimension> = { page: 'pages', event: 'events' };

/** What a report needs to know of the days of its range. */
function needsOf(question: Question): Needs {
  switch (question.report) {
    case 'overview':
      return { ...NONE, totals: ['visitors', 'pageviews', 'seconds'] };
    case 'timeseries':
      return { ...NONE, totals: ['visitors', 'pageviews'] };
    case 'breakdown':
      return { ...NONE, counts: [question.breakdown] };
    case 'goals':
      return { ...NONE, totals: ['visitors'], counts: [...new Set(question.goals.map(({ type }) => GOALS[type]))] };
    case 'funnel':
      return { ...NONE, steps: question.steps };
    case 'hours':
      return { ...NONE, hours: true };
    default:
      return NONE;
  }
}

function add(sums: Sums, { terms, visitors, hits }: Count): void {
  makeRoom(sums, terms);
  const { visitors: allVisitors, hits: allHits } = sums;
  for (let i = 0; i < terms.length; i++) {
    const term = terms[i] as number;
    allVisitors[term] = (allVisitors[term] as number) + (visitors[i] as number);
  }
  for (let i = 0; i < hits.length; i++) {
    const term = terms[i] as number;
    allHits[term] = (allHits[term] as number) + (hits[i] as number);
  }
}

const ROOM = 1024;

export function merge(parts: readonly Measured[]): Measured {
  const names = new Set(parts.flatMap(({ counts }) => Object.keys(counts) as Dimension[]));
  const counts = [...names].map((name) => {
    const sums = emptySums(ROOM);
    for (const part of parts) if (part.counts[name]) add(sums, part.counts[name]);
    return [name, countOf(sums, name)];
  });
  return {
    totals: parts.flatMap(({ totals }) => totals),
    counts: Object.fromEntries(counts),
    steps: (parts[0]?.steps ?? []).map((_, i) => parts.reduce((sum, { steps }) => sum + (steps[i] ?? 0), 0)),
    hours: parts.flatMap(({ hours }) => hours),
    left: parts.flatMap(({ left }) => left),
  };
}

/** Whether a question is answered from sums that are kept, and so takes next to no time. */
export const isSummed = ({ report, filters }: Question): boolean =>
  report !== 'funnel' && report !== 'hours' && Object.keys(filters).length === 0;

/** The labels of one event in a rollup, which has those of all. */
function labelsOf({ events, terms, visitors, hits }: Rollup, event: number): Count {
  const own = Array.from(events, (_, i) => i).filter((i) => events[i] === event);
  const pick = (list: ArrayLike<number>) => own.map((i) => list[i] ?? 0);
  return { terms: pick(terms), visitors: pick(visitors), hits: pick(hits) };
}

/** What is measured: a question, in numbers, over parts of its range. */
type Work = { question: Question; needs: Needs; ranges: readonly Range[]; event: number; termOf: TermOf };

function sumUp(days: Ledger, { question: { siteId }, needs, ranges, event }: Work): Measured {
  const counts = needs.counts.map((name) => {
    const sums = emptySums(ROOM);
    for (const { from, to } of ranges) {
      for (const rollup of days.rollups(siteId, name, from, to)) {
        add(sums, name === 'event_labels' ? labelsOf(rollup, event) : rollup);
      }
    }
    return [name, countOf(sums, name)];
  });
  const totals = needs.totals.length > 0 ? ranges.flatMap(({ from, to }) => days.totals(siteId, from, to)) : [];
  return { totals, counts: Object.fromEntries(counts), steps: [], hours: [], left: [] };
}

function scan(days: Ledger, { question, needs, ranges, event, termOf }: Work): Measured {
  const conditions = conditionsOf(question.filters, termOf);
  const narrowing = { ...conditions.narrowing, event };
  const steps = needs.steps.map((step) => testOf(step, termOf));
  const counts = needs.counts.map((name) => ({ name, sums: emptySums(ROOM) }));
  const totals: DayTotals[] = [];
  const reached = steps.map(() => 0);
  const hours: DayHours[] = [];

  function scanDay(day: Day): void {
    const selection = steps.length > 0 ? begin(day, conditions, steps) : select(day, conditions);
    if (selection.count === 0) return;
    if (needs.totals.length > 0) totals.push({ day: day.day, ...totalsOf(day, selection, narrowing, needs.totals) });
    for (const { name, sums } of counts) addDay(sums, day, name, selection, narrowing);
    addSteps(day, selection, steps, reached);
    if (needs.hours) hours.push(hoursOf(day, selection, narrowing));
  }

  for (const { from, to } of ranges) for (const day of days.days(question.siteId, from, to)) scanDay(day);
  return {
    totals,
    counts: Object.fromEntries(counts.map(({ name, sums }) => [name, countOf(sums, name)])),
    steps: reached,
    hours,
    left: ranges.flatMap(({ from, to }) => days.summed(question.siteId, from, to)),
  };
}

/** Measures parts of the range of a question: by sums where there is no filter, else from the columns that it names. */
export function measure(days: Ledger, termOf: TermOf, question: Question, ranges: readonly Range[]): Measured {
  const named = question.report === 'breakdown' ? question.event : undefined;
  const event = termOf(named ?? '') ?? NEVER;
  const how = isSummed(question) ? sumUp : scan;
  return how(days, { question, needs: needsOf(question), ranges, event, termOf });
}
