// Defines the interface of an engine. An engine stores hits and answers queries. No other part of the program reads the
// tables of an engine. There are two engines: `src/ledger` stores hits in the SQLite file, and `src/cluster` stores
// hits on ClickHouse servers.
//
// Invariant: with the same hits, both engines give the same answers (test/cluster/engine.test.ts).
//
// Example: src/collect uses `intake` to store two pageviews of visitor 7. A report uses `queries` and gets one visit
// with two pageviews. At night, a job uses `upkeep` to seal the day, and the report stays the same.

import { type Coded, coded } from '../lang/coded.ts';
import type { Problem } from '../lib/errors.ts';
import { DAY, formatDay } from '../lib/time.ts';
import type { Aggregates, ExcludedVisits, Totals } from '../stats/aggregates.ts';
import type { SharedMeasured, SitesQuery } from '../stats/all-sites.ts';
import type { Filters, Query, Range } from '../stats/query.ts';
import type { Suggestion, SuggestQuery } from '../stats/suggestion.ts';
import type { Db } from '../store/db.ts';
import type { PastMoment } from '../store/file/as-of.ts';
import type { Activity, Crawl, DayVisits, Drop } from './activity.ts';
import type { DayTable } from './day-table.ts';
import type { ImportContent, ImportOptions } from './import-content.ts';
import type { DayCopyStatus, SenderStatus, ServerStatus } from './server-status.ts';
import type { Transfer } from './transfer.ts';

export type Engine = Readonly<{
  intake: Intake;
  queries: Queries;
  imports: Imports;
  upkeep: Upkeep;
  transfer: Transfer;
  close(): Promise<void>;
}>;

/** Stores hits from browsers, and from the web servers of sites. */
export type Intake = Readonly<{
  /**
   * Stores a batch. Resolves when the whole batch is on disk. Rejects with `unavailable` (status 503) if the batch
   * cannot be written. In this case, nothing of the batch is stored, and a retry is safe.
   */
  append(batch: Batch): Promise<void>;
  /**
   * Counts a dropped hit. The count stays in memory until the next batch, but for at most a second. In this way, a
   * flood of bots does not cause a disk write for each hit.
   */
  countDrop(drop: Drop): void;
  /** True if a site has the maximum number of hits for a day. The caller then drops further hits. */
  isFull(siteId: number, day: number): boolean;
  /**
   * Returns the error with which hits must be refused now, for example because a ClickHouse server does not answer.
   * Returns undefined if hits can be stored.
   */
  findRefusal(): Problem | undefined;
  countWaiting(): number;
  /**
   * True if several machines receive hits. A machine may then see only some hits of a visit. Such a machine cannot
   * check how long a page was visible.
   */
  isShared: boolean;
  /**
   * Returns the time of the latest hit or heartbeat of each visitor since `moment`. Without these times, daybook would
   * ignore heartbeats of current visits after a restart.
   */
  listActive(moment: number): Map<number, number>;
  /** Writes all waiting batches to disk before it returns. Called when the server stops. */
  settle(): void;
}>;

/**
 * Queries of an engine. A query rejects with `unavailable` (status 503) if it takes too long. `signal` aborts when
 * nobody needs the answer any more.
 */
export type Queries = Readonly<{
  /**
   * Returns queries that count a site as it was at a past moment. `db` is the file as of that moment
   * (store/file/as-of.ts). The caller closes `db` when all queries are answered.
   */
  asOf(db: Db, moment: PastMoment): Omit<Queries, 'asOf'>;
  measure(query: Query, signal?: AbortSignal): Promise<Aggregates>;
  measureSites(query: SitesQuery, signal?: AbortSignal): Promise<SharedMeasured>;
  readCrawls(query: CrawlQuery, signal?: AbortSignal): Promise<Crawls>;
  /** Counts the visits that an exclusion with these filters would leave out. */
  previewExclusion(siteId: number, range: Range, filters: Filters, signal?: AbortSignal): Promise<ExclusionPreview>;
  /**
   * Suggests exclusions for a day with far more visits than usual. Such visits often come from bots. No figure changes
   * until a user creates the exclusion.
   */
  suggestExclusions(query: SuggestQuery, signal?: AbortSignal): Promise<Suggestion[]>;
  /** Counts the visits that each exclusion leaves out in a range of days. */
  countExcluded(siteId: number, range: Range, signal?: AbortSignal): Promise<ExcludedVisits>;
  /** Counts dropped hits by reason, such as `bot`. The most frequent reason comes first. */
  listDrops(siteId: number, range: Range): Promise<{ reason: string; hits: number }[]>;
  /** Counts the hits that each block of a site dropped on each day. Days without hits are left out. */
  countBlocked(siteId: number, range: Range): Promise<BlockedHits[]>;
  /** For each site, lists the days since `from` on which hits were dropped for `reason`, with the number of hits. */
  listDroppedDays(reason: string, from: number): Promise<{ siteId: number; day: number; hits: number }[]>;
  /** Lists the days of a range with their states and visitors. Days without data are left out. */
  listDayStatus(siteId: number, range: Range, signal?: AbortSignal): Promise<DayStatus[]>;
  /** Lists a site's days with hits (`hits`), and its totals-only days (`sums`). */
  listDays(siteId: number): Promise<{ hits: number[]; sums: number[] }>;
  listVisitedDays(siteId: number, range: Range): Promise<number[]>;
  /** Lists the days of a range with hits that are not sealed. A sealed day with waiting late hits is listed too. */
  listOpenDays(siteId: number, range: Range): Promise<number[]>;
  /** Reads the visits of a site day by day, by default of all days. */
  readVisits(siteId: number, range?: Range): AsyncIterable<DayVisits>;
  /** Reads the visits of a sealed day, without late hits that are not sealed yet. */
  readSealedVisits(siteId: number, day: number): AsyncIterable<DayVisits>;
  /**
   * Lists how often crawlers requested pages, by day. For days older than the retention, a row with an empty `crawler`
   * counts all crawlers together. A row with an empty `page` counts all pages.
   */
  listCrawlDays(siteId: number): Promise<Crawl[]>;
  listDropDays(siteId: number): Promise<Drop[]>;
  /** Reads the hits of a site as columns, day by day, by default of all days. */
  readTables(siteId: number, range?: Range): AsyncIterable<DayTable>;
  /**
   * Calls `visit` with each table of a range, day by day. A table may be used only during this call of `visit`. The
   * ledger reads all tables of a day in one transaction, and each column only when it is first used. On a cluster, hits
   * may arrive between two tables of an open day.
   */
  visitTables(siteId: number, range: Range, visit: (table: DayTable) => void): Promise<void>;
  /**
   * Finds the time of the first hit of each site. If that hit was before `exactFrom`, any time before `exactFrom` may
   * be returned, because the exact time is slow to find.
   */
  findFirstHits(siteIds: readonly number[], exactFrom: number): Promise<ReadonlyMap<number, number>>;
  /**
   * Finds the time of the latest hit of all sites. If all days are sealed, this is the start of the last day. Returns 0
   * if nothing is stored.
   */
  findLastHit(): Promise<number>;
  /**
   * Measures by how many bytes the stored data grows each day, on average over the last 30 days. Measures all sites, or
   * only `siteId`. The time until the disk is full is computed from this number.
   */
  measureGrowth(today: number, siteId?: number): Promise<number>;
  /**
   * Counts the days with hits or crawled pages that are older than the retention. `bytes` is how much disk space their
   * deletion would free.
   */
  measureExpired(siteId: number, today: number): Promise<{ count: number; bytes: number }>;
  /** True if at least one day is sealed. Without a sealed day, the server makes no backup of the file. */
  hasSealedDays(): boolean;
}>;

export type Imports = Readonly<{
  /** Imports the whole content or, after an error, nothing. Returns an id with which `remove` can undo the import. */
  add(siteId: number, content: ImportContent, options: ImportOptions): Promise<number>;
  list(siteId: number): Promise<ImportSummary[]>;
  /** Lists the days on which all hits of a site are from imports, each with the time zone of the import. */
  listDays(siteId: number): Promise<{ day: number; timeZone: string }[]>;
  /** Lists which of the given days already have data of the site. An import must not replace this data silently. */
  listTaken(siteId: number, days: readonly number[]): Promise<number[]>;
  /**
   * Removes the hits of an import. The day on which the file was read may have been sealed with live hits too. Then its
   * imported and live hits can no longer be separated. In this case, this one day stays, and the function returns it.
   */
  remove(siteId: number, id: number, options?: DeletionOptions): Promise<number | undefined>;
}>;

/**
 * The work that a server does in the background, in short transactions. Aborting `signal` ends the work early, and the
 * next run does the rest.
 */
export type Upkeep = Readonly<{
  /**
   * The nightly job: seals past days, and deletes hits after the retention. In the ledger, it also adds up months. If a
   * day cannot be sealed, the job continues with the next day. The job does nothing while the system clock may be wrong
   * (src/store/server/clock-trust.ts). Otherwise it could seal a day that is not over.
   */
  seal(signal?: AbortSignal): Promise<SealResult>;
  /** Deletes hits of sealed days that are still stored as rows. Rows have visitor codes, which must not stay stored. */
  sweep(signal?: AbortSignal): Promise<void>;
  /** Counts every sealed day again and compares the result with its stored totals, to find damaged data. */
  recount(): AsyncIterable<Recounted>;
  /** Counts some sealed days again, to find damaged data. Days whose last check is the oldest come first. */
  recountSome(signal?: AbortSignal): Promise<RecountResult>;
  /**
   * Replaces stale sums by new ones, and returns the number of changed days. Before that, answers are right too, but
   * take longer.
   */
  remakeSums(signal?: AbortSignal): Promise<number>;
  /**
   * Compacts large open days. Without compactions, reading a large open day would take much memory. A running server
   * also compacts on its own, without a call of `compact`.
   */
  compact(): Promise<void>;
  deleteSite(siteId: number): Promise<void>;
  /**
   * Deletes the sealed days of a range for good. Throws if a day of the range is open. One transaction hides all of the
   * sealed days or, after an error, none. Hidden days count in no answer. After this transaction, their data is deleted
   * from the disk.
   */
  deleteDays(siteId: number, range: Range, options?: DeletionOptions): Promise<void>;
  /** Finds ClickHouse servers that lack rows, for example after a disk was replaced, and copies the rows to them. */
  checkServers(): Promise<void>;
  /** Sends a request to each server of a cluster. Lists the URLs of the servers that do not answer. */
  listSilentServers(): Promise<string[]>;
  /** Lists the URLs of the servers that did not answer their last request. */
  listAwayServers(): string[];
  /** Asks each server of a cluster for its figures, for at most two seconds. Figures may be five seconds old. */
  examineServers(): Promise<ServerStatus[]>;
  /** Lists the primary and the collectors of a cluster, with what waits in their outboxes. */
  listSenders(): SenderStatus[];
  /** Lists the copies of open days that answer queries instead of the cluster. */
  listDayCopies(): DayCopyStatus[];
}>;

/**
 * Options of a deletion. `alongside` makes further writes in the same transaction. `last` is the number of the latest
 * change before this transaction.
 */
export type DeletionOptions = { alongside?: ((last: number) => void) | undefined };

export type Batch = {
  activities?: readonly Activity[];
  crawls?: readonly Crawl[];
  drops?: readonly Drop[];
  /**
   * Makes further writes in the transaction of the batch. For example, the position in a log file is stored together
   * with its hits.
   */
  alongside?: () => void;
};

export type CrawlQuery = { siteId: number; range: Range; crawler: string | undefined; limit: number };
export type Crawls = {
  crawlers: { crawler: string; requests: number }[];
  pages: { page: string; requests: number }[];
  /** Days that `pages` does not count, because their pages are no longer stored for each crawler. */
  leftOut: number[];
};

/** A finished import. `days` is the number of its days. `first` and `last` are its first and last day. */
type ImportSummary = { id: number; at: number; hits: number; days: number; first: number; last: number };

/**
 * The visits that an exclusion would leave out, by day. `untouched` has the totals-only days, whose totals cannot
 * change.
 */
export type ExclusionPreview = { days: { day: number; totals: Totals }[]; untouched: number[] };

/** The hits that a block dropped on one day. */
export type BlockedHits = { block: number; day: number; hits: number };

/** A day in the list of days. The state `sums` means a totals-only day. `excluded` counts excluded visits. */
export type DayStatus = {
  day: number;
  state: 'open' | 'sealed' | 'sums';
  visitors: number;
  excluded: number;
  dropped: number;
  importId: number | null;
  recountedAt: number | null;
};

/** A sealed day that was counted again. `faults` describes the stored sums that differ. */
export type Recounted = { domain: string; day: number; faults: string[] };

/** The number of recounted days, and the days with wrong stored sums. */
export type RecountResult = { days: number; faulty: Recounted[] };

/** Says how many of the recounted days have faults, and names the first of them with its faults. */
export const describeFaulty = ({ days, count, first }: { days: number; count: number; first: Recounted }): Coded =>
  coded('recount_faulty', {
    ...{ count, days, domain: first.domain },
    ...{ date: formatDay(first.day * DAY), faults: first.faults.join('; ') },
  });

/**
 * The number of sealed days, and the days that could not be sealed. If `waits` is true, a day waits for a server or
 * collector, and sealing is tried again after a minute.
 */
export type SealResult = { days: number; failed: { domain: string; day: string; reason: string; waits?: boolean }[] };

export const describeUnsealed = ({ failed }: SealResult): Coded =>
  coded('days_unsealed', {
    days: failed.map(({ domain, day: date, reason }) => coded('day_unsealed', { domain, date, reason })),
  });
