import { listSealed, listSumDays, listWithHits, type SealedDay } from '../../catalog/sealed-days.ts';
import { BREAKDOWN_NAMES, type Breakdown } from '../../stats/dimensions.ts';
import type { Range } from '../../stats/question.ts';
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
  /** Called now and then; what it throws stops the question. */
  checkpoint: () => void;
  /** So many bytes of columns of sealed days are kept. */
  bytes: number;
  /** With so many rows of an open day in no part, or more, a question is stopped. Only for where somebody puts them into parts. */
  mostRows: number;
};

/** Of a sealed day: its columns, and the quarters of its hits. */
const KEYS = COLUMNS.length + 1;

/** So many times as much is kept of columns as of what filters select: then forty filters of a year whose columns fit do so too. */
const COLUMNS_TO_SELECTIONS = 4;

/** Sealed days, with a cache of their columns and one of what filters select of them. */
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

/** So many times as much is kept of columns as of rollups of days, which are read of months that are not whole. */
const COLUMNS_TO_ROLLUPS = 8;

/** Rollups of sealed days. Those without what is set aside may be made again under the same id, so these are read each time. */
function rollupCache(db: Db, bytes: number) {
  const { of, ...cache } = makeColumnCache<StoredRollup>(bytes / COLUMNS_TO_ROLLUPS);
  const readOwn = (day: SealedDay, breakdown: Breakdown): StoredRollup => {
    const { terms, visitors, hits, events } = readRollup(db, day, breakdown);
    // Copies, because what was decompressed would keep all the room that it was decompressed in.
    return { terms: terms.slice(), visitors: visitors.slice(), hits: hits.slice(), events: events.slice() };
  };
  const rollupOf = (day: SealedDay, breakdown: Breakdown): StoredRollup =>
    day.reduced === undefined
      ? of(day.id * BREAKDOWN_NAMES.length + BREAKDOWN_NAMES.indexOf(breakdown), () => readOwn(day, breakdown))
      : readRollup(db, day, breakdown);
  return { rollupOf, ...cache };
}

type RollupOf = ReturnType<typeof rollupCache>['rollupOf'];

/** Reads what is known of sealed days without their columns. */
const sumReader = (db: Db, rollupOf: RollupOf, checkpoint: () => void) => ({
  exclusions: (siteId: number): Exclusion[] => listExclusions(db, siteId),

  /** What is known of the sealed days of some ranges without reading their columns. */
  sums: (siteId: number, ranges: readonly Range[], exclusions: readonly Exclusion[]): SealedSums =>
    makeSealedSums(db, siteId, { ranges, exclusions, readDayRollup: rollupOf, checkpoint }),

  /** The days with sums only, which are no days with hits. */
  sumDays: (siteId: number, from: number, to: number): number[] => listSumDays(db, siteId, from, to),
});

const PATIENT: Reading = { checkpoint() {}, bytes: FEWEST_BYTES, mostRows: Number.POSITIVE_INFINITY };

export function dayReader(db: Db, reading: Partial<Reading> = {}) {
  const { checkpoint, bytes, mostRows } = { ...PATIENT, ...reading };
  const { sealedDay, ...sealedCache } = sealedDayCache(db, bytes);
  const { rollupOf, ...rollups } = rollupCache(db, bytes);
  const openCache = makeOpenDayCache(db, { checkpoint, mostRows });
  const caches = [sealedCache, rollups, openCache];
  const reopenedDays = (siteId: number, day: number): Day[] =>
    listReopenedSlices(listSources(db, siteId, day)).map(sealedDay);

  /** Sealed days, one by one. Columns are read when they are used. */
  function* each(rows: Iterable<SealedDay>): Generator<Day> {
    for (const row of rows) {
      checkpoint();
      yield sealedDay(row);
    }
  }

  /** The sealed days with hits from `from` to before `to`, or those of them with these ids. */
  const sealed = (siteId: number, from: number, to: number, ids?: ReadonlySet<number>) =>
    each(listWithHits(db, siteId, from, to).filter(({ id }) => !ids || ids.has(id)));

  /** The open days with visits; beside one that was opened again stands what it had when it was sealed. */
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
    /** Takes in some of what came to what is cached, between questions. */
    keepUp: openCache.keepUp,
    /** Frees all memory. */
    forget(): void {
      for (const { forget } of caches) forget();
    },
    ...sumReader(db, rollupOf, checkpoint),
    each,
    sealed,
    open,
    /** All days with hits, an open one in shards. */
    *days(siteId: number, from: number, to: number): Generator<Day> {
      yield* sealed(siteId, from, to);
      for (const { own, reopened } of [...open(siteId, from, to)]) {
        yield* reopened;
        yield* readShards(own).filter(({ totals }) => totals.visits > 0);
      }
    },

    /** Days from `from` to before `to` as they are read for who is there now. */
    *live(siteId: number, { from, to }: Range): Generator<LiveDay> {
      const whole = (one: Day): LiveDay => ({ day: one.day, since: () => [takeAllVisits(one)] });
      for (const row of listWithHits(db, siteId, from, to)) yield whole(sealedDay(row));
      for (const day of listOpenDays(db, siteId, from, to)) {
        checkpoint();
        yield* reopenedDays(siteId, day).map(whole);
        yield openCache.live(siteId, day);
      }
    },

    /** The days on which somebody came. */
    visited(siteId: number, from: number, to: number): number[] {
      const sealedDays = listSealed(db, siteId, from, to).filter(({ visits }) => visits > 0);
      const openDays = listOpenDays(db, siteId, from, to).filter((day) => !open(siteId, day, day + 1).next().done);
      return [...new Set([...sealedDays.map(({ day }) => day), ...openDays])];
    },
  };
}
