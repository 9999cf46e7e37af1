import { firstDayOf, monthNumber } from '../stats/calendar.ts';
import type { Breakdown } from '../stats/dimensions.ts';
import type { Totals } from '../stats/measured.ts';
import type { Db } from '../store/statements.ts';
import { columnCache } from './column-cache.ts';
import { COLUMNS, readColumn } from './columns.ts';
import type { Day } from './day.ts';
import { fold } from './fold.ts';
import { findMonth } from './months.ts';
import { listOpenDays, type OpenRows, readOpen } from './open-days.ts';
import { type Rollup, readRollup, rollupOf, unpackRollup } from './rollups.ts';
import { listSealed, listSumDays, listWithHits, type SealedDay } from './sealed-days.ts';

/** Reads open and sealed days for queries, with caches for both. */
export type DayReader = ReturnType<typeof dayReader>;

/** The open day cache holds up to this many rows of 64 bytes, so that a query reads only the rows that are new. */
const CACHED_ROWS = 400_000;

type CachedDay = { open: OpenRows; state: string; day: Day };

/** Caches the rows and the columns of the open days that were queried last. */
function openDayCache(db: Db) {
  const cache = new Map<string, CachedDay>();

  function put(key: string, entry: CachedDay): void {
    cache.delete(key);
    cache.set(key, entry);
    let rows = 0;
    for (const [other, { open }] of [...cache].reverse()) {
      rows += open.rows.count;
      if (rows > CACHED_ROWS && other !== key) cache.delete(other);
    }
  }

  return {
    of(siteId: number, day: number): Day {
      const key = `${siteId} ${day}`;
      const entry = cache.get(key);
      const open = readOpen(db, siteId, day, entry?.open);
      const state = JSON.stringify(open.sources);
      const folded = entry?.state === state ? entry.day : fold(day, open.rows);
      put(key, { open, state, day: folded });
      return folded;
    },
    forget: () => cache.clear(),
  };
}

export function dayReader(db: Db, checkpoint = () => {}) {
  const columns = columnCache();
  const open = openDayCache(db);

  const sealedDay = (row: SealedDay): Day => ({
    day: row.day,
    totals: row,
    column: (name) => columns.of(row.id * COLUMNS.length + COLUMNS.indexOf(name), () => readColumn(db, row, name)),
  });

  const openDays = (siteId: number, from: number, to: number): Day[] =>
    listOpenDays(db, siteId, from, to)
      .map((day) => {
        checkpoint();
        return open.of(siteId, day);
      })
      .filter(({ totals }) => totals.visits > 0);

  return {
    /** Must be called at the start of each query. */
    nextQuery: columns.nextQuery,
    /** Frees all memory. */
    forget(): void {
      columns.forget();
      open.forget();
    },
    /** The days with hits from `from` to before `to`. Columns are read when they are used. */
    *days(siteId: number, from: number, to: number): Generator<Day> {
      for (const row of listWithHits(db, siteId, from, to)) {
        checkpoint();
        yield sealedDay(row);
      }
      yield* openDays(siteId, from, to);
    },

    /** The days with sums only, which `days` leaves out. */
    sumDays: (siteId: number, from: number, to: number): number[] => listSumDays(db, siteId, from, to),

    /** The totals of each day, unfiltered. */
    totals(siteId: number, from: number, to: number): (Totals & { day: number })[] {
      const open = openDays(siteId, from, to).map(({ day, totals }) => ({ day, ...totals }));
      return [...listSealed(db, siteId, from, to), ...open];
    },

    /** The unfiltered counts of a breakdown, by month if the whole month is in the range and added up, else by day. */
    *rollups(siteId: number, breakdown: Breakdown, from: number, to: number): Generator<Rollup> {
      const days = listSealed(db, siteId, from, to);
      for (const [month, own] of Map.groupBy(days, ({ day }) => monthNumber(day))) {
        checkpoint();
        const isWhole = firstDayOf(month) >= from && firstDayOf(month + 1) <= to;
        const data = isWhole ? findMonth(db, siteId, breakdown, own) : undefined;
        if (data) yield unpackRollup(breakdown, data);
        else for (const day of own) yield readRollup(db, day, breakdown);
      }
      for (const day of openDays(siteId, from, to)) yield rollupOf(day, breakdown);
    },
  };
}
