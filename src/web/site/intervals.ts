import type { Timeseries } from '../../api/answers.ts';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { day, dayShort, hour, hourShort, spanText } from '../format.ts';
import type { View } from '../view.ts';
import { dayAfter, daysIn, firstDayOf, lastDayOf } from './days.ts';
import { chartFigureOf, FIGURES } from './figures.ts';
import type { Span } from './range.ts';

/** What a point of the chart stands for. */
export type Interval = Timeseries['interval'];

type Kind = {
  /** As it is chosen, and in the singular. */
  name: DashboardMessage;
  one: DashboardMessage;
  /** What the chart is called, and a point of which not all is counted. */
  per: DashboardMessage;
  part: DashboardMessage;
  /** Of how many days ranges may be that are shown by it. */
  least: number;
  most: number;
  /** By how many points two labels may stand apart. */
  labelSteps: number[];
  /** The days that a point has by its date. */
  daysOf(date: string): Span;
  titleOf(date: string): string;
  labelOf(date: string): string;
};

const weekOf = (monday: string): Span => ({ from: monday, to: dayAfter(monday, 6) });
const dateIn = (date: string): string => date.slice(0, 'YYYY-MM-DD'.length);
const oneDay = (date: string): Span => ({ from: dateIn(date), to: dateIn(date) });

export const KINDS: Record<Interval, Kind> = {
  hour: {
    ...{ per: '{figure} per hour', part: '{title}, part of the hour' },
    ...{ name: 'Hours', one: 'Hour', least: 1, most: 31, labelSteps: [1, 2, 3, 6, 12, 24, 48, 72, 168] },
    daysOf: oneDay,
    titleOf: hour,
    labelOf: hourShort,
  },
  day: {
    ...{ per: '{figure} per day', part: '{title}, part of the day' },
    ...{ name: 'Days', one: 'Day', least: 1, most: Number.POSITIVE_INFINITY, labelSteps: [1, 2, 7, 14, 28, 56, 112] },
    daysOf: oneDay,
    titleOf: day,
    labelOf: dayShort,
  },
  week: {
    ...{ per: '{figure} per week', part: '{title}, part of the week' },
    ...{ name: 'Weeks', one: 'Week', least: 8, most: Number.POSITIVE_INFINITY, labelSteps: [1, 2, 4, 8, 13, 26] },
    daysOf: weekOf,
    titleOf: (date) => spanText(weekOf(date)),
    labelOf: dayShort,
  },
  month: {
    ...{ per: '{figure} per month', part: '{title}, part of the month' },
    ...{ name: 'Months', one: 'Month', least: 32, most: Number.POSITIVE_INFINITY, labelSteps: [1, 2, 3, 6, 12] },
    daysOf: (date) => ({ from: firstDayOf(date), to: lastDayOf(date) }),
    titleOf: day,
    labelOf: dayShort,
  },
};

const INTERVALS = Object.keys(KINDS) as Interval[];

/** Hours are those of one zone, and all sites together have none. */
export const intervalsOf = (isOneSite: boolean): Interval[] =>
  INTERVALS.filter((interval) => isOneSite || interval !== 'hour');

/** What the points of a range may be; hours have no figures of whole visits. */
export function intervalsFor(view: View, { from, to }: Span, isOneSite = true): Interval[] {
  const days = daysIn(from, to);
  const hasHours = isOneSite && !FIGURES[chartFigureOf(view)].isOfVisits;
  return intervalsOf(hasHours).filter((interval) => days >= KINDS[interval].least && days <= KINDS[interval].most);
}

/** The server takes days up to this range, and months beyond. One day alone is shown by its hours. */
const MAX_DAY_POINTS = 90;
function usualOf(days: number, intervals: readonly Interval[]): Interval {
  if (days === 1 && intervals.includes('hour')) return 'hour';
  return days > MAX_DAY_POINTS ? 'month' : 'day';
}

/** What the points are: as it was chosen, if the range allows it. */
export function intervalOf(view: View, span: Span, isOneSite = true): Interval {
  const intervals = intervalsFor(view, span, isOneSite);
  const usual = usualOf(daysIn(span.from, span.to), intervals);
  return intervals.find((interval) => interval === view.more.interval) ?? usual;
}
