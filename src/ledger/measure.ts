import { DAY } from '../lib/time.ts';
import { type Zone, zoneOf } from '../lib/zone.ts';
import type { Breakdown } from '../stats/dimensions.ts';
import {
  addTotals,
  type DayHours,
  LIVE_SECONDS,
  type Measured,
  noTotals,
  type Row,
  type Totals,
} from '../stats/measured.ts';
import { type Of, type Question, type Range, spansOf } from '../stats/question.ts';
import type { Target } from '../store/goals.ts';
import { addDay, type Count, countOf } from './breakdowns.ts';
import { addCount, labelsOf, mergeCounts, newSums } from './counts.ts';
import type { Day } from './day.ts';
import type { DayReader } from './days.ts';
import { hoursOf, mergeHours } from './hours.ts';
import { addSteps, type Figure, selectForFunnel, totalsOf, visitorsBetween } from './scan.ts';
import { conditionsOf, select, selectWhere, testOf, UNKNOWN_TERM } from './select.ts';
import type { Texts } from './terms.ts';
import { topRows } from './top.ts';

/** What was counted in part of a range, by term. Parts add up, because a visitor is never the same on two days. */
export type Part = {
  totals: Totals[];
  counts: Partial<Record<Breakdown, Count>>;
  steps: number[];
  hours: DayHours[];
  leftOut: number[];
};

/** What a report needs from each day. */
type Needs = {
  totals: readonly Figure[];
  counts: readonly Breakdown[];
  steps: readonly Target[];
  /** By the hours of this zone. */
  hours: Zone | undefined;
};

const NONE: Needs = { totals: [], counts: [], steps: [], hours: undefined };

/** The breakdown that counts goals of a type. */
const GOALS = { page: 'pages', event: 'events' } as const satisfies Record<Target['type'], Breakdown>;

const NEEDS: { [Name in Question['report']]: (question: Of<Name>) => Partial<Needs> } = {
  overview: () => ({ totals: ['visitors', 'pageviews', 'seconds'] }),
  timeseries: () => ({ totals: ['visitors', 'pageviews'] }),
  breakdown: ({ breakdown }) => ({ counts: [breakdown] }),
  goals: ({ goals }) => ({ totals: ['visitors'], counts: [...new Set(goals.map(({ type }) => GOALS[type]))] }),
  funnel: ({ steps }) => ({ steps }),
  hours: ({ timeZone }) => ({ hours: zoneOf(timeZone) }),
  realtime: () => ({}),
};

const needsOf = (question: Question): Needs => ({
  ...NONE,
  ...(NEEDS[question.report] as (question: Question) => Partial<Needs>)(question),
});

/** True if totals and rollups answer the question. It then takes next to no time, because no column is read. */
export const isFromRollups = ({ report, filters }: Question): boolean =>
  report !== 'funnel' && report !== 'hours' && report !== 'realtime' && Object.keys(filters).length === 0;

/** Adds the totals of a day to each span that contains it. */
function addToSpans(sums: Totals[], spans: readonly Range[], day: number, totals: Totals): void {
  for (const [i, { from, to }] of spans.entries()) {
    if (day >= from && day < to) addTotals(sums[i] as Totals, totals);
  }
}

/** A question with its terms looked up, for parts of its range. */
type Work = { question: Question; needs: Needs; ranges: readonly Range[]; event: number; termOf: Texts['termOf'] };

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
    for (const day of days.totals(siteId, from, to)) addToSpans(totals, spans, day.day, day);
  }
  return { totals, counts: Object.fromEntries(counts), steps: [], hours: [], leftOut: [] };
}

function scan(days: DayReader, { question, needs, ranges, event, termOf }: Work): Part {
  const conditions = conditionsOf(question.filters, termOf);
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
      addToSpans(totals, spans, day.day, totalsOf(day, selection, narrowing, needs.totals));
    }
    for (const { name, sums } of counts) addDay(sums, day, name, selection, narrowing);
    addSteps(day, selection, steps, reached);
    if (needs.hours) hours.push(hoursOf(day, selection, narrowing, needs.hours));
  }

  for (const { from, to } of ranges) for (const day of days.days(question.siteId, from, to)) scanDay(day);
  return {
    totals,
    counts: Object.fromEntries(counts.map(({ name, sums }) => [name, countOf(sums, name)])),
    steps: reached,
    hours,
    leftOut: ranges.flatMap(({ from, to }) => days.sumDays(question.siteId, from, to)),
  };
}

/** Measures parts of a question's range, from rollups if there is no filter, else by a scan of the columns. */
export function measurePart(
  days: DayReader,
  termOf: Texts['termOf'],
  question: Question,
  ranges: readonly Range[],
): Part {
  const named = question.report === 'breakdown' ? question.event : undefined;
  const event = termOf(named ?? '') ?? UNKNOWN_TERM;
  const measure = isFromRollups(question) ? sumRollups : scan;
  return measure(days, { question, needs: needsOf(question), ranges, event, termOf });
}

/** How many visitors were active in the last LIVE_SECONDS. Around midnight it adds those of two days, which share no visitors. */
export function countLive(
  days: DayReader,
  termOf: Texts['termOf'],
  { siteId, range, filters, now }: Of<'realtime'>,
): number {
  const conditions = conditionsOf(filters, termOf);
  const [from, to] = [now - LIVE_SECONDS, now + 1];
  let visitors = 0;
  for (const { day, counts } of days.live(siteId, range, from)) {
    if (day.totals.visits === 0) continue;
    const start = day.day * DAY;
    const selection = selectWhere(select(day, conditions), counts);
    visitors += visitorsBetween(day, selection, conditions.narrowing, [from - start, to - start]);
  }
  return visitors;
}

function mergeParts(parts: readonly Part[]): Part {
  const names = new Set(parts.flatMap(({ counts }) => Object.keys(counts) as Breakdown[]));
  const counts = [...names].map((name) => [
    name,
    mergeCounts(
      name,
      parts.flatMap((part) => part.counts[name] ?? []),
    ),
  ]);
  const sumOf = (i: number): Totals => {
    const sums = noTotals();
    for (const { totals } of parts) addTotals(sums, totals[i] ?? noTotals());
    return sums;
  };
  return {
    totals: (parts[0]?.totals ?? []).map((_, i) => sumOf(i)),
    counts: Object.fromEntries(counts),
    steps: (parts[0]?.steps ?? []).map((_, i) => parts.reduce((sum, { steps }) => sum + (steps[i] ?? 0), 0)),
    hours: parts.flatMap(({ hours }) => hours),
    leftOut: parts.flatMap(({ leftOut }) => leftOut),
  };
}

function rowsOf(question: Question, { counts }: Part, textOf: Texts['textOf']): Row[] {
  if (question.report !== 'breakdown') return [];
  const count = counts[question.breakdown];
  return count ? topRows(count.terms, count.visitors, question.limit, textOf) : [];
}

function goalsOf(question: Question, { counts }: Part, termOf: Texts['termOf']): Measured['goals'] {
  if (question.report !== 'goals') return [];
  return question.goals.map(({ type, value }) => {
    const { terms = [], visitors = [], hits = [] } = counts[GOALS[type]] ?? {};
    const i = Array.prototype.indexOf.call(terms, termOf(value) ?? -1);
    return { visitors: visitors[i] ?? 0, hits: hits[i] ?? 0 };
  });
}

/** Merges the parts of a range and looks up the texts of its rows. */
export function measuredOf(question: Question, parts: readonly Part[], { termOf, textOf }: Texts): Measured {
  const [first] = parts;
  const merged = first && parts.length === 1 ? first : mergeParts(parts);
  const { totals, steps, hours, leftOut } = merged;
  return {
    totals,
    rows: rowsOf(question, merged, textOf),
    goals: goalsOf(question, merged, termOf),
    steps,
    hours: mergeHours(hours),
    live: 0,
    leftOut,
  };
}
