import type { Target } from '../store/goals.ts';
import { firstDayOf, monthOf } from './calendar.ts';
import type { Breakdown, FilterName } from './dimensions.ts';

/** By which visits are selected, and by `page` hits. */
export type Filters = Partial<Record<FilterName, string>> & { goal?: Target };

/** Days since 1970, the last one not included. */
export type Range = { from: number; to: number };

type Asked =
  | { report: 'overview' }
  | { report: 'timeseries' }
  | { report: 'breakdown'; breakdown: Breakdown; event?: string | undefined; limit: number }
  | { report: 'goals'; goals: (Target & { id: number })[] }
  | { report: 'funnel'; steps: Target[] }
  | { report: 'hours' }
  | { report: 'realtime'; now: number };

/** What is asked. Everything in it has been checked, and texts are as they are stored. */
export type Question = Asked & { siteId: number; range: Range; filters: Filters };

export type Report = Question['report'];
/** The question that a report answers. */
export type Of<Name extends Report> = Extract<Question, { report: Name }>;

/** As many days, which end the day before. */
export const previous = ({ from, to }: Range): Range => ({ from: from - (to - from), to: from });

/** Beyond so many days the points of a timeseries are months. */
const MOST_DAYS = 90;
export const intervalOf = ({ from, to }: Range): 'day' | 'month' => (to - from > MOST_DAYS ? 'month' : 'day');

/** The parts of a range that are the points of a timeseries; a month counts as far as the range has it. */
export function pointsOf(range: Range): Range[] {
  const endOf = { day: (day: number) => day + 1, month: (day: number) => firstDayOf(monthOf(day) + 1) }[
    intervalOf(range)
  ];
  const points: Range[] = [];
  for (let day = range.from; day < range.to; day = endOf(day)) {
    points.push({ from: day, to: Math.min(endOf(day), range.to) });
  }
  return points;
}

/** The parts of the calendar for each of which a question wants sums. */
export function spansOf({ report, range }: Question): Range[] {
  if (report === 'overview') return [range, previous(range)];
  if (report === 'timeseries') return pointsOf(range);
  return report === 'goals' ? [range] : [];
}

/** The days that must be looked at: of a report that compares, those before too; of what happens now, none. */
export function daysOf({ report, range }: Question): Range {
  if (report === 'realtime') return { from: range.from, to: range.from };
  return report === 'overview' ? { from: previous(range).from, to: range.to } : range;
}
