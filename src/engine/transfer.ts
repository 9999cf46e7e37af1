// Defines how everything that an engine stores is moved to the other engine. The command `daybook move` calls these
// functions.
//
// Invariant: the list of sealed days stays in the SQLite file, and both engines use it. Sealed days keep their ids.
//
// Example: a file has 400 sealed days, and 2,000 hits of open days. All of them are moved to a cluster. While the
// server runs, `readVisits` and `takeDays` move up to 100 days at a time. Then the operator stops the server.
// `readActivities` and `takeActivities` move the 2,000 hits, and `deleteAll` empties the old engine.

import type { Totals } from '../stats/aggregates.ts';
import type { Activity, Crawl, Drop, Visit } from './activity.ts';
import type { DaySums } from './import-content.ts';

export type TransferDay = { id: number; siteId: number; day: number; slice: number; hasHits: boolean; totals: Totals };

/**
 * A sealed day with its visits, or only with its sums. The number `visitor` of a visit is valid only for this day.
 * `readReduced` returns the reduced sums of a totals-only day, or undefined if no visit of the day is excluded.
 */
export type TransferContent = TransferDay & {
  readVisits(): AsyncIterable<Visit>;
  readSums(): Promise<DaySums>;
  readReduced(): Promise<DaySums | undefined>;
};

/** A hit or heartbeat of an open day. `importId` is 0 for a live hit. */
export type TransferActivity = Activity & { importId: number };

export type Transfer = Readonly<{
  readVisits(day: TransferDay): AsyncIterable<Visit>;
  readSums(day: TransferDay): Promise<DaySums>;
  readReduced(day: TransferDay): Promise<DaySums | undefined>;
  /** Reads the hits and heartbeats of open days, in the order of arrival. */
  readActivities(): AsyncIterable<readonly TransferActivity[]>;
  /**
   * Reads how often crawlers requested pages. For days older than the retention, counts have less detail. A row with an
   * empty `crawler` counts all crawlers together, and a row with an empty `page` counts all pages.
   */
  readCrawls(): AsyncIterable<readonly Crawl[]>;
  readDrops(): AsyncIterable<readonly Drop[]>;
  /** Stores sealed days, and counts them again. Throws if a total differs from the total in the other engine. */
  takeDays(days: readonly TransferContent[]): Promise<void>;
  takeActivities(activities: readonly TransferActivity[]): Promise<void>;
  takeCrawls(crawls: readonly Crawl[]): Promise<void>;
  takeDrops(drops: readonly Drop[]): Promise<void>;
  countOpenHits(): Promise<number>;
  isEmpty(): Promise<boolean>;
  /**
   * Deletes the visits and sums of sealed days. An id may be missing in the list of sealed days, because the day was
   * deleted after it was moved.
   */
  deleteDays(ids: readonly number[]): Promise<void>;
  /** Deletes everything that belongs to no sealed day: hits of open days, crawls and drops. */
  deleteRest(): Promise<void>;
  /**
   * Deletes everything that this engine stores. `daybook move` calls this function after the other engine has received
   * everything.
   */
  deleteAll(): Promise<void>;
}>;
