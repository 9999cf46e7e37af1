import type { Totals, UnknownSum } from '../stats/aggregates.ts';
import { TEXT_FIELDS, type TextField } from '../stats/dimensions.ts';

/** The hits and heartbeats of a site and day as columns, in the order of arrival. */
export type ImportedRows = {
  count: number;
  second: Int32Array;
  visitor: Float64Array;
  /** -1 for a hit; the visible seconds of a heartbeat. */
  engaged: Int32Array;
  /** Ids of terms, or indexes into a list of texts. 0 is the empty text. */
  terms: Record<TextField, Int32Array>;
};

/** Makes empty columns with room for `capacity` rows. */
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

/** The counts of one value of a breakdown. Labels are counted by event, so only they have `event`. */
type SumCount = { event: string; value: string; visitors: number; hits: number };
/** The sums of a totals-only day, and the names of sums that are not known. */
export type DaySums = {
  day: number;
  totals: Totals;
  counts: ReadonlyMap<string, readonly SumCount[]>;
  unknown?: readonly UnknownSum[];
};

/** The content of an import: hits with texts as indexes into `texts`, or only sums. */
export type ImportContent = {
  /** The current day at the reading of the file. Only its hits stay open; earlier days are sealed. */
  today: number;
  /** The zone of the days; UTC by default. */
  timeZone?: string;
  texts: readonly string[];
  days: readonly number[];
  readRows?(day: number): ImportedRows;
  readSums?(day: number): DaySums;
};

export type ImportOptions = {
  /** Replaces days for which the site has data. */
  replace: boolean;
  /** The clock of the pauses between transactions. A clock that stands still means no pauses. */
  pace?: { tick(): number };
  /** Called after each sealed day that was written. */
  written?: () => void;
};
