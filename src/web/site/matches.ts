import { dayAfter, monthAfter } from './days.ts';
import type { Interval } from './intervals.ts';

/** How points of two periods are paired: beginning with the first points, beginning with the last points, or a year apart. */
export type Match = 'start' | 'end' | 'year';

const yearBefore: Partial<Record<Interval, (date: string) => string>> = {
  week: (monday) => dayAfter(monday, -364),
  month: (month) => monthAfter(month, -12),
};

/**
 * Finds the partner of each point in the other period. Two ranges of 30 days may touch five weeks and six weeks. Both ranges end
 * in their last week, so the last weeks are paired.
 */
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
