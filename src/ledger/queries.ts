import { hasSealedDays, listSumDays } from '../catalog/sealed-days.ts';
import { withUnknown, withUnknownOfSites } from '../catalog/unknown.ts';
import type { Queries } from '../engine/engine.ts';
import type { SharedMeasured, SharedQuestion, SiteDays } from '../stats/all-sites.ts';
import type { Measured } from '../stats/measured.ts';
import { askForVisitors, listRanges, type Question, type Range } from '../stats/question.ts';
import type { Db } from '../store/db.ts';
import type { Threads } from '../threads/pool.ts';
import { mostRows, portionsOf, type SitesPart } from './query/all-sites.ts';
import { listDaysWithHits, visitsIn } from './query/export-visits.ts';
import { measuredOf } from './query/merge.ts';
import { isFromRollups } from './query/plan.ts';
import { listDropped, listDrops } from './rows/drops.ts';
import { readTexts } from './rows/terms.ts';
import { expired } from './upkeep/retention.ts';
import type { Tasks } from './work/tasks.ts';

/** The queries. Most are answered by reading threads; what takes no time is read here. */
export function buildQueries(db: Db, readers: Threads<Tasks>, unsummed: Unsummed): Queries {
  return {
    measure: measuring(db, readers, unsummed),
    measureSites: measuringSites(db, readers),
    readCrawls: (query, signal) => readers.run({ line: query.siteId, gone: signal }, 'crawls', query),
    previewExclusion: (siteId, range, filters, signal) =>
      readers.run(placeOf(siteId, range, signal), 'preview', { siteId, range, filters }),
    suggestExclusions: (question, signal) =>
      readers.run(placeOf(question.siteId, question.range, signal), 'suggest', question),
    async countExcluded(siteId, range, signal) {
      const question = askForVisitors(siteId, range);
      // Not in blocks: its range may begin long before the first day.
      const { aside } = await readers.run(placeOf(siteId, range, signal), 'measure', question);
      return aside;
    },
    listDrops: async (siteId, range) => listDrops(db, siteId, range),
    listDroppedDays: async (reason, from) => listDropped(db, reason, from),
    listDayStatus: (siteId, range, signal) =>
      readers.run(placeOf(siteId, range, signal), 'receipts', { siteId, range }),
    listDays: async (siteId) => ({
      hits: listDaysWithHits(db, siteId),
      sums: listSumDays(db, siteId, 0, Number.MAX_SAFE_INTEGER),
    }),
    listVisitedDays: (siteId, range) => readers.run(placeOf(siteId, range), 'visited', { siteId, range }),
    readVisits: (siteId) => visitsIn(db, siteId),
    findFirstHits: (siteIds, since) => readers.run({}, 'firstHits', { siteIds, since }),
    findLastHit: () => readers.run({}, 'lastHit', undefined),
    measureGrowth: (today, siteId) => readers.run({}, 'growth', { today, siteId }),
    measureExpired: async (siteId, today) => db.read(() => expired(db, siteId, today)),
    hasSealedDays: () => hasSealedDays(db),
  };
}

/** Blocks of this many days always go to the same worker thread, whose column cache then has them; a month is in four, for all threads. */
const BLOCK = 8;

/** The thread that has the latest days of a site. */
const keyOfLatest = (siteId: number, { to }: Range): number => siteId + Math.floor((to - 1) / BLOCK);

/** Where a query about some days of a site is answered. */
const placeOf = (siteId: number, range: Range, signal?: AbortSignal) => ({
  key: keyOfLatest(siteId, range),
  line: siteId,
  gone: signal,
});

/** Splits ranges into blocks, by the key of their thread. */
function blocksOf(siteId: number, ranges: readonly Range[], threads: number): Map<number, Range[]> {
  const blocks = new Map<number, Range[]>();
  for (const { from, to } of ranges) {
    for (let day = from; day < to; ) {
      const end = Math.min((Math.floor(day / BLOCK) + 1) * BLOCK, to);
      const key = (siteId + Math.floor(day / BLOCK)) % threads;
      blocks.set(key, [...(blocks.get(key) ?? []), { from: day, to: end }]);
      day = end;
    }
  }
  return blocks;
}

/** The sites whose sums are being made again: days that wait for theirs are scanned. */
type Unsummed = { has(siteId: number): boolean };

/** Answers a question from rollups in one thread, or by a scan that is split over all threads. */
const measuring =
  (db: Db, readers: Threads<Tasks>, unsummed: Unsummed) =>
  async (question: Question, signal?: AbortSignal): Promise<Measured> => {
    const place = (key: number) => ({ key, line: question.siteId, gone: signal });
    const latest = placeOf(question.siteId, question.range, signal);
    const isScan = !isFromRollups(question) || unsummed.has(question.siteId);
    const blocks = isScan ? blocksOf(question.siteId, listRanges(question), readers.size) : undefined;
    if (!blocks || blocks.size < 2) return withUnknown(db, question, await readers.run(latest, 'measure', question));
    const parts = await Promise.all(
      [...blocks].map(([key, ranges]) => readers.run(place(key), 'measurePart', { question, ranges })),
    );
    // Counts of values may be many. All else is merged in less time than a thread takes to get it.
    const isLong = parts.some(({ counts }) => Object.keys(counts).length > 0);
    const merged = isLong
      ? await readers.run(latest, 'merge', { question, parts })
      : measuredOf(question, parts, readTexts(db, question.siteId));
    return withUnknown(db, question, merged);
  };

/** Each thread measures its sites one portion after another, so that it has at most one to do at a time. */
const measuringSites =
  (db: Db, readers: Threads<Tasks>) =>
  async (question: SharedQuestion, signal?: AbortSignal): Promise<SharedMeasured> => {
    // Sites have the numbers above 0.
    const place = (key: number) => ({ key, line: -question.userId, gone: signal });
    async function measureIn(key: number, own: readonly SiteDays[], most: number): Promise<SitesPart[]> {
      const parts: SitesPart[] = [];
      for (const sites of portionsOf(question, own)) {
        parts.push(await readers.run(place(key), 'measureSites', { question: { ...question, sites }, most }));
      }
      return parts;
    }
    const threads = Map.groupBy(question.sites, ({ siteId, range }) => keyOfLatest(siteId, range) % readers.size);
    async function measured(most: number): Promise<SharedMeasured | undefined> {
      const parts = await Promise.all([...threads].map(([key, sites]) => measureIn(key, sites, most)));
      return readers.run(place(question.userId), 'sumOfSites', { question, parts: parts.flat() });
    }
    // All rows of all sites are many, and hardly ever needed to know the largest.
    const found = (await measured(mostRows(question))) ?? (await measured(Number.POSITIVE_INFINITY));
    if (!found) throw new Error('the rows of all sites are not enough to know the largest');
    return withUnknownOfSites(db, question, found);
  };
