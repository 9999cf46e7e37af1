import { KINDS } from '../../../../src/dashboard/report/model/intervals.ts';
import type { Point } from '../../../../src/dashboard/report/model/points.ts';

/** A point of a chart, as a day with five visitors where nothing else is said. */
export const point = (date: string, change: Partial<Point> = {}): Point => ({
  interval: 'day',
  date,
  span: KINDS[change.interval ?? 'day'].daysOf(date),
  value: 5,
  previous: null,
  isUnfinished: false,
  isPartial: false,
  isIncomplete: false,
  leftOut: 'none',
  notes: [],
  ...change,
});
