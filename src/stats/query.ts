// What an engine is asked: a report, its range of days and its filters.
//
// Ranges are half-open days since 1970: { from: 20,000, to: 20,007 } is a week. An overview of that week has two spans: the week, and the
// 7 days before it. At 15:00 of a day that is not over, the last day of the comparison counts until 15:00 only (`until`). The API makes
// queries of requests, and engines read them by `listRanges`, `listSpans` and `findCut`.
import type { Target } from '../store/sites/goals.ts';
import type { Breakdown, FilterName, Operator } from './dimensions.ts';
import { findUsualInterval, type IntervalOfDays, listPoints } from './interval.ts';
import type { Metric } from './metrics.ts';

/** A condition holds if each of its operators does. `like` and `unlike` have patterns, as in src/lib/pattern.ts. */
export type Condition = Partial<Record<Operator, readonly string[]>>;

/** The visits that count. `page` also limits the hits that count. */
export type Filters = Partial<Record<FilterName, Condition>> & {
  goal?: { is?: readonly Target[]; not?: readonly Target[] };
  /** The number of pageviews of a visit. */
  pageviews?: { is?: readonly number[]; not?: readonly number[] };
};

/** Days since 1970, without the day `to`. */
export type Range = { from: number; to: number };

/** Days to compare with. With `until`, the last day counts only before that second of it. */
export type Compared = Range & { until?: number | undefined };

/** The figures and the order of rows. Without `sort`, rows with the most visitors come first. */
type RowsAsked = {
  metrics?: readonly Metric[] | undefined;
  /** The goal whose hits are conversions. */
  goal?: Target | undefined;
  sort?: Metric | undefined;
  search?: string | undefined;
  offset?: number | undefined;
};

/** What points may have beside visitors and pageviews. Hours have none of these, because a visit may last over several hours. */
export const POINT_METRICS = ['visits', 'bounce_rate', 'visit_duration', 'time_on_page'] as const;
export type PointMetric = (typeof POINT_METRICS)[number];

type ReportQuery =
  /** Without `compared`, the days directly before are compared. */
  | { report: 'overview'; withTimes?: boolean; compared?: Compared | undefined }
  | { report: 'timeseries'; interval?: IntervalOfDays | undefined; metrics?: readonly PointMetric[] | undefined }
  /** A timeseries by the hours of a zone: the hours between two instants, and other hours with hits. */
  | { report: 'hourly'; timeZone: string; instants: Range }
  | ({ report: 'breakdown'; breakdown: Breakdown; event?: string | undefined; limit: number } & RowsAsked)
  | { report: 'goals'; goals: (Target & { id: number })[] }
  | { report: 'funnel'; steps: Target[] }
  | { report: 'hours'; timeZone: string }
  | { report: 'realtime'; now: number }
  | { report: 'live'; now: number };

/** A query after validation. Its texts are in the form in which they are stored. */
export type Query = ReportQuery & { siteId: number; range: Range; filters: Filters };

export type Report = Query['report'];
/** The type of a query for one report. */
export type Of<Name extends Report> = Extract<Query, { report: Name }>;

/** Makes a query for the visitors of some days. Goals without any goal count nothing else, so sums answer it. */
export const askForVisitors = (siteId: number, range: Range): Of<'goals'> => ({
  ...{ report: 'goals', goals: [] },
  ...{ siteId, range, filters: {} },
});

/** True if a query is about now, whatever its range. */
export const isAboutNow = (query: Query): query is Of<'realtime' | 'live'> =>
  query.report === 'realtime' || query.report === 'live';

/** Gives the range of the same length directly before a range. */
export const findPrevious = ({ from, to }: Range): Range => ({ from: from - (to - from), to: from });

const findCompared = ({ range, compared = findPrevious(range) }: Of<'overview'>): Compared => compared;

/** Finds the day of the comparison that counts only before a second of it. */
export function findCut(query: Query): { day: number; until: number } | undefined {
  if (query.report !== 'overview') return undefined;
  const { to, until } = findCompared(query);
  return until === undefined ? undefined : { day: to - 1, until };
}

export const chooseInterval = ({ range, interval = findUsualInterval(range) }: Of<'timeseries'>): IntervalOfDays =>
  interval;

/** Lists the ranges of days for which a query needs totals. */
export function listSpans(query: Query): Range[] {
  const { report, range } = query;
  if (report === 'overview') {
    const { from, to } = findCompared(query);
    return [range, { from, to: findCut(query)?.day ?? to }];
  }
  if (report === 'timeseries') return listPoints(range, chooseInterval(query));
  return report === 'goals' ? [range] : [];
}

/** Unites ranges that overlap or touch, in order. */
function uniteRanges(ranges: readonly Range[]): Range[] {
  const all: Range[] = [];
  for (const { from, to } of ranges.toSorted((one, other) => one.from - other.from)) {
    const last = all.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else all.push({ from, to });
  }
  return all;
}

/** Lists the days that a query reads. An overview also reads the days of its comparison. A query about now reads none of its range. */
export function listRanges(query: Query): Range[] {
  if (isAboutNow(query)) return [];
  return query.report === 'overview' ? uniteRanges([query.range, findCompared(query)]) : [query.range];
}
