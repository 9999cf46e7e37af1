import { DAY, formatDay } from '../lib/time.ts';
import { findFirstDay, monthNumber } from './calendar.ts';

export const INTERVALS = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];
export type IntervalOfDays = Exclude<Interval, 'hour'>;

/** Days since 1970. The range ends before the day `to`. */
type Days = { from: number; to: number };

export const writeDate = (day: number): string => formatDay(day * DAY);

/** Gives the Monday of a day's week. 5 January 1970, which is day 4, was a Monday. */
export const findMonday = (day: number): number => 4 + Math.floor((day - 4) / 7) * 7;

const POINTS: Record<IntervalOfDays, { findEnd(day: number): number; writeDate(day: number): string }> = {
  day: { findEnd: (day) => day + 1, writeDate },
  week: { findEnd: (day) => findMonday(day) + 7, writeDate: (day) => writeDate(findMonday(day)) },
  month: { findEnd: (day) => findFirstDay(monthNumber(day) + 1), writeDate: (day) => writeDate(day).slice(0, 7) },
};

/** If no interval is chosen, a range of up to 90 days has days as its points. A longer range has months. */
const MAX_DAY_POINTS = 90;
export const findUsualInterval = ({ from, to }: Days): IntervalOfDays => (to - from > MAX_DAY_POINTS ? 'month' : 'day');

/**
 * Lists the points of a timeseries. The first and the last point may have only a part of a week or month. Their date is that of the whole
 * week or month.
 */
export function listPoints(range: Days, interval: IntervalOfDays): (Days & { date: string })[] {
  const { findEnd, writeDate } = POINTS[interval];
  const points: (Days & { date: string })[] = [];
  for (let day = range.from; day < range.to; day = findEnd(day)) {
    points.push({ from: day, to: Math.min(findEnd(day), range.to), date: writeDate(day) });
  }
  return points;
}
