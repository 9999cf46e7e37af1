import { DAY } from '../lib/time.ts';
import { firstDayOf, monthNumber } from '../stats/calendar.ts';
import type { Breakdown } from '../stats/dimensions.ts';
import type { Totals } from '../stats/measured.ts';
import type { Range } from '../stats/question.ts';
import type { Db } from '../store/statements.ts';
import { columnCache } from './column-cache.ts';
import { COLUMNS, PART_COLUMNS, readColumn } from './columns.ts';
import type { Day } from './day.ts';
import { fold } from './fold.ts';
import { type LargeDay, type LiveDay, liveDaysOf, readLarge, viewsOf } from './large-day.ts';
import { findMonth } from './months.ts';
import { listOpenDays, listSources, type OpenRows, readOpen, reopenedIn } from './open-days.ts';
import { type Rollup, readRollup, rollupOf, unpackRollup } from './rollups.ts';
import { listSealed, listSumDays, listWithHits, type SealedDay } from './sealed-days.ts';

/** Reads open and sealed days for queries, with caches for both. */
export type DayReader = ReturnType<typeof dayReader>;

/** The open day cache holds up to this many rows of 64 bytes, so that a query reads only the rows that are new. */
const CACHED_ROWS = 400_000;
/** A visit of a part of an open day takes 8 bytes for its visitor, beside its columns. */
const VISITS_PER_ROW = 8;
/** The columns of large open days have a cache of their own: what comes in may touch any of their visits. */
const PART_BYTES = 96 * 1024 * 1024;

type SmallDay = { open: OpenRows; state: string; day: Day };
type CachedDay = { small: SmallDay } | { large: LargeDay };

const rowsIn = (day: CachedDay): number =>
  'small' in day
    ? day.small.open.rows.count
    : day.large.patches.reduce(
        (sum, { patch }) => sum + patch.rows.count + patch.added.touched.length + patch.touched.length / VISITS_PER_ROW,
        0,
      );

/** Caches the rows and the columns of the open days that were queried last. */
function openDayCache(db: Db) {
  const cache = new Map<string, CachedDay>();
  const columns = columnCache(PART_BYTES);

  function put(key: string, entry: CachedDay): void {
    cache.delete(key);
    cache.set(key, entry);
    let rows = 0;
    for (const [other, day] of [...cache].reverse()) {
      rows += rowsIn(day);
      if (rows > CACHED_ROWS && other !== key) cache.delete(other);
    }
  }

  function readSmall(siteId: number, day: number, entry?: SmallDay): SmallDay {
    const open = readOpen(db, siteId, day, entry?.open);
    const state = JSON.stringify(open.sources);
    return { open, state, day: entry?.state === state ? entry.day : fold(day, open.rows) };
  }

  function readAny(siteId: number, day: number): CachedDay {
    const key = `${siteId} ${day}`;
    const entry = cache.get(key);
    const before = entry && 'large' in entry ? entry.large : undefined;
    const large = readLarge(db, { siteId, day }, before, (id, name, read) =>
      columns.of(id * PART_COLUMNS.length + PART_COLUMNS.indexOf(name), read),
    );
    const read: CachedDay = large
      ? { large }
      : { small: readSmall(siteId, day, entry && 'small' in entry ? entry.small : undefined) };
    put(key, read);
    return read;
  }

  return {
    nextQuery: columns.nextQuery,
    /** A day, or the parts of a large one. */
    of(siteId: number, day: number): Day[] {
      const read = readAny(siteId, day);
      return 'large' in read ? viewsOf(read.large) : [read.small.day];
    },
    /** The same, of a large day only the visits that were active since a second of it, and some more. */
    live(siteId: number, day: number, since: number): LiveDay[] {
      const read = readAny(siteId, day);
      if ('large' in read) return liveDaysOf(db, read.large, since);
      return [{ day: read.small.day, counts: () => true }];
    },
    forget(): void {
      cache.clear();
      columns.forget();
    },
  };
}

/** Sealed days, with a cache of their columns. */
function sealedDayCache(db: Db) {
  const { of, nextQuery, forget } = columnCache();
  const sealedDay = (row: SealedDay): Day => ({
    day: row.day,
    totals: row,
    column: (name) => of(row.id * COLUMNS.length + COLUMNS.indexOf(name), () => readColumn(db, row, name)),
  });
  return { sealedDay, nextQuery, forget };
}

export function dayReader(db: Db, checkpoint = () => {}) {
  const { sealedDay, ...sealed } = sealedDayCache(db);
  const open = openDayCache(db);
  const reopenedDays = (siteId: number, day: number): Day[] => reopenedIn(listSources(db, siteId, day)).map(sealedDay);

  /** The open days: a large one in parts, and one that was opened again beside what it had when it was sealed. */
  const openDays = (siteId: number, from: number, to: number): Day[] =>
    listOpenDays(db, siteId, from, to)
      .flatMap((day) => {
        checkpoint();
        return [...reopenedDays(siteId, day), ...open.of(siteId, day)];
      })
      .filter(({ totals }) => totals.visits > 0);

  return {
    /** Must be called at the start of each query. */
    nextQuery(): void {
      sealed.nextQuery();
      open.nextQuery();
    },
    /** Frees all memory. */
    forget(): void {
      sealed.forget();
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

    /** The visits of days from `from` to before `to` that were active since a moment, and others. */
    *live(siteId: number, { from, to }: Range, since: number): Generator<LiveDay> {
      for (const row of listWithHits(db, siteId, from, to)) yield { day: sealedDay(row), counts: () => true };
      for (const day of listOpenDays(db, siteId, from, to)) {
        checkpoint();
        for (const part of reopenedDays(siteId, day)) yield { day: part, counts: () => true };
        yield* open.live(siteId, day, since - day * DAY);
      }
    },

    /** The days with sums only, which `days` leaves out. */
    sumDays: (siteId: number, from: number, to: number): number[] => listSumDays(db, siteId, from, to),

    /** The totals of each day, unfiltered. */
    totals: (siteId: number, from: number, to: number): (Totals & { day: number })[] => [
      ...listSealed(db, siteId, from, to),
      ...openDays(siteId, from, to).map(({ day, totals }) => ({ day, ...totals })),
    ],

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
