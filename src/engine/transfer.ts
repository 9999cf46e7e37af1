// The door through which all that an engine keeps moves to another one, as `daybook move` asks for it.
//
// Invariant: the catalog of days stays in the file and is that of both engines. Sealed days keep their ids, so that what is known of
// them stays, such as when they were counted again.
//
// Example: a file with 400 sealed days and 2,000 open hits moves to a cluster. `readVisits` and `takeDays` hand over 100 days at once,
// while the server runs. After it was stopped, `readActivities` and `takeActivities` hand over the 2,000 hits, and `deleteAll` empties
// the file.

import type { Totals } from '../stats/aggregates.ts';
import type { Activity, Crawl, Drop, Visit } from './activity.ts';
import type { DaySums } from './import-content.ts';

/** A sealed day, or a slice of a large one. */
export type TransferDay = { id: number; siteId: number; day: number; slice: number; hasHits: boolean; totals: Totals };

/** A sealed day with its content. A visit's visitor is a number of that day only. */
export type TransferContent = TransferDay & { readVisits(): AsyncIterable<Visit>; readSums(): Promise<DaySums> };

/** A hit or heartbeat of an open day. `importId` is 0 for collected ones. */
export type TransferActivity = Activity & { importId: number };

export type Transfer = Readonly<{
  readVisits(day: TransferDay): AsyncIterable<Visit>;
  readSums(day: TransferDay): Promise<DaySums>;
  /** Reads the hits and heartbeats of open days in the order of arrival. */
  readActivities(): AsyncIterable<readonly TransferActivity[]>;
  /**
   * Reads the counts of crawlers. A row without a crawler counts all of them together; one without a page has lost its
   * pages.
   */
  readCrawls(): AsyncIterable<readonly Crawl[]>;
  readDrops(): AsyncIterable<readonly Drop[]>;
  /** Stores sealed days. Throws if the totals of one are not what they were. */
  takeDays(days: readonly TransferContent[]): Promise<void>;
  takeActivities(activities: readonly TransferActivity[]): Promise<void>;
  takeCrawls(crawls: readonly Crawl[]): Promise<void>;
  takeDrops(drops: readonly Drop[]): Promise<void>;
  /** Counts the hits of open days. */
  countOpenHits(): Promise<number>;
  isEmpty(): Promise<boolean>;
  /** Deletes the content of sealed days. Their rows of the catalog may be gone by then. */
  deleteDays(ids: readonly number[]): Promise<void>;
  /** Deletes open days, crawls and drops. */
  deleteRest(): Promise<void>;
  /** Deletes everything, when another engine has it. */
  deleteAll(): Promise<void>;
}>;
