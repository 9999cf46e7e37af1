// Defines the content of an import: the days of a file, with hits or only sums.
//
// Invariant: hits have numbers in place of texts, and each text is stored once. A million hits of the page / therefore
// need memory for only one text.
//
// Example: an access log has two days. `readRows` returns 500 hits for the first day, and 300 hits for the second day.
// A file that has only the totals of each day has `readSums` instead. An engine reads one day after the other, to need
// little memory.
import type { Totals, UnknownSum } from '../stats/aggregates.ts';
import { TEXT_FIELDS, type TextField } from '../stats/dimensions.ts';

/** The hits and heartbeats of one day as columns, in the order of arrival. */
export type ImportedRows = {
  count: number;
  second: Int32Array;
  visitor: Float64Array;
  /** -1 for a hit. For a heartbeat, the number of seconds for which the page was visible. */
  engaged: Int32Array;
  /** The depth that a heartbeat reported: how much of the page was seen, as `packScroll` writes it. */
  scroll: Uint8Array;
  /** The packed web vitals of a heartbeat, or 0. */
  vitals: Float64Array;
  /** For each text field, such as the page, the numbers that stand for its texts. 0 is the empty text. */
  terms: Record<TextField, Int32Array>;
};

/** Writes a depth as one number: the percent plus one, or 0 if the depth is not known. */
export const packScroll = (scroll: number | null | undefined): number => (scroll ?? -1) + 1;
export const unpackScroll = (packed: number): number | undefined => (packed === 0 ? undefined : packed - 1);

export const emptyRows = (capacity: number): ImportedRows => ({
  count: 0,
  second: new Int32Array(capacity),
  visitor: new Float64Array(capacity),
  engaged: new Int32Array(capacity),
  scroll: new Uint8Array(capacity),
  vitals: new Float64Array(capacity),
  terms: Object.fromEntries(TEXT_FIELDS.map((field) => [field, new Int32Array(capacity)])) as Record<
    TextField,
    Int32Array
  >,
});

/**
 * The counts of one value of a breakdown, such as one page. For a label, `event` is the event to which the label
 * belongs. For the value of a property, `event` is the name of the property. In all other breakdowns, `event` is empty.
 */
type SumCount = { event: string; value: string; visitors: number; hits: number };
/** A totals-only day. `unknown` has the names of sums that the file lacks, such as visit durations. */
export type DaySums = {
  day: number;
  totals: Totals;
  counts: ReadonlyMap<string, readonly SumCount[]>;
  unknown?: readonly UnknownSum[];
};

/**
 * The content of an import. In its rows, `terms` has numbers, which are indexes into `texts`. For the text field
 * `properties`, the numbers are indexes into the list `properties` instead.
 */
export type ImportContent = {
  /**
   * The date on which the file was read. This day stays open, because live hits may arrive. Earlier days are sealed
   * immediately.
   */
  today: number;
  timeZone?: string;
  texts: readonly string[];
  /** The distinct sets of properties that the hits have, each as one text. The first set is empty. */
  properties?: readonly string[] | undefined;
  days: readonly number[];
  readRows?(day: number): ImportedRows;
  readSums?(day: number): DaySums;
};

export type ImportOptions = {
  /** True if the import replaces days for which the site already has data. */
  replace: boolean;
  /**
   * The clock that measures how long a transaction took. After each transaction, the import pauses for as long, so that
   * live hits can be stored. With a clock that stands still, there are no pauses.
   */
  pace?: { tick(): number };
  /** Called after each written day, to show progress. */
  written?: () => void;
};
