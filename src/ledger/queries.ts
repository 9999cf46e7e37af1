// Answers queries: chooses the threads that read, splits scans into blocks of days, and merges the results.
//
// Invariant: a block of 8 days always goes to the same thread. This thread then has the columns of the block in its
// cache.
//
// Example: a filtered query of 30 days is split into four or five blocks of days, for four threads. When all blocks are
// counted, their counts are merged. An unfiltered query goes to one thread, which reads stored sums. engine.ts calls
// `buildQueries`.
import { describeCounted } from '../catalog/counted.ts';
import { hasSealedDays, listSumDays } from '../catalog/sealed-days.ts';
import { addSharedUnknown, addUnknown } from '../catalog/unknown.ts';
import type { Queries } from '../engine/engine.ts';
import { findMemory } from '../lib/memory.ts';
import { sumList } from '../lib/sum-list.ts';
import type { Aggregates } from '../stats/aggregates.ts';
import type { SharedMeasured, SiteDays, SitesQuery } from '../stats/all-sites.ts';
import { askForVisitors, listRanges, type Query, type Range } from '../stats/query.ts';
import type { Db } from '../store/db.ts';
import type { PastMoment } from '../store/file/as-of.ts';
import type { Threads } from '../threads/pool.ts';
import { limitColumnBytes } from './column/column-cache.ts';
import { listOpenDays } from './open/row-sources.ts';
import { mostRows, type SitesPartial, splitSites } from './query/all-sites.ts';
import { type DayReader, dayReader } from './query/day-reader.ts';
import { readTablesByDay, visitTablesByDay } from './query/export-tables.ts';
import { listDaysWithHits, readSealedVisits, readVisitsByDay } from './query/export-visits.ts';
import { makeMeasured } from './query/merge.ts';
import { isFromRollups } from './query/needs.ts';
import type { DayPartial } from './query/scan.ts';
import { listSiteCrawls } from './rows/crawls.ts';
import { countBlocked, listDropDays, listDropped, listDrops } from './rows/drops.ts';
import { readTexts } from './rows/terms.ts';
import { expired } from './upkeep/retention.ts';
import type { Tasks } from './work/tasks.ts';

/**
 * Makes the queries of the engine. Most queries run in worker threads. Queries that take almost no time run in the
 * thread that asks, and so do exports and statements in SQL.
 */
export const buildQueries = (db: Db, readers: Threads<Tasks>, unsummed: StaleSites): Queries => ({
  ...buildPresent(db, readers, unsummed),
  asOf: (past, moment) => buildPresent(past, readPast(readers, moment), ALL_STALE),
});

/**
 * The largest cache of columns in the process that answers statements in SQL. With 24 MB, a statement that reads six
 * columns of four million visits takes 1.2 times as long. With much more, the server might end the process after each
 * statement, because it has grown too much.
 */
const MOST_SQL_BYTES = 64 * 1024 * 1024;

/** Runs tasks on the file as it was at a past moment. */
const readPast = (readers: Threads<Tasks>, moment: PastMoment): Threads<Tasks> => ({
  ...readers,
  run: (place, name, input) =>
    readers.run(place, 'asOf', { moment, name, input }) as ReturnType<typeof readers.run<typeof name>>,
});

/**
 * For queries as of a past moment, the stored sums of all sites count as stale. Exclusions that were added after that
 * moment may have changed these sums. Such a query must scan days, so its days are split over several threads.
 */
const ALL_STALE: StaleSites = { has: () => true };

function buildPresent(db: Db, readers: Threads<Tasks>, unsummed: StaleSites): Omit<Queries, 'asOf'> {
  // `days` keeps columns from one statement in SQL to the next. Other queries read with other day readers.
  let days: DayReader | undefined;
  const findDays = (): DayReader => {
    days ??= dayReader(db, { bytes: Math.min(limitColumnBytes(findMemory()), MOST_SQL_BYTES) });
    return days;
  };
  return {
    measure: makeMeasure(db, readers, unsummed),
    measureSites: makeMeasureSites(db, readers),
    readCrawls: (query, signal) => readers.run({ line: query.siteId, signal }, 'crawls', query),
    previewExclusion: (siteId, range, filters, signal) =>
      readers.run(choosePlace(siteId, range, signal), 'preview', { siteId, range, filters }),
    suggestExclusions: (query, signal) => readers.run(choosePlace(query.siteId, query.range, signal), 'suggest', query),
    async countExcluded(siteId, range, signal) {
      // The range may begin years before the first day of the site. If the range were split into blocks of 8 days, most
      // blocks would be empty. For this reason, one thread answers this query.
      const query = askForVisitors(siteId, range);
      const { excluded } = await readers.run(choosePlace(siteId, range, signal), 'measure', query);
      return excluded;
    },
    listDrops: async (siteId, range) => listDrops(db, siteId, range),
    countBlocked: async (siteId, range) => countBlocked(db, siteId, range),
    listDroppedDays: async (reason, from) => listDropped(db, reason, from),
    listDayStatus: (siteId, range, signal) =>
      readers.run(choosePlace(siteId, range, signal), 'dayStatus', { siteId, range }),
    listDays: async (siteId) => ({
      hits: listDaysWithHits(db, siteId),
      sums: listSumDays(db, siteId, 0, Number.MAX_SAFE_INTEGER),
    }),
    listVisitedDays: (siteId, range) => readers.run(choosePlace(siteId, range), 'visited', { siteId, range }),
    listOpenDays: async (siteId, { from, to }) => db.read(() => listOpenDays(db, siteId, from, to)),
    readVisits: (siteId, range) => readVisitsByDay(db, siteId, range),
    readSealedVisits: (siteId, day) => readSealedVisits(db, siteId, day),
    listCrawlDays: async (siteId) => [...listSiteCrawls(db, siteId)],
    listDropDays: async (siteId) => listDropDays(db, siteId),
    readTables: (siteId, range) => readTablesByDay(db, siteId, range),
    async visitTables(siteId, range, visit) {
      visitTablesByDay({ db, days: findDays() }, siteId, range, visit);
    },
    findFirstHits: (siteIds, since) => readers.run({}, 'firstHits', { siteIds, since }),
    findLastHit: () => readers.run({}, 'lastHit', undefined),
    measureGrowth: (today, siteId) => readers.run({}, 'growth', { today, siteId }),
    measureExpired: async (siteId, today) => db.read(() => expired(db, siteId, today)),
    hasSealedDays: () => hasSealedDays(db),
  };
}

/**
 * How many days a block has. A block always goes to the same thread, which then has the block's columns in its cache. A
 * month has four or five blocks, so that several threads share the work.
 */
const BLOCK = 8;

/** Returns a number that chooses the thread of a query: the thread that caches the latest days of the range. */
const findLatestKey = (siteId: number, { to }: Range): number => siteId + Math.floor((to - 1) / BLOCK);

/**
 * Chooses the thread for a query of a site, and the line in which the query waits. Each site has its own line, so that
 * a busy site does not delay other sites.
 */
const choosePlace = (siteId: number, range: Range, signal?: AbortSignal) => ({
  key: findLatestKey(siteId, range),
  line: siteId,
  signal,
});

/**
 * Splits ranges into blocks of 8 days. In the result, a key is the number of a thread, and its value has this thread's
 * blocks.
 */
function splitBlocks(siteId: number, ranges: readonly Range[], threads: number): Map<number, Range[]> {
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

/**
 * Sites with stale sums. Until new sums are made, queries of these sites must scan some days. For this reason, such
 * queries are split over several threads.
 */
type StaleSites = { has(siteId: number): boolean };

function makeMeasure(db: Db, readers: Threads<Tasks>, unsummed: StaleSites) {
  const longTables = noteLongTables();
  return async (query: Query, signal?: AbortSignal): Promise<Aggregates> => {
    const place = (key: number) => ({ key, line: query.siteId, signal });
    const latest = choosePlace(query.siteId, query.range, signal);
    const measureAlone = (): Promise<Aggregates> => readers.run(latest, 'measure', query);
    const isScan = (!isFromRollups(query) || unsummed.has(query.siteId)) && !longTables.has(query);
    const blocks = isScan ? splitBlocks(query.siteId, listRanges(query), readers.size) : undefined;
    if (!blocks || blocks.size < 2) return measureAlone();
    const found = await Promise.all(
      [...blocks].map(([key, ranges]) => readers.run(place(key), 'measurePartial', { query, ranges })),
    );
    const partials = found.map(({ partial }) => partial);
    longTables.note(query, partials);
    // A breakdown, table or report of web vitals or journeys may have many rows, so a thread merges the counts. All
    // other results are small, and merging them here is faster than sending them to a thread.
    const isLong =
      query.report === 'vitals' ||
      query.report === 'journeys' ||
      query.report === 'table' ||
      partials.some(({ counts }) => Object.keys(counts).length > 0);
    const merged = isLong
      ? await readers.run(latest, 'merge', { query, partials })
      : makeMeasured(query, partials, readTexts(db, query.siteId));
    const answer = db.read(() => {
      const now = describeCounted(db, query.siteId);
      return found.every(({ counted }) => counted === now) ? addUnknown(db, query, merged) : undefined;
    });
    // If `answer` is undefined, the counted days have changed, for example because an import was shown. Some partials
    // may then be of the earlier state. So one thread reads all days again, in one transaction.
    return answer ?? measureAlone();
  };
}

/**
 * Notes for which tables merging takes longer than counting. Their next queries go to one thread. Merging a row takes
 * about as long as counting 8 visitors. Example: in a table by entry page and source, two threads count 590,000 rows of
 * 3.5 million visitors. With two threads, the query takes 200 ms, and with one thread 105 ms (npm run bench).
 */
function noteLongTables() {
  const names = new Set<string>();
  const nameTable = (query: Query): string | undefined =>
    query.report === 'table' ? `${query.siteId} ${query.by.join()}` : undefined;
  return {
    has(query: Query): boolean {
      const name = nameTable(query);
      return name !== undefined && names.has(name);
    },
    note(query: Query, partials: readonly Pick<DayPartial, 'table'>[]): void {
      const name = nameTable(query);
      const lists = partials.map(({ table }) => table?.visitors ?? []);
      const rows = lists.reduce((sum, { length }) => sum + length, 0);
      if (name === undefined || rows < FEWEST_LONG) return;
      const visitors = lists.reduce((sum, list) => sum + sumList(list), 0);
      if (VISITORS_OF_ROW * rows < visitors) return;
      if (names.size === MOST_NOTED) names.clear();
      names.add(name);
    },
  };
}

const VISITORS_OF_ROW = 8;
/** Tables with fewer rows are merged in a few milliseconds. */
const FEWEST_LONG = 20_000;
/** The names of tables take about 100 bytes each. */
const MOST_NOTED = 1_000;

/**
 * Answers a query over all sites of a user. A thread counts its sites in several portions. Between two portions, other
 * queries run.
 */
const makeMeasureSites =
  (db: Db, readers: Threads<Tasks>) =>
  async (query: SitesQuery, signal?: AbortSignal): Promise<SharedMeasured> => {
    // In each thread, the queries of a site wait in a line, whose number is the site's id. A query over all sites waits
    // in a line for its user. The number of this line is negative, so it never equals a site's id.
    const place = (key: number) => ({ key, line: -query.userId, signal });
    async function measureIn(key: number, own: readonly SiteDays[], most: number): Promise<SitesPartial[]> {
      const partials: SitesPartial[] = [];
      for (const sites of splitSites(query, own)) {
        partials.push(await readers.run(place(key), 'measureSites', { query: { ...query, sites }, most }));
      }
      return partials;
    }
    const threads = Map.groupBy(query.sites, ({ siteId, range }) => findLatestKey(siteId, range) % readers.size);
    async function measured(most: number): Promise<SharedMeasured | undefined> {
      const partials = await Promise.all([...threads].map(([key, sites]) => measureIn(key, sites, most)));
      return readers.run(place(query.userId), 'addSites', { query, partials: partials.flat() });
    }
    // First, each thread returns only its largest rows. In rare cases, these rows are not enough to find the largest
    // rows of all threads together. Then all rows are read.
    const found = (await measured(mostRows(query))) ?? (await measured(Number.POSITIVE_INFINITY));
    if (!found) throw new Error('the rows of all sites are not enough to know the largest');
    return addSharedUnknown(db, query, found);
  };
