// Defines a table with the hits of a day as columns, for exports and for SQL statements of users. A large day has
// several tables, one after the other.
//
// Invariant: visits are sorted by visitor. Hits are sorted by visit and then by time. No column has a visitor code.
//
// Example: visit 1 has the hits `/` and `/a`, and visit 2 has the hit `/`. `starts` is then [0, 2, 3]. The column
// `page` has the texts `/` and `/a`, and the codes [0, 1, 0]. The column `country` has two codes, one for each visit.
//
// Engines make tables (src/ledger/query/export-tables.ts and src/cluster/query/tables.ts).
// src/exchange/parquet/table.ts writes the tables into files. src/sql reads them for statements.

import type { HitDimension, VisitDimension } from '../stats/dimensions.ts';
import type { Vital } from '../stats/vitals.ts';

type Numbers = ArrayLike<number>;

/** A column of texts. `codes` are indexes into `texts`, one for each visit or hit. */
export type TextColumn = { texts: readonly string[]; codes: Numbers };

export type VisitText = VisitDimension | 'entry' | 'exit';

export type DayTable = {
  day: number;
  visits: number;
  hits: number;
  /** The index of the first hit of each visit, and then the number of all hits. */
  starts: Numbers;
  /** For each visit, the number of its visitor. The visitors of a day have the numbers from 1 on. */
  visitors: Numbers;
  /** How many visits of the day are in earlier tables. */
  visitsBefore: number;
  /** The duration of each visit, in seconds. */
  seconds: Numbers;
  /** How many events each visit has. */
  events: Numbers;
  /** Has a 1 for each excluded visit. Undefined if no visit is excluded. */
  excluded: Uint8Array | undefined;
  readVisitText(name: VisitText): TextColumn;
  readHitText(name: HitDimension | 'revenue'): TextColumn;
  /**
   * Reads a number for each hit. `second` counts from 00:00 UTC of the day. `engaged` says for how many seconds the
   * page was visible. `scroll` is the depth plus 1, or 0 if the depth is unknown.
   */
  readNumbers(name: 'second' | 'engaged' | 'scroll'): Numbers;
  /**
   * Reads a web vital of each hit. Values are counted in the buckets of a histogram (src/stats/vitals.ts). The result
   * has a bucket's number for each hit, or 0 for a hit without this web vital. If no hit has this web vital, the result
   * may be undefined.
   */
  readVital(name: Vital): Numbers | undefined;
  /** The names of properties, sorted. A hit without a property has the empty text. */
  propertyNames: readonly string[];
  readProperty(name: string): TextColumn;
};
