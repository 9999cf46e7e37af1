import { DAY } from '../lib/time.ts';
import { zoneOf } from '../lib/zone.ts';
import type { Breakdown } from '../stats/dimensions.ts';
import { addTotals, LIVE_SECONDS, type Measured, noTotals, type Row, type Totals } from '../stats/measured.ts';
import { type Of, type Question, type Range, spansOf } from '../stats/question.ts';
import type { Target } from '../store/goals.ts';
import { countOf } from './breakdowns.ts';
import { addCount, labelsOf, mergeCounts, newSums } from './counts.ts';
import type { Day } from './day.ts';
import type { DayReader } from './days.ts';
import { mergeHours } from './hours.ts';
import { isLarge } from './large-day.ts';
import { visitorsBetween } from './scan.ts';
import { addToSpans, type Needs, type Part, scan, scanLarge, type Work } from './scan-days.ts';
import { conditionsOf, select, selectWhere, UNKNOWN_TERM } from './select.ts';
import type { Texts } from './terms.ts';
import { topRows } from './top.ts';

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

/** The sealed days of a question without filters. */
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

/** Measures parts of a question's range: sealed days from rollups if there is no filter, and all others by a scan of the columns. */
export function measurePart(
  days: DayReader,
  termOf: Texts['termOf'],
  question: Question,
  ranges: readonly Range[],
): Part {
  const named = question.report === 'breakdown' ? question.event : undefined;
  const event = termOf(named ?? '') ?? UNKNOWN_TERM;
  const work = { question, needs: needsOf(question), ranges, event, termOf };
  function* inRanges<One>(list: (siteId: number, from: number, to: number) => Iterable<One>): Generator<One> {
    for (const { from, to } of ranges) yield* list(question.siteId, from, to);
  }
  const open = [...inRanges(days.open)];
  const sealed = isFromRollups(question)
    ? sumRollups(days, work)
    : { ...scan(inRanges(days.sealed), work), leftOut: [...inRanges(days.sumDays)] };
  const parts = [
    ...open.flatMap((day) => (isLarge(day) ? scanLarge(day, work, days.checkpoint) : [])),
    scan(
      open.filter((day): day is Day => !isLarge(day)),
      work,
    ),
  ];
  return open.length === 0 ? sealed : mergeParts([sealed, ...parts]);
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
