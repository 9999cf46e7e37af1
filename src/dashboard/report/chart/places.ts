// Chooses the dates that stand below the plot: hours, days, Mondays, or the first days of months. Each interval has a
// list of rules, such as "every Monday". A chart uses the first rule that gives few enough dates.
//
// Example: a chart of 12 months by days has a date at the first day of each month. On a phone, only Jan, Apr, Jul and
// Oct remain.
//
// plot.tsx shows three lists of dates. The style sheet chooses one list by the width of the plot.

import { dayShort, hourShort, monthShort } from '../../core/format.ts';
import { daysIn, weekdayOf } from '../../dates/days.ts';
import type { Interval } from '../model/intervals.ts';
import type { Point } from '../model/points.ts';

export type Place = { index: number; label: string };

/**
 * A rule for dates below the plot. `has` tells whether the date of a point is shown. `date` is the date of the point,
 * and `last` is the date of the last point. `label` writes the date.
 */
type Rule = { has(date: string, last: string): boolean; label(date: string): string };

const dayIn = (date: string): string => date.slice(0, 'YYYY-MM-DD'.length);
const isMidnight = (date: string): boolean => date.length === 10 || date.includes('T00:00');
/** Numbers the weeks, each from Monday to Sunday, so that every second Monday can be found. */
const weekNumber = (date: string): number => Math.floor(daysIn('2001-01-01', dayIn(date)) / 7);

const everyHours = (hours: number): Rule => ({
  has: (date) => Number(date.slice(11, 13)) % hours === 0,
  label: hourShort,
});
const everyDays = (days: number): Rule => ({
  has: (date, last) => isMidnight(date) && (daysIn(dayIn(date), dayIn(last)) - 1) % days === 0,
  label: dayShort,
});
const everyWeeks = (weeks: number): Rule => ({
  has: (date) => isMidnight(date) && weekdayOf(dayIn(date)) === 1 && weekNumber(date) % weeks === 0,
  label: dayShort,
});
/**
 * Makes a rule that shows every `months`-th month. The rule shows a point if its date is among the first `days` days of
 * such a month. If a point is a week, `days` is 7, because few months begin on a Monday.
 */
const everyMonths = (months: number, days: number): Rule => ({
  has: (date) => (Number(date.slice(5, 7)) - 1) % months === 0 && Number(date.slice(8, 10)) <= days,
  label: monthShort,
});

const monthRules = (days: number): Rule[] => [1, 2, 3, 6, 12].map((months) => everyMonths(months, days));
const DAYS = [...[1, 2].map(everyDays), ...[1, 2].map(everyWeeks), ...monthRules(1)];
const RULES: Record<Interval, readonly Rule[]> = {
  hour: [...[1, 2, 3, 6, 12].map(everyHours), ...DAYS],
  day: DAYS,
  week: [...[1, 2].map(everyWeeks), ...monthRules(7)],
  month: monthRules(1),
};

/** Finds up to `most` dates. If even one date a year is too many, the result has more. */
export function placesFor(points: readonly Pick<Point, 'date' | 'interval'>[], most: number): Place[] {
  const last = points.at(-1)?.date ?? '';
  const dates = points.map(({ date }, index) => ({ date, index }));
  const lists = RULES[points[0]?.interval ?? 'day'].map((rule) => ({
    ...rule,
    found: dates.filter(({ date }) => rule.has(date, last)),
  }));
  const { found, label } = lists.find((list) => list.found.length <= most) ?? (lists.at(-1) as (typeof lists)[number]);
  return found.map(({ date, index }) => ({ index, label: label(date) }));
}
