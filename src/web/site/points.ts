import type { Point as ReportPoint, Timeseries } from '../../api/answers.ts';
import type { Note } from '../../api/notes.ts';
import { HOUR } from '../../lib/time.ts';
import type { View } from '../view.ts';
import { dayAfter, earlier, later } from './days.ts';
import { type Interval, KINDS } from './intervals.ts';
import type { Span } from './range.ts';

/** The figures that a chart can show. */
export type ChartFigure = 'visitors' | 'pageviews';

export const chartFigureOf = ({ more }: View): ChartFigure => (more.show === 'pageviews' ? 'pageviews' : 'visitors');

/** An hour, a day, a week or a month of the chart. */
export type Point = {
  interval: Interval;
  date: string;
  /** The days that are counted in it: a range may begin or end within a month. An hour has the day that it is of. */
  span: Span;
  /** Null in the future. */
  value: number | null;
  /** The point of the previous period that it is compared with. */
  previous: { date: string; value: number } | null;
  /** It is running. */
  isUnfinished: boolean;
  /** A week or a month of which only some days are in the range. */
  isPartial: boolean;
  /** Hits were missed in it. */
  isIncomplete: boolean;
  notes: Note[];
};

/** The days that the chart shows: one day alone makes no line, so that it is shown as the last of two weeks. */
export const drawnSpan = ({ from, to }: Span): Span => ({ from: from === to ? dayAfter(to, -13) : from, to });

type Source = {
  series: Timeseries;
  /** The days of the series. */
  range: Span;
  previous: Timeseries | undefined;
  figure: ChartFigure;
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

/** The points of the chart; the first is compared with the first of the previous period, and so on. */
export function pointsOf({ series, range, previous, figure, notes, today, now }: Source): Point[] {
  const { interval } = series;
  const compared = (point: ReportPoint | undefined) => (point ? { date: point.date, value: point[figure] } : null);
  let dayBefore = '';
  return series.points.map((point, i) => {
    const whole = KINDS[interval].daysOf(point.date);
    const span = { from: later(whole.from, range.from), to: earlier(whole.to, range.to) };
    const { isFuture, isUnfinished } = stateOf(interval, point.date, span, { today, now });
    // Of a day in hours, the first has its notes.
    const isContinued = interval === 'hour' && span.from === dayBefore;
    dayBefore = span.from;
    return {
      interval,
      date: point.date,
      span,
      value: isFuture ? null : point[figure],
      previous: compared(previous?.points[i]),
      isUnfinished,
      isPartial: interval !== 'hour' && (span.from > whole.from || span.to < earlier(whole.to, today)),
      isIncomplete: point.complete === false && !isFuture,
      notes: isContinued ? [] : notes.filter(({ date }) => date >= span.from && date <= span.to),
    };
  });
}

type Values = (number | null)[];
/** What uPlot draws: the places of the points, what is finished, the end that may still grow, and the previous period. */
export type Lines = [places: number[], finished: Values, unfinished: Values, previous: Values];

/** What a chart shows, from left to right. */
export type ChartContent = {
  lines: Lines;
  labels: string[];
  /** By how many points two labels may stand apart. */
  labelSteps: number[];
  /** The points that have notes. */
  noted: number[];
  /** The points in which hits were missed. */
  incomplete: number[];
  /** The point that is the range, where more is drawn around it. */
  highlighted: number | undefined;
};

export function linesOf(points: Point[]): Lines {
  const isNextUnfinished = (i: number) => points[i + 1]?.isUnfinished === true;
  return [
    points.map((_, i) => i),
    points.map(({ isUnfinished, value }) => (isUnfinished ? null : value)),
    // From the last finished point on, so that the lines meet.
    points.map(({ isUnfinished, value }, i) => (isUnfinished || isNextUnfinished(i) ? value : null)),
    points.map(({ previous }) => previous?.value ?? null),
  ];
}

/** The days from one point to another, in any order. */
export function spanBetweenPoints(points: Point[], one: number, other: number): Span | undefined {
  const [first, last] = [points[Math.min(one, other)], points[Math.max(one, other)]];
  return first && last && { from: first.span.from, to: last.span.to };
}
