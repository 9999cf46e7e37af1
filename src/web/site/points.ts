import type { Point as ReportPoint, Timeseries } from '../../api/answers.ts';
import type { Note } from '../../api/notes.ts';
import { HOUR } from '../../lib/time.ts';
import { dayAfter, earlier, later } from './days.ts';
import type { FigureName } from './figures.ts';
import { type Interval, KINDS } from './intervals.ts';
import { type LeftOut, leftOutOf } from './left-out.ts';
import { type Match, matchedPoints } from './matches.ts';
import type { Span } from './range.ts';

/** The days that are counted in a point, whether its week or month has more that are over, and whether they could not be counted. */
type Counted = { span: Span; isPartial: boolean; leftOut: LeftOut };

/** Of it all days may be left out: then it has no value. */
type PreviousPoint = Counted & { date: string; value: number | null };

/** An hour, a day, a week or a month of the chart. */
export type Point = Counted & {
  interval: Interval;
  date: string;
  /** Null in the future, and where all days are left out. */
  value: number | null;
  /** The point of the period before that it is compared with. */
  previous: PreviousPoint | null;
  /** It is running. */
  isUnfinished: boolean;
  /** Hits were missed in it. */
  isIncomplete: boolean;
  notes: Note[];
};

/** The days that the chart shows: one day alone makes no line, so that it is shown as the last of two weeks. */
export const drawnSpan = ({ from, to }: Span): Span => ({ from: from === to ? dayAfter(to, -13) : from, to });

/** What the chart draws: a timeseries, whose points may have a rate that is made of two. */
export type ChartSeries = Omit<Timeseries, 'points'> & { points: (ReportPoint & { conversion_rate?: number })[] };

type Source = {
  series: ChartSeries;
  /** The days of the series. */
  range: Span;
  /** What it is compared with, and how the points of both are matched. */
  previous?: { series: ChartSeries; range: Span; match: Match } | undefined;
  figure: FigureName;
  notes: Note[];
  today: string;
  /** In milliseconds. */
  now: number;
};

/** Whether a point is over, running or still to come. */
function stateOf(interval: Interval, date: string, { from, to }: Span, { today, now }: Pick<Source, 'today' | 'now'>) {
  if (interval !== 'hour') return { isFuture: from > today, isUnfinished: from <= today && to >= today };
  const begin = Date.parse(date);
  return { isFuture: begin > now, isUnfinished: begin <= now && now < begin + HOUR * 1000 };
}

/** A range may begin or end within a week or a month, of which days to come are not counted. An hour has the day that it is of. */
function countedIn(
  { interval, left_out: leftOut }: ChartSeries,
  point: ChartSeries['points'][number],
  range: Span,
  { figure, today }: Pick<Source, 'figure' | 'today'>,
): Counted {
  const whole = KINDS[interval].daysOf(point.date);
  const last = earlier(whole.to, range.to);
  const span = { from: later(whole.from, range.from), to: whole.from > today ? last : earlier(last, today) };
  return {
    span,
    isPartial: interval !== 'hour' && (span.from > whole.from || span.to < earlier(whole.to, today)),
    leftOut: point[figure] === null ? 'unknown' : leftOutOf(span, leftOut),
  };
}

/** The points of the chart, each with the one that it is compared with. */
export function pointsOf({ series, range, previous, figure, notes, today, now }: Source): Point[] {
  const { interval, points } = series;
  const matched = previous ? matchedPoints(interval, points, previous.series.points, previous.match) : [];
  const compared = (point: ChartSeries['points'][number] | undefined): PreviousPoint | null => {
    if (!point || !previous) return null;
    const counted = countedIn(previous.series, point, previous.range, { figure, today });
    return { ...counted, date: point.date, value: counted.leftOut === 'all' ? null : (point[figure] ?? null) };
  };
  let dayBefore = '';
  return points.map((point, i) => {
    const counted = countedIn(series, point, range, { figure, today });
    const { span, leftOut } = counted;
    const { isFuture, isUnfinished } = stateOf(interval, point.date, span, { today, now });
    // Of a day in hours, the first has its notes.
    const isContinued = interval === 'hour' && span.from === dayBefore;
    dayBefore = span.from;
    return {
      ...counted,
      interval,
      date: point.date,
      value: isFuture || leftOut === 'all' ? null : (point[figure] ?? null),
      previous: compared(matched[i]),
      isUnfinished,
      isIncomplete: point.complete === false && !isFuture,
      notes: isContinued ? [] : notes.filter(({ date }) => date >= span.from && date <= span.to),
    };
  });
}

type Values = (number | null)[];
/**
 * What uPlot draws: the places of the points, their values to be filled, and of both periods the line between whole points and
 * that from and to points that are only a part.
 */
export type Lines = [
  places: number[],
  values: Values,
  whole: Values,
  parts: Values,
  previousWhole: Values,
  previousParts: Values,
];

/** What a chart shows, from left to right. */
export type ChartContent = {
  lines: Lines;
  labels: string[];
  /** A value on its axis. */
  short(value: number): string;
  /** By how many points two labels may stand apart. */
  labelSteps: number[];
  /** The points that have notes. */
  noted: number[];
  /** The points in which hits were missed, or days could not be counted. */
  incomplete: number[];
  /** The point that is the range, where more is drawn around it. */
  highlighted: number | undefined;
};

type Drawn = { value: number | null; isPart: boolean };

/** The lines meet at whole points beside parts. */
const wholeAndParts = (drawn: Drawn[]): [whole: Values, parts: Values] => [
  drawn.map(({ value, isPart }) => (isPart ? null : value)),
  drawn.map(({ value, isPart }, i) => (isPart || drawn[i - 1]?.isPart || drawn[i + 1]?.isPart ? value : null)),
];

export function linesOf(points: Point[]): Lines {
  return [
    points.map((_, i) => i),
    points.map(({ value }) => value),
    ...wholeAndParts(
      points.map(({ value, isUnfinished, isPartial }) => ({ value, isPart: isUnfinished || isPartial })),
    ),
    ...wholeAndParts(
      points.map(({ previous }) => ({ value: previous?.value ?? null, isPart: previous?.isPartial ?? false })),
    ),
  ];
}

/** The days from one point to another, in any order. */
export function spanBetweenPoints(points: Point[], one: number, other: number): Span | undefined {
  const [first, last] = [points[Math.min(one, other)], points[Math.max(one, other)]];
  return first && last && { from: first.span.from, to: last.span.to };
}
