// These functions move everything that an engine stores to another engine. The command `daybook move` calls them. One
// engine is the SQLite file, and the other a cluster of ClickHouse servers.
//
// Invariant: the list of sealed days stays in the SQLite file, and each engine uses it. Sealed days keep their ids. So
// details such as the time of the last recount stay too.
//
// Example: a file with 400 sealed days and 2,000 open hits moves to a cluster. While the server runs, `readVisits` and
// `takeDays` move the days in groups of 100. Then the operator stops the server. `readActivities` and `takeActivities`
// move the 2,000 hits, and `deleteAll` empties the old engine.

import type { Totals } from '../stats/aggregates.ts';
import type { Activity, Crawl, Drop, Visit } from './activity.ts';
import type { DaySums } from './import-content.ts';

export type TransferDay = { id: number; siteId: number; day: number; slice: number; hasHits: boolean; totals: Totals };

/**
 * A sealed (past and packed) day with its content: visits, or only sums. A visitor's number is used for that day only.
 */
export type TransferContent = TransferDay & { readVisits(): AsyncIterable<Visit>; readSums(): Promise<DaySums> };

/**
 * A hit, or a heartbeat (a message that a page is still visible), of a day that is not packed yet. `importId` is 0 if
 * no import brought it.
 */
export type TransferActivity = Activity & { importId: number };

export type Transfer = Readonly<{
  readVisits(day: TransferDay): AsyncIterable<Visit>;
  readSums(day: TransferDay): Promise<DaySums>;
  /**
   * Reads hits and heartbeats of days that are not packed (sealed) yet, in the order in which they were received.
   * Heartbeats are messages that a page is still visible.
   */
  readActivities(): AsyncIterable<readonly TransferActivity[]>;
  /**
   * Reads how often crawlers requested pages. Counts of old days have less detail: a row with an empty `crawler` counts
   * all crawlers together, and a row with an empty `page` counts all pages.
   */
  readCrawls(): AsyncIterable<readonly Crawl[]>;
  readDrops(): AsyncIterable<readonly Drop[]>;
  /**
   * Stores sealed (packed) days, and counts them again. Throws if a total differs from the total in the other engine.
   */
  takeDays(days: readonly TransferContent[]): Promise<void>;
  takeActivities(activities: readonly TransferActivity[]): Promise<void>;
  takeCrawls(crawls: readonly Crawl[]): Promise<void>;
  takeDrops(drops: readonly Drop[]): Promise<void>;
  countOpenHits(): Promise<number>;
  isEmpty(): Promise<boolean>;
  /**
   * Deletes the visits and sums of packed (sealed) days with these ids. A day that was moved before may have been
   * deleted since then. So this also works for ids that are no longer in the list of days in the SQLite file.
   */
  deleteDays(ids: readonly number[]): Promise<void>;
  /** Deletes what belongs to no packed (sealed) day: hits of today, counts of crawlers, and counts of dropped hits. */
  deleteRest(): Promise<void>;
  /** Deletes everything that this engine stores. `daybook move` calls it when the other engine has everything. */
  deleteAll(): Promise<void>;
}>;
