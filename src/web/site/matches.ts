import { dayAfter, monthAfter } from './days.ts';
import type { Interval } from './intervals.ts';

/** How points are matched with those that they are compared with: by their place from the start or from the end, or as far apart in the calendar as years are. */
export type Match = 'start' | 'end' | 'year';

/** The week or the month of the year before. */
const yearBefore: Partial<Record<Interval, (date: string) => string>> = {
  week: (monday) => dayAfter(monday, -364),
  month: (month) => monthAfter(month, -12),
};

/** Ranges of as many days may have one week or month more than another: then the last are matched, which end both. */
export function matchedPoints<Matched extends { date: string }>(
  interval: Interval,
  points: readonly { date: string }[],
  others: readonly Matched[],
  match: Match,
): (Matched | undefined)[] {
  const dateBefore = yearBefore[interval];
  if (dateBefore === undefined || match === 'start') return points.map((_, i) => others[i]);
  if (match === 'end') return points.map((_, i) => others[i + others.length - points.length]);
  const byDate = new Map(others.map((other) => [other.date, other]));
  return points.map(({ date }) => byDate.get(dateBefore(date)));
}
