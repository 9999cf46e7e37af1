/**
 * The aggregates that an engine gives for a query, and how they add up.
 *
 * An engine counts; `reports.ts` makes the answer of its aggregates. Totals add up over days, because a visitor code is of one day: 10
 * visitors on Monday and 12 on Tuesday are 22. So a query over years adds up sums of sealed days. Both engines fill `Measured`, and the
 * random queries of test/stats hold that they fill it alike.
 */
import type { Breakdown } from './dimensions.ts';
import type { RowSums } from './metrics.ts';

/** Figures that add up over days. `seconds` is the sum of the visit durations. */
export const TOTALS = ['visitors', 'visits', 'pageviews', 'events', 'bounces', 'seconds'] as const;
export type Totals = Record<(typeof TOTALS)[number], number>;

/** `sums` has what the figures of the row need. */
export type Row = { value: string; visitors: number; sums?: RowSums };

/** Totals that a file with sums of days may lack. A day that lacks another total is not imported. */
export const UNKNOWN_TOTALS = ['bounces', 'seconds'] as const;
export type UnknownTotal = (typeof UNKNOWN_TOTALS)[number];

/** A sum of a day that its import did not have: a total, or a breakdown with all its rows. */
export type UnknownSum = UnknownTotal | Breakdown;

/** What an answer lacks on which days, and how many visitors these had. */
export type Lack = { what: UnknownTotal | 'rows' | 'page' | 'event'; days: number[]; visitors: number };

/** For how many seconds pages were seen, and of how many pageviews this is known. */
export type Times = { seen: number; told: number };

/**
 * One hour, by its number: that of hours since 1970 which clocks show, or the second in which it begins. `visitors` counts the
 * visitors with a hit in it, `arrivals` those with their first hit of the day, which add up to the visitors of the day.
 */
export type Hour = { hour: number; visitors: number; arrivals: number; pageviews: number };

/** The hours of a day with visitors, in order. `last` is the second of the latest hit, as hits have it; 0 where it is not asked for. */
export type DayHours = { day: number; hours: Hour[]; last: number };

/** Hours as a list for each figure: a thread passes lists on in a quarter of the time that objects take. */
export type HourLists = Pick<DayHours, 'day' | 'last'> & Record<keyof Hour, number[]>;

/** What an engine counted for a query. Fields that the query does not need are empty. */
export type Measured = {
  /** One for each span of the question (`listSpans`). */
  totals: Totals[];
  /** The time on pages, for each span. */
  times: Times[];
  /** In the order of the question, from its offset up to its limit. */
  rows: Row[];
  /** One for each goal of the question. */
  goals: { visitors: number; hits: number }[];
  /** How many visitors reached each step of the funnel. */
  steps: number[];
  /** The days with visitors, in order. */
  hours: HourLists[];
  /** How many visitors were active in the last `LIVE_SECONDS`. */
  live: number;
  /** Only for the report about it. */
  lately?: Lately;
  /** The days that could not be counted, because only their sums are stored. */
  leftOut: number[];
  aside: Aside;
  /** The days from which exclusions cannot take anything, because only their sums are stored. */
  untouched: number[];
  /** The totals that are not known, for each span, because an import did not have them. */
  unknown?: UnknownSum[][];
  /** What an import did not have, and of which days. */
  lacks?: Lack[];
};

/** What an engine counted where there is nothing. */
export const nothingMeasured = (): Measured => ({
  ...{ totals: [], times: [], rows: [], goals: [], steps: [], hours: [], live: 0 },
  ...{ leftOut: [], aside: {}, untouched: [] },
});

/** The breakdowns of what is live. */
export const LIVE_BREAKDOWNS = ['pages', 'referrers', 'countries', 'events'] as const;

/** What happened in one minute; visitors count in each minute with a hit. */
export type Minute = Pick<Totals, 'visitors' | 'pageviews'>;

/** The last `LIVE_MINUTES`, of which the last is running, and the first rows of each breakdown over all of them. */
export type Lately = { minutes: Minute[]; rows: Record<(typeof LIVE_BREAKDOWNS)[number], Row[]> };

/** How many visits are set aside, by the exclusion that takes them; under 0, each visit once. */
export type Aside = Partial<Record<number, number>>;

export function addAside(sums: Aside, more: Aside): void {
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
