// The chart of visitors has a point for each hour, day, week or month. This file makes these points from the answers of the
// API. A point has a value only if its time has begun and at least one of its days was counted. Otherwise its value is null.
//
// Example: the range is 2026-03-10 to 2026-03-20, shown by weeks. The first point is the week of Monday 9 March. Its span is
// 10 to 15 March, and `isPartial` is true, because 9 March lies outside of the range.
//
// `useSeries` in series.ts calls `pointsOf`.
// plot.tsx gives the result of `linesOf` to uPlot.

import type { Point as ReportPoint, Timeseries } from '../../api/answers.ts';
import type { Note } from '../../api/notes.ts';
import { HOUR } from '../../lib/time.ts';
import { dayAfter, earlier, later } from './days.ts';
import type { FigureName } from './figures.ts';
import { type Interval, KINDS } from './intervals.ts';
import { type LeftOut, leftOutOf } from './left-out.ts';
import { type Match, matchedPoints } from './matches.ts';
import type { Span } from './range.ts';

/**
 * The days of a point that were counted. `isPartial` is true if the range cuts past days off the point's week or
 * month. `leftOut` says how many of the counted days have no value.
 */
type Counted = { span: Span; isPartial: boolean; leftOut: LeftOut };

/** The point of the comparison period. Its value is null if none of its days has one. */
type PreviousPoint = Counted & { date: string; value: number | null };

/** An hour, a day, a week or a month of the chart. */
export type Point = Counted & {
  interval: Interval;
  date: string;
  /** Null if the point lies in the future, or if none of its days has a value. */
  value: number | null;
  /** The point of the comparison period that stands at this place of the chart. */
  previous: PreviousPoint | null;
  /** The hour, day, week or month has begun and is not over. */
  isUnfinished: boolean;
  /** The server missed hits during this time, for example in an outage. */
  isIncomplete: boolean;
  notes: Note[];
};

/**
 * The days that the chart shows. One day alone makes no line, so the chart shows the two weeks that end with this
 * day.
 */
export const drawnSpan = ({ from, to }: Span): Span => ({ from: from === to ? dayAfter(to, -13) : from, to });

/** A timeseries of the API. For the conversion rate, each point also has a rate, which is made from two timeseries. */
export type ChartSeries = Omit<Timeseries, 'points'> & { points: (ReportPoint & { conversion_rate?: number })[] };

type Source = {
  series: ChartSeries;
  /** The range of days that the series covers. */
  range: Span;
  /** The series of the comparison period. `match` says how the points of both series are paired. */
  previous?: { series: ChartSeries; range: Span; match: Match } | undefined;
  figure: FigureName;
  notes: Note[];
  today: string;
  /** The time now, in milliseconds since 1970. */
  now: number;
};

/** Makes the points of the chart. Each has the point of the comparison period that belongs beside it. */
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
    // Notes belong to days. If the points are hours, only the first hour of a day shows them.
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

/** Whether a point lies in the future, and whether it has begun but is not over. */
function stateOf(interval: Interval, date: string, { from, to }: Span, { today, now }: Pick<Source, 'today' | 'now'>) {
  if (interval !== 'hour') return { isFuture: from > today, isUnfinished: from <= today && to >= today };
  const begin = Date.parse(date);
  return { isFuture: begin > now, isUnfinished: begin <= now && now < begin + HOUR * 1000 };
}

/**
 * Finds the days of a point that were counted. A range may begin or end within a week, and days to come are not
 * counted. A point of hours has the day to which its hour belongs.
 */
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

type Values = (number | null)[];
/**
 * The columns of data that uPlot draws. Whole points and partial points have lines of their own: a solid one and a
 * dashed one. A point is partial if it is still running, or if the range cuts days off it.
 */
export type Lines = [
  places: number[],
  values: Values,
  whole: Values,
  parts: Values,
  previousWhole: Values,
  previousParts: Values,
];

/** All that uPlot needs to draw a chart. */
export type ChartContent = {
  lines: Lines;
  labels: string[];
  /** Writes a value in short for the vertical axis, such as 1.2K. */
  short(value: number): string;
  /** The distances that labels may have, in points. For example, 7 puts one label a week on a chart of days. */
  labelSteps: number[];
  /** The indexes of the points that have notes. */
  noted: number[];
  /** The indexes of the points in which hits were missed, or of which some days have no value. */
  incomplete: number[];
  /** The index of the selected day, if the chart also draws the days before it. */
  highlighted: number | undefined;
};

type Drawn = { value: number | null; isPart: boolean };

/**
 * Splits values into a line of whole points and a line of partial points. The partial line includes the whole points
 * beside partial ones, so that the two lines meet.
 */
const wholeAndParts = (drawn: Drawn[]): [whole: Values, parts: Values] => [
  drawn.map(({ value, isPart }) => (isPart ? null : value)),
  drawn.map(({ value, isPart }, i) => (isPart || drawn[i - 1]?.isPart || drawn[i + 1]?.isPart ? value : null)),
];

/** Arranges the points in the columns that uPlot draws. */
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

/** The days from one point to another. The points may be given in any order. */
export function spanBetweenPoints(points: Point[], one: number, other: number): Span | undefined {
  const [first, last] = [points[Math.min(one, other)], points[Math.max(one, other)]];
  return first && last && { from: first.span.from, to: last.span.to };
}
