import { DAY, formatDay } from '../lib/time.ts';
import { findFirstDay, monthNumber } from './calendar.ts';

/** What the points of a timeseries are. */
export const INTERVALS = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];
/** Points that days add up to. */
export type IntervalOfDays = Exclude<Interval, 'hour'>;

/** Days since 1970, without the day `to`. */
type Days = { from: number; to: number };

export const writeDate = (day: number): string => formatDay(day * DAY);

/** 5 January 1970 was a Monday. */
export const findMonday = (day: number): number => 4 + Math.floor((day - 4) / 7) * 7;

const POINTS: Record<IntervalOfDays, { endOf(day: number): number; writeDate(day: number): string }> = {
  day: { endOf: (day) => day + 1, writeDate },
  week: { endOf: (day) => findMonday(day) + 7, writeDate: (day) => writeDate(findMonday(day)) },
  month: { endOf: (day) => findFirstDay(monthNumber(day) + 1), writeDate: (day) => writeDate(day).slice(0, 7) },
};

/** Points that nobody has chosen are days up to this range, and months beyond. */
const MAX_DAY_POINTS = 90;
export const usualInterval = ({ from, to }: Days): IntervalOfDays => (to - from > MAX_DAY_POINTS ? 'month' : 'day');

/** The points of a timeseries, of which the first and the last are cut to the range; a cut one has the date of the whole. */
export function listPoints(range: Days, interval: IntervalOfDays): (Days & { date: string })[] {
  const { endOf, writeDate } = POINTS[interval];
  const points: (Days & { date: string })[] = [];
  for (let day = range.from; day < range.to; day = endOf(day)) {
    points.push({ from: day, to: Math.min(endOf(day), range.to), date: writeDate(day) });
  }
  return points;
}
