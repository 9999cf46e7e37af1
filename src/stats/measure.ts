import { type Count, count, type Dimension } from '../ledger/dimensions.ts';
import type { DayTotals, Ledger } from '../ledger/read.ts';
import type { Target } from '../store/goals.ts';
import type { Question, Range } from './question.ts';
import { conditionsOf, NEVER, select, stepsOf, type TermOf, testOf, totalsOf } from './scan.ts';

/** What a report is made from. All of it adds up over days, so that a range may be measured in parts. */
export type Measured = {
  totals: DayTotals[];
  counts: Partial<Record<Dimension, Count>>;
  steps: number[];
};

type Needs = { totals: boolean; counts: readonly Dimension[]; steps: readonly Target[] };

const NONE: Needs = { totals: false, counts: [], steps: [] };

/** What a report needs to know of the days of its range. */
function needsOf(question: Question): Needs {
  switch (question.report) {
    case 'overview':
    case 'timeseries':
      return { ...NONE, totals: true };
    case 'breakdown':
      return { ...NONE, counts: [question.breakdown] };
    case 'goals':
      return { ...NONE, totals: true, counts: ['pages', 'events'] };
    case 'funnel':
      return { ...NONE, steps: question.steps };
    default:
      return NONE;
  }
}

/** Sums by term, in lists that grow with the largest term. */
function sums() {
  let visitors = new Float64Array(1024);
  let hits = new Float64Array(1024);

  function grow(to: number): void {
    const size = 2 ** Math.ceil(Math.log2(to + 1));
    const larger = new Float64Array(size);
    larger.set(visitors);
    visitors = larger;
    const more = new Float64Array(size);
    more.set(hits);
    hits = more;
  }

  return {
    add({ terms, visitors: some, hits: counted }: Count, from = 0, to = terms.length): void {
      if (to === from) return;
      const last = terms[to - 1] as number;
      if (last >= visitors.length) grow(last);
      for (let i = from; i < to; i++) {
        const term = terms[i] as number;
        visitors[term] = (visitors[term] as number) + (some[i] as number);
      }
      for (let i = from; i < to && i < counted.length; i++) {
        const term = terms[i] as number;
        hits[term] = (hits[term] as number) + (counted[i] as number);
      }
    },
    count(): Count {
      const terms: number[] = [];
      for (let term = 0; term < visitors.length; term++) if ((visitors[term] as number) > 0) terms.push(term);
      return { terms, visitors: terms.map((term) => visitors[term] ?? 0), hits: terms.map((term) => hits[term] ?? 0) };
    },
  };
}

export function merge(parts: readonly Measured[]): Measured {
  const names = new Set(parts.flatMap(({ counts }) => Object.keys(counts) as Dimension[]));
  const counts = [...names].map((name) => {
    const all = sums();
    for (const part of parts) if (part.counts[name]) all.add(part.counts[name]);
    return [name, all.count()];
  });
  return {
    totals: parts.flatMap(({ totals }) => totals),
    counts: Object.fromEntries(counts),
    steps: (parts[0]?.steps ?? []).map((_, i) => parts.reduce((sum, { steps }) => sum + (steps[i] ?? 0), 0)),
  };
}

/** Whether a question is answered from sums that are kept, and so takes next to no time. */
export const isSummed = ({ report, filters }: Question): boolean =>
  report !== 'funnel' && Object.keys(filters).length === 0;

/** Where the labels of an event stand in a rollup, which is sorted by event. */
function placeOf(events: ArrayLike<number>, event: number): [from: number, to: number] {
  let from = 0;
  while (from < events.length && events[from] !== event) from++;
  let to = from;
  while (to < events.length && events[to] === event) to++;
  return [from, to];
}

function sumUp(
  days: Ledger,
  { siteId }: Question,
  { counts, totals }: Needs,
  { from, to }: Range,
  event: number,
): Measured {
  const summed = counts.map((name) => {
    const all = sums();
    for (const rollup of days.rollups(siteId, name, from, to)) {
      if (name === 'event_labels') all.add(rollup, ...placeOf(rollup.events, event));
      else all.add(rollup);
    }
    return [name, all.count()];
  });
  return { totals: totals ? days.totals(siteId, from, to) : [], counts: Object.fromEntries(summed), steps: [] };
}

function scan(
  days: Ledger,
  question: Question,
  needs: Needs,
  { from, to }: Range,
  event: number,
  termOf: TermOf,
): Measured {
  const conditions = conditionsOf(question.filters, termOf);
  const steps = needs.steps.map((step) => testOf(step, termOf));
  const counts = needs.counts.map((name) => [name, sums()] as const);
  const totals: DayTotals[] = [];
  const reached = steps.map(() => 0);
  for (const day of days.days(question.siteId, from, to)) {
    const selection = select(day, conditions);
    if (selection.count === 0) continue;
    if (needs.totals) totals.push({ day: day.day, ...totalsOf(day, selection, conditions.narrowing) });
    for (const [name, all] of counts) all.add(count(day, name, selection, { ...conditions.narrowing, event }));
    for (const [i, n] of stepsOf(day, selection, steps).entries()) reached[i] = (reached[i] ?? 0) + n;
  }
  return { totals, counts: Object.fromEntries(counts.map(([name, all]) => [name, all.count()])), steps: reached };
}

/** Measures a part of the range of a question: by sums where there is no filter, else from the columns that it names. */
export function measure(days: Ledger, termOf: TermOf, question: Question, range: Range): Measured {
  const named = question.report === 'breakdown' ? question.event : undefined;
  const event = termOf(named ?? '') ?? NEVER;
  const work = isSummed(question) ? sumUp : scan;
  return work(days, question, needsOf(question), range, event, termOf);
}
