import type { DayTotals } from '../ledger/days.ts';
import type { Count } from '../ledger/dimensions.ts';
import { changeOf, rounded, shareOf } from '../lib/percent.ts';
import { dayOf } from '../lib/time.ts';
import { GOALS, type Measured } from './measure.ts';
import { previous, type Question, type Range } from './question.ts';
import type { TermOf } from './select.ts';

/** Beyond so many days the points of a timeseries are months. */
const MOST_DAYS = 90;

/** The words of a site, both ways. */
export type Words = { termOf: TermOf; textOf(term: number): string };

type Of<Report> = Extract<Question, { report: Report }>;

const dateOf = (day: number): string => dayOf(day * 86_400);

function sumOf(totals: readonly DayTotals[], { from, to }: Range) {
  const sum = { visitors: 0, visits: 0, pageviews: 0, bounces: 0, seconds: 0 };
  for (const one of totals) {
    if (one.day < from || one.day >= to) continue;
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += one[name];
  }
  return sum;
}

function figuresOf(totals: readonly DayTotals[], range: Range) {
  const { visitors, pageviews, visits, bounces, seconds } = sumOf(totals, range);
  const visit_duration = visits === 0 ? 0 : rounded(seconds / visits, 0);
  return { visitors, pageviews, visits, bounce_rate: shareOf(bounces, visits), visit_duration };
}
type Figures = ReturnType<typeof figuresOf>;

function overview({ range }: Of<'overview'>, { totals }: Measured) {
  const now = figuresOf(totals, range);
  const before = figuresOf(totals, previous(range));
  const change = Object.fromEntries(
    (Object.keys(now) as (keyof Figures)[]).map((name) => [name, changeOf(now[name], before[name])]),
  ) as Record<keyof Figures, number | null>;
  return { ...now, previous: before, change };
}

function timeseries({ range }: Of<'timeseries'>, { totals }: Measured) {
  const isLong = range.to - range.from > MOST_DAYS;
  const points = new Map<string, { date: string; visitors: number; pageviews: number }>();
  const dateIn = (day: number): string => dateOf(day).slice(0, isLong ? 7 : 10);
  for (let day = range.from; day < range.to; day++) {
    points.set(dateIn(day), { date: dateIn(day), visitors: 0, pageviews: 0 });
  }
  for (const { day, visitors, pageviews } of totals) {
    const point = points.get(dateIn(day));
    if (!point) continue;
    point.visitors += visitors;
    point.pageviews += pageviews;
  }
  return { interval: isLong ? ('month' as const) : ('day' as const), points: [...points.values()] };
}

/** In the order of their code points, which is not that of JavaScript's own comparison. */
export function byCodePoint(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const i = left.findIndex((point, at) => point !== right[at]);
  if (i < 0) return left.length - right.length;
  return (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? -1);
}

/** The first of the terms by visitors; only of those that may be among them the texts are looked up. */
function top({ terms, visitors }: Count, limit: number, textOf: Words['textOf']) {
  const least = Float64Array.from(visitors).sort().at(-limit) ?? 0;
  const rows: { value: string; visitors: number }[] = [];
  for (let i = 0; i < terms.length; i++) {
    const n = visitors[i] as number;
    if (n >= least) rows.push({ value: textOf(terms[i] as number), visitors: n });
  }
  return rows.sort((a, b) => b.visitors - a.visitors || byCodePoint(a.value, b.value)).slice(0, limit);
}

const NOTHING: Count = { terms: [], visitors: [], hits: [] };

const breakdown = (question: Of<'breakdown'>, { counts }: Measured, { textOf }: Words) => ({
  rows: top(counts[question.breakdown] ?? NOTHING, question.limit, textOf),
});

function goals({ goals, range }: Of<'goals'>, { counts, totals }: Measured, { termOf }: Words) {
  const { visitors: all } = sumOf(totals, range);
  return {
    goals: goals.map(({ id, type, value }) => {
      const { terms, visitors, hits } = counts[GOALS[type]] ?? NOTHING;
      const i = Array.prototype.indexOf.call(terms, termOf(value) ?? -1);
      const reached = visitors[i] ?? 0;
      return {
        id,
        type,
        value,
        visitors: reached,
        conversions: hits[i] ?? 0,
        conversion_rate: shareOf(reached, all, 2),
      };
    }),
  };
}

function funnel({ steps }: Of<'funnel'>, measured: Measured) {
  const reached = steps.map((_, i) => measured.steps[i] ?? 0);
  const [first = 0] = reached;
  return {
    steps: steps.map((step, i) => {
      const visitors = reached[i] ?? 0;
      return {
        ...step,
        visitors,
        share_of_previous: shareOf(visitors, i === 0 ? first : (reached[i - 1] ?? 0)),
        share_of_first: shareOf(visitors, first),
      };
    }),
  };
}

/** Only the days on which somebody came. */
const hours = (_: Of<'hours'>, { hours }: Measured) => ({ days: hours.toSorted((one, other) => one.day - other.day) });

/** What is made of the measured range for who asked. */
export const REPORTS = { overview, timeseries, breakdown, goals, funnel, hours };

/** Days in words, those that follow each other as one. */
function named(days: readonly number[]): string {
  const ordered = [...days].sort((one, other) => one - other);
  const starts = ordered.filter((day, i) => day - 1 !== ordered[i - 1]);
  const ends = ordered.filter((day, i) => day + 1 !== ordered[i + 1]);
  return starts
    .map((start, i) => (start === ends[i] ? dateOf(start) : `${dateOf(start)} to ${dateOf(ends[i] as number)}`))
    .join(', ');
}

/** What has to be said beside an answer; nothing at all where there is nothing to say. */
export const noticesOf = ({ left }: Measured): Notices =>
  left.length === 0
    ? {}
    : { notices: [`Not in this answer, because only daily totals are kept of them: ${named(left)}.`] };

type Notices = { notices?: string[] };

export type Answers = { [Report in keyof typeof REPORTS]: ReturnType<(typeof REPORTS)[Report]> & Notices } & {
  realtime: { visitors: number };
};
