import type { Problem } from '../lib/errors.ts';
import type { SharedMeasured, SharedQuestion } from '../stats/all-sites.ts';
import type { Aside, Measured, Totals } from '../stats/measured.ts';
import type { Filters, Question, Range } from '../stats/question.ts';
import type { Suggestion, SuggestQuestion } from '../stats/suggestion.ts';
import type { Activity, Crawl, DayVisits, Drop } from './activity.ts';
import type { BringOptions, Content } from './import-content.ts';

export type Batch = {
  activities?: readonly Activity[];
  crawls?: readonly Crawl[];
  drops?: readonly Drop[];
  /** More writes for the same transaction, such as the position in a log file. */
  alongside?: () => void;
};

export type CrawlQuestion = { siteId: number; range: Range; crawler: string | undefined; limit: number };
export type Crawls = {
  crawlers: { crawler: string; requests: number }[];
  pages: { page: string; requests: number }[];
  /** Days that the pages of one crawler lack, because of them only the sums are kept. */
  leftOut: number[];
};

/** A visible import. `days` is how many days it has, `first` and `last` are its range. */
type Import = { id: number; at: number; hits: number; days: number; first: number; last: number };

/** A sealed day that was counted again, and where it differs from what is stored. */
export type Recounted = { domain: string; day: number; faults: string[] };

/** What an exclusion would take: of each day where it is something, and the days with sums only, of which it takes nothing. */
export type Preview = { days: { day: number; totals: Totals }[]; untouched: number[] };

/** What is known of a day: its figures, of which `aside` visits are set aside, and when it was last counted again. */
export type Receipt = {
  day: number;
  state: 'open' | 'sealed' | 'sums';
  visitors: number;
  aside: number;
  dropped: number;
  importId: number | null;
  recountedAt: number | null;
};

/** How many sealed days were counted again, and which of them do not add up. */
export type Recounts = { days: number; faulty: Recounted[] };

/** How many days were sealed in a night, and which could not be, and why. What only waits for something is tried again in a minute. */
export type Night = { days: number; failed: { domain: string; day: string; reason: string; waits?: boolean }[] };

/** The days that could not be sealed in words, for people. */
export const unsealed = ({ failed }: Night): string =>
  failed.map(({ domain, day, reason }) => `${domain} ${day} cannot be sealed (${reason})`).join('; ');

/**
 * Stores hits and answers queries about them. The rest of the program uses this type and never its tables. `src/ledger` is the
 * engine that uses daybook's own SQLite file.
 */
export type Engine = Readonly<{
  /** Resolves when the batch is on disk. Rejects with `unavailable` if it cannot be written; then none of it is stored. */
  append(batch: Batch): Promise<void>;
  /** Counts dropped hits in memory; they are written with the next batch, or after a second. */
  drop(drop: Drop): void;
  /** True if a day of a site has as many hits as one may have. Hits that came with it are dropped by whoever asks. */
  isFull(siteId: number, day: number): boolean;
  /** The days since `from` on which hits were dropped for a reason. */
  droppedDays(reason: string, from: number): Promise<{ siteId: number; day: number; hits: number }[]>;
  /** Why no hit can be acknowledged now, beside a file that takes none; undefined where one can. */
  refusal(): Problem | undefined;
  /** How many hits are queued and not on disk yet. */
  waiting(): number;
  /** Whether others take hits too, so that a visit may be known only to them. */
  isShared: boolean;
  /** When each recent visitor was last active, for those active since a moment. A restarted server continues their visits. */
  activeSince(moment: number): Map<number, number>;
  /** Writes the queue to disk before it returns. */
  settle(): void;

  /** Rejects with `unavailable` if it takes too long. `gone` is aborted when nobody waits for the answer any more. */
  measure(question: Question, gone?: AbortSignal): Promise<Measured>;
  /** The same of several sites together. */
  measureSites(question: SharedQuestion, gone?: AbortSignal): Promise<SharedMeasured>;
  crawls(question: CrawlQuestion, gone?: AbortSignal): Promise<Crawls>;
  /** What an exclusion with these filters would take. */
  preview(siteId: number, range: Range, filters: Filters, gone?: AbortSignal): Promise<Preview>;
  /** What might be set aside of a day with far more visits than its weekday has; nothing is. */
  suggest(question: SuggestQuestion, gone?: AbortSignal): Promise<Suggestion[]>;
  /** How many visits are set aside of some days, by exclusion. */
  aside(siteId: number, range: Range, gone?: AbortSignal): Promise<Aside>;
  /**
   * Makes the sums again of sealed days whose exclusions have changed, and says of how many. Answers are right before that too, but
   * take longer.
   */
  resum(stop?: AbortSignal): Promise<number>;
  /** Dropped hits by reason, largest first. */
  drops(siteId: number, range: Range): Promise<{ reason: string; hits: number }[]>;
  /** Average bytes on disk per sealed day over the last 30 days, of one site or of all. */
  growth(today: number, siteId?: number): Promise<number>;
  /** The moment of the latest hit of all sites. Without open days it is the start of the last sealed day, and 0 without any. */
  lastHit(): Promise<number>;

  /**
   * The moment of the first hit of each site that has one; of a day with sums only, when its date begins in UTC. Where it was long
   * before `since`, that is not looked for, and any moment of its day is given.
   */
  firstHits(siteIds: readonly number[], since: number): Promise<ReadonlyMap<number, number>>;
  /** What is known of each day of a range with hits or sums. */
  receipts(siteId: number, range: Range, gone?: AbortSignal): Promise<Receipt[]>;
  /** Looks after the servers that keep the hits, where these are others than this process. */
  keep(): Promise<void>;
  /** The URLs of those that do not answer. */
  listSilent(): Promise<string[]>;
  /** The URLs of those that did not answer last. */
  away(): string[];
  /** Counts some sealed days again, those first that have waited longest, and notes when they add up. */
  recountSome(stop?: AbortSignal): Promise<Recounts>;

  /** All hits of a site, day by day. */
  visits(siteId: number): AsyncIterable<DayVisits>;
  /** The days of a site with hits, and the days with sums only. */
  days(siteId: number): Promise<{ hits: number[]; sums: number[] }>;
  /** The days of a range on which somebody came. */
  visitedDays(siteId: number, range: Range): Promise<number[]>;
  /** Those of the days for which the site already has data. */
  taken(siteId: number, days: readonly number[]): Promise<number[]>;
  /** Imports all of the content or nothing. Returns the id with which it can be removed again. */
  bring(siteId: number, content: Content, options: BringOptions): Promise<number>;
  imports(siteId: number): Promise<Import[]>;
  /** The days of a site that came from an import alone, and the zone in which they were days then. */
  importedDays(siteId: number): Promise<{ day: number; timeZone: string }[]>;
  /** Removes an import. Returns the day that keeps its hits because it was sealed together with collected hits. */
  removeImport(siteId: number, id: number): Promise<number | undefined>;
  /** Deletes all data of a site, in short transactions. */
  forget(siteId: number): Promise<void>;

  /**
   * The nightly job: seals past days, adds up months, and deletes replaced data and expired hits. A day that cannot be sealed
   * stays open and stops nothing else. While the clock is not trusted it does nothing.
   */
  seal(stop?: AbortSignal): Promise<Night>;
  /** Deletes what sealing has left for questions that were under way: visitor codes among it. */
  sweep(stop?: AbortSignal): Promise<void>;
  /** Puts what came to large open days into a form that is read and sealed in little memory. A server does so by itself. */
  fold(): Promise<void>;
  /** How many days of a site have expired hits, and how many bytes these take. */
  expired(siteId: number, today: number): Promise<{ count: number; bytes: number }>;
  /** True once there is a sealed day, which is when backups start. */
  hasSealedDays(): boolean;
  /** Counts every sealed day again from its columns. */
  recount(): AsyncIterable<Recounted>;
  close(): Promise<void>;
}>;
