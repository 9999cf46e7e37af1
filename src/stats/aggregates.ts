// Aggregates are what an engine counts for a query. An engine stores and counts hits: in an SQLite file, or on a
// cluster of ClickHouse. This file has the types of aggregates, and functions that add them up.
//
// An engine counts, and `reports.ts` makes the answer of the aggregates. A visitor code is valid for one day only, so
// totals of several days add up. 10 visitors on Monday and 12 on Tuesday are 22. So a query for years adds up the
// stored sums of its days. Both engines give the type `Aggregates`. The random queries of test/stats compare the two.
import type { Breakdown } from './dimensions.ts';
import type { RowSums } from './metrics.ts';

/** The figures that can be added up over days. `seconds` is the sum of the durations of visits. */
export const TOTALS = ['visitors', 'visits', 'pageviews', 'events', 'bounces', 'seconds'] as const;
export type Totals = Record<(typeof TOTALS)[number], number>;

/**
 * A row of a breakdown, such as one country, with its number of visitors. All other figures of the row, such as the
 * bounce rate, are computed from `sums`.
 */
export type RowAggregates = { value: string; visitors: number; sums?: RowSums };

/**
 * Only these totals may be missing in an imported file of daily sums. A day that lacks any other total is not imported.
 */
export const UNKNOWN_TOTALS = ['bounces', 'seconds'] as const;
export type UnknownTotal = (typeof UNKNOWN_TOTALS)[number];

/**
 * A sum that the import of a day did not have: a total, or all rows of a breakdown. An answer shows it as unknown, and
 * not as 0.
 */
export type UnknownSum = UnknownTotal | Breakdown;

/**
 * A sum that is missing in an answer, because it is not known for the days in `days`. `visitors` counts the visitors of
 * these days.
 */
export type Lack = { what: UnknownTotal | 'rows' | 'page' | 'event'; days: number[]; visitors: number };

/** The time on pages: `seen` is the sum of the seconds, and `told` counts the pageviews whose seconds are known. */
export type Times = { seen: number; told: number };

/**
 * The counts of one hour. `hour` is either the number of hours since 1970 by the local clock, or the second in which
 * the hour begins. `arrivals` counts visitors whose first hit of the day is in this hour. So the arrivals of a day add
 * up to its visitors.
 */
export type Hour = { hour: number; visitors: number; arrivals: number; pageviews: number };

/**
 * The hours of a day with visitors, in ascending order. `last` is the time of the latest hit, in seconds since the day
 * began. It is 0 if the query does not need this time.
 */
export type DayHours = { day: number; hours: Hour[]; last: number };

/**
 * The hours of a day, with one list for each figure. Sending these lists to another thread takes a quarter of the time
 * of sending an object for each hour.
 */
export type HourLists = Pick<DayHours, 'day' | 'last'> & Record<keyof Hour, number[]>;

/** What an engine counted for a query. A field that the query does not need is empty. */
export type Aggregates = {
  /**
   * The totals of each span of the query, in the order of `listSpans`. A span is a range of days: for example, an
   * overview has a week and the week before.
   */
  totals: Totals[];
  /** The time on pages for each span (range of days) of the query. */
  times: Times[];
  /**
   * The rows of a breakdown, sorted as the query asks. The list begins at the query's offset and has at most `limit`
   * rows.
   */
  rows: RowAggregates[];
  /** For each goal of the query: how many visitors reached the goal, and how many hits did. */
  goals: { visitors: number; hits: number }[];
  /** How many visitors reached each step of the funnel. */
  steps: number[];
  /** The counts by hour, with one entry for each day that has visitors, in ascending order. */
  hours: HourLists[];
  /** How many visitors had a hit in the last 300 seconds. The dashboard shows them as "there now". */
  live: number;
  /** The last 30 minutes. Only the report `live` has this field. */
  lately?: Lately;
  /** Days that were not counted, because only daily totals are stored for them, and the query needs more. */
  leftOut: number[];
  excluded: ExcludedVisits;
  /**
   * Days for which only daily totals are stored. An exclusion cannot take visits out of a total, so these days are
   * counted whole.
   */
  untouched: number[];
  /** For each span (range of days) of the query, the totals that are not known because an import did not have them. */
  unknown?: UnknownSum[][];
  /** The sums that are missing in the answer because imports did not have them. */
  lacks?: Lack[];
};

export const makeNothingMeasured = (): Aggregates => ({
  ...{ totals: [], times: [], rows: [], goals: [], steps: [], hours: [], live: 0 },
  ...{ leftOut: [], excluded: {}, untouched: [] },
});

export const LIVE_BREAKDOWNS = ['pages', 'referrers', 'countries', 'events'] as const;

/** The counts of one minute. A visitor with hits in several minutes counts in each of these minutes. */
export type Minute = Pick<Totals, 'visitors' | 'pageviews'>;

/**
 * The last 30 minutes, with the current minute at the end. `rows` has the first rows of each breakdown for all 30
 * minutes together.
 */
export type Lately = { minutes: Minute[]; rows: Record<(typeof LIVE_BREAKDOWNS)[number], RowAggregates[]> };

/**
 * How many visits each exclusion takes out. The key is the id of the exclusion. Key 0 counts all excluded visits, each
 * visit once.
 */
export type ExcludedVisits = Partial<Record<number, number>>;

export function addExcluded(sums: ExcludedVisits, more: ExcludedVisits): void {
  for (const [id, visits = 0] of Object.entries(more)) sums[Number(id)] = (sums[Number(id)] ?? 0) + visits;
}

export const noTotals = (): Totals => ({ visitors: 0, visits: 0, pageviews: 0, events: 0, bounces: 0, seconds: 0 });

export const noTimes = (): Times => ({ seen: 0, told: 0 });

export function addTimes(sums: Times, { seen, told }: Times): void {
  sums.seen += seen;
  sums.told += told;
}

export function addTotals(sums: Totals, more: Totals): void {
  for (const name of TOTALS) sums[name] += more[name];
}
