// Answers queries: chooses the threads that read, splits long scans over them, and merges what they return.
// Invariant: a block of 8 days always goes to the same thread, whose cache then has its columns.
//
// Example: a filtered query of 30 days is split into four or five blocks of 8 days, for four threads. Their counts are merged. An
// unfiltered query goes to one thread, which reads sums.
// Called by engine.ts.
import { hasSealedDays, listSumDays } from '../catalog/sealed-days.ts';
import { addSharedUnknown, addUnknown } from '../catalog/unknown.ts';
import type { Queries } from '../engine/engine.ts';
import type { Aggregates } from '../stats/aggregates.ts';
import type { SharedMeasured, SiteDays, SitesQuery } from '../stats/all-sites.ts';
import { askForVisitors, listRanges, type Query, type Range } from '../stats/query.ts';
import type { Db } from '../store/db.ts';
import type { Threads } from '../threads/pool.ts';
import { mostRows, type SitesPartial, splitSites } from './query/all-sites.ts';
import { listDaysWithHits, readVisitsByDay } from './query/export-visits.ts';
import { makeMeasured } from './query/merge.ts';
import { isFromRollups } from './query/plan.ts';
import { listDropped, listDrops } from './rows/drops.ts';
import { readTexts } from './rows/terms.ts';
import { expired } from './upkeep/retention.ts';
import type { Tasks } from './work/tasks.ts';

/** Makes the facet for queries. Threads read for most of them; what takes no time is read here. */
export function buildQueries(db: Db, readers: Threads<Tasks>, unsummed: StaleSites): Queries {
  return {
    measure: makeMeasure(db, readers, unsummed),
    measureSites: makeMeasureSites(db, readers),
    readCrawls: (query, signal) => readers.run({ line: query.siteId, signal }, 'crawls', query),
    previewExclusion: (siteId, range, filters, signal) =>
      readers.run(choosePlace(siteId, range, signal), 'preview', { siteId, range, filters }),
    suggestExclusions: (query, signal) => readers.run(choosePlace(query.siteId, query.range, signal), 'suggest', query),
    async countExcluded(siteId, range, signal) {
      // Not split into blocks, because the range may begin long before the first day.
      const query = askForVisitors(siteId, range);
      // Not in blocks: its range may begin long before the first day.
      const { excluded } = await readers.run(choosePlace(siteId, range, signal), 'measure', query);
      return excluded;
    },
    listDrops: async (siteId, range) => listDrops(db, siteId, range),
    listDroppedDays: async (reason, from) => listDropped(db, reason, from),
    listDayStatus: (siteId, range, signal) =>
      readers.run(choosePlace(siteId, range, signal), 'receipts', { siteId, range }),
    listDays: async (siteId) => ({
      hits: listDaysWithHits(db, siteId),
      sums: listSumDays(db, siteId, 0, Number.MAX_SAFE_INTEGER),
    }),
    listVisitedDays: (siteId, range) => readers.run(choosePlace(siteId, range), 'visited', { siteId, range }),
    readVisits: (siteId) => readVisitsByDay(db, siteId),
    findFirstHits: (siteIds, since) => readers.run({}, 'firstHits', { siteIds, since }),
    findLastHit: () => readers.run({}, 'lastHit', undefined),
    measureGrowth: (today, siteId) => readers.run({}, 'growth', { today, siteId }),
    measureExpired: async (siteId, today) => db.read(() => expired(db, siteId, today)),
    hasSealedDays: () => hasSealedDays(db),
  };
}

/** Blocks of so many days go to the same thread, whose cache then has their columns. A month has four, one for each thread. */
const BLOCK = 8;

/** The number of the thread that has the latest days of a site. */
const findLatestKey = (siteId: number, { to }: Range): number => siteId + Math.floor((to - 1) / BLOCK);

/** Where a query about some days of a site is answered: its thread and its line. */
const choosePlace = (siteId: number, range: Range, signal?: AbortSignal) => ({
  key: findLatestKey(siteId, range),
  line: siteId,
  signal,
});

/** Splits ranges into blocks, by the number of their thread. */
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

/** Sites whose sums are being made again. Their days with stale sums are scanned. */
type StaleSites = { has(siteId: number): boolean };

/** Answers a query from sums in one thread, or by a scan that is split over all threads. */
const makeMeasure =
  (db: Db, readers: Threads<Tasks>, unsummed: StaleSites) =>
  async (query: Query, signal?: AbortSignal): Promise<Aggregates> => {
    const place = (key: number) => ({ key, line: query.siteId, signal });
    const latest = choosePlace(query.siteId, query.range, signal);
    const isScan = !isFromRollups(query) || unsummed.has(query.siteId);
    const blocks = isScan ? splitBlocks(query.siteId, listRanges(query), readers.size) : undefined;
    if (!blocks || blocks.size < 2) return addUnknown(db, query, await readers.run(latest, 'measure', query));
    const partials = await Promise.all(
      [...blocks].map(([key, ranges]) => readers.run(place(key), 'measurePartial', { query, ranges })),
    );
    // Breakdowns may have many rows, so a thread merges them. All else is merged here, in less time than passing it to a thread takes.
    const isLong = partials.some(({ counts }) => Object.keys(counts).length > 0);
    const merged = isLong
      ? await readers.run(latest, 'merge', { query, partials })
      : makeMeasured(query, partials, readTexts(db, query.siteId));
    return addUnknown(db, query, merged);
  };

/** Measures a query over all sites. Each thread has one portion of its sites at a time, so that other queries have their turn. */
const makeMeasureSites =
  (db: Db, readers: Threads<Tasks>) =>
  async (query: SitesQuery, signal?: AbortSignal): Promise<SharedMeasured> => {
    // Lines of sites have numbers above 0, lines of users numbers below.
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
    // All rows of all sites are many, and hardly ever needed to know the largest.
    const found = (await measured(mostRows(query))) ?? (await measured(Number.POSITIVE_INFINITY));
    if (!found) throw new Error('the rows of all sites are not enough to know the largest');
    return addSharedUnknown(db, query, found);
  };
