import { TEXT_FIELDS, type TextField } from '../stats/dimensions.ts';
import type { Totals, UnknownSum } from '../stats/measured.ts';

/** The hits and signs of life of one site on one day as columns, in the order of arrival. */
export type Rows = {
  count: number;
  second: Int32Array;
  visitor: Float64Array;
  /** -1 for a hit; the visible seconds for a sign of life. */
  engaged: Int32Array;
  /** Ids of terms, or indexes into a list of texts; 0 is the empty text. */
  terms: Record<TextField, Int32Array>;
};

/** No rows yet, in buffers that hold up to `capacity` of them. */
export const emptyRows = (capacity: number): Rows => ({
  count: 0,
  second: new Int32Array(capacity),
  visitor: new Float64Array(capacity),
  engaged: new Int32Array(capacity),
  terms: Object.fromEntries(TEXT_FIELDS.map((field) => [field, new Int32Array(capacity)])) as Record<
    TextField,
    Int32Array
  >,
});

/** The counts of one value of a breakdown. `event` is set for labels only, which are counted per event. */
type SumCount = { event: string; value: string; visitors: number; hits: number };
/** A day without hits: its totals, its counts by breakdown, and what of both is not known. */
export type DaySums = {
  day: number;
  totals: Totals;
  counts: ReadonlyMap<string, readonly SumCount[]>;
  unknown?: readonly UnknownSum[];
};

/** The content of an import: hits, whose texts are indexes into `texts`, or only sums. */
export type ImportContent = {
  /** The current day when the file was read. Only its hits stay open; earlier days are sealed. */
  today: number;
  /** The zone of its days; UTC where none is named. */
  timeZone?: string;
  texts: readonly string[];
  days: readonly number[];
  rowsOf?(day: number): Rows;
  sumsOf?(day: number): DaySums;
};

export type ImportOptions = {
  /** Replace the days that the site already has. */
  replace: boolean;
  /** The clock that times the pauses between transactions. A clock that stands still means no pauses. */
  pace?: { tick(): number };
  /** Called after each sealed day that was written. */
  written?: () => void;
};
