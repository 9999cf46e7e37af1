// The type of an engine. An engine stores hits and answers queries about them; the rest of the program never sees its
// tables.
//
// Two engines exist: `src/ledger` keeps hits in daybook's own SQLite file, and `src/cluster` keeps them on ClickHouse
// servers.
//
// Invariant: both give equal answers to equal hits (test/cluster/engine.test.ts). A user of an engine takes only the
// facet that it needs.
//
// Example: the collector takes `intake` and appends two pageviews of visitor 7. A report takes `queries` and measures
// one visit with two pageviews. At night a job takes `upkeep` and seals the day; the answer does not change.

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

/** Takes what browsers and servers send. */
export type Intake = Readonly<{
  /** Resolves when the batch is on disk. Rejects with `unavailable` if it cannot be written; then none of it is stored. */
  append(batch: Batch): Promise<void>;
  /** Counts a dropped hit in memory. The count is written with the next batch, or after a second. */
  countDrop(drop: Drop): void;
  /** True if a day of a site has as many hits as one may have. The caller drops what comes then. */
  isFull(siteId: number, day: number): boolean;
  /** Finds why no hit can be acknowledged now, beside a fault of the file; undefined if hits can be. */
  findRefusal(): Problem | undefined;
  /** Counts the hits that are not on disk yet. */
  countWaiting(): number;
  /** Whether other machines take hits too, so that only they may know a visit. */
  isShared: boolean;
  /**
   * Lists when each visitor was last active, of those active since a moment. A restarted server continues their visits.
   */
  listActive(moment: number): Map<number, number>;
  /** Writes the queue to disk before it returns. */
  settle(): void;
}>;

/**
 * Answers to queries. Each rejects with `unavailable` if it takes too long. `signal` is aborted when the caller has
 * gone.
 */
export type Queries = Readonly<{
  measure(query: Query, signal?: AbortSignal): Promise<Aggregates>;
  /** Measures several sites together. */
  measureSites(query: SitesQuery, signal?: AbortSignal): Promise<SharedMeasured>;
  readCrawls(query: CrawlQuery, signal?: AbortSignal): Promise<Crawls>;
  /** Counts what an exclusion with these filters would exclude. */
  previewExclusion(siteId: number, range: Range, filters: Filters, signal?: AbortSignal): Promise<ExclusionPreview>;
  /** Suggests exclusions for a day with far more visits than usual for its weekday. Nothing is excluded. */
  suggestExclusions(query: SuggestQuery, signal?: AbortSignal): Promise<Suggestion[]>;
  /** Counts the excluded visits of some days, by exclusion. */
  countExcluded(siteId: number, range: Range, signal?: AbortSignal): Promise<ExcludedVisits>;
  /** Lists dropped hits by reason, the most frequent first. */
  listDrops(siteId: number, range: Range): Promise<{ reason: string; hits: number }[]>;
  /** Lists the days since `from` on which hits were dropped for a reason. */
  listDroppedDays(reason: string, from: number): Promise<{ siteId: number; day: number; hits: number }[]>;
  /** Lists the status of each day of a range with hits or sums. */
  listDayStatus(siteId: number, range: Range, signal?: AbortSignal): Promise<DayStatus[]>;
  /** Lists the days of a site with hits, and its totals-only days. */
  listDays(siteId: number): Promise<{ hits: number[]; sums: number[] }>;
  /** Lists the days of a range with a visit. */
  listVisitedDays(siteId: number, range: Range): Promise<number[]>;
  /** Reads all visits of a site, day by day. */
  readVisits(siteId: number): AsyncIterable<DayVisits>;
  /**
   * Finds the moment of the first hit of each site; for a totals-only day, when its date begins in UTC. Before the day
   * of `since` any moment of the day is given, because callers need no more.
   */
  findFirstHits(siteIds: readonly number[], since: number): Promise<ReadonlyMap<number, number>>;
  /**
   * Finds the moment of the latest hit of all sites. Without open days it is the start of the last sealed day; 0
   * without any.
   */
  findLastHit(): Promise<number>;
  /** Measures the average bytes on disk of a sealed day over the last 30 days, of one site or of all. */
  measureGrowth(today: number, siteId?: number): Promise<number>;
  /** Counts the days of a site with expired hits, and the bytes of these. */
  measureExpired(siteId: number, today: number): Promise<{ count: number; bytes: number }>;
  /** True if there is a sealed day, which is when backups start. */
  hasSealedDays(): boolean;
}>;

export type Imports = Readonly<{
  /** Imports all of the content or nothing. Returns the id with which the import can be removed again. */
  add(siteId: number, content: ImportContent, options: ImportOptions): Promise<number>;
  list(siteId: number): Promise<ImportSummary[]>;
  /** Lists the days of a site that came from imports alone, each with the zone of its import. */
  listDays(siteId: number): Promise<{ day: number; timeZone: string }[]>;
  /** Lists those of the given days for which the site has data. */
  listTaken(siteId: number, days: readonly number[]): Promise<number[]>;
  /** Removes an import. Returns the day that keeps its hits because it was sealed together with collected hits. */
  remove(siteId: number, id: number): Promise<number | undefined>;
}>;

/** The work that a server does by itself, in short transactions. `signal` ends it early; finished work stays. */
export type Upkeep = Readonly<{
  /**
   * The nightly job: seals past days, adds up months, and deletes replaced data and expired hits. A day that cannot be sealed
   * stays open and stops nothing else. While the clock is not trusted it does nothing.
   */
  seal(signal?: AbortSignal): Promise<SealResult>;
  /** Deletes what sealing left for running queries, such as rows with visitor codes. */
  sweep(signal?: AbortSignal): Promise<void>;
  /** Recounts every sealed day from its columns. */
  recount(): AsyncIterable<Recounted>;
  /** Recounts some sealed days, the longest without a recount first. Notes the days that add up. */
  recountSome(signal?: AbortSignal): Promise<RecountResult>;
  /** Makes stale sums again, and gives their number of days. Until then answers are right, but take longer. */
  remakeSums(signal?: AbortSignal): Promise<number>;
  /**
   * Runs the compaction of large open days, so that reading and sealing them takes little memory. A server does this by
   * itself.
   */
  compact(): Promise<void>;
  /** Deletes all data of a site. */
  deleteSite(siteId: number): Promise<void>;
  /** Finds servers of a cluster that lack something, and fills them. */
  checkServers(): Promise<void>;
  /** Asks each server of a cluster, and lists the URLs of those that do not answer. */
  listSilentServers(): Promise<string[]>;
  /** Lists the URLs of the servers that did not answer last time. */
  listAwayServers(): string[];
}>;

export type Batch = {
  activities?: readonly Activity[];
  crawls?: readonly Crawl[];
  drops?: readonly Drop[];
  /** Further writes in the transaction of the batch, such as the position in a log file. */
  alongside?: () => void;
};

export type CrawlQuery = { siteId: number; range: Range; crawler: string | undefined; limit: number };
export type Crawls = {
  crawlers: { crawler: string; requests: number }[];
  pages: { page: string; requests: number }[];
  /** Days for which pages by crawler are not known, because only sums of these days are kept. */
  leftOut: number[];
};

/** A visible import: its number of days, and the first and last of them. */
type ImportSummary = { id: number; at: number; hits: number; days: number; first: number; last: number };

/** What an exclusion would exclude of each day. From totals-only days, `untouched`, nothing is excluded. */
export type ExclusionPreview = { days: { day: number; totals: Totals }[]; untouched: number[] };

/** The status of a day. `excluded` is its number of excluded visits, `recountedAt` the time of its last recount. */
export type DayStatus = {
  day: number;
  state: 'open' | 'sealed' | 'sums';
  visitors: number;
  excluded: number;
  dropped: number;
  importId: number | null;
  recountedAt: number | null;
};

/** A recounted day, with its differences from the stored sums. */
export type Recounted = { domain: string; day: number; faults: string[] };

/** The number of recounted days, and those that do not add up. */
export type RecountResult = { days: number; faulty: Recounted[] };

/** The number of sealed days, and the days that could not be sealed. With `waits` a day is tried again in a minute. */
export type SealResult = { days: number; failed: { domain: string; day: string; reason: string; waits?: boolean }[] };

/** Says which days could not be sealed. */
export const describeUnsealed = ({ failed }: SealResult): Coded =>
  coded('days_unsealed', {
    days: failed.map(({ domain, day: date, reason }) => coded('day_unsealed', { domain, date, reason })),
  });
