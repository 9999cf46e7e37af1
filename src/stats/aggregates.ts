// Aggregates are the sums that an engine returns for a query. reports.ts computes the answer from them.
//
// Invariant: a person who visits on two days counts as two visitors, because visitor codes change each day. So the
// totals of several days may be added. A query for years adds up the stored sums of its days.
//
// Example: 10 visitors on Monday and 12 visitors on Tuesday are 22 visitors. Both engines return the type `Aggregates`.
// Test: test/stats/answers.long.test.ts.
import type { Breakdown, REVENUE } from './dimensions.ts';
import type { JourneyRow } from './journeys.ts';
import type { RowSums } from './metrics.ts';
import type { Amounts } from './revenue.ts';
import type { TableAggregates } from './table.ts';
import type { VitalRow } from './vitals.ts';

/** The names of the totals. `seconds` is the sum of the durations of visits. */
export const TOTALS = ['visitors', 'visits', 'pageviews', 'events', 'bounces', 'seconds'] as const;
export type Totals = Record<(typeof TOTALS)[number], number>;

/**
 * A row of a breakdown, such as one country. Except for `visitors`, all figures of the row are computed from `sums`.
 */
export type RowAggregates = { value: string; visitors: number; sums?: RowSums };

/** The totals that an imported file may lack. A day that lacks any other total is not imported. */
export const UNKNOWN_TOTALS = ['bounces', 'seconds'] as const;
export type UnknownTotal = (typeof UNKNOWN_TOTALS)[number];

/**
 * The name of an unknown sum: how many different persons visited on an imported day. The product that the file comes
 * from may have counted a person once for each page. The visitors and visits of such a day are still shown, with a
 * notice.
 */
export const PERSONS = 'persons' as const;

/**
 * A total, or all rows of a breakdown, that the import of a day did not have. An answer shows such a sum as unknown,
 * not as 0. The revenue of a day that was imported as totals-only is unknown too.
 */
export type UnknownSum = UnknownTotal | Breakdown | typeof PERSONS | typeof REVENUE;

/**
 * A sum that an answer lacks, because it is unknown on the days in `days`. `visitors` is the number of visitors of
 * these days. `what` names the sum. `rows` means all rows of the breakdown. `page` and `event` mean the goals that are
 * pages or events.
 */
export type Lack = {
  what: UnknownTotal | 'rows' | 'page' | 'event' | typeof PERSONS | typeof REVENUE;
  days: number[];
  visitors: number;
};

/** The time on pages. `seen` is the sum of the seconds. `told` is the number of pageviews whose seconds are known. */
export type Times = { seen: number; told: number };

/**
 * The counts of one hour. `arrivals` is the number of visitors whose first hit of the day is in this hour.
 *
 * In the report `hours`, `hour` is the number of hours since 1970 in the local time of the site. In the report
 * `hourly`, `hour` is the second since 1970 at which the hour began.
 */
export type Hour = { hour: number; visitors: number; arrivals: number; pageviews: number };

/**
 * The hours of a day in which there were visitors, in ascending order. `last` is the time of the latest hit, in seconds
 * since 00:00 UTC of the day's date. If the query does not need this time, `last` is 0.
 */
export type DayHours = { day: number; hours: Hour[]; last: number };

/**
 * The hours of a day, with one list for each figure. Sending lists to another thread takes a quarter of the time that
 * sending objects takes.
 */
export type HourLists = Pick<DayHours, 'day' | 'last'> & Record<keyof Hour, number[]>;

/** What an engine counted for a query. A field that the query does not need is empty or undefined. */
export type Aggregates = {
  /**
   * The totals of each span of the query. A span is a range of days. For example, an overview has two spans: a week,
   * and the week before that week.
   */
  totals: Totals[];
  /** The time on pages of each span of the query. */
  times: Times[];
  /** The revenue of each span of the query, by currency. Only a query that asks for revenue has this field. */
  revenue?: Amounts[];
  /**
   * The rows of a breakdown, in the order that the query asks for. The list begins at the row `offset` of the query,
   * and has at most `limit` rows.
   */
  rows: RowAggregates[];
  /** The rows of a table. Only the report `table` has this field. */
  table?: TableAggregates;
  /** For each goal: the number of visitors who reached it, and the number of hits that reached it. */
  goals: { visitors: number; hits: number }[];
  /** For each step of the funnel, the number of visitors who reached it. */
  steps: number[];
  /**
   * For goals: the revenue of the hits that reached each goal. For a funnel: one entry, the revenue of the hits that
   * reached its last step. Only a query that asks for revenue has this field.
   */
  earned?: number[];
  /** The counts of each hour, with one entry for each day that has visitors. */
  hours: HourLists[];
  /** The web vitals of each row of a report of vitals. The row with the most measurements is first. */
  vitals?: VitalRow[];
  /**
   * The pages that followed each node of a journey. A node is a page at one place in the journey. With the direction
   * `before`, these are the pages just before each node. Only the report `journeys` has this field.
   */
  journeys?: JourneyRow[];
  /** The number of visitors with a hit in the last 300 seconds. */
  live: number;
  /** The last 30 minutes. Only the report `live` has this field. */
  lately?: Lately;
  /** The totals-only days that were not counted, because the query needs hits. */
  leftOut: number[];
  excluded: ExcludedVisits;
  /**
   * The totals-only days on which an exclusion may apply. These days are counted whole, because an exclusion needs
   * hits.
   */
  untouched: number[];
  /** For each span of the query: the totals, and the revenue, that are unknown because an import lacked them. */
  unknown?: UnknownSum[][];
  /** The sums that the answer lacks because imports lacked them. */
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
 * The counts of the last 30 minutes. The current minute is the last one. `rows` has the first rows of each breakdown,
 * for all 30 minutes together.
 */
export type Lately = { minutes: Minute[]; rows: Record<(typeof LIVE_BREAKDOWNS)[number], RowAggregates[]> };

/**
 * The number of visits that each exclusion leaves out, by the id of the exclusion. Several exclusions may leave out the
 * same visit. The entry 0 is the number of all excluded visits, each counted once.
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
