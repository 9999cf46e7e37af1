// Aggregates are the sums that an engine returns for a query. reports.ts computes the answer from them.
// Invariant: totals of several days add up, because a visitor code is valid for one day. So a query for years adds up
// the stored sums of its days.
// Example: 10 visitors on Monday and 12 on Tuesday are 22.
// Both engines return the type `Aggregates`. Test: test/stats/answers.test.ts.
import type { Breakdown, REVENUE } from './dimensions.ts';
import type { JourneyRow } from './journeys.ts';
import type { RowSums } from './metrics.ts';
import type { Amounts } from './revenue.ts';
import type { TableAggregates } from './table.ts';
import type { VitalRow } from './vitals.ts';

/** `seconds` is the sum of the durations of visits. */
export const TOTALS = ['visitors', 'visits', 'pageviews', 'events', 'bounces', 'seconds'] as const;
export type Totals = Record<(typeof TOTALS)[number], number>;

/** A row of a breakdown, such as one country. All figures other than visitors are computed from `sums`. */
export type RowAggregates = { value: string; visitors: number; sums?: RowSums };

/** Only these totals may be missing in an imported file. A day that lacks any other total is not imported. */
export const UNKNOWN_TOTALS = ['bounces', 'seconds'] as const;
export type UnknownTotal = (typeof UNKNOWN_TOTALS)[number];

/**
 * The number of persons is unknown if the other product counted a person once for each page. Then visitors and visits
 * are still shown, and a notice says so.
 */
export const PERSONS = 'persons' as const;

/**
 * A total, or all rows of a breakdown, that the import of a day did not have. An answer shows such a sum as unknown,
 * not as 0. The revenue of a day that was imported as totals-only is unknown.
 */
export type UnknownSum = UnknownTotal | Breakdown | typeof PERSONS | typeof REVENUE;

/** A sum that is unknown for the days in `days`. `visitors` counts the visitors of these days. */
export type Lack = {
  what: UnknownTotal | 'rows' | 'page' | 'event' | typeof PERSONS | typeof REVENUE;
  days: number[];
  visitors: number;
};

/** The time on pages: `seen` is the sum of the seconds, and `told` counts the pageviews whose seconds are known. */
export type Times = { seen: number; told: number };

/**
 * The counts of one hour. In the report `hours`, `hour` is the number of hours since 1970 by the local clock. In the
 * report `hourly`, `hour` is the instant at which the hour began, in seconds since 1970. `arrivals` counts visitors
 * whose first hit of the day is in this hour.
 */
export type Hour = { hour: number; visitors: number; arrivals: number; pageviews: number };

/**
 * The hours of a day with visitors, ascending. `last` is the time of the latest hit, in seconds. Some queries do not
 * need this time, and then `last` is 0.
 */
export type DayHours = { day: number; hours: Hour[]; last: number };

/**
 * The hours of a day, with one list for each figure. Sending lists to another thread takes a quarter of the time of
 * sending objects.
 */
export type HourLists = Pick<DayHours, 'day' | 'last'> & Record<keyof Hour, number[]>;

/** What an engine counted for a query. A field that the query does not need is empty. */
export type Aggregates = {
  /**
   * The totals of each span of the query. A span is a range of days. For example, an overview has two spans: a week and
   * the week before.
   */
  totals: Totals[];
  /** The time on pages of each span of the query. */
  times: Times[];
  /** The revenue of each span of the query, by currency. Only if the query has a currency. */
  revenue?: Amounts[];
  /**
   * The rows of a breakdown, sorted as the query asks. The list begins at the query's offset and has at most `limit`
   * rows.
   */
  rows: RowAggregates[];
  /** The rows of a table. Only the report `table` has this field. */
  table?: TableAggregates;
  /** For each goal: how many visitors reached it, and how many hits did. */
  goals: { visitors: number; hits: number }[];
  /** How many visitors reached each step of the funnel. */
  steps: number[];
  /** The revenue of the hits that reached each goal, or the last step of the funnel. Only if the query has a currency. */
  earned?: number[];
  /** The counts by hour, with one entry for each day that has visitors. */
  hours: HourLists[];
  /** The measurements of each row of a report of vitals, with the most measurements first. */
  vitals?: VitalRow[];
  /** What visits saw at each node of their journey. Only the report `journeys` has this field. */
  journeys?: JourneyRow[];
  /** How many visitors had a hit in the last 300 seconds. */
  live: number;
  /** The last 30 minutes. Only the report `live` has this field. */
  lately?: Lately;
  /** Totals-only days that were not counted, because the query needs hits. */
  leftOut: number[];
  excluded: ExcludedVisits;
  /** Totals-only days that an exclusion cannot change, so they are counted whole. */
  untouched: number[];
  /** For each span of the query, the totals that are unknown because an import did not have them. */
  unknown?: UnknownSum[][];
  /** The sums that the answer lacks because imports did not have them. */
  lacks?: Lack[];
};

export const makeNothingMeasured = (): Aggregates => ({
  ...{ totals: [], times: [], rows: [], goals: [], steps: [], hours: [], live: 0 },
  ...{ leftOut: [], excluded: {}, untouched: [] },
});

export const LIVE_BREAKDOWNS = ['pages', 'referrers', 'countries', 'events'] as const;

/** A visitor with hits in several minutes counts in each of these minutes. */
export type Minute = Pick<Totals, 'visitors' | 'pageviews'>;

/**
 * The last 30 minutes, with the current minute at the end. `rows` has the first rows of each breakdown, for all 30
 * minutes together.
 */
export type Lately = { minutes: Minute[]; rows: Record<(typeof LIVE_BREAKDOWNS)[number], RowAggregates[]> };

/**
 * How many visits each exclusion leaves out. The key is the id of the exclusion. Key 0 counts each excluded visit once.
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
