import type { Totals, UnknownSum } from '../stats/aggregates.ts';
import { TEXT_FIELDS, type TextField } from '../stats/dimensions.ts';

/** The hits and heartbeats of one site and day as columns, in the order in which they were received. */
export type ImportedRows = {
  count: number;
  second: Int32Array;
  visitor: Float64Array;
  /** -1 for a hit. For a heartbeat, the number of seconds for which the page was visible. */
  engaged: Int32Array;
  /** For each text field, ids of terms or indexes into a list of texts. 0 is the empty text. */
  terms: Record<TextField, Int32Array>;
};

export const emptyRows = (capacity: number): ImportedRows => ({
  count: 0,
  second: new Int32Array(capacity),
  visitor: new Float64Array(capacity),
  engaged: new Int32Array(capacity),
  terms: Object.fromEntries(TEXT_FIELDS.map((field) => [field, new Int32Array(capacity)])) as Record<
    TextField,
    Int32Array
  >,
});

/**
 * The counts of one value of a breakdown. `event` is set only for labels, because labels are counted for each event.
 */
type SumCount = { event: string; value: string; visitors: number; hits: number };
/** The sums of a totals-only day. `unknown` names the sums that are not known. */
export type DaySums = {
  day: number;
  totals: Totals;
  counts: ReadonlyMap<string, readonly SumCount[]>;
  unknown?: readonly UnknownSum[];
};

/**
 * The content of an import. For each day it has hits (`readRows`) or only sums (`readSums`). Hits have indexes into
 * `texts`.
 */
export type ImportContent = {
  /** The current day when the file was read. Hits of this day stay open, and earlier days are sealed. */
  today: number;
  /** The time zone of the days. The default is UTC. */
  timeZone?: string;
  texts: readonly string[];
  days: readonly number[];
  readRows?(day: number): ImportedRows;
  readSums?(day: number): DaySums;
};

export type ImportOptions = {
  /** Whether days for which the site has data are replaced. */
  replace: boolean;
  /** The clock that measures the pauses between transactions. If its time never changes, there are no pauses. */
  pace?: { tick(): number };
  /** Called after each sealed day that was written. */
  written?: () => void;
};
