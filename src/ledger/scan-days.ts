import type { Zone } from '../lib/zone.ts';
import type { Breakdown } from '../stats/dimensions.ts';
import { addTotals, type DayHours, type Hour, noTotals, TOTALS, type Totals } from '../stats/measured.ts';
import { type Question, type Range, spansOf } from '../stats/question.ts';
import type { Target } from '../store/goals.ts';
import { addDay, type Count, countOf } from './breakdowns.ts';
import { newSums } from './counts.ts';
import type { Day } from './day.ts';
import { hoursOf } from './hours.ts';
import { changesOf, type LargeDay } from './large-day.ts';
import { addSteps, type Figure, selectForFunnel, totalsOf } from './scan.ts';
import { conditionsOf, select, testOf } from './select.ts';
import type { Texts } from './terms.ts';

/** What was counted in part of a range, by term. Parts add up, because a visitor is never the same on two days. */
export type Part = {
  totals: Totals[];
  counts: Partial<Record<Breakdown, Count>>;
  steps: number[];
  hours: DayHours[];
  leftOut: number[];
};

/** What a report needs from each day. */
export type Needs = {
  totals: readonly Figure[];
  counts: readonly Breakdown[];
  steps: readonly Target[];
  /** By the hours of this zone. */
  hours: Zone | undefined;
};

/** A question with its terms looked up, for parts of its range. */
export type Work = {
  question: Question;
  needs: Needs;
  ranges: readonly Range[];
  event: number;
  termOf: Texts['termOf'];
};

/** Adds the totals of a day to each span that contains it. */
export function addToSpans(sums: Totals[], spans: readonly Range[], day: number, totals: Totals): void {
  for (const [i, { from, to }] of spans.entries()) {
    if (day >= from && day < to) addTotals(sums[i] as Totals, totals);
  }
}

/** Counts days by their columns; without filters the totals are those of the days, if these are known. */
export function scan(days: Iterable<Day>, { question, needs, event, termOf }: Work, haveTotals = true): Part {
  const conditions = conditionsOf(question.filters, termOf);
  const isUnfiltered = conditions.values.length + conditions.tests.length === 0;
  const narrowing = { ...conditions.narrowing, event };
  const steps = needs.steps.map((step) => testOf(step, termOf));
  const counts = needs.counts.map((name) => ({ name, sums: newSums() }));
  const spans = spansOf(question);
  const totals = spans.map(noTotals);
  const reached = steps.map(() => 0);
  const hours: DayHours[] = [];

  function scanDay(day: Day): void {
    const selection = steps.length > 0 ? selectForFunnel(day, conditions, steps) : select(day, conditions);
    if (selection.count === 0) return;
    if (spans.length > 0) {
      const isKnown = haveTotals && isUnfiltered;
      addToSpans(totals, spans, day.day, isKnown ? day.totals : totalsOf(day, selection, narrowing, needs.totals));
    }
    for (const { name, sums } of counts) addDay(sums, day, name, selection, narrowing);
    addSteps(day, selection, steps, reached);
    if (needs.hours) hours.push(hoursOf(day, selection, narrowing, needs.hours));
  }

  for (const day of days) scanDay(day);
  return {
    totals,
    counts: Object.fromEntries(counts.map(({ name, sums }) => [name, countOf(sums, name)])),
    steps: reached,
    hours,
    leftOut: [],
  };
}

const lessHour = ({ hour, visitors, arrivals }: Hour): Hour => ({ hour, visitors: -visitors, arrivals: -arrivals });

/** What was counted, to be taken off. */
function negative({ totals, counts, steps, hours }: Part): Part {
  const less = (list: ArrayLike<number>): number[] => Array.from(list, (count) => -count);
  const named = Object.entries(counts).map(([name, { terms, visitors, hits }]) => [
    name,
    { terms, visitors: less(visitors), hits: less(hits) },
  ]);
  return {
    totals: totals.map((one) => Object.fromEntries(TOTALS.map((name) => [name, -one[name]])) as Totals),
    counts: Object.fromEntries(named),
    steps: less(steps),
    hours: hours.map((one) => ({ ...one, hours: one.hours.map(lessHour) })),
    leftOut: [],
  };
}

function* checked(days: Iterable<Day>, checkpoint: () => void): Generator<Day> {
  for (const day of days) {
    checkpoint();
    yield day;
  }
}

/** So many answers of a large day are kept: a page of the dashboard asks a dozen. */
const MAX_ANSWERS = 32;

/** The parts of a large day are counted once for each question; then only what came to their visitors since. */
export function scanLarge(large: LargeDay, work: Work, checkpoint: () => void): Part[] {
  const { bases, lost, found } = changesOf(large);
  const key = JSON.stringify(work.question);
  let known = large.answers.get(key) as Part | undefined;
  if (!known) known = scan(checked(bases, checkpoint), work);
  large.answers.delete(key);
  large.answers.set(key, known);
  const [oldest] = large.answers.keys();
  if (large.answers.size > MAX_ANSWERS && oldest !== undefined) large.answers.delete(oldest);
  return [known, negative(scan(lost, work, false)), scan(found, work, false)];
}
