// A query is what an engine is asked for: a report, a range of days and filters.
//
// Days are numbered from 1970, and a range does not include its day `to`: { from: 20,000, to: 20,007 } is a week. An overview of that week
// has two spans: the week itself, and the 7 days before it. If the last day of the week is still running and it is 15:00, the last day of
// the comparison counts only until 15:00 too (`until`). The API makes queries of requests. Engines read them with `listRanges`, `listSpans`
// and `findCut`.
import type { Target } from '../store/sites/goals.ts';
import type { Breakdown, FilterName, Operator } from './dimensions.ts';
import { findUsualInterval, type IntervalOfDays, listPoints } from './interval.ts';
import type { Metric } from './metrics.ts';

/** A condition holds if all of its operators hold. `like` and `unlike` have patterns (src/lib/pattern.ts). */
export type Condition = Partial<Record<Operator, readonly string[]>>;

/** These filters choose the visits that count. A filter by `page` also limits the hits that count. */
export type Filters = Partial<Record<FilterName, Condition>> & {
  goal?: { is?: readonly Target[]; not?: readonly Target[] };
  pageviews?: { is?: readonly number[]; not?: readonly number[] };
};

/** Days since 1970. The range ends before the day `to`. */
export type Range = { from: number; to: number };

/** The days to compare with. If `until` is given, only hits before that second of the last day count. */
export type Compared = Range & { until?: number | undefined };

/** The figures of the rows and their order. Without `sort`, rows with the most visitors come first. */
type RowsAsked = {
  metrics?: readonly Metric[] | undefined;
  /** A hit that reaches this goal is a conversion. */
  goal?: Target | undefined;
  sort?: Metric | undefined;
  search?: string | undefined;
  offset?: number | undefined;
};

/**
 * Figures that a point of a timeseries may have beside visitors and pageviews. If a point is an hour, it has none of these figures, because
 * a visit may last several hours.
 */
export const POINT_METRICS = ['visits', 'bounce_rate', 'visit_duration', 'time_on_page'] as const;
export type PointMetric = (typeof POINT_METRICS)[number];

type ReportQuery =
  /** Without `compared`, the days directly before the range are compared. */
  | { report: 'overview'; withTimes?: boolean; compared?: Compared | undefined }
  | { report: 'timeseries'; interval?: IntervalOfDays | undefined; metrics?: readonly PointMetric[] | undefined }
  /** A timeseries by the hours of a time zone. It has all hours between two instants, and other hours that have hits. */
  | { report: 'hourly'; timeZone: string; instants: Range }
  | ({ report: 'breakdown'; breakdown: Breakdown; event?: string | undefined; limit: number } & RowsAsked)
  | { report: 'goals'; goals: (Target & { id: number })[] }
  | { report: 'funnel'; steps: Target[] }
  | { report: 'hours'; timeZone: string }
  | { report: 'realtime'; now: number }
  | { report: 'live'; now: number };

/** A query whose input was checked. Its texts are written in the way in which they are stored. */
export type Query = ReportQuery & { siteId: number; range: Range; filters: Filters };

export type Report = Query['report'];
export type Of<Name extends Report> = Extract<Query, { report: Name }>;

/**
 * Makes a query for the visitors of some days. This is a query for goals with an empty list of goals, because stored sums can answer such a
 * query.
 */
export const askForVisitors = (siteId: number, range: Range): Of<'goals'> => ({
  ...{ report: 'goals', goals: [] },
  ...{ siteId, range, filters: {} },
});

/** True if the query is about the present moment. Such a query ignores its range. */
export const isAboutNow = (query: Query): query is Of<'realtime' | 'live'> =>
  query.report === 'realtime' || query.report === 'live';

/** Gives the range of the same length directly before a range. */
export const findPrevious = ({ from, to }: Range): Range => ({ from: from - (to - from), to: from });

const findCompared = ({ range, compared = findPrevious(range) }: Of<'overview'>): Compared => compared;

/** Finds the day of the comparison that counts only up to some second of the day. */
export function findCut(query: Query): { day: number; until: number } | undefined {
  if (query.report !== 'overview') return undefined;
  const { to, until } = findCompared(query);
  return until === undefined ? undefined : { day: to - 1, until };
}

export const chooseInterval = ({ range, interval = findUsualInterval(range) }: Of<'timeseries'>): IntervalOfDays =>
  interval;

/** Lists the ranges of days for which the query needs totals. */
export function listSpans(query: Query): Range[] {
  const { report, range } = query;
  if (report === 'overview') {
    const { from, to } = findCompared(query);
    return [range, { from, to: findCut(query)?.day ?? to }];
  }
  if (report === 'timeseries') return listPoints(range, chooseInterval(query));
  return report === 'goals' ? [range] : [];
}

/** Joins ranges that overlap or touch. The result ascends. */
function uniteRanges(ranges: readonly Range[]): Range[] {
  const all: Range[] = [];
  for (const { from, to } of ranges.toSorted((one, other) => one.from - other.from)) {
    const last = all.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else all.push({ from, to });
  }
  return all;
}

/**
 * Lists the days that a query reads. An overview also reads the days of its comparison. A query about the present moment reads no range.
 */
export function listRanges(query: Query): Range[] {
  if (isAboutNow(query)) return [];
  return query.report === 'overview' ? uniteRanges([query.range, findCompared(query)]) : [query.range];
}
