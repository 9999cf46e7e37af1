import { byCodePoint } from '../lib/code-points.ts';

/** Sums over days. `seconds` is how long their visits took together. */
export const TOTALS = ['visitors', 'visits', 'pageviews', 'events', 'bounces', 'seconds'] as const;
export type Totals = Record<(typeof TOTALS)[number], number>;

/** A value of a breakdown. */
export type Row = { value: string; visitors: number };

/**
 * One day by its 24 hours: who was there in each, and who came in it for the first time that day, which over the hours adds up
 * to the visitors of the day. last is the second of the latest hit.
 */
export type DayHours = { day: number; visitors: number[]; arrivals: number[]; last: number };

export const noHours = (day: number): DayHours => ({
  day,
  visitors: new Array<number>(24).fill(0),
  arrivals: new Array<number>(24).fill(0),
  last: 0,
});

/**
 * What an engine counted for a question, as far as that asks for it. All of it adds up over days and over visitors, so that it
 * may be measured in parts; src/stats/reports.ts makes every answer of it.
 */
export type Measured = {
  /** One for each span of the question (`spansOf`). */
  totals: Totals[];
  /** In the order of `byVisitors`, as many as the question wants. */
  rows: Row[];
  /** One for each goal of the question. */
  goals: { visitors: number; hits: number }[];
  /** One for each step of a funnel. */
  steps: number[];
  /** The days on which somebody came, in order. */
  hours: DayHours[];
  /** Different visitors of the last minutes. */
  live: number;
  /** The days that are not in it, because only their sums are kept. */
  leftOut: number[];
};

export const noTotals = (): Totals => ({ visitors: 0, visits: 0, pageviews: 0, events: 0, bounces: 0, seconds: 0 });

export function addTotals(sums: Totals, more: Totals): void {
  for (const name of TOTALS) sums[name] += more[name];
}

/** The order of rows: the most visitors first, then by the code points of their values. */
export const byVisitors = (one: Row, other: Row): number =>
  other.visitors - one.visitors || byCodePoint(one.value, other.value);

/** So many seconds back somebody counts as there now. */
export const LIVE_SECONDS = 300;

/** A gap of so many seconds between two signs of a visitor does not end a visit; a longer one does. */
export const VISIT_GAP = 1_800;
