import type { Aggregates } from '../stats/aggregates.ts';
import type { Query } from '../stats/query.ts';
import type { Exclusion } from '../store/sites/exclusions.ts';
import type { Activity } from './activity.ts';

/**
 * Open days in a file that may be lost. The file has copies of rows that another engine stores, so this file need not
 * be durable. Rows of one visitor must be appended in the order in which they were received.
 */
export type OpenDays = Readonly<{
  /**
   * A day with at least this many rows is large. The copy of a large day may answer although it lacks the latest rows.
   * The copy of a smaller day answers only if it has all rows, because ClickHouse counts such a day quickly too.
   */
  largeRows: number;
  /** False once the file was deleted or replaced from outside. Threads that start later would open another file. */
  isThere(): boolean;
  /** False if `rows` more rows would nearly fill the disk. */
  hasRoomFor(rows: number): boolean;
  append(activities: readonly Activity[]): void;
  /** Sets the exclusions of a site that later queries apply. */
  setExclusions(siteId: number, exclusions: readonly Exclusion[]): void;
  /** Counts the rows of the file. Days that are not in the file count as days without hits. */
  measure(query: Query, signal?: AbortSignal): Promise<Aggregates>;
  /** Makes shards of large days, so that queries of these days take little time and memory. */
  compact(): Promise<void>;
  /** Deletes all rows of a site, and overwrites their bytes. The texts of a deleted site are deleted too. */
  forget(siteId: number, site: { isDeleted: boolean }): Promise<void>;
  /** Ends the threads and deletes the file. */
  close(): Promise<void>;
}>;
