// Reads open and sealed days for queries, with caches for both. A query gets days with columns, whatever they are stored as.
// Invariant: what is read is one snapshot of the file, if the caller reads in one transaction. A cached column is that of the stored day.
//
// Example: a week with a filter reads six sealed days, each column when it is first used, and the shards of today. The next query of that
// week finds the columns in memory, up to 64 MB of them.
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

/** Reads open and sealed days for queries, with caches for both. */
export type DayReader = ReturnType<typeof dayReader>;

/** How days are read. */
export type Reading = {
  /** Called now and then. If it throws, the query stops. */
  checkpoint: () => void;
  /** So many bytes of columns of sealed days are cached. */
  bytes: number;
  /** A query stops if an open day has so many rows that wait for compaction. Only where a server compacts. */
  mostRows: number;
};

/** How many things are cached of a sealed day: its columns, and the quarter hours of its hits. */
const KEYS = COLUMNS.length + 1;

/** How many times as much memory columns get as selections. Then forty filters of a year fit, if its columns do. */
const COLUMNS_TO_SELECTIONS = 4;

export function dayReader(db: Db, reading: Partial<Reading> = {}) {
  const { checkpoint, bytes, mostRows } = { ...PATIENT, ...reading };
  const { sealedDay, ...sealedCache } = sealedDayCache(db, bytes);
  const { readCachedRollup, ...rollups } = rollupCache(db, bytes);
  const openCache = makeOpenDayCache(db, { checkpoint, mostRows });
  const caches = [sealedCache, rollups, openCache];
  const reopenedDays = (siteId: number, day: number): Day[] =>
    listReopenedSlices(listSources(db, siteId, day)).map(sealedDay);

  /** Sealed days, one by one. A column is read when it is first used. */
  function* each(rows: Iterable<SealedDay>): Generator<Day> {
    for (const row of rows) {
      checkpoint();
      yield sealedDay(row);
    }
  }

  /** The sealed days with hits from `from` to before `to`; with `ids`, only these. */
  const sealed = (siteId: number, from: number, to: number, ids?: ReadonlySet<number>) =>
    each(listWithHits(db, siteId, from, to).filter(({ id }) => !ids || ids.has(id)));

  /** The open days with visits. A day that was opened again has its sealed slices in `reopened`. */
  function* open(siteId: number, from: number, to: number): Generator<{ own: OpenDay; reopened: Day[] }> {
    for (const day of listOpenDays(db, siteId, from, to)) {
      checkpoint();
      const [own, reopened] = [openCache.of(siteId, day), reopenedDays(siteId, day)];
      if (hasVisits(own) || reopened.length > 0) yield { own, reopened };
    }
  }

  return {
    checkpoint,
    /** Must be called at the start of each query. */
    nextQuery(): void {
      for (const { nextQuery } of caches) nextQuery();
    },
    /** Adds some new rows to cached open days, between two queries. */
    keepUp: openCache.keepUp,
    /** Frees the memory of all caches. */
    forget(): void {
      for (const { forget } of caches) forget();
    },
    ...sumReader(db, readCachedRollup, checkpoint),
    each,
    sealed,
    open,
    /** All days with hits; an open day as its shards. */
    *days(siteId: number, from: number, to: number): Generator<Day> {
      yield* sealed(siteId, from, to);
      for (const { own, reopened } of [...open(siteId, from, to)]) {
        yield* reopened;
        yield* readShards(own).filter(({ totals }) => totals.visits > 0);
      }
    },

    /** Days from `from` to before `to`, as the query for active visitors reads them. */
    *live(siteId: number, { from, to }: Range): Generator<LiveDay> {
      const whole = (one: Day): LiveDay => ({ day: one.day, since: () => [takeAllVisits(one)] });
      for (const row of listWithHits(db, siteId, from, to)) yield whole(sealedDay(row));
      for (const day of listOpenDays(db, siteId, from, to)) {
        checkpoint();
        yield* reopenedDays(siteId, day).map(whole);
        yield openCache.live(siteId, day);
      }
    },

    /** The days with visits. */
    visited(siteId: number, from: number, to: number): number[] {
      const sealedDays = listSealed(db, siteId, from, to).filter(({ visits }) => visits > 0);
      const openDays = listOpenDays(db, siteId, from, to).filter((day) => !open(siteId, day, day + 1).next().done);
      return [...new Set([...sealedDays.map(({ day }) => day), ...openDays])];
    },
  };
}

/** Sealed days, with a cache of columns and one of selections. */
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

/** How many times as much memory columns get as rollups of days. Such rollups are read for months that are not whole. */
const COLUMNS_TO_ROLLUPS = 8;

/** Rollups of sealed days. Sums with exclusions may be made again under the same id, so they are read each time. */
function rollupCache(db: Db, bytes: number) {
  const { of, ...cache } = makeColumnCache<StoredRollup>(bytes / COLUMNS_TO_ROLLUPS);
  const readOwn = (day: SealedDay, breakdown: Breakdown): StoredRollup => {
    const { terms, visitors, hits, events } = readRollup(db, day, breakdown);
    // Copies: a view would keep the whole decompressed buffer in memory.
    return { terms: terms.slice(), visitors: visitors.slice(), hits: hits.slice(), events: events.slice() };
  };
  const readCachedRollup = (day: SealedDay, breakdown: Breakdown): StoredRollup =>
    day.reduced === undefined
      ? of(day.id * BREAKDOWN_NAMES.length + BREAKDOWN_NAMES.indexOf(breakdown), () => readOwn(day, breakdown))
      : readRollup(db, day, breakdown);
  return { readCachedRollup, ...cache };
}

type RollupOf = ReturnType<typeof rollupCache>['readCachedRollup'];

/** Reads what is known of sealed days without their columns. */
const sumReader = (db: Db, readCachedRollup: RollupOf, checkpoint: () => void) => ({
  exclusions: (siteId: number): Exclusion[] => listExclusions(db, siteId),

  /** The sums of the sealed days of some ranges. */
  sums: (siteId: number, ranges: readonly Range[], exclusions: readonly Exclusion[]): SealedSums =>
    makeSealedSums(db, siteId, { ranges, exclusions, readDayRollup: readCachedRollup, checkpoint }),

  /** The totals-only days. */
  sumDays: (siteId: number, from: number, to: number): number[] => listSumDays(db, siteId, from, to),
});

const PATIENT: Reading = { checkpoint() {}, bytes: FEWEST_BYTES, mostRows: Number.POSITIVE_INFINITY };
