import { DAY } from '../lib/time.ts';
import type { Breakdown } from '../stats/dimensions.ts';
import {
  addTimes,
  addTotals,
  type DayHours,
  LIVE_SECONDS,
  noTimes,
  noTotals,
  type Times,
  type Totals,
} from '../stats/measured.ts';
import { type Of, type Question, type Range, spansOf } from '../stats/question.ts';
import { addDay, countOf } from './breakdowns.ts';
import { only, UNKNOWN_TERM } from './column-test.ts';
import { conditionsOf, testsOf } from './conditions.ts';
import { addCount, labelsOf, newSums, type RowCount } from './counts.ts';
import type { Day } from './day.ts';
import type { DayReader } from './days.ts';
import { hoursOf } from './hours.ts';
import { isFromRollups, type Needs, needsOf } from './needs.ts';
import { rowSums } from './row-sums.ts';
import { addReached, addSteps, selectForFunnel, timesOf, totalsOf, visitorsBetween } from './scan.ts';
import { select, selectWhere } from './select.ts';
import { emptySums } from './tally.ts';
import type { Texts } from './terms.ts';

/** What was counted in part of a range, by term. Parts add up, because a visitor is never the same on two days. */
export type Part = {
  totals: Totals[];
  times: Times[];
  counts: Partial<Record<Breakdown, RowCount>>;
  /** For each goal that is a pattern of pages who reached it, and how often; the others are counted by their values. */
  reached: { visitors: number; hits: number }[];
  steps: number[];
  hours: DayHours[];
  leftOut: number[];
};

/** Adds what was counted of a day to each span that contains it. */
function addToSpans<Sum>(
  sums: Sum[],
  spans: readonly Range[],
  day: number,
  more: Sum,
  add: (sum: Sum, more: Sum) => void,
): void {
  for (const [i, { from, to }] of spans.entries()) {
    if (day >= from && day < to) add(sums[i] as Sum, more);
  }
}

/** A question with its terms looked up, for parts of its range. */
type Work = { question: Question; needs: Needs; ranges: readonly Range[]; event: number; texts: Texts };

/** What rollups do not have. */
const NOTHING: Pick<Part, 'times' | 'reached' | 'steps' | 'hours' | 'leftOut'> = {
  times: [],
  reached: [],
  steps: [],
  hours: [],
  leftOut: [],
};

function sumRollups(days: DayReader, { question, needs, ranges, event }: Work): Part {
  const { siteId } = question;
  const counts = needs.counts.map((name) => {
    const sums = newSums();
    for (const { from, to } of ranges) {
      for (const rollup of days.rollups(siteId, name, from, to)) {
        addCount(sums, name === 'event_labels' ? labelsOf(rollup, event) : rollup);
      }
    }
    return [name, countOf(sums, name)];
  });
  const spans = spansOf(question);
  const totals = spans.map(noTotals);
  for (const { from, to } of needs.totals.length > 0 ? ranges : []) {
    for (const day of days.totals(siteId, from, to)) addToSpans<Totals>(totals, spans, day.day, day, addTotals);
  }
  return { ...NOTHING, totals, counts: Object.fromEntries(counts) };
}

function scan(days: DayReader, { question, needs, ranges, event, texts }: Work): Part {
  const conditions = conditionsOf(question.filters, texts);
  const narrowing = { ...conditions.narrowing, event: only(event) };
  // A page filter selects visits, and of these any hit may reach a goal.
  const counted = question.report === 'goals' ? {} : narrowing;
  const steps = needs.steps.flatMap((step) => testsOf([step], texts));
  const goal = question.report === 'breakdown' && question.goal ? testsOf([question.goal], texts) : [];
  const counts = needs.counts.map((name) => ({
    name,
    sums: newSums(),
    more: rowSums(name, needs.sums, { counted, goal }),
  }));
  const spans = spansOf(question);
  const totals = spans.map(noTotals);
  const times = spans.map(noTimes);
  const stepsReached = steps.map(() => 0);
  const goals = needs.reached.flatMap((goal) => testsOf([goal], texts));
  const goalSums = goals.map(() => emptySums(1));
  const hours: DayHours[] = [];

  function scanDay(day: Day): void {
    const selection = steps.length > 0 ? selectForFunnel(day, conditions, steps) : select(day, conditions);
    if (selection.count === 0) return;
    if (spans.length > 0) {
      const ofDay = totalsOf(day, selection, conditions.narrowing, needs.totals);
      addToSpans(totals, spans, day.day, ofDay, addTotals);
    }
    if (needs.times) addToSpans(times, spans, day.day, timesOf(day, selection, conditions.narrowing), addTimes);
    for (const { name, sums, more } of counts) {
      addDay(sums, day, name, selection, counted);
      more.add(day, selection);
    }
    addReached(goalSums, day, selection, goals);
    addSteps(day, selection, steps, stepsReached);
    if (needs.hours) hours.push(hoursOf(day, selection, conditions.narrowing));
  }

  for (const { from, to } of ranges) for (const day of days.days(question.siteId, from, to)) scanDay(day);
  return {
    totals,
    times,
    counts: Object.fromEntries(
      counts.map(({ name, sums, more }) => {
        const count = countOf(sums, name);
        return [name, { ...count, more: more.of(count.terms) }];
      }),
    ),
    reached: goalSums.map(({ visitors, hits }) => ({ visitors: visitors[0] ?? 0, hits: hits[0] ?? 0 })),
    steps: stepsReached,
    hours,
    leftOut: ranges.flatMap(({ from, to }) => days.sumDays(question.siteId, from, to)),
  };
}

/** Measures parts of a question's range, from rollups if there is no filter, else by a scan of the columns. */
export function measurePart(days: DayReader, texts: Texts, question: Question, ranges: readonly Range[]): Part {
  const named = question.report === 'breakdown' ? question.event : undefined;
  const event = texts.termOf(named ?? '') ?? UNKNOWN_TERM;
  const measure = isFromRollups(question) ? sumRollups : scan;
  return measure(days, { question, needs: needsOf(question), ranges, event, texts });
}

/** How many visitors were active in the last LIVE_SECONDS. Around midnight it adds those of two days, which share no visitors. */
export function countLive(days: DayReader, texts: Texts, { siteId, filters, now }: Of<'realtime'>): number {
  const conditions = conditionsOf(filters, texts);
  const [from, to] = [now - LIVE_SECONDS, now + 1];
  let visitors = 0;
  for (const { day, counts } of days.live(siteId, from, now)) {
    if (day.totals.visits === 0) continue;
    const start = day.day * DAY;
    const selection = selectWhere(select(day, conditions), counts);
    visitors += visitorsBetween(day, selection, conditions.narrowing, [from - start, to - start]);
  }
  return visitors;
}
