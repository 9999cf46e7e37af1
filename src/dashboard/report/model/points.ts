// Makes the points of the chart from the answers of the API. There is a point for each hour, day, week or month. A
// point has a value only if its time has begun and at least one of its days was counted. Otherwise its value is null.
//
// Example: the range is 2026-03-10 to 2026-03-20, shown by weeks. The first point is the week of Monday 9 March. Its
// span is 10 to 15 March, and `isPartial` is true, because 9 March is not in the range.
//
// `useSeries` in series.ts calls `pointsOf`. The files in chart/ draw the points.

import type { Point as ReportPoint, Timeseries } from '../../../api/answers.ts';
import type { Note } from '../../../api/notes.ts';
import { HOUR } from '../../../lib/time.ts';
import type { Match } from '../../dates/comparison.ts';
import { dayAfter, earlier, later } from '../../dates/days.ts';
import type { Span } from '../../dates/range.ts';
import type { FigureName } from './figures.ts';
import { type Interval, KINDS } from './intervals.ts';
import { matchedPoints } from './matches.ts';
import { deletedIn, type LeftOut, leftOutOf } from './missing-days.ts';

/**
 * `span` has the days of a point that are in the range, up to today. If the point is in the future, `span` has all its
 * days in the range. `isPartial` is true if the range cuts off past days of the point's week or month. `leftOut` says
 * whether days of `span` have no value.
 */
type Counted = { span: Span; isPartial: boolean; leftOut: LeftOut };

/** A point of the comparison period. The value is null if no day of the point has a value. */
type PreviousPoint = Counted & { date: string; value: number | null };

export type Point = Counted & {
  interval: Interval;
  date: string;
  /** The value is null if the point is in the future, or if none of its days has a value. */
  value: number | null;
  /** The point of the comparison period that is drawn above or below this point. */
  previous: PreviousPoint | null;
  /** True if the hour, day, week or month has begun and has not ended. */
  isUnfinished: boolean;
  /** True if the server missed hits during the point's hour, day, week or month, for example in an outage. */
  isIncomplete: boolean;
  notes: Note[];
  /** How many visits of the point are excluded. The number is undefined until it is loaded. */
  excluded?: number;
};

/**
 * Returns the days that a chart with daily points shows for a range. A single day would be a dot and not a line. So for
 * a range of one day, the chart shows the two weeks that end with this day.
 */
export const drawnSpan = ({ from, to }: Span): Span => ({ from: from === to ? dayAfter(to, -13) : from, to });

/**
 * The series of the chart. If the chart shows the conversion rate, each point also has a rate, computed from two
 * timeseries.
 */
export type ChartSeries = Omit<Timeseries, 'points'> & { points: (ReportPoint & { conversion_rate?: number })[] };

type Source = {
  series: ChartSeries;
  range: Span;
  /** The series of the comparison period. `match` says how the points of both series are paired. */
  previous?: { series: ChartSeries; range: Span; match: Match } | undefined;
  figure: FigureName;
  notes: Note[];
  today: string;
  /** The current time in milliseconds since 1970. */
  now: number;
};

/** Makes the points of the chart. Each point also gets its partner in the comparison period (matches.ts). */
export function pointsOf({ series, range, previous, figure, notes, today, now }: Source): Point[] {
  const { interval, points } = series;
  const matched = previous ? matchedPoints(interval, points, previous.series.points, previous.match) : [];
  const compared = (point: ChartSeries['points'][number] | undefined): PreviousPoint | null => {
    if (!point || !previous) return null;
    const counted = countedIn(previous.series, point, previous.range, { figure, today });
    return { ...counted, date: point.date, value: isWhollyMissing(counted) ? null : valueIn(point, figure) };
  };
  let dayBefore = '';
  return points.map((point, i) => {
    const counted = countedIn(series, point, range, { figure, today });
    const { span } = counted;
    const { isFuture, isUnfinished } = stateOf(interval, point.date, span, { today, now });
    // Notes belong to days. If the points are hours, only the first hour of a day shows the day's notes.
    const isContinued = interval === 'hour' && span.from === dayBefore;
    dayBefore = span.from;
    return {
      ...counted,
      interval,
      date: point.date,
      value: isFuture || isWhollyMissing(counted) ? null : valueIn(point, figure),
      previous: compared(matched[i]),
      isUnfinished,
      isIncomplete: point.complete === false && !isFuture && counted.leftOut !== 'deleted',
      notes: isContinued ? [] : notes.filter(({ date }) => date >= span.from && date <= span.to),
    };
  });
}

const isWhollyMissing = ({ leftOut }: Counted): boolean => leftOut === 'all' || leftOut === 'deleted';

/** Reads the value of a figure. Revenue is a decimal text in the answer, and the chart draws it as a number. */
function valueIn(point: ChartSeries['points'][number], figure: FigureName): number | null {
  const value = point[figure];
  return value == null ? null : Number(value);
}

/** Tells whether the time of a point has not begun, and whether it has begun but not ended. */
export function stateOf(
  interval: Interval,
  date: string,
  { from, to }: Span,
  { today, now }: Pick<Source, 'today' | 'now'>,
) {
  if (interval !== 'hour') return { isFuture: from > today, isUnfinished: from <= today && to >= today };
  const begin = Date.parse(date);
  return { isFuture: begin > now, isUnfinished: begin <= now && now < begin + HOUR * 1000 };
}

/**
 * Finds the days of a point that are in the range, and whether some of them have no value. A range may begin or end
 * within a week. The point of an hour has only the day of this hour.
 */
function countedIn(
  series: ChartSeries,
  point: ChartSeries['points'][number],
  range: Span,
  { figure, today }: Pick<Source, 'figure' | 'today'>,
): Counted {
  const { interval, left_out: leftOut } = series;
  const whole = KINDS[interval].daysOf(point.date);
  const last = earlier(whole.to, range.to);
  const findLeftOut = (): LeftOut => {
    if (point[figure] === null) return 'unknown';
    return leftOutOf(span, deletedIn(series)) === 'all' ? 'deleted' : leftOutOf(span, leftOut);
  };
  const span = { from: later(whole.from, range.from), to: whole.from > today ? last : earlier(last, today) };
  return {
    span,
    isPartial: interval !== 'hour' && (span.from > whole.from || span.to < earlier(whole.to, today)),
    leftOut: findLeftOut(),
  };
}

/** Returns the days from one point to another, in any order. */
export function spanBetweenPoints(points: Point[], one: number, other: number): Span | undefined {
  const [first, last] = [points[Math.min(one, other)], points[Math.max(one, other)]];
  return first && last && { from: first.span.from, to: last.span.to };
}
