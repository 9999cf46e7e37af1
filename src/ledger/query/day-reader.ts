// This file reads open and sealed days for queries, with a cache for each kind. A query gets days with columns and does not see how a day
// is stored.
// Invariant: all reads of one transaction see one snapshot of the database. A cached column equals the column that is stored.
//
// Example: a filtered query of a week reads six sealed days and the shards of today. Each column is read when it is first used. The next
// query of the week finds the columns in memory, which has room for up to 64 MB of them.
// Called by work/tasks.ts once in each thread, and by export and transfer.
import { listSealed, listSumDays, listWithHits, type SealedDay } from '../../catalog/sealed-days.ts';
import { BREAKDOWN_NAMES, type Breakdown } from '../../stats/dimensions.ts';
import type { Range } from '../../stats/query.ts';
import type { Db } from '../../store/db.ts';
import { type Exclusion, listExclusions } from '../../store/sites/exclusions.ts';
import { COLUMNS, readColumn } from '../column/column.ts';
import { FEWEST_BYTES, makeColumnCache } from '../column/column-cache.ts';
import { readQuarterSums } from '../count/quarter-hour-sums.ts';
import { readQuarters } from '../count/quarter-hours.ts';
import { makeSelectionCache } from '../count/selection-cache.ts';
import { type Day, takeAllVisits } from '../day/day.ts';
import { hasVisits, type OpenDay, readShards } from '../open/open-day.ts';
import { type LiveDay, makeOpenDayCache } from '../open/open-day-cache.ts';
import { listOpenDays, listReopenedSlices, listSources } from '../open/row-sources.ts';
import { readRollup, type StoredRollup } from '../sealed/rollup.ts';
import { makeSealedSums, type SealedSums } from '../sealed/stored-sums.ts';

export type DayReader = ReturnType<typeof dayReader>;

export type Reading = {
  /** This function is called often while a query runs. If it throws, the query stops. */
  checkpoint: () => void;
  /** The size of the cache for columns of sealed days, in bytes. */
  bytes: number;
  /** A query stops if at least this number of rows of an open day wait for compaction. Only servers that compact set a limit. */
  mostRows: number;
};

/** A sealed day has one entry in the cache for each column, and one for the quarter hours of its hits. */
const KEYS = COLUMNS.length + 1;

/**
 * The cache of selections has a quarter of the size of the cache of columns. If the columns of a year fit into the one cache, the
 * selections of forty filters fit into the other.
 */
const COLUMNS_TO_SELECTIONS = 4;

export function dayReader(db: Db, reading: Partial<Reading> = {}) {
  const { checkpoint, bytes, mostRows } = { ...PATIENT, ...reading };
  const { sealedDay, ...sealedCache } = sealedDayCache(db, bytes);
  const { readCachedRollup, ...rollups } = rollupCache(db, bytes);
  const openCache = makeOpenDayCache(db, { checkpoint, mostRows });
  const caches = [sealedCache, rollups, openCache];
  const reopenedDays = (siteId: number, day: number): Day[] =>
    listReopenedSlices(listSources(db, siteId, day)).map(sealedDay);

  /** Gives sealed days one by one. A column is read when it is first used. */
  function* each(rows: Iterable<SealedDay>): Generator<Day> {
    for (const row of rows) {
      checkpoint();
      yield sealedDay(row);
    }
  }

  /**
   * Gives the sealed days with hits from the day `from` up to, but not including, the day `to`. If `ids` is given, gives only these days.
   */
  const sealed = (siteId: number, from: number, to: number, ids?: ReadonlySet<number>) =>
    each(listWithHits(db, siteId, from, to).filter(({ id }) => !ids || ids.has(id)));

  /** Gives the open days with visits. If a sealed day was opened again, `reopened` has its sealed slices. */
  function* open(siteId: number, from: number, to: number): Generator<{ own: OpenDay; reopened: Day[] }> {
    for (const day of listOpenDays(db, siteId, from, to)) {
      checkpoint();
      const [own, reopened] = [openCache.of(siteId, day), reopenedDays(siteId, day)];
      if (hasVisits(own) || reopened.length > 0) yield { own, reopened };
    }
  }

  return {
    checkpoint,
    /** Must be called at the start of each query, because the caches note which query used an entry last. */
    nextQuery(): void {
      for (const { nextQuery } of caches) nextQuery();
    },
    /** Adds some new rows to open days in the cache. This is called between two queries. */
    keepUp: openCache.keepUp,
    forget(): void {
      for (const { forget } of caches) forget();
    },
    ...sumReader(db, readCachedRollup, checkpoint),
    each,
    sealed,
    open,
    /** Gives all days with hits. An open day is given as its shards, so one day may come several times. */
    *days(siteId: number, from: number, to: number): Generator<Day> {
      yield* sealed(siteId, from, to);
      for (const { own, reopened } of [...open(siteId, from, to)]) {
        yield* reopened;
        yield* readShards(own).filter(({ totals }) => totals.visits > 0);
      }
    },

    /** Gives the days in the form in which the query for active visitors reads them. */
    *live(siteId: number, { from, to }: Range): Generator<LiveDay> {
      const whole = (one: Day): LiveDay => ({ day: one.day, since: () => [takeAllVisits(one)] });
      for (const row of listWithHits(db, siteId, from, to)) yield whole(sealedDay(row));
      for (const day of listOpenDays(db, siteId, from, to)) {
        checkpoint();
        yield* reopenedDays(siteId, day).map(whole);
        yield openCache.live(siteId, day);
      }
    },

    visited(siteId: number, from: number, to: number): number[] {
      const sealedDays = listSealed(db, siteId, from, to).filter(({ visits }) => visits > 0);
      const openDays = listOpenDays(db, siteId, from, to).filter((day) => !open(siteId, day, day + 1).next().done);
      return [...new Set([...sealedDays.map(({ day }) => day), ...openDays])];
    },
  };
}

/** Reads sealed days, with a cache for their columns and a cache for their selections. */
function sealedDayCache(db: Db, bytes: number) {
  const { of, nextQuery, forget } = makeColumnCache(bytes);
  const selections = makeSelectionCache(bytes / COLUMNS_TO_SELECTIONS);
  const sealedDay = (row: SealedDay): Day => ({
    day: row.day,
    totals: row,
    column: (name) => of(row.id * KEYS + COLUMNS.indexOf(name), () => readColumn(db, row, name)),
    quarters: () => of(row.id * KEYS + COLUMNS.length, () => readQuarters(db, row)),
    quarterSums: () => readQuarterSums(db, row.id),
    selected: (filters, find) => selections.of(filters, row, find),
  });
  return {
    sealedDay,
    nextQuery,
    forget(): void {
      forget();
      selections.forget();
    },
  };
}

/**
 * The cache of rollups has an eighth of the size of the cache of columns. Rollups of single days are read for months that a query covers
 * only in part.
 */
const COLUMNS_TO_ROLLUPS = 8;

/**
 * Reads rollups of sealed days, with a cache. Rollups that leave out excluded visits are not cached, because such a rollup may be replaced
 * under the same id.
 */
function rollupCache(db: Db, bytes: number) {
  const { of, ...cache } = makeColumnCache<StoredRollup>(bytes / COLUMNS_TO_ROLLUPS);
  const readOwn = (day: SealedDay, breakdown: Breakdown): StoredRollup => {
    const { terms, visitors, hits, events } = readRollup(db, day, breakdown);
    // These are copies, because a view would keep the whole decompressed buffer in memory.
    return { terms: terms.slice(), visitors: visitors.slice(), hits: hits.slice(), events: events.slice() };
  };
  const readCachedRollup = (day: SealedDay, breakdown: Breakdown): StoredRollup =>
    day.reduced === undefined
      ? of(day.id * BREAKDOWN_NAMES.length + BREAKDOWN_NAMES.indexOf(breakdown), () => readOwn(day, breakdown))
      : readRollup(db, day, breakdown);
  return { readCachedRollup, ...cache };
}

type RollupOf = ReturnType<typeof rollupCache>['readCachedRollup'];

/** Reads sums of sealed days, which are stored beside the columns. */
const sumReader = (db: Db, readCachedRollup: RollupOf, checkpoint: () => void) => ({
  exclusions: (siteId: number): Exclusion[] => listExclusions(db, siteId),

  sums: (siteId: number, ranges: readonly Range[], exclusions: readonly Exclusion[]): SealedSums =>
    makeSealedSums(db, siteId, { ranges, exclusions, readDayRollup: readCachedRollup, checkpoint }),

  sumDays: (siteId: number, from: number, to: number): number[] => listSumDays(db, siteId, from, to),
});

const PATIENT: Reading = { checkpoint() {}, bytes: FEWEST_BYTES, mostRows: Number.POSITIVE_INFINITY };
