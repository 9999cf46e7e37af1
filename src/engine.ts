import { WORDS, type Word } from './stats/dimensions.ts';
import type { Measured, Totals } from './stats/measured.ts';
import type { Question, Range } from './stats/question.ts';

/** Days count from 1970, seconds from midnight UTC. */
export type Moment = { day: number; second: number };

type Sign = Moment & { siteId: number; visitor: number };

/** One thing that a visitor did on one page: a pageview, or an event where `event` is not empty. */
export type Hit = Sign & Record<Word, string>;

/** A page was visible for so many more seconds: no hit, but the visit goes on. */
type SignOfLife = Sign & { page: string; engaged: number };

export type Activity = Hit | SignOfLife;

export const isHit = (activity: Activity): activity is Hit => !('engaged' in activity);

/** Requests of an AI crawler for a page. */
export type Crawl = { siteId: number; day: number; crawler: string; page: string; requests: number };

/** What was not counted, and why. */
export type Drop = { siteId: number; day: number; reason: string; hits: number };

export type Batch = {
  activities?: readonly Activity[];
  crawls?: readonly Crawl[];
  drops?: readonly Drop[];
  /** A change of the settings' file that is kept with the batch: both or neither. */
  alongside?: () => void;
};

export type CrawlQuestion = { siteId: number; range: Range; crawler: string | undefined; limit: number };
export type Crawls = {
  crawlers: { crawler: string; requests: number }[];
  pages: { page: string; requests: number }[];
};

/** A visit as it is given out: of its visitor no more is told than which visits of the day are by the same. */
export type Visit = Readonly<Record<Exclude<Word, 'page' | 'event' | 'label'>, string>> & {
  visitor: number;
  seconds: number;
  hits: readonly VisitHit[];
};
export type VisitHit = Readonly<{ second: number; page: string; event: string; label: string; engaged: number }>;
export type DayVisits = { day: number; visits: Iterable<Visit> };

/** The hits of one site on one day, in the order in which they came, as columns. */
export type Rows = {
  count: number;
  second: Int32Array;
  visitor: Float64Array;
  /** -1 for a hit; for a sign of life its seconds. */
  engaged: Int32Array;
  /** Numbers that stand for texts; 0 for the empty one. */
  words: Record<Word, Int32Array>;
};

/** Room for so many rows. */
export const emptyRows = (room: number): Rows => ({
  count: 0,
  second: new Int32Array(room),
  visitor: new Float64Array(room),
  engaged: new Int32Array(room),
  words: Object.fromEntries(WORDS.map((word) => [word, new Int32Array(room)])) as Record<Word, Int32Array>,
});

/** What is counted under a value of a breakdown; of labels, under one of an event. */
type SumCount = { event: string; value: string; visitors: number; hits: number };
/** The sums of a day, without hits. */
export type DaySums = { day: number; totals: Totals; counts: ReadonlyMap<string, readonly SumCount[]> };

/** What is brought in: hits, whose words are places in a list of texts, or only sums. */
export type Content = {
  /** The day that was open when it was read. */
  today: number;
  texts: readonly string[];
  days: readonly number[];
  rowsOf?(day: number): Rows;
  sumsOf?(day: number): DaySums;
};

export type BringOptions = {
  /** Whether the days of the content take the place of what is there. */
  replace: boolean;
  /** Says how much time is left to others; nobody waits where it stands still. */
  pace?: { tick(): number };
  /** Another day is written. */
  written?: () => void;
};

/** Something that was brought in and counts: its hits, on how many days, and which. */
export type Import = { id: number; at: number; hits: number; days: number; first: number; last: number };

/** A sealed day that was counted again, with what is wrong with it. */
export type Recounted = { domain: string; day: number; faults: string[] };

/**
 * What keeps and counts hits. Everybody else knows this type and none of its tables. `src/ledger` is the engine that lives in
 * daybook's own file.
 */
export type Engine = Readonly<{
  /** Resolves when all of it is on disk; rejects with `unavailable` where it cannot be, and then none of it is. */
  append(batch: Batch): Promise<void>;
  /** Counts what was dropped: at once in memory, and on disk with the next batch or within a second. */
  drop(drop: Drop): void;
  /** How many hits are not on disk yet. */
  waiting(): number;
  /** Who was active since a moment, as far as a start needs to know it, with the latest moment of each. */
  activeSince(moment: number): Map<number, number>;
  /** Writes what is still waiting. */
  settle(): void;

  measure(question: Question): Promise<Measured>;
  crawls(question: CrawlQuestion): Promise<Crawls>;
  /** By reason, the most first. */
  drops(siteId: number, range: Range): Promise<{ reason: string; hits: number }[]>;
  /** Bytes that a day takes on the disk, on average of late: of one site or of all. */
  growth(today: number, siteId?: number): Promise<number>;
  /** The moment of the latest hit of all, 0 without any; the end of the last sealed day where no day is open. */
  lastHit(): Promise<number>;

  /** All hits of a site, day by day. */
  visits(siteId: number): AsyncIterable<DayVisits>;
  /** The days of a site that have hits, and those of which only sums are kept. */
  days(siteId: number): Promise<{ hits: number[]; sums: number[] }>;
  /** Those of the days on which a site has something already. */
  taken(siteId: number, days: readonly number[]): Promise<number[]>;
  /** Brings in all of it or nothing; gives the id under which it can be taken out again. */
  bring(siteId: number, content: Content, options: BringOptions): Promise<number>;
  imports(siteId: number): Promise<Import[]>;
  /** Takes an import out; gives the day of which it cannot be, because it was sealed together with other hits. */
  removeImport(siteId: number, id: number): Promise<number | undefined>;
  /** Deletes all that was counted for a site, a little at a time. */
  forget(siteId: number): Promise<void>;

  /**
   * The work of a night: seals each past day that is still open, adds up months, deletes what does not count any more and the
   * hits of days that are older than their site keeps them. Gives how many days were sealed.
   */
  seal(stop?: AbortSignal): Promise<number>;
  /** How many days of a site are older than it keeps them, and the bytes that their hits take. */
  expired(siteId: number, today: number): Promise<{ count: number; bytes: number }>;
  /** Whether there is anything worth a copy yet. */
  hasSealedDays(): boolean;
  /** Counts every sealed day again, from nothing. */
  recount(): Iterable<Recounted>;
  close(): Promise<void>;
}>;
