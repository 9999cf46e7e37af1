// These functions move everything that an engine stores to another engine. The command `daybook move` calls them.
//
// Invariant: the catalog of sealed days stays in the database file, and each engine uses it. Sealed days keep their
// ids. So details such as the time of the last recount stay too.
//
// Example: a file with 400 sealed days and 2,000 open hits moves to a cluster. While the server runs, `readVisits` and
// `takeDays` move the days in groups of 100. Then the operator stops the server. `readActivities` and `takeActivities`
// move the 2,000 hits, and `deleteAll` empties the old engine.

import type { Totals } from '../stats/aggregates.ts';
import type { Activity, Crawl, Drop, Visit } from './activity.ts';
import type { DaySums } from './import-content.ts';

export type TransferDay = { id: number; siteId: number; day: number; slice: number; hasHits: boolean; totals: Totals };

/** A sealed day with its content. The number in a visit's `visitor` is used on that day only. */
export type TransferContent = TransferDay & { readVisits(): AsyncIterable<Visit>; readSums(): Promise<DaySums> };

/** A hit or heartbeat of an open day. `importId` is 0 if it was collected and not imported. */
export type TransferActivity = Activity & { importId: number };

export type Transfer = Readonly<{
  readVisits(day: TransferDay): AsyncIterable<Visit>;
  readSums(day: TransferDay): Promise<DaySums>;
  /** Reads the hits and heartbeats of open days in the order in which they were received. */
  readActivities(): AsyncIterable<readonly TransferActivity[]>;
  /**
   * Reads the counts of crawlers. If a row has no crawler, it counts all crawlers together. If it has no page, the
   * pages are not known any more.
   */
  readCrawls(): AsyncIterable<readonly Crawl[]>;
  readDrops(): AsyncIterable<readonly Drop[]>;
  /** Stores sealed days. Throws if the totals of a stored day differ from the totals in the other engine. */
  takeDays(days: readonly TransferContent[]): Promise<void>;
  takeActivities(activities: readonly TransferActivity[]): Promise<void>;
  takeCrawls(crawls: readonly Crawl[]): Promise<void>;
  takeDrops(drops: readonly Drop[]): Promise<void>;
  countOpenHits(): Promise<number>;
  isEmpty(): Promise<boolean>;
  /** Deletes the content of sealed days, even if the catalog has no rows for these days any more. */
  deleteDays(ids: readonly number[]): Promise<void>;
  /** Deletes open days, counts of crawlers, and counts of dropped hits. */
  deleteRest(): Promise<void>;
  /** Deletes everything that this engine stores. Called when another engine has everything. */
  deleteAll(): Promise<void>;
}>;
