// Reads days for queries. A query gets days with columns, and need not know whether a day is open or sealed.
//
// Invariant: all reads of one transaction see one snapshot of the database.
//
// Example: a filtered query of a week reads six sealed days, and the shards of today. Each column is read when it is
// first used. The next query of the week finds the columns in the cache. work/tasks.ts makes one reader in each thread.
// Exports and transfers make readers of their own.
import { isStored, listSealed, listSumDays, listWithHits, type SealedDay } from '../../catalog/sealed-days.ts';
import type { Times } from '../../stats/aggregates.ts';
import { BREAKDOWN_NAMES, type Breakdown, DERIVED_BREAKDOWNS } from '../../stats/dimensions.ts';
import type { Range } from '../../stats/query.ts';
import type { Db } from '../../store/db.ts';
import { type Exclusion, listExclusions } from '../../store/sites/exclusions.ts';
import { COLUMNS, readColumn } from '../column/column.ts';
import { FEWEST_BYTES, makeColumnCache } from '../column/column-cache.ts';
import type { Numbers } from '../column/packing.ts';
import { readSealedProperties } from '../column/properties.ts';
import { readQuarterSums } from '../count/quarter-hour-sums.ts';
import { readQuarters } from '../count/quarter-hours.ts';
import { makeSelectionCache } from '../count/selection-cache.ts';
import { type Day, takeAllVisits } from '../day/day.ts';
import { hasVisits, type OpenDay, readShards } from '../open/open-day.ts';
import { type LiveDay, makeOpenDayCache } from '../open/open-day-cache.ts';
import { listOpenDays, listReopenedSlices, listSources } from '../open/row-sources.ts';
import { readRollup, type StoredRollup } from '../sealed/rollup.ts';
import { readTimes } from '../sealed/row-sums.ts';
import { makeSealedSums, type SealedSums, type SumsRequest } from '../sealed/stored-sums.ts';

export type DayReader = ReturnType<typeof dayReader>;

export type Reading = {
  /**
   * Called often during a query. `checkpoint` may throw to stop the query, for example because the client has
   * disconnected.
   */
  checkpoint: () => void;
  /** The size of the cache for columns of sealed days, in bytes. */
  bytes: number;
  /**
   * A query is refused if at least this many rows of an open day wait for compaction. These rows would take too much
   * memory. Only the server's worker threads have this limit.
   */
  mostRows: number;
};

/**
 * How many keys of the cache each sealed day uses. Each column has one key. The quarter hours, the channels and the
 * sales have one key each. The counts of each derived breakdown have one key too. A derived breakdown, such as the one
 * by channel, is computed from other columns. A key is the id of the day times `KEYS`, plus a number below `KEYS`. This
 * number says what is cached, such as the column of pages (test/ledger/query/day-reader.test.ts). Columns of properties
 * have texts as keys, which are not counted here.
 */
const KEYS = COLUMNS.length + 3 + DERIVED_BREAKDOWNS.length;

/**
 * How many times larger the cache of columns is than the cache of selections. A selection takes much less memory than
 * the columns of its days. If the cache of columns has room for a year, the cache of selections has room for the
 * selections of 40 filters over this year.
 */
const COLUMNS_TO_SELECTIONS = 4;

export function dayReader(db: Db, reading: Partial<Reading> = {}) {
  const { checkpoint, bytes, mostRows } = { ...PATIENT, ...reading };
  const { sealedDay, ...sealedCache } = sealedDayCache(db, bytes);
  const { readCached, ...rollups } = rollupCache(db, bytes);
  const openCache = makeOpenDayCache(db, { checkpoint, mostRows });
  const caches = [sealedCache, rollups, openCache];
  const reopenedDays = (siteId: number, day: number): Day[] =>
    listReopenedSlices(listSources(db, siteId, day)).map(sealedDay);

  /** Yields sealed days without reading them. A column is read when the caller first uses it. */
  function* each(rows: Iterable<SealedDay>): Generator<Day> {
    for (const row of rows) {
      checkpoint();
      yield sealedDay(row);
    }
  }

  /**
   * Yields the sealed days with hits, from day `from` on, and before day `to`. If `ids` is given, yields only the days
   * with these ids.
   */
  const sealed = (siteId: number, from: number, to: number, ids?: ReadonlySet<number>) =>
    each(listWithHits(db, siteId, from, to).filter(({ id }) => !ids || ids.has(id)));

  /**
   * Yields the open days with visits. For a day that was sealed and then reopened by a late hit, `reopened` has its
   * sealed slices.
   */
  function* open(siteId: number, from: number, to: number): Generator<{ own: OpenDay; reopened: Day[] }> {
    for (const day of listOpenDays(db, siteId, from, to)) {
      checkpoint();
      const [own, reopened] = [openCache.of(siteId, day), reopenedDays(siteId, day)];
      if (hasVisits(own) || reopened.length > 0) yield { own, reopened };
    }
  }

  return {
    checkpoint,
    /**
     * Must be called at the start of each query. The caches count queries, because a full cache removes only entries
     * that the last queries did not use.
     */
    nextQuery(): void {
      for (const { nextQuery } of caches) nextQuery();
    },
    /**
     * Reads some new hits of an open day into memory. Called between two queries, so that the next query has less to
     * read.
     */
    keepUp: openCache.keepUp,
    forget(): void {
      for (const { forget } of caches) forget();
    },
    ...sumReader(db, readCached, checkpoint),
    each,
    sealed,
    open,
    /** Yields all days with hits. A large day is yielded several times: once for each slice or shard. */
    *days(siteId: number, from: number, to: number): Generator<Day> {
      yield* sealed(siteId, from, to);
      yield* listShards(open(siteId, from, to));
    },

    /**
     * Yields days for the report of active visitors. `since(at)` of a day lists the visits that were active at second
     * `at` or later. The lists may also have earlier visits. For example, a sealed day always lists all of its visits.
     * The caller must therefore check the times.
     */
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

/** Lists the shards of open days, and the sealed slices of reopened days. */
export function* listShards(days: Iterable<{ own: OpenDay; reopened: Day[] }>): Generator<Day> {
  for (const { own, reopened } of [...days]) {
    yield* reopened;
    yield* readShards(own).filter(({ totals }) => totals.visits > 0);
  }
}

function sealedDayCache(db: Db, bytes: number) {
  const { of, nextQuery, forget } = makeColumnCache(bytes);
  const selections = makeSelectionCache(bytes / COLUMNS_TO_SELECTIONS);
  const sealedDay = (row: SealedDay): Day => ({
    day: row.day,
    totals: row,
    column: (name) => of(row.id * KEYS + COLUMNS.indexOf(name), () => readColumn(db, row, name)),
    quarters: () => of(row.id * KEYS + COLUMNS.length, () => readQuarters(db, row)),
    channels: (make) => of(row.id * KEYS + COLUMNS.length + 1, make),
    sales: (make) => of(row.id * KEYS + COLUMNS.length + 2, make),
    derived: (breakdown, make) => of(row.id * KEYS + COLUMNS.length + 3 + DERIVED_BREAKDOWNS.indexOf(breakdown), make),
    quarterSums: () => readQuarterSums(db, row.id),
    properties: readSealedProperties(db, row, of),
    isStored: () => isStored(db, row.id),
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
 * How many times larger the cache of columns is than the cache of rollups. A small cache of rollups is enough, because
 * whole months have rollups of their own. Rollups of single days are mostly read for months that a query covers in
 * part.
 */
const COLUMNS_TO_ROLLUPS = 8;

/**
 * Reads rollups and the time on page with a cache. The cache finds the sums of a day by the id of the day. Reduced sums
 * are not cached. After a new exclusion, the day has other reduced sums but the same id. Cached sums would then be
 * wrong.
 */
function rollupCache(db: Db, bytes: number) {
  const { of, ...cache } = makeColumnCache(bytes / COLUMNS_TO_ROLLUPS);
  const readOwn = (day: SealedDay, breakdown: Breakdown): StoredRollup => {
    const { terms, visitors, hits, events } = readRollup(db, day, breakdown);
    // Each list is copied. Otherwise, the cache would keep the whole decompressed buffer of each rollup in memory.
    return { terms: terms.slice(), visitors: visitors.slice(), hits: hits.slice(), events: events.slice() };
  };
  const keyOf = (day: SealedDay, place: number): number => day.id * (BREAKDOWN_NAMES.length + 1) + place;
  const readCached: CachedSums = {
    readDayRollup: (day, breakdown) =>
      day.reduced === undefined
        ? of(keyOf(day, BREAKDOWN_NAMES.indexOf(breakdown)), () => readOwn(day, breakdown))
        : readRollup(db, day, breakdown),
    readDayTimes(day) {
      if (day.reduced !== undefined) return readTimes(db, day);
      const { times } = of(keyOf(day, BREAKDOWN_NAMES.length), () => packTimes(readTimes(db, day)));
      const [seen, told = 0] = times;
      return seen === undefined ? undefined : { seen, told };
    },
  };
  return { readCached, ...cache };
}

/** Stores the time on page of a day as numbers, for the cache. Without a known time, the list is empty. */
const packTimes = (times: Times | undefined): { times: Numbers } => ({
  times: Float64Array.from(times ? [times.seen, times.told] : []),
});

type CachedSums = Pick<SumsRequest, 'readDayRollup' | 'readDayTimes'>;

/**
 * Reads the stored sums of sealed days. Most queries without filters need only these sums, and no hits of sealed days.
 */
const sumReader = (db: Db, readCached: CachedSums, checkpoint: () => void) => ({
  exclusions: (siteId: number): Exclusion[] => listExclusions(db, siteId),

  sums: (siteId: number, ranges: readonly Range[], exclusions: readonly Exclusion[]): SealedSums =>
    makeSealedSums(db, siteId, { ranges, exclusions, ...readCached, checkpoint }),

  sumDays: (siteId: number, from: number, to: number): number[] => listSumDays(db, siteId, from, to),
});

const PATIENT: Reading = { checkpoint() {}, bytes: FEWEST_BYTES, mostRows: Number.POSITIVE_INFINITY };
