// A query is the question for an engine: a report, a range of days and filters.
//
// Invariant: a range does not include its day `to`. Days are numbered from 1970, therefore { from: 20,000, to: 20,007 }
// is a week.
//
// Example: an overview of that week has two spans: the week, and the 7 days before it. If it is 15:00 on the last day
// of the week, the comparison ends at 15:00 too (`until`). The API makes queries from requests. Engines read them with
// `listRanges`, `listSpans` and `findCut`.
import type { Target } from '../store/sites/goals.ts';
import type { Breakdown, FilterName, Operator } from './dimensions.ts';
import { findUsualInterval, type IntervalOfDays, listPoints } from './interval.ts';
import type { Direction, Followed } from './journeys.ts';
import type { Metric, Order } from './metrics.ts';
import type { KeyValue, TableKey } from './table-keys.ts';
import type { VitalsBy } from './vitals.ts';

/**
 * A condition on a text. The text must meet all operators of the condition. `like` and `unlike` compare the text with
 * patterns such as `/blog/*`.
 */
export type Condition = Partial<Record<Operator, readonly string[]>>;

/**
 * Filters choose the visits that count. A filter by page, host name or property also chooses which hits of these visits
 * count. `property` has a condition for each name of a property.
 */
export type Filters = Partial<Record<FilterName, Condition>> & {
  property?: Readonly<Record<string, Condition>>;
  goal?: { is?: readonly Target[]; not?: readonly Target[] };
  pageviews?: { is?: readonly number[]; not?: readonly number[] };
  /**
   * More filters, in groups. A visit must also pass one of the groups. A hit counts only if it passes the same group as
   * its visit.
   */
  any?: readonly Filters[];
};

/** Days since 1970. The range ends before the day `to`. */
export type Range = { from: number; to: number };

/**
 * The days to compare with. On the last day, only hits before the time `until` count, in seconds since 00:00 UTC of
 * that day. So a day that is not over is compared with an equal part of an earlier day.
 */
export type Compared = Range & { until?: number | undefined };

/** The wanted rows of a breakdown, and their figures. Without `sort`, the rows with the most visitors are first. */
type RowsAsked = {
  metrics?: readonly Metric[] | undefined;
  /** Hits that reach this goal are counted as conversions. */
  goal?: Target | undefined;
  sort?: Metric | undefined;
  order?: Order | undefined;
  search?: string | undefined;
  offset?: number | undefined;
};

/**
 * The wanted rows of a table. With `wanted`, the answer has only the rows with these keys. Without `wanted`, the answer
 * has at most `limit` of the sorted rows, from row `offset` on.
 */
type TableAsked = {
  metrics: readonly Metric[];
  goal?: Target | undefined;
  order?: Order | undefined;
  offset: number;
  limit: number;
  wanted?: readonly KeyValue[][] | undefined;
  /**
   * For each key, the values that have rows of their own. All other values of the key count as one. For a key that is a
   * time, such as the day, `among` has undefined. With `among`, the rows come as lists (`TableCells`).
   *
   * A visit may have several values of a property, or of another key whose values belong to hits. So a row stands for a
   * set of values, written as bits. Example: of the values pro and free, bit 0 stands for pro. At most 8 values of this
   * key may be listed.
   */
  among?: readonly (readonly string[] | undefined)[] | undefined;
  /**
   * The most rows. For a longer table, the answer has no rows, and `isTooLong` is true. Without `most`, the limits in
   * table.ts apply.
   */
  most?: number | undefined;
  /** On the last day, only hits before this time count, in seconds since 00:00 UTC of that day. */
  until?: number | undefined;
};

/**
 * The figures that a point of a timeseries may have besides visitors and pageviews. A point of one hour has none of
 * them. For example, visits are not counted by hour, because a visit may last several hours.
 */
export const POINT_METRICS = [
  'visits',
  'bounce_rate',
  'visit_duration',
  'time_on_page',
  'revenue',
  'revenue_per_visitor',
] as const;
export type PointMetric = (typeof POINT_METRICS)[number];

type ReportQuery =
  /**
   * An overview compares its range with `compared`. Without `compared`, it compares its range with the range of the
   * same length just before.
   */
  | { report: 'overview'; withTimes?: boolean; compared?: Compared | undefined }
  | { report: 'timeseries'; interval?: IntervalOfDays | undefined; metrics?: readonly PointMetric[] | undefined }
  /**
   * A timeseries by the hours of a time zone. `instants` is its range, in seconds since 1970. Hours without hits are
   * points too.
   */
  | { report: 'hourly'; timeZone: string; instants: Range }
  | ({
      report: 'breakdown';
      breakdown: Breakdown;
      event?: string | undefined;
      /** The name of the property whose values are counted. */
      property?: string | undefined;
      limit: number;
    } & RowsAsked)
  | ({ report: 'table'; by: readonly TableKey[]; sort?: Metric | TableKey | undefined; timeZone: string } & TableAsked)
  | { report: 'goals'; goals: (Target & { id: number })[] }
  | { report: 'funnel'; steps: Target[] }
  /**
   * Without `root`, journeys begin with the entry pages. `name` is the value of the root in the answer, such
   * as `/pricing`, `goal:7` or `entry`.
   */
  | {
      report: 'journeys';
      name: string;
      root: Target | undefined;
      direction: Direction;
      steps: number;
      limit: number;
      followed: Followed;
    }
  | { report: 'hours'; timeZone: string }
  | { report: 'vitals'; by: VitalsBy; limit: number }
  | { report: 'realtime'; now: number }
  | { report: 'live'; now: number };

/**
 * A query after its input was checked. Its texts are written as they are stored, for example countries in upper case.
 * With `currency`, the answer also has the revenue in this currency.
 */
export type Query = ReportQuery & { siteId: number; range: Range; filters: Filters; currency?: string | undefined };

export type Report = Query['report'];
export type Of<Name extends Report> = Extract<Query, { report: Name }>;

/**
 * Makes a query for the visitors of some days. The report of goals also returns the total of visitors. With an empty
 * list of goals, it returns only this total, which stored sums have. So hits are read only for days without current
 * sums.
 */
export const askForVisitors = (siteId: number, range: Range): Of<'goals'> => ({
  ...{ report: 'goals', goals: [] },
  ...{ siteId, range, filters: {} },
});

/** True if the query is about the present moment. Such a query ignores its range of days. */
export const isAboutNow = (query: Query): query is Of<'realtime' | 'live'> =>
  query.report === 'realtime' || query.report === 'live';

export const findPrevious = ({ from, to }: Range): Range => ({ from: from - (to - from), to: from });

const findCompared = ({ range, compared = findPrevious(range) }: Of<'overview'>): Compared => compared;

/**
 * Finds the last compared day, if only its hits before the time `until` count. This is so if the overview ends with a
 * day that is not over.
 */
export function findCut(query: Query): { day: number; until: number } | undefined {
  if (query.report !== 'overview') return undefined;
  const { to, until } = findCompared(query);
  return until === undefined ? undefined : { day: to - 1, until };
}

/** Finds the last day of a table, if only its hits before the time `until` count. */
export const findTableCut = (query: Query): { day: number; until: number } | undefined =>
  query.report === 'table' && query.until !== undefined ? { day: query.range.to - 1, until: query.until } : undefined;

export const chooseInterval = ({ range, interval = findUsualInterval(range) }: Of<'timeseries'>): IntervalOfDays =>
  interval;

/**
 * Lists the ranges of days for which the query needs totals. An overview needs two ranges, and goals need one. A
 * timeseries needs one for each point. A day that counts only up to a time (`findCut`) is in none of these ranges.
 */
export function listSpans(query: Query): Range[] {
  const { report, range } = query;
  if (report === 'overview') {
    const { from, to } = findCompared(query);
    return [range, { from, to: findCut(query)?.day ?? to }];
  }
  if (report === 'timeseries') return listPoints(range, chooseInterval(query));
  return report === 'goals' ? [range] : [];
}

/**
 * Lists the ranges of days for which the query needs the revenue of all currencies. A breakdown needs this revenue only
 * for notices, which name the other currencies.
 */
export function listRevenueSpans(query: Query): Range[] {
  if (query.currency === undefined) return [];
  const spans = listSpans(query);
  return spans.length > 0 ? spans : [query.range];
}

/** Joins ranges that overlap or touch, because no day should be read twice. The result is in ascending order. */
function uniteRanges(ranges: readonly Range[]): Range[] {
  const all: Range[] = [];
  for (const { from, to } of ranges.toSorted((one, other) => one.from - other.from)) {
    const last = all.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else all.push({ from, to });
  }
  return all;
}

/** Lists the days that a query reads. An overview also reads the days with which it compares. */
export function listRanges(query: Query): Range[] {
  if (isAboutNow(query)) return [];
  return query.report === 'overview' ? uniteRanges([query.range, findCompared(query)]) : [query.range];
}
