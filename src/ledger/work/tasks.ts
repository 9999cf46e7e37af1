// Makes the tasks of worker threads: queries, and those parts of sealing, compaction and other upkeep that only read.
//
// Invariant: a task only reads. Each worker thread has a database connection of its own, and a task sees one snapshot
// of the data.
//
// Example: a filtered query of 30 days is four `measurePartial` tasks in four threads, and then one `merge` task. A
// thread keeps its caches for the next task. thread.ts calls this file for worker threads, and in-process.ts calls it
// for commands.
import { describeCounted } from '../../catalog/counted.ts';
import { listUncounted, type SealedDay, type SiteDay, type Uncounted } from '../../catalog/sealed-days.ts';
import { addUnknown } from '../../catalog/unknown.ts';
import type { CrawlQuery, Crawls, DayStatus, ExclusionPreview } from '../../engine/engine.ts';
import { collectGarbage } from '../../lib/garbage.ts';
import type { Aggregates } from '../../stats/aggregates.ts';
import type { SharedMeasured, SitesQuery } from '../../stats/all-sites.ts';
import { isAboutNow, listRanges, type Query, type Range } from '../../stats/query.ts';
import type { Suggestion, SuggestQuery } from '../../stats/suggestion.ts';
import type { Db } from '../../store/db.ts';
import { openAsOf, type PastMoment } from '../../store/file/as-of.ts';
import {
  beginCompaction,
  type Compaction,
  type CompactionLimits,
  type CompactionStep,
  listCompactable,
} from '../open/compaction.ts';
import { listDue } from '../open/row-sources.ts';
import { addSites, measureSites, type SitesPartial } from '../query/all-sites.ts';
import { dayReader, type Reading } from '../query/day-reader.ts';
import { findFirstHits, listDayStatus } from '../query/day-status.ts';
import { type PreviewQuery, previewExclusion } from '../query/exclusion-preview.ts';
import { suggest } from '../query/exclusion-suggestions.ts';
import { measurePartial } from '../query/measure.ts';
import { makeMeasured } from '../query/merge.ts';
import { countLive, lookLately } from '../query/realtime.ts';
import type { DayPartial } from '../query/scan.ts';
import { listCrawls } from '../rows/crawls.ts';
import { cacheSets } from '../rows/read-sets.ts';
import { cacheTexts, cacheTextsOfSites, readTexts, type Texts } from '../rows/terms.ts';
import type { NewSums } from '../sealed/excluded-sums.ts';
import { addMonth, listChangedMonths, type Month, type MonthName } from '../sealed/month.ts';
import type { PackedDay } from '../sealed/packed-day.ts';
import { growth, lastHit } from '../upkeep/disk-growth.ts';
import { listUnsummed, type StaleSums, sumSealedDay } from '../upkeep/exclusion-sums.ts';
import { recountDay } from '../upkeep/recount.ts';
import { beginSeal, type Sealing } from '../upkeep/seal.ts';

export type Tasks = {
  /**
   * Counts some of the days of a query. `counted` is a text that says which imports and exclusions these counts include
   * (catalog/counted.ts).
   */
  measurePartial(input: { query: Query; ranges: readonly Range[] }): { partial: DayPartial; counted: string };
  merge(input: { query: Query; partials: readonly DayPartial[] }): Aggregates;
  measure(query: Query): Aggregates;
  /** Runs another task on the file as it was at a past moment. */
  asOf(input: { moment: PastMoment; name: string; input: unknown }): unknown;
  /** Counts some of the sites of a query. A breakdown gives only the `most` rows with the most visitors. */
  measureSites(input: { query: SitesQuery; most: number }): SitesPartial;
  /**
   * Adds up the results of `measureSites`. Each result may have only its largest rows. Returns undefined if these rows
   * are too few to find the largest rows of all sites together. The caller then asks for all rows.
   */
  addSites(input: { query: SitesQuery; partials: readonly SitesPartial[] }): SharedMeasured | undefined;
  crawls(query: CrawlQuery): Crawls;
  visited(input: { siteId: number; range: Range }): number[];
  preview(query: PreviewQuery): ExclusionPreview;
  suggest(query: SuggestQuery): Suggestion[];
  unsummed(input: undefined): StaleSums[];
  uncounted(input: Uncounted): (SealedDay & { siteId: number })[];
  recountDay(input: { siteId: number; day: SealedDay }): string[];
  dayStatus(input: { siteId: number; range: Range }): DayStatus[];
  firstHits(input: { siteIds: readonly number[]; since: number }): Map<number, number>;
  sumSealedDay(input: { siteId: number; day: SealedDay }): NewSums;
  growth(input: { today: number; siteId?: number | undefined }): number;
  lastHit(input: undefined): number;
  due(now: number): SiteDay[];
  changedMonths(now: number): Month[];
  addMonth(input: { days: readonly SealedDay[]; name: MonthName }): Uint8Array;
  compactable(limits: CompactionLimits): SiteDay[];
  /** Begins a compaction. Returns undefined if the day cannot be compacted, or has nothing to compact. */
  beginCompaction(input: { siteDay: SiteDay; limits: CompactionLimits }): Compaction | undefined;
  /** Computes the next step of the compaction that this thread began last. */
  nextOfCompaction(input: undefined): CompactionStep | undefined;
  beginSeal(input: { siteDay: SiteDay; limits: CompactionLimits }): Sealing;
  /** Packs one slice of the day that this thread began to seal last. */
  nextOfSeal(slice: number): PackedDay;
};

/**
 * Settings of the tasks. `freeMemory` is called before each large step. Tests pass a function that does nothing,
 * because collecting garbage takes long.
 */
type Settings = Partial<Reading> & { freeMemory?: () => void };

/** Makes the tasks of a thread. `forget` frees the memory of the caches. */
export function makeTasks(db: Db, { freeMemory = collectGarbage, ...reading }: Settings = {}) {
  const days = dayReader(db, reading);
  /**
   * The texts of the site that was queried last. The texts stay in memory, because reading texts takes long. For
   * example, a pattern such as /blog/* is compared with the texts of all pages.
   */
  let known: { siteId: number; texts: Texts } | undefined;
  let readSets = cacheSets(db);
  let ofSites = cacheTextsOfSites(db, readSets);

  function textsFor(siteId: number): Texts {
    if (known?.siteId !== siteId) {
      known = { siteId, texts: { ...readTexts(db, siteId, readSets), readText: cacheTexts(db, siteId) } };
    }
    return known.texts;
  }

  function ask<Answer>(work: () => Answer): Answer {
    days.nextQuery();
    return db.read(work);
  }

  const measureRanges = ({ query, ranges }: { query: Query; ranges: readonly Range[] }): DayPartial =>
    ask(() => measurePartial(days, textsFor(query.siteId), query, ranges));

  const merge = ({ query, partials }: { query: Query; partials: readonly DayPartial[] }): Aggregates =>
    db.read(() => makeMeasured(query, partials, textsFor(query.siteId)));

  function measure(query: Query): Aggregates {
    const texts = textsFor(query.siteId);
    const partials = isAboutNow(query) ? [] : [measureRanges({ query, ranges: listRanges(query) })];
    const measured = merge({ query, partials });
    if (!isAboutNow(query)) return measured;
    const found = query.report === 'live' ? lookLately(days, texts, query) : countLive(days, texts, query);
    const { visitors: live, ...more } = found;
    return { ...measured, live, ...more };
  }

  const tasks: Tasks = {
    measurePartial: (input) =>
      db.read(() => ({ partial: measureRanges(input), counted: describeCounted(db, input.query.siteId) })),
    merge,
    measure: (query) => db.read(() => addUnknown(db, query, measure(query))),
    asOf: (past) => runAsOf(db.path, past, reading),
    measureSites: ({ query, most }) => ask(() => measureSites(days, ofSites, query, most)),
    addSites: ({ query, partials }) => addSites(query, partials),
    crawls: (query) => db.read(() => listCrawls(db, query, readTexts(db, query.siteId).readText)),
    visited: ({ siteId, range: { from, to } }) => ask(() => days.visited(siteId, from, to)),
    preview: (query) => ask(() => previewExclusion(days, textsFor(query.siteId), query)),
    suggest: (query) => ask(() => suggest(days, textsFor(query.siteId), query)),
    sumSealedDay: ({ siteId, day }) => db.read(() => sumSealedDay(db, siteId, day, textsFor(siteId))),
    dayStatus: ({ siteId, range }) => ask(() => listDayStatus(db, { days, texts: textsFor(siteId) }, siteId, range)),
    firstHits: ({ siteIds, since }) => ask(() => findFirstHits(db, days, siteIds, since)),
    ...makeUpkeepTasks(db),
    ...makeStepTasks(db, freeMemory),
  };
  return {
    tasks,
    keepUp: () => db.read(days.keepUp),
    forget() {
      days.forget();
      known = undefined;
      readSets = cacheSets(db);
      ofSites = cacheTextsOfSites(db, readSets);
    },
    movable,
  };
}

/** Lists the buffers of a result that can be moved to the main thread. Moving is faster than copying. */
function movable(output: unknown): Uint8Array[] {
  const { shards = [], blobs = [] } = (output ?? {}) as Partial<CompactionStep & PackedDay>;
  const ofShards = Array.isArray(shards) ? shards.flatMap((shard) => shard.blobs) : [];
  return [...ofShards, ...blobs].map(({ data }) => data);
}

type PastTask = Parameters<Tasks['asOf']>[0];

/**
 * Runs a task on the file as it was at a past moment. This task gets caches of its own, because the caches of the
 * thread have the present data.
 */
function runAsOf(path: string, { moment, name, input }: PastTask, reading: Partial<Reading>): unknown {
  const past = openAsOf(path, moment);
  try {
    const { tasks } = makeTasks(past.db, reading);
    return (tasks as Record<string, (input: unknown) => unknown>)[name]?.(input);
  } finally {
    past.close();
  }
}

type SteppedTasks = Pick<Tasks, 'beginCompaction' | 'nextOfCompaction' | 'beginSeal' | 'nextOfSeal'>;

/**
 * Makes tasks that continue where the previous task ended. Garbage is collected before a step, because the lists of the
 * previous step take memory.
 */
function makeStepTasks(db: Db, freeMemory: () => void): SteppedTasks {
  let steps: Generator<CompactionStep> | undefined;
  let sealing: ((slice: number) => PackedDay) | undefined;
  return {
    beginCompaction({ siteDay, limits }) {
      const begun = beginCompaction(db, siteDay, limits);
      steps = begun?.steps;
      return begun?.compaction;
    },
    nextOfCompaction() {
      freeMemory();
      return db.read(() => steps?.next().value ?? undefined);
    },
    beginSeal({ siteDay, limits }) {
      const begun = beginSeal(db, siteDay, limits.sealedHits);
      sealing = begun.next;
      return begun.sealing;
    },
    nextOfSeal(slice) {
      if (!sealing) throw new Error('no sealing was begun');
      const next = sealing;
      // Most days have only one slice. For such a day, collecting garbage would take longer than sealing.
      if (slice > 0) freeMemory();
      return db.read(() => next(slice));
    },
  };
}

type UpkeepTasks = Pick<
  Tasks,
  'growth' | 'lastHit' | 'due' | 'changedMonths' | 'addMonth' | 'compactable' | 'unsummed' | 'uncounted' | 'recountDay'
>;

/**
 * Makes the tasks for upkeep, for `daybook doctor`, and for mails about sites without hits. These tasks read the file
 * and no cache. With a cache, a recount could miss damaged bytes.
 */
const makeUpkeepTasks = (db: Db): UpkeepTasks => ({
  growth: ({ today, siteId }) => db.read(() => growth(db, today, siteId)),
  lastHit: () => db.read(() => lastHit(db)),
  due: (now) => db.read(() => listDue(db, now)),
  changedMonths: (now) => db.read(() => listChangedMonths(db, now)),
  addMonth: ({ days, name }) => db.read(() => addMonth(db, days, name)),
  compactable: (limits) => db.read(() => listCompactable(db, limits)),
  unsummed: () => db.read(() => listUnsummed(db)),
  uncounted: (input) => db.read(() => listUncounted(db, input)),
  recountDay: ({ siteId, day }) => recountDay(db, siteId, day),
});
