import type { Match } from '../../dates/comparison.ts';
import { dayAfter, monthAfter } from '../../dates/days.ts';
import type { Interval } from './intervals.ts';

const yearBefore: Partial<Record<Interval, (date: string) => string>> = {
  week: (monday) => dayAfter(monday, -364),
  month: (month) => monthAfter(month, -12),
};

/**
 * Finds the point of the comparison period that belongs to each point. `match` says how weeks and months are paired
 * (dates/comparison.ts). Points of hours and days are always paired from the first point on. Example: `match` is `end`,
 * the range has five weeks, and the comparison period has six. The last weeks of both are paired, and the first of the
 * six weeks has no partner.
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
