import { DAY, formatDay } from '../lib/time.ts';
import { findFirstDay, monthNumber } from './calendar.ts';

export const INTERVALS = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];
export type IntervalOfDays = Exclude<Interval, 'hour'>;

type Days = { from: number; to: number };

export const writeDate = (day: number): string => formatDay(day * DAY);

/** Returns the Monday of a day's week. Day 4 was Monday, 5 January 1970. */
export const findMonday = (day: number): number => 4 + Math.floor((day - 4) / 7) * 7;

const POINTS: Record<IntervalOfDays, { findEnd(day: number): number; writeDate(day: number): string }> = {
  day: { findEnd: (day) => day + 1, writeDate },
  week: { findEnd: (day) => findMonday(day) + 7, writeDate: (day) => writeDate(findMonday(day)) },
  month: { findEnd: (day) => findFirstDay(monthNumber(day) + 1), writeDate: (day) => writeDate(day).slice(0, 7) },
};

/** The longest range, in days, that has a point for each day by default. A longer range has a point for each month. */
const MAX_DAY_POINTS = 90;
export const findUsualInterval = ({ from, to }: Days): IntervalOfDays => (to - from > MAX_DAY_POINTS ? 'month' : 'day');

/**
 * Lists the points of a timeseries. The range may begin or end in the middle of a week or month. The point of that week
 * or month has its usual date, but counts only the days of the range.
 */
export function listPoints(range: Days, interval: IntervalOfDays): (Days & { date: string })[] {
  const { findEnd, writeDate } = POINTS[interval];
  const points: (Days & { date: string })[] = [];
  for (let day = range.from; day < range.to; day = findEnd(day)) {
    points.push({ from: day, to: Math.min(findEnd(day), range.to), date: writeDate(day) });
  }
  return points;
}
