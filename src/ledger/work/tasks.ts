import { countSealed, listUncounted, type SealedDay, type SiteDay } from '../../catalog/sealed-days.ts';
import type { CrawlQuery, Crawls, DayStatus, ExclusionPreview } from '../../engine/engine.ts';
import { collectGarbage } from '../../lib/garbage.ts';
import type { SharedMeasured, SharedQuestion } from '../../stats/all-sites.ts';
import type { Measured } from '../../stats/measured.ts';
import { isOfNow, listRanges, type Question, type Range } from '../../stats/question.ts';
import type { Suggestion, SuggestQuestion } from '../../stats/suggestion.ts';
import type { Db } from '../../store/db.ts';
import {
  beginCompaction,
  type Compaction,
  type CompactionStep,
  type Limits,
  listCompactable,
} from '../open/compaction.ts';
import { listDue } from '../open/row-sources.ts';
import { measureSites, type SitesPart, sumOfSites } from '../query/all-sites.ts';
import { dayReader, type Reading } from '../query/day-reader.ts';
import { firstHitsOf, receiptsOf } from '../query/day-status.ts';
import { type PreviewQuestion, previewOf } from '../query/exclusion-preview.ts';
import { suggest } from '../query/exclusion-suggestions.ts';
import { measurePart } from '../query/measure.ts';
import { measuredOf } from '../query/merge.ts';
import { countLive, lookLately } from '../query/realtime.ts';
import type { Part } from '../query/scan.ts';
import { listCrawls } from '../rows/crawls.ts';
import { cacheTexts, cacheTextsOfSites, readTexts, type Texts } from '../rows/terms.ts';
import type { NewSums } from '../sealed/excluded-sums.ts';
import { addMonth, listChangedMonths, type Month, type MonthName } from '../sealed/month.ts';
import type { PackedDay } from '../sealed/packed-day.ts';
import { growth, lastHit } from '../upkeep/disk-growth.ts';
import { listUnsummed, sumsOfSealed, type Unsummed } from '../upkeep/exclusion-sums.ts';
import { recountDay } from '../upkeep/recount.ts';
import { beginSeal, type Sealing } from '../upkeep/seal.ts';

/** The tasks of worker threads. They only read, over a connection of their own. */
export type Tasks = {
  /** Measures parts of a question's range. */
  measurePart(input: { question: Question; ranges: readonly Range[] }): Part;
  /** Merges such parts into the result. */
  merge(input: { question: Question; parts: readonly Part[] }): Measured;
  /** Measures the whole range and returns the result. */
  measure(question: Question): Measured;
  /** Measures some of the sites of a question, up to so many rows. */
  measureSites(input: { question: SharedQuestion; most: number }): SitesPart;
  /** Adds such parts up to the result; undefined if they need more rows. */
  sumOfSites(input: { question: SharedQuestion; parts: readonly SitesPart[] }): SharedMeasured | undefined;
  crawls(question: CrawlQuery): Crawls;
  /** The days of a range with visits. */
  visited(input: { siteId: number; range: Range }): number[];
  preview(question: PreviewQuestion): ExclusionPreview;
  suggest(question: SuggestQuestion): Suggestion[];
  unsummed(input: undefined): Unsummed[];
  uncounted(input: undefined): (SealedDay & { siteId: number })[];
  recountDay(input: { siteId: number; day: SealedDay }): string[];
  receipts(input: { siteId: number; range: Range }): DayStatus[];
  firstHits(input: { siteIds: readonly number[]; since: number }): Map<number, number>;
  sumsOfSealed(input: { siteId: number; day: SealedDay }): NewSums;
  growth(input: { today: number; siteId?: number | undefined }): number;
  lastHit(input: undefined): number;
  due(now: number): SiteDay[];
  changedMonths(now: number): Month[];
  addMonth(input: { days: readonly SealedDay[]; name: MonthName }): Uint8Array;
  foldable(limits: Limits): SiteDay[];
  /** Reads what has come to a large open day. Undefined if it cannot or need not be put into parts. */
  beginCompaction(input: { siteDay: SiteDay; limits: Limits }): Compaction | undefined;
  /** The next parts of the round that was begun last. */
  nextOfCompaction(input: undefined): CompactionStep | undefined;
  /** Reads an open day that is to be sealed. */
  beginSeal(input: { siteDay: SiteDay; limits: Limits }): Sealing;
  /** One slice of the day whose sealing was begun last. */
  nextOfSeal(slice: number): PackedDay;
};

/** The packed blobs in an output, of which the thread keeps nothing. */
function movable(output: unknown): Uint8Array[] {
  const { shards = [], segments = [] } = (output ?? {}) as Partial<CompactionStep & PackedDay>;
  const blobs = Array.isArray(shards) ? shards.flatMap((shard) => shard.blobs) : [];
  return [...blobs, ...segments].map(({ data }) => data);
}

/** In so many nights every sealed day is counted again; a month has a few to spare. */
const NIGHTS = 25;

type Steps = Pick<Tasks, 'beginCompaction' | 'nextOfCompaction' | 'beginSeal' | 'nextOfSeal'>;

/** The tasks that go on where the one before has stopped. Each step begins without the lists of the step before it. */
function stepsOf(db: Db): Steps {
  let steps: Generator<CompactionStep> | undefined;
  let sealing: ((slice: number) => PackedDay) | undefined;
  return {
    beginCompaction({ siteDay, limits }) {
      const begun = beginCompaction(db, siteDay, limits);
      steps = begun?.steps;
      return begun?.compaction;
    },
    nextOfCompaction() {
      collectGarbage();
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
      // Of a day with one slice it takes longer than the rest.
      if (slice > 0) collectGarbage();
      return db.read(() => next(slice));
    },
  };
}

type UpkeepTasks = Pick<
  Tasks,
  'growth' | 'lastHit' | 'due' | 'changedMonths' | 'addMonth' | 'foldable' | 'unsummed' | 'uncounted' | 'recountDay'
>;

/** What the night's work and doctor ask; it needs no days in memory. */
const upkeepOf = (db: Db): UpkeepTasks => ({
  growth: ({ today, siteId }) => db.read(() => growth(db, today, siteId)),
  lastHit: () => db.read(() => lastHit(db)),
  due: (now) => db.read(() => listDue(db, now)),
  changedMonths: (now) => db.read(() => listChangedMonths(db, now)),
  addMonth: ({ days, name }) => db.read(() => addMonth(db, days, name)),
  foldable: (limits) => db.read(() => listCompactable(db, limits)),
  unsummed: () => db.read(() => listUnsummed(db)),
  uncounted: () => db.read(() => listUncounted(db, Math.ceil(countSealed(db) / NIGHTS))),
  recountDay: ({ siteId, day }) => recountDay(db, siteId, day),
});

/** Each task reads one snapshot of the file. `forget` frees the caches. */
export function tasksOf(db: Db, reading: Partial<Reading> = {}) {
  const days = dayReader(db, reading);
  /** The texts of the site that was asked about last: patterns look at all of its pages, most of them in each question. */
  let known: { siteId: number; texts: Texts } | undefined;
  let ofSites = cacheTextsOfSites(db);

  function textsFor(siteId: number): Texts {
    if (known?.siteId !== siteId) {
      known = { siteId, texts: { ...readTexts(db, siteId), readText: cacheTexts(db, siteId) } };
    }
    return known.texts;
  }

  /** A question of which the days are read. */
  function ask<Answer>(work: () => Answer): Answer {
    days.nextQuery();
    return db.read(work);
  }

  const measurePartOf = ({ question, ranges }: { question: Question; ranges: readonly Range[] }): Part =>
    ask(() => measurePart(days, textsFor(question.siteId), question, ranges));

  const merge = ({ question, parts }: { question: Question; parts: readonly Part[] }): Measured =>
    db.read(() => measuredOf(question, parts, textsFor(question.siteId)));

  function measure(question: Question): Measured {
    const texts = textsFor(question.siteId);
    const parts = isOfNow(question) ? [] : [measurePartOf({ question, ranges: listRanges(question) })];
    const measured = merge({ question, parts });
    if (!isOfNow(question)) return measured;
    const found = question.report === 'live' ? lookLately(days, texts, question) : countLive(days, texts, question);
    const { visitors: live, ...more } = found;
    return { ...measured, live, ...more };
  }

  const tasks: Tasks = {
    measurePart: measurePartOf,
    merge,
    measure: (question) => db.read(() => measure(question)),
    measureSites: ({ question, most }) => ask(() => measureSites(days, ofSites, question, most)),
    sumOfSites: ({ question, parts }) => sumOfSites(question, parts),
    crawls: (question) => db.read(() => listCrawls(db, question, readTexts(db, question.siteId).readText)),
    visited: ({ siteId, range: { from, to } }) => ask(() => days.visited(siteId, from, to)),
    preview: (question) => ask(() => previewOf(days, textsFor(question.siteId), question)),
    suggest: (question) => ask(() => suggest(days, textsFor(question.siteId), question)),
    sumsOfSealed: ({ siteId, day }) => db.read(() => sumsOfSealed(db, siteId, day, textsFor(siteId))),
    receipts: ({ siteId, range }) => ask(() => receiptsOf(db, { days, texts: textsFor(siteId) }, siteId, range)),
    firstHits: ({ siteIds, since }) => ask(() => firstHitsOf(db, days, siteIds, since)),
    ...upkeepOf(db),
    ...stepsOf(db),
  };
  return {
    tasks,
    keepUp: () => db.read(days.keepUp),
    forget() {
      days.forget();
      known = undefined;
      ofSites = cacheTextsOfSites(db);
    },
    movable,
  };
}
