// Defines a local SQLite file with copies of open days, which a cluster uses. ClickHouse servers store all hits of the
// cluster. The primary copies the rows of some open days into the file, because the file answers queries faster.
//
// Invariant: the file may be lost at any time. The ClickHouse servers have all of its rows.
//
// Example: 3,000,000 rows of today are copied into the file. After that, an overview of today takes 75 ms. On
// ClickHouse, it takes 600 ms. src/ledger/open-days.ts makes the file, and src/cluster/open uses it.

import type { Aggregates } from '../stats/aggregates.ts';
import type { Query } from '../stats/query.ts';
import type { Exclusion } from '../store/sites/exclusions.ts';
import type { Activity } from './activity.ts';

/** The file with the copies. Rows of one visitor must be appended in the order in which they were received. */
export type OpenDays = Readonly<{
  /**
   * A day with at least this many rows is large. The copy of a large day may answer a query although the latest rows
   * are missing. The copy of a small day answers only if it has all rows. Otherwise ClickHouse answers, which counts a
   * small day quickly too.
   */
  largeRows: number;
  /**
   * False once another program has deleted or replaced the file. A thread opens the file by its path. So a thread that
   * starts after this would answer queries from another file.
   */
  isThere(): boolean;
  /** False if `rows` more rows would nearly fill the disk. */
  hasRoomFor(rows: number): boolean;
  append(activities: readonly Activity[]): void;
  /** Sets the exclusions of a site that later queries apply. */
  setExclusions(siteId: number, exclusions: readonly Exclusion[]): void;
  /** Answers a query from the rows of the file. A day that was not copied counts as a day without hits. */
  measure(query: Query, signal?: AbortSignal): Promise<Aggregates>;
  /** Makes shards of large days, so that queries of these days take little time and memory. */
  compact(): Promise<void>;
  /** Deletes all rows of a site, and overwrites their bytes. The texts of a deleted site are deleted too. */
  forget(siteId: number, site: { isDeleted: boolean }): Promise<void>;
  /** Ends the threads that answer queries and compact days. Then deletes the file. */
  close(): Promise<void>;
}>;
