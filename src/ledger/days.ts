import { firstDayOf, monthOf } from '../stats/calendar.ts';
import { type Breakdown, DIMENSIONS, sinceOf } from '../stats/dimensions.ts';
import type { Totals } from '../stats/measured.ts';
import type { Db } from '../store/statements.ts';
import { columnCache } from './column-cache.ts';
import { COLUMNS, type Column, type ColumnName, isOfHits, unpackColumn } from './columns.ts';
import type { Day } from './day.ts';
import { fold } from './fold.ts';
import { findMonth } from './months.ts';
import { listOpenDays, type OpenRows, readOpen } from './open-days.ts';
import { findPiece, missing } from './pieces.ts';
import { type Rollup, readRollup, rollupOf, unpackRollup } from './rollups.ts';
import { listSealed, listSumDays, listWithHits, type SealedDay } from './sealed-days.ts';

/** The days of a file, for questions: the same for open ones as for sealed ones. */
export type Days = ReturnType<typeof daysOf>;

/** Open days are kept in memory up to so many rows, of 64 bytes each, so that a question reads only what came since. */
const KEPT_ROWS = 400_000;

type Kept = { open: OpenRows; state: string; day: Day };

/** The open days that were looked at last, with what has been read and folded of them. */
function openDayCache(db: Db) {
  const kept = new Map<string, Kept>();

  function keep(key: string, one: Kept): void {
    kept.delete(key);
    kept.set(key, one);
    let rows = 0;
    for (const [other, { open }] of [...kept].reverse()) {
      rows += open.rows.count;
      if (rows > KEPT_ROWS && other !== key) kept.delete(other);
    }
  }

  return {
    of(siteId: number, day: number): Day {
      const key = `${siteId} ${day}`;
      const before = kept.get(key);
      const open = readOpen(db, siteId, day, before?.open);
      const state = JSON.stringify(open.sources);
      const made = before?.state === state ? before.day : fold(day, open.rows);
      keep(key, { open, state, day: made });
      return made;
    },
    forget: () => kept.clear(),
  };
}

/** A column of a sealed day; of one that came later than the day, nobody has a value. */
function readColumn(db: Db, { id, format, visits, pageviews, events }: SealedDay, name: ColumnName): Column {
  const bytes = findPiece(db, 'segment', id, name);
  if (bytes) return unpackColumn(name, bytes);
  const since = name in DIMENSIONS ? sinceOf(name as keyof typeof DIMENSIONS) : 1;
  if (since <= format) throw missing('segment', id, name);
  return { terms: Uint8Array.of(0), codes: new Uint8Array(isOfHits(name) ? pageviews + events : visits) };
}

export function daysOf(db: Db) {
  const columns = columnCache();
  const open = openDayCache(db);

  const sealedDay = (row: SealedDay): Day => ({
    day: row.day,
    totals: row,
    column: (name) => columns.of(row.id * COLUMNS.length + COLUMNS.indexOf(name), () => readColumn(db, row, name)),
  });

  const openDays = (siteId: number, from: number, to: number): Day[] =>
    listOpenDays(db, siteId, from, to)
      .map((day) => open.of(siteId, day))
      .filter(({ totals }) => totals.visits > 0);

  return {
    /** Another question begins. */
    turn: columns.turn,
    /** Gives all memory back. */
    forget(): void {
      columns.forget();
      open.forget();
    },
    /** The days of a site that have hits, from one to before another, each read as far as somebody looks at it. */
    *days(siteId: number, from: number, to: number): Generator<Day> {
      for (const row of listWithHits(db, siteId, from, to)) yield sealedDay(row);
      yield* openDays(siteId, from, to);
    },

    /** The days that are known by their sums only, which `days` leaves out. */
    sumDays: (siteId: number, from: number, to: number): number[] => listSumDays(db, siteId, from, to),

    /** The sums of each day without a filter. */
    totals(siteId: number, from: number, to: number): (Totals & { day: number })[] {
      const open = openDays(siteId, from, to).map(({ day, totals }) => ({ day, ...totals }));
      return [...listSealed(db, siteId, from, to), ...open];
    },

    /** What is counted for a breakdown without a filter, in parts that add up: whole months where they are known, and days. */
    *rollups(siteId: number, breakdown: Breakdown, from: number, to: number): Generator<Rollup> {
      const days = listSealed(db, siteId, from, to);
      for (const [month, own] of Map.groupBy(days, ({ day }) => monthOf(day))) {
        const isWhole = firstDayOf(month) >= from && firstDayOf(month + 1) <= to;
        const data = isWhole ? findMonth(db, siteId, breakdown, own) : undefined;
        if (data) yield unpackRollup(breakdown, data);
        else for (const day of own) yield readRollup(db, day, breakdown);
      }
      for (const day of openDays(siteId, from, to)) yield rollupOf(day, breakdown);
    },
  };
}
