// The type of an engine. An engine stores hits and answers queries about them; no other part of the program reads the
// tables of an engine.
//
// There are two engines. `src/ledger` stores hits in daybook's own SQLite file, and `src/cluster` stores them on
// ClickHouse servers.
//
// Invariant: with the same hits, the two engines give the same answers (test/cluster/engine.test.ts). A caller gets
// only the facet that it needs, such as `intake` or `queries`.
//
// Example: the collect module uses `intake` to store two pageviews of visitor 7. A report uses `queries` and gets one
// visit with two pageviews. At night a job uses `upkeep` to seal the day, and the report does not change.

import { type Coded, coded } from '../lang/coded.ts';
import type { Problem } from '../lib/errors.ts';
import type { Aggregates, ExcludedVisits, Totals } from '../stats/aggregates.ts';
import type { SharedMeasured, SitesQuery } from '../stats/all-sites.ts';
import type { Filters, Query, Range } from '../stats/query.ts';
import type { Suggestion, SuggestQuery } from '../stats/suggestion.ts';
import type { Activity, Crawl, DayVisits, Drop } from './activity.ts';
import type { ImportContent, ImportOptions } from './import-content.ts';
import type { Transfer } from './transfer.ts';

export type Engine = Readonly<{
  intake: Intake;
  queries: Queries;
  imports: Imports;
  upkeep: Upkeep;
  transfer: Transfer;
  close(): Promise<void>;
}>;

/** Stores what browsers and servers send. */
export type Intake = Readonly<{
  /**
   * Resolves when the batch is on disk. Rejects with `unavailable` if the batch cannot be written. In that case
   * nothing of the batch is stored.
   */
  append(batch: Batch): Promise<void>;
  /** Counts a dropped hit in memory. The count is written with the next batch, or after a second. */
  countDrop(drop: Drop): void;
  /** True if a day of a site has the maximum number of hits. The caller then drops further hits of that day. */
  isFull(siteId: number, day: number): boolean;
  /**
   * Says why no hit can be stored now, apart from a problem with the database file. Gives undefined if hits can be
   * stored.
   */
  findRefusal(): Problem | undefined;
  countWaiting(): number;
  /** True if other machines receive hits too. Then only another machine may know that a visitor has an open visit. */
  isShared: boolean;
  /**
   * Gives the time of the last activity of each visitor that was active since `moment`. A restarted server needs these
   * times to continue the visits.
   */
  listActive(moment: number): Map<number, number>;
  /** Writes all waiting batches to disk before it returns. */
  settle(): void;
}>;

/**
 * Answers to queries. A query rejects with `unavailable` if it takes too long. `signal` is aborted when the caller no
 * longer waits for the answer.
 */
export type Queries = Readonly<{
  measure(query: Query, signal?: AbortSignal): Promise<Aggregates>;
  measureSites(query: SitesQuery, signal?: AbortSignal): Promise<SharedMeasured>;
  readCrawls(query: CrawlQuery, signal?: AbortSignal): Promise<Crawls>;
  /** Counts the visits that an exclusion with these filters would exclude. */
  previewExclusion(siteId: number, range: Range, filters: Filters, signal?: AbortSignal): Promise<ExclusionPreview>;
  /** Suggests exclusions for a day with far more visits than usual for its weekday. Suggesting excludes no visits. */
  suggestExclusions(query: SuggestQuery, signal?: AbortSignal): Promise<Suggestion[]>;
  /** Gives the number of excluded visits of a range of days, for each exclusion. */
  countExcluded(siteId: number, range: Range, signal?: AbortSignal): Promise<ExcludedVisits>;
  /** Lists dropped hits by reason, the most frequent reason first. */
  listDrops(siteId: number, range: Range): Promise<{ reason: string; hits: number }[]>;
  /** Lists the days since `from` on which hits were dropped for this reason. */
  listDroppedDays(reason: string, from: number): Promise<{ siteId: number; day: number; hits: number }[]>;
  /** Lists the status of each day of a range. Days without hits and sums are not listed. */
  listDayStatus(siteId: number, range: Range, signal?: AbortSignal): Promise<DayStatus[]>;
  /** Lists the days of a site that have hits, and its totals-only days (`sums`). */
  listDays(siteId: number): Promise<{ hits: number[]; sums: number[] }>;
  /** Lists the days of a range that have at least one visit. */
  listVisitedDays(siteId: number, range: Range): Promise<number[]>;
  readVisits(siteId: number): AsyncIterable<DayVisits>;
  /**
   * Finds the time of the first hit of each site. For a totals-only day, this is 00:00 UTC of its date. If the first
   * hit was on a day before that of `since`, any time of that day may be given.
   */
  findFirstHits(siteIds: readonly number[], since: number): Promise<ReadonlyMap<number, number>>;
  /**
   * Finds the time of the latest hit of all sites. Without open days this is the start of the last sealed day. Gives
   * 0 if there is no day.
   */
  findLastHit(): Promise<number>;
  /**
   * Measures how many bytes a sealed day takes on disk, as the average of the last 30 days. Without `siteId` all
   * sites are included.
   */
  measureGrowth(today: number, siteId?: number): Promise<number>;
  /** Counts the days of a site whose hits are older than the retention allows, and the bytes of these hits. */
  measureExpired(siteId: number, today: number): Promise<{ count: number; bytes: number }>;
  /** True if at least one day is sealed. Before that, no backups are made. */
  hasSealedDays(): boolean;
}>;

export type Imports = Readonly<{
  /** Imports the whole content or nothing. Gives an id with which the import can be removed. */
  add(siteId: number, content: ImportContent, options: ImportOptions): Promise<number>;
  list(siteId: number): Promise<ImportSummary[]>;
  /** Lists the days of a site whose hits all came from imports. `timeZone` is the time zone of the import. */
  listDays(siteId: number): Promise<{ day: number; timeZone: string }[]>;
  /** Gives those of `days` for which the site has data. */
  listTaken(siteId: number, days: readonly number[]): Promise<number[]>;
  /**
   * Removes an import. If a day was sealed with both imported and collected hits, the imported hits stay in that day.
   * In that case the function gives that day.
   */
  remove(siteId: number, id: number): Promise<number | undefined>;
}>;

/**
 * The work that a server does without a request, in short transactions. Aborting `signal` ends the work early. Steps
 * that are already finished are not undone.
 */
export type Upkeep = Readonly<{
  /**
   * The nightly job: seals past days, adds up months, and deletes replaced data and expired hits. If a day cannot be
   * sealed, it stays open, and the job continues. The job does nothing while the clock is not trusted.
   */
  seal(signal?: AbortSignal): Promise<SealResult>;
  /**
   * Deletes rows that sealing did not delete because queries were still reading them, such as rows with visitor
   * codes.
   */
  sweep(signal?: AbortSignal): Promise<void>;
  /** Recounts every sealed day from its columns. */
  recount(): AsyncIterable<Recounted>;
  /**
   * Recounts some sealed days. Days whose last recount is oldest come first. Stores the time of the recount for each
   * day whose sums are right.
   */
  recountSome(signal?: AbortSignal): Promise<RecountResult>;
  /**
   * Makes the stale sums of days again, and gives the number of these days. Answers are right even with stale sums,
   * but take longer.
   */
  remakeSums(signal?: AbortSignal): Promise<number>;
  /**
   * Runs the compaction of large open days, so that reading and sealing them takes little memory. A running server
   * also does this without a call.
   */
  compact(): Promise<void>;
  deleteSite(siteId: number): Promise<void>;
  /** Finds servers of a cluster that miss rows, and copies the rows to them. */
  checkServers(): Promise<void>;
  /** Sends a request to each server of a cluster. Lists the URLs of servers that do not answer. */
  listSilentServers(): Promise<string[]>;
  /** Lists the URLs of the servers that did not answer the last request. */
  listAwayServers(): string[];
}>;

export type Batch = {
  activities?: readonly Activity[];
  crawls?: readonly Crawl[];
  drops?: readonly Drop[];
  /** More writes for the transaction of the batch, such as the position in a log file. */
  alongside?: () => void;
};

export type CrawlQuery = { siteId: number; range: Range; crawler: string | undefined; limit: number };
export type Crawls = {
  crawlers: { crawler: string; requests: number }[];
  pages: { page: string; requests: number }[];
  /**
   * Days that are not in `pages`. Only sums of these days are stored, and the sums do not say which pages a crawler
   * requested.
   */
  leftOut: number[];
};

/** A shown import. `days` is the number of its days, and `first` and `last` are dates. */
type ImportSummary = { id: number; at: number; hits: number; days: number; first: number; last: number };

/**
 * The visits that an exclusion would exclude, by day. `untouched` lists the totals-only days of the range: nothing
 * can be excluded from them.
 */
export type ExclusionPreview = { days: { day: number; totals: Totals }[]; untouched: number[] };

/** The status of a day. `excluded` is the number of excluded visits. */
export type DayStatus = {
  day: number;
  state: 'open' | 'sealed' | 'sums';
  visitors: number;
  excluded: number;
  dropped: number;
  importId: number | null;
  recountedAt: number | null;
};

/** A recounted day. `faults` lists the sums that differ from the recount, in words. */
export type Recounted = { domain: string; day: number; faults: string[] };

/** The number of recounted days, and the days whose stored sums are wrong. */
export type RecountResult = { days: number; faulty: Recounted[] };

/**
 * The number of sealed days, and the days that could not be sealed. If `waits` is true, sealing the day is tried
 * again after a minute.
 */
export type SealResult = { days: number; failed: { domain: string; day: string; reason: string; waits?: boolean }[] };

export const describeUnsealed = ({ failed }: SealResult): Coded =>
  coded('days_unsealed', {
    days: failed.map(({ domain, day: date, reason }) => coded('day_unsealed', { domain, date, reason })),
  });
