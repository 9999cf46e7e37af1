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

/** The intake stores hits. They come from browsers, and from the web servers of sites. */
export type Intake = Readonly<{
  /**
   * Stores a batch of hits. Resolves when the whole batch is on disk, so a power cut loses no hit after that. Rejects
   * with `unavailable` if the batch cannot be written. Then nothing of the batch is stored, and a retry is safe.
   */
  append(batch: Batch): Promise<void>;
  /**
   * Counts a hit that was not stored, such as one of a bot. The count stays in memory until the next batch, for at
   * most a second. So a flood of bots does not cause a disk write for each hit.
   */
  countDrop(drop: Drop): void;
  /** True if a site has the maximum number of hits for a day. The caller then drops further hits of that day. */
  isFull(siteId: number, day: number): boolean;
  /**
   * Gives the error with which hits must be refused now. Example: a ClickHouse server that must receive each hit does
   * not answer. Gives undefined if hits can be stored.
   */
  findRefusal(): Problem | undefined;
  countWaiting(): number;
  /**
   * True if several machines receive hits. Then this machine sees only some hits of a visit. So it cannot check how
   * long a visitor was on a page.
   */
  isShared: boolean;
  /**
   * Gives the time of the last hit or heartbeat of each visitor since `moment`. Without these times, a server that
   * just restarted would ignore heartbeats, the messages that a page is still visible.
   */
  listActive(moment: number): Map<number, number>;
  /** Writes all waiting batches to disk before it returns. Called when the server stops. */
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
  /** Counts the visits that a new exclusion with these filters would take out of the statistics. */
  previewExclusion(siteId: number, range: Range, filters: Filters, signal?: AbortSignal): Promise<ExclusionPreview>;
  /**
   * Suggests filters that describe a wave of bots, on a day with far more visits than usual for its weekday. The owner
   * of the site may make an exclusion from a suggestion. Suggesting alone changes no figure.
   */
  suggestExclusions(query: SuggestQuery, signal?: AbortSignal): Promise<Suggestion[]>;
  /** For each exclusion of a site: counts the visits that it takes out of the statistics in a range of days. */
  countExcluded(siteId: number, range: Range, signal?: AbortSignal): Promise<ExcludedVisits>;
  /** Counts hits that were not stored, by reason, such as `bot`. The most frequent reason comes first. */
  listDrops(siteId: number, range: Range): Promise<{ reason: string; hits: number }[]>;
  /** Lists the days since `from` on which hits were dropped for this reason. */
  listDroppedDays(reason: string, from: number): Promise<{ siteId: number; day: number; hits: number }[]>;
  /**
   * Lists the days of a range with their visitors. A day is open, or sealed (past and packed). Days without data are
   * left out.
   */
  listDayStatus(siteId: number, range: Range, signal?: AbortSignal): Promise<DayStatus[]>;
  /** Lists the days of a site with hits (`hits`), and its days for which only totals are stored (`sums`). */
  listDays(siteId: number): Promise<{ hits: number[]; sums: number[] }>;
  /** Lists the days of a range that have at least one visit. */
  listVisitedDays(siteId: number, range: Range): Promise<number[]>;
  readVisits(siteId: number): AsyncIterable<DayVisits>;
  /**
   * Finds the time of the first hit of each site. If that hit came before `exactFrom`, any time before `exactFrom` may
   * be given. The caller compares it only with times from `exactFrom` on. The exact time would mean reading the hits of
   * a whole day.
   */
  findFirstHits(siteIds: readonly number[], exactFrom: number): Promise<ReadonlyMap<number, number>>;
  /**
   * Finds the time of the latest hit of all sites. If all days are sealed (packed after their end), this is only the
   * start of the last day. Gives 0 if nothing is stored.
   */
  findLastHit(): Promise<number>;
  /**
   * Measures by how many bytes the stored data grows each day, as the average of the last 30 days. So daybook can tell
   * when the disk will be full. Without `siteId`, all sites are included.
   */
  measureGrowth(today: number, siteId?: number): Promise<number>;
  /** Counts the days whose hits are older than the site's setting allows. `bytes` is what deleting them would free. */
  measureExpired(siteId: number, today: number): Promise<{ count: number; bytes: number }>;
  /** True if at least one past day is sealed (packed). The first backup of the database file is made then. */
  hasSealedDays(): boolean;
}>;

export type Imports = Readonly<{
  /** Imports the whole content or, after an error, nothing. Gives an id with which `remove` can undo the import. */
  add(siteId: number, content: ImportContent, options: ImportOptions): Promise<number>;
  list(siteId: number): Promise<ImportSummary[]>;
  /** Lists the days of a site whose hits all came from imports, each with the time zone that the import used. */
  listDays(siteId: number): Promise<{ day: number; timeZone: string }[]>;
  /** Gives those of `days` for which the site already has data, because an import must not replace data silently. */
  listTaken(siteId: number, days: readonly number[]): Promise<number[]>;
  /**
   * Removes the hits of an import. When a day is over, it is packed (sealed), maybe with imported and collected hits
   * together. Such hits can no longer be told apart, so they stay. The function then gives that day.
   */
  remove(siteId: number, id: number): Promise<number | undefined>;
}>;

/**
 * The work that a server does in the background, in short transactions. Aborting `signal` ends the work early.
 * Finished steps are not undone, and the next run does the rest.
 */
export type Upkeep = Readonly<{
  /**
   * The nightly job: seals past days (packs their hits and removes visitor codes), adds up months, and deletes old
   * hits. If a day cannot be sealed, it stays open, and the job continues with the next day. The job does nothing
   * while the clock may be wrong, because a day that is still running must not be sealed.
   */
  seal(signal?: AbortSignal): Promise<SealResult>;
  /**
   * Deletes hits that the nightly job has packed but left as rows, because queries were still reading them. These rows
   * have visitor codes, which must not stay stored.
   */
  sweep(signal?: AbortSignal): Promise<void>;
  /** Counts every packed (sealed) day again and compares the result with its stored totals, to find damaged data. */
  recount(): AsyncIterable<Recounted>;
  /**
   * Counts some packed (sealed) days again, to find damaged data. Days that were not checked for the longest time come
   * first. A day whose sums are right gets the time of this check.
   */
  recountSome(signal?: AbortSignal): Promise<RecountResult>;
  /**
   * Makes stored sums again that an exclusion, added or removed, has made stale. Gives the number of their days.
   * Before that, answers are right too, but take longer.
   */
  remakeSums(signal?: AbortSignal): Promise<number>;
  /**
   * Packs the new hits of large days that are not over yet (compaction). Otherwise reading such a day would take much
   * memory. A running server also does this without a call.
   */
  compact(): Promise<void>;
  deleteSite(siteId: number): Promise<void>;
  /** Finds ClickHouse servers that lack rows, for example after a disk was replaced, and copies the rows to them. */
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
  /** Makes more writes in the transaction of the batch. Example: the position in a log file is stored with its hits. */
  alongside?: () => void;
};

export type CrawlQuery = { siteId: number; range: Range; crawler: string | undefined; limit: number };
export type Crawls = {
  crawlers: { crawler: string; requests: number }[];
  pages: { page: string; requests: number }[];
  /** Days that `pages` does not count. Only the sums of these days are stored, and the sums do not name pages. */
  leftOut: number[];
};

/** A finished import, whose hits count in answers. `days` is the number of its days; `first` and `last` are dates. */
type ImportSummary = { id: number; at: number; hits: number; days: number; first: number; last: number };

/**
 * The visits that a new exclusion would take out of the statistics, by day. `untouched` lists days of which only
 * totals are stored. Nothing can be taken out of these days, because they have no single visits.
 */
export type ExclusionPreview = { days: { day: number; totals: Totals }[]; untouched: number[] };

/** A day with its counts. `sums`: only totals are stored. `excluded` counts visits that an exclusion takes out. */
export type DayStatus = {
  day: number;
  state: 'open' | 'sealed' | 'sums';
  visitors: number;
  excluded: number;
  dropped: number;
  importId: number | null;
  recountedAt: number | null;
};

/** A packed (sealed) day that was counted again. `faults` says in words which stored sums differ from the new count. */
export type Recounted = { domain: string; day: number; faults: string[] };

/** The number of recounted days, and the days whose stored sums are wrong. */
export type RecountResult = { days: number; faulty: Recounted[] };

/**
 * The number of past days that were packed (sealed), and the days for which that failed. With `waits`, a day waits for
 * a server or collector, and sealing is tried again after a minute.
 */
export type SealResult = { days: number; failed: { domain: string; day: string; reason: string; waits?: boolean }[] };

export const describeUnsealed = ({ failed }: SealResult): Coded =>
  coded('days_unsealed', {
    days: failed.map(({ domain, day: date, reason }) => coded('day_unsealed', { domain, date, reason })),
  });
