import type { Target } from '../store/goals.ts';
import { firstDayOf, monthNumber } from './calendar.ts';
import type { Breakdown, FilterName, Operator } from './dimensions.ts';
import type { Metric } from './metrics.ts';

/** All of it holds together. `like` and `unlike` are patterns as in src/lib/pattern.ts. */
export type Condition = Partial<Record<Operator, readonly string[]>>;

/** Which visits to count. `page` also limits the hits that are counted. */
export type Filters = Partial<Record<FilterName, Condition>> & {
  goal?: { is?: readonly Target[]; not?: readonly Target[] };
};

/** Days since 1970, without the day `to`. */
export type Range = { from: number; to: number };

/** Which figures rows have, and which rows there are. Without `sort` those with the most visitors come first. */
type Rows = {
  metrics?: readonly Metric[] | undefined;
  /** What conversions are. */
  goal?: Target | undefined;
  sort?: Metric | undefined;
  search?: string | undefined;
  offset?: number | undefined;
};

type Asked =
  | { report: 'overview'; withTimes?: boolean }
  | { report: 'timeseries' }
  | ({ report: 'breakdown'; breakdown: Breakdown; event?: string | undefined; limit: number } & Rows)
  | { report: 'goals'; goals: (Target & { id: number })[] }
  | { report: 'funnel'; steps: Target[] }
  | { report: 'hours'; timeZone: string }
  | { report: 'realtime'; now: number };

/** A report request after validation. Its texts are in the form in which they are stored. */
export type Question = Asked & { siteId: number; range: Range; filters: Filters };

export type Report = Question['report'];
/** The question for a report. */
export type Of<Name extends Report> = Extract<Question, { report: Name }>;

/** The range of the same length directly before this one. */
export const previous = ({ from, to }: Range): Range => ({ from: from - (to - from), to: from });

/** The points of a timeseries are days up to this range, and months beyond. */
const MAX_DAY_POINTS = 90;
export const intervalOf = ({ from, to }: Range): 'day' | 'month' => (to - from > MAX_DAY_POINTS ? 'month' : 'day');

/** The points of a timeseries. The first and last month are cut to the range. */
export function pointsOf(range: Range): Range[] {
  const endOf = { day: (day: number) => day + 1, month: (day: number) => firstDayOf(monthNumber(day) + 1) }[
    intervalOf(range)
  ];
  const points: Range[] = [];
  for (let day = range.from; day < range.to; day = endOf(day)) {
    points.push({ from: day, to: Math.min(endOf(day), range.to) });
  }
  return points;
}

/** The ranges for which a question needs totals. */
export function spansOf({ report, range }: Question): Range[] {
  if (report === 'overview') return [range, previous(range)];
  if (report === 'timeseries') return pointsOf(range);
  return report === 'goals' ? [range] : [];
}

/** The days that a question reads. The overview also reads the previous range; realtime reads none of its range. */
export function daysToRead({ report, range }: Question): Range {
  if (report === 'realtime') return { from: range.from, to: range.from };
  return report === 'overview' ? { from: previous(range).from, to: range.to } : range;
}
