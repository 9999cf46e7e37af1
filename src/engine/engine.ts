// What an engine does. An engine stores hits and answers queries about them; the rest of the program never sees its tables.
//
// Two engines exist: `src/ledger` keeps hits in daybook's own SQLite file, and `src/cluster` keeps them on ClickHouse servers. Both give
// the same answers to the same hits (test/cluster/engine.test.ts). A user of an engine takes the facet that it needs, and no more.
//
// Example: the collector takes `intake` and appends two pageviews of visitor 7. A report takes `queries` and measures one visit of
// two pageviews. At night a job takes `upkeep` and seals the day. The answer stays the same.

import type { Problem } from '../lib/errors.ts';
import type { SharedMeasured, SharedQuestion } from '../stats/all-sites.ts';
import type { Aside, Measured, Totals } from '../stats/measured.ts';
import type { Filters, Question, Range } from '../stats/question.ts';
import type { Suggestion, SuggestQuestion } from '../stats/suggestion.ts';
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
  /** Why no hit can be acknowledged now, beside a file that takes none; undefined where one can. */
  findRefusal(): Problem | undefined;
  /** How many hits are queued and not on disk yet. */
  countWaiting(): number;
  /** Whether other processes take hits too, so that a visit may be known only to them. */
  isShared: boolean;
  /** When each recent visitor was last active, for those active since a moment. A restarted server continues their visits. */
  listActive(moment: number): Map<number, number>;
  /** Writes the queue to disk before it returns. */
  settle(): void;
}>;

/** Answers. Each rejects with `unavailable` if it takes too long; `signal` is aborted when nobody waits for the answer any more. */
export type Queries = Readonly<{
  measure(question: Question, signal?: AbortSignal): Promise<Measured>;
  /** Measures several sites together. */
  measureSites(question: SharedQuestion, signal?: AbortSignal): Promise<SharedMeasured>;
  readCrawls(query: CrawlQuery, signal?: AbortSignal): Promise<Crawls>;
  /** What an exclusion with these filters would take. */
  previewExclusion(siteId: number, range: Range, filters: Filters, signal?: AbortSignal): Promise<ExclusionPreview>;
  /** What might be excluded of a day with far more visits than its weekday has. Nothing is excluded by that. */
  suggestExclusions(question: SuggestQuestion, signal?: AbortSignal): Promise<Suggestion[]>;
  /** How many visits are excluded of some days, by exclusion. */
  countExcluded(siteId: number, range: Range, signal?: AbortSignal): Promise<Aside>;
  /** Dropped hits by reason, largest first. */
  listDrops(siteId: number, range: Range): Promise<{ reason: string; hits: number }[]>;
  /** The days since `from` on which hits were dropped for a reason. */
  listDroppedDays(reason: string, from: number): Promise<{ siteId: number; day: number; hits: number }[]>;
  /** What is known of each day of a range with hits or sums. */
  listDayStatus(siteId: number, range: Range, signal?: AbortSignal): Promise<DayStatus[]>;
  /** The days of a site with hits, and its totals-only days. */
  listDays(siteId: number): Promise<{ hits: number[]; sums: number[] }>;
  /** The days of a range with a visit. */
  listVisitedDays(siteId: number, range: Range): Promise<number[]>;
  /** All hits of a site, day by day. */
  readVisits(siteId: number): AsyncIterable<DayVisits>;
  /**
   * The moment of the first hit of each site that has one; of a totals-only day, when its date begins in UTC. Where that was before
   * the day of `since`, any moment of its day is given, because nobody looks at more.
   */
  findFirstHits(siteIds: readonly number[], since: number): Promise<ReadonlyMap<number, number>>;
  /** The moment of the latest hit of all sites. Without open days it is the start of the last sealed day, and 0 without any. */
  findLastHit(): Promise<number>;
  /** Average bytes on disk per sealed day over the last 30 days, of one site or of all. */
  measureGrowth(today: number, siteId?: number): Promise<number>;
  /** How many days of a site have expired hits, and how many bytes these take. */
  measureExpired(siteId: number, today: number): Promise<{ count: number; bytes: number }>;
  /** True once there is a sealed day, which is when backups start. */
  hasSealedDays(): boolean;
}>;

export type Imports = Readonly<{
  /** Imports all of the content or nothing. Returns the id with which the import can be removed again. */
  add(siteId: number, content: ImportContent, options: ImportOptions): Promise<number>;
  list(siteId: number): Promise<ImportSummary[]>;
  /** The days of a site that came from an import alone, and the zone in which they were days then. */
  listDays(siteId: number): Promise<{ day: number; timeZone: string }[]>;
  /** The days, of the given ones, for which the site already has data. */
  listTaken(siteId: number, days: readonly number[]): Promise<number[]>;
  /** Removes an import. Returns the day that keeps its hits because it was sealed together with collected hits. */
  remove(siteId: number, id: number): Promise<number | undefined>;
}>;

/** What a server does by itself, in short transactions. `signal` ends it early; what was done until then stays. */
export type Upkeep = Readonly<{
  /**
   * The nightly job: seals past days, adds up months, and deletes replaced data and expired hits. A day that cannot be sealed
   * stays open and stops nothing else. While the clock is not trusted it does nothing.
   */
  seal(signal?: AbortSignal): Promise<SealResult>;
  /** Deletes what sealing has left for queries that were under way, such as visitor codes. */
  sweep(signal?: AbortSignal): Promise<void>;
  /** Counts every sealed day again from its columns. */
  recount(): AsyncIterable<Recounted>;
  /** Counts some sealed days again, those first that have waited longest, and notes when they add up. */
  recountSome(signal?: AbortSignal): Promise<RecountResult>;
  /** Makes stale sums again, and says of how many days. Answers are right before that too, but take longer. */
  remakeSums(signal?: AbortSignal): Promise<number>;
  /** Writes what came to large open days into new shards, which are read and sealed in little memory. A server does so by itself. */
  compact(): Promise<void>;
  /** Deletes all data of a site. */
  deleteSite(siteId: number): Promise<void>;
  /** Compares what the servers of a cluster have with what they should have, and fills those that lack something. */
  checkServers(): Promise<void>;
  /** Asks each server of a cluster, and gives the URLs of those that do not answer. */
  listSilentServers(): Promise<string[]>;
  /** The URLs of the servers that did not answer last. */
  listAwayServers(): string[];
}>;

export type Batch = {
  activities?: readonly Activity[];
  crawls?: readonly Crawl[];
  drops?: readonly Drop[];
  /** More writes for the same transaction, such as the position in a log file. */
  alongside?: () => void;
};

export type CrawlQuery = { siteId: number; range: Range; crawler: string | undefined; limit: number };
export type Crawls = {
  crawlers: { crawler: string; requests: number }[];
  pages: { page: string; requests: number }[];
  /** Days that the pages of one crawler lack, because only the sums of these days are kept. */
  leftOut: number[];
};

/** A visible import. `days` is how many days it has, `first` and `last` are its range. */
type ImportSummary = { id: number; at: number; hits: number; days: number; first: number; last: number };

/** What an exclusion would take of each day, and the totals-only days, of which it takes nothing. */
export type ExclusionPreview = { days: { day: number; totals: Totals }[]; untouched: number[] };

/** The figures of a day, of which `aside` visits are excluded, and when it was last counted again. */
export type DayStatus = {
  day: number;
  state: 'open' | 'sealed' | 'sums';
  visitors: number;
  aside: number;
  dropped: number;
  importId: number | null;
  recountedAt: number | null;
};

/** A sealed day that was counted again, and where it differs from what is stored. */
export type Recounted = { domain: string; day: number; faults: string[] };

/** How many sealed days were counted again, and which of them do not add up. */
export type RecountResult = { days: number; faulty: Recounted[] };

/** How many days were sealed, and which could not be, and why. A day that only waits for something is tried again in a minute. */
export type SealResult = { days: number; failed: { domain: string; day: string; reason: string; waits?: boolean }[] };

/** Says for people which days could not be sealed. */
export const describeUnsealed = ({ failed }: SealResult): string =>
  failed.map(({ domain, day, reason }) => `${domain} ${day} cannot be sealed (${reason})`).join('; ');
