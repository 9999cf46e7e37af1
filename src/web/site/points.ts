import type { Note } from '../../api/notes.ts';
import type { Point as Counted, Timeseries } from '../../api/stats.ts';
import type { View } from '../view.ts';
import { dayAfter, earlier, firstDayOf, lastDayOf, later } from './days.ts';
import type { Span } from './range.ts';

/** Which figure the chart shows. */
export type Shown = 'visitors' | 'pageviews';

export const shownOf = ({ more }: View): Shown => (more.show === 'pageviews' ? 'pageviews' : 'visitors');

/** A day or a month of the chart. */
export type Point = {
  date: string;
  /** The days of it that are counted here: a range may begin or end within a month. */
  span: Span;
  /** Null for what is still to come. */
  value: number | null;
  before: { date: string; value: number } | null;
  /** It is not over yet. */
  isOpen: boolean;
  /** The range holds only some days of this month. */
  isPart: boolean;
  notes: Note[];
};

const spanIn = (date: string, { from, to }: Span): Span =>
  date.length === 10
    ? { from: date, to: date }
    : { from: later(firstDayOf(date), from), to: earlier(lastDayOf(date), to) };

const dayOf = (time: string): string => time.slice(0, 10);

/** One day makes no line: it is shown as the last of two weeks. */
export const drawnSpan = ({ from, to }: Span): Span => ({ from: from === to ? dayAfter(to, -13) : from, to });

type Asked = {
  series: Timeseries;
  before: Timeseries | undefined;
  shown: Shown;
  notes: Note[];
  today: string;
};

/** The points of the chart. Of the period before, the first stands beside the first, and so on. */
export function pointsOf({ series, before, shown, notes, today }: Asked): Point[] {
  const whole = { from: dayOf(series.from), to: dayOf(series.to) };
  const past = (point: Counted | undefined) => (point ? { date: point.date, value: point[shown] } : null);
  return series.points.map((point, i) => {
    const span = spanIn(point.date, whole);
    return {
      date: point.date,
      span,
      value: span.from > today ? null : point[shown],
      before: past(before?.points[i]),
      isOpen: span.from <= today && span.to >= today,
      isPart:
        point.date.length === 7 &&
        (span.from > firstDayOf(point.date) || span.to < earlier(lastDayOf(point.date), today)),
      notes: notes.filter(({ date }) => date >= span.from && date <= span.to),
    };
  });
}

type Line = (number | null)[];

/** What is drawn: places, what is over, its end that may still grow, and the period before. */
export function linesOf(points: Point[]): [number[], Line, Line, Line] {
  const isNextOpen = (i: number) => points[i + 1]?.isOpen === true;
  return [
    points.map((_, i) => i),
    points.map(({ isOpen, value }) => (isOpen ? null : value)),
    points.map(({ isOpen, value }, i) => (isOpen || isNextOpen(i) ? value : null)),
    points.map(({ before }) => before?.value ?? null),
  ];
}

/** The days between two points, for looking closer. */
export function spanBetweenPoints(points: Point[], one: number, other: number): Span | undefined {
  const [first, last] = [points[Math.min(one, other)], points[Math.max(one, other)]];
  return first && last && { from: first.span.from, to: last.span.to };
}
