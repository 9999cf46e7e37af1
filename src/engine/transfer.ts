import type { Totals } from '../stats/measured.ts';
import type { Activity, Crawl, Drop, Visit } from './activity.ts';
import type { DaySums } from './import-content.ts';

/** A sealed day, or a part of a large one, as it is handed from one engine to another. */
export type HeldDay = { id: number; siteId: number; day: number; part: number; hasHits: boolean; totals: Totals };

/** The same with what is in it: visits, whose visitors have numbers of that day, and sums. */
export type HandedDay = HeldDay & { visits(): AsyncIterable<Visit>; sums(): Promise<DaySums> };

/** What came to an open day; 0 where it was collected. */
export type HeldActivity = Activity & { importId: number };

/**
 * All that an engine keeps, for the move to another one. Sealed days keep their ids, so that what is known of them stays. Of crawls,
 * one without a crawler is of all of them together, and one without a page has lost its pages.
 */
export type Holdings = Readonly<{
  visits(day: HeldDay): AsyncIterable<Visit>;
  sums(day: HeldDay): Promise<DaySums>;
  /** In the order of arrival. */
  activities(): AsyncIterable<readonly HeldActivity[]>;
  crawls(): AsyncIterable<readonly Crawl[]>;
  drops(): AsyncIterable<readonly Drop[]>;
  /** Takes sealed days, and looks whether they count as they did. */
  takeDays(days: readonly HandedDay[]): Promise<void>;
  takeActivities(activities: readonly HeldActivity[]): Promise<void>;
  takeCrawls(crawls: readonly Crawl[]): Promise<void>;
  takeDrops(drops: readonly Drop[]): Promise<void>;
  /** How many hits are in open days. */
  openHits(): Promise<number>;
  /** Whether there is nothing at all. */
  isEmpty(): Promise<boolean>;
  /** Deletes what is in some sealed days, whose rows in the catalog may be gone. */
  leaveDays(ids: readonly number[]): Promise<void>;
  /** Deletes open days, crawls and drops. */
  leaveRest(): Promise<void>;
  /** Deletes everything, when another engine has it. */
  leave(): Promise<void>;
}>;
