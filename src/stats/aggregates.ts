// The aggregates that an engine gives for a query, and how they add up.
//
// An engine counts; `reports.ts` makes the answer of its aggregates. Totals add up over days, because a visitor code is of one day: 10
// visitors on Monday and 12 on Tuesday are 22. So a query over years adds up sums of sealed days. Both engines fill `Measured`, and the
// random queries of test/stats hold that they fill it alike.
import type { Breakdown } from './dimensions.ts';
import type { RowSums } from './metrics.ts';

/** The figures that add up over days. `seconds` is the sum of visit durations. */
export const TOTALS = ['visitors', 'visits', 'pageviews', 'events', 'bounces', 'seconds'] as const;
export type Totals = Record<(typeof TOTALS)[number], number>;

/** A row of a breakdown. `sums` has what its figures need. */
export type RowAggregates = { value: string; visitors: number; sums?: RowSums };

/** The totals that an imported file of daily sums may lack. A day that lacks another total is not imported. */
export const UNKNOWN_TOTALS = ['bounces', 'seconds'] as const;
export type UnknownTotal = (typeof UNKNOWN_TOTALS)[number];

/** A sum that the import of a day did not have: a total, or a breakdown with all its rows. */
export type UnknownSum = UnknownTotal | Breakdown;

/** A sum that an answer lacks. `days` lack it, and had so many visitors. */
export type Lack = { what: UnknownTotal | 'rows' | 'page' | 'event'; days: number[]; visitors: number };

/** Time on page: `seen` is a sum of seconds, and `told` counts the pageviews whose time is known. */
export type Times = { seen: number; told: number };

/**
 * One hour. Its number counts hours since 1970 by the clock, or is the second in which it begins. `arrivals` counts visitors with their
 * first hit of the day, so arrivals add up to the visitors of the day.
 */
export type Hour = { hour: number; visitors: number; arrivals: number; pageviews: number };

/** The hours of a day with visitors, in order. `last` is the second of the latest hit, or 0 if the query does not need it. */
export type DayHours = { day: number; hours: Hour[]; last: number };

/** Hours as a list for each figure. A thread passes lists on in a quarter of the time that objects take. */
export type HourLists = Pick<DayHours, 'day' | 'last'> & Record<keyof Hour, number[]>;

/** What an engine counted for a query. Fields that the query does not need are empty. */
export type Aggregates = {
  /** The totals of each span of the query (`listSpans`). */
  totals: Totals[];
  /** The time on page of each span. */
  times: Times[];
  /** The rows of a breakdown, in the order of the query, from its offset up to its limit. */
  rows: RowAggregates[];
  /** The figures of each goal of the query. */
  goals: { visitors: number; hits: number }[];
  /** How many visitors reached each step of the funnel. */
  steps: number[];
  /** The hours of days with visitors, in order. */
  hours: HourLists[];
  /** How many visitors were active in the last `LIVE_SECONDS`. */
  live: number;
  /** The last minutes, for the report about them. */
  lately?: Lately;
  /** The days that could not be counted, because they are totals-only days. */
  leftOut: number[];
  /** The excluded visits. */
  excluded: ExcludedVisits;
  /** Totals-only days from which exclusions cannot take visits. */
  untouched: number[];
  /** For each span, the totals that are not known because an import did not have them. */
  unknown?: UnknownSum[][];
  /** The sums that imports did not have. */
  lacks?: Lack[];
};

/** The aggregates of a query that finds nothing. */
export const makeNothingMeasured = (): Aggregates => ({
  ...{ totals: [], times: [], rows: [], goals: [], steps: [], hours: [], live: 0 },
  ...{ leftOut: [], excluded: {}, untouched: [] },
});

/** The breakdowns of the live view. */
export const LIVE_BREAKDOWNS = ['pages', 'referrers', 'countries', 'events'] as const;

/** The counts of one minute. A visitor counts in each minute with a hit. */
export type Minute = Pick<Totals, 'visitors' | 'pageviews'>;

/** The last `LIVE_MINUTES`, the running minute last, and the first rows of each breakdown over all of them. */
export type Lately = { minutes: Minute[]; rows: Record<(typeof LIVE_BREAKDOWNS)[number], RowAggregates[]> };

/** How many visits each exclusion takes, by its id. Id 0 counts each excluded visit once. */
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
