// An interval is the length of one point of the chart: an hour, a day, a week or a month. The table `KINDS` has the
// name of each interval, the ranges that allow it, and the days of a point.
//
// By default, a range of up to 90 days is shown by days, and a longer range by months. The server has this default too.
// But for a single day, the dashboard's default is hours, if hours are allowed. The server's default is days.
//
// Example: a range of 30 days can be shown by hours, days or weeks. Months need at least 32 days.

import type { Timeseries } from '../../../api/answers.ts';
import type { DashboardMessage } from '../../../lang/dashboard.ts';
import { day, hour, spanText } from '../../core/format.ts';
import type { View } from '../../core/view.ts';
import { dayAfter, daysIn, firstDayOf, lastDayOf } from '../../dates/days.ts';
import type { Span } from '../../dates/range.ts';
import { chartFigureOf, FIGURES } from './figures.ts';

export type Interval = Timeseries['interval'];

type Kind = {
  /** `name` is the interval in the menu, such as "Days". `one` is its singular, such as "Day". */
  name: DashboardMessage;
  one: DashboardMessage;
  /** `per` is the title of the chart. `part` is the title of a point if the range cuts off some of its days. */
  per: DashboardMessage;
  part: DashboardMessage;
  /** The shortest and the longest range that can be shown by this interval, in days. */
  least: number;
  most: number;
  /** Returns the days of the point with this date. For an hour, this is the day that contains the hour. */
  daysOf(date: string): Span;
  titleOf(date: string): string;
};

const weekOf = (monday: string): Span => ({ from: monday, to: dayAfter(monday, 6) });
const dateIn = (date: string): string => date.slice(0, 'YYYY-MM-DD'.length);
const oneDay = (date: string): Span => ({ from: dateIn(date), to: dateIn(date) });

export const KINDS: Record<Interval, Kind> = {
  hour: {
    ...{ per: '{figure} per hour', part: '{title}, partial hour' },
    ...{ name: 'Hours', one: 'Hour', least: 1, most: 31 },
    daysOf: oneDay,
    titleOf: hour,
  },
  day: {
    ...{ per: '{figure} per day', part: '{title}, partial day' },
    ...{ name: 'Days', one: 'Day', least: 1, most: Number.POSITIVE_INFINITY },
    daysOf: oneDay,
    titleOf: day,
  },
  week: {
    ...{ per: '{figure} per week', part: '{title}, partial week' },
    ...{ name: 'Weeks', one: 'Week', least: 8, most: Number.POSITIVE_INFINITY },
    daysOf: weekOf,
    titleOf: (date) => spanText(weekOf(date)),
  },
  month: {
    ...{ per: '{figure} per month', part: '{title}, partial month' },
    ...{ name: 'Months', one: 'Month', least: 32, most: Number.POSITIVE_INFINITY },
    daysOf: (date) => ({ from: firstDayOf(date), to: lastDayOf(date) }),
    titleOf: day,
  },
};

const INTERVALS = Object.keys(KINDS) as Interval[];

/**
 * Lists the intervals of a report. A report over several sites has no hours, because the sites may have different time
 * zones.
 */
export const intervalsOf = (isOneSite: boolean): Interval[] =>
  INTERVALS.filter((interval) => isOneSite || interval !== 'hour');

/**
 * Lists the intervals that are allowed for a range. Hours are not allowed in a report over several sites. They are not
 * allowed either if the chart shows revenue, or a figure of whole visits, such as the bounce rate.
 */
export function intervalsFor(view: View, { from, to }: Span, isOneSite = true): Interval[] {
  const days = daysIn(from, to);
  const { isOfVisits, hasNoHours } = FIGURES[chartFigureOf(view)];
  const hasHours = isOneSite && !isOfVisits && !hasNoHours;
  return intervalsOf(hasHours).filter((interval) => days >= KINDS[interval].least && days <= KINDS[interval].most);
}

/** Says why a range cannot be shown by this interval. Returns undefined if the interval is allowed. */
export function whyNot(interval: Interval, view: View, span: Span, isOneSite = true): DashboardMessage | undefined {
  if (intervalsFor(view, span, isOneSite).includes(interval)) return undefined;
  const days = daysIn(span.from, span.to);
  if (days < KINDS[interval].least) return 'This period is too short for this interval.';
  if (days > KINDS[interval].most) return 'This period is too long for this interval.';
  return FIGURES[chartFigureOf(view)].hasNoHours
    ? 'Revenue is not available by hour.'
    : 'Not available by hour, because a visit may last longer than an hour.';
}

/** The longest range that is shown by days by default. Longer ranges are shown by months, as on the server. */
const MAX_DAY_POINTS = 90;
function usualOf(days: number, intervals: readonly Interval[]): Interval {
  if (days === 1 && intervals.includes('hour')) return 'hour';
  return days > MAX_DAY_POINTS ? 'month' : 'day';
}

/** Returns the interval in the URL if the range allows it, or else the default interval. */
export function intervalOf(view: View, span: Span, isOneSite = true): Interval {
  const intervals = intervalsFor(view, span, isOneSite);
  const usual = usualOf(daysIn(span.from, span.to), intervals);
  return intervals.find((interval) => interval === view.interval) ?? usual;
}
