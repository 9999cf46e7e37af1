import type { Db } from '../store/statements.ts';
import { sound } from './bytes.ts';
import { keptColumns } from './column-cache.ts';
import { COLUMNS, type Column, type ColumnName, unpackColumn } from './columns.ts';
import { type Day, TOTALS, type Totals } from './day.ts';
import type { Dimension } from './dimensions.ts';
import { fold } from './fold.ts';
import { findMonth, firstDay, listDays, monthOf } from './months.ts';
import { listOpenDays, type OpenRows, readOpen } from './open-days.ts';
import { type Rollup, readRollup, rollupOf, unpackRollup } from './rollups.ts';
import { HAS_HITS, listSummed } from './sum-days.ts';

/** The ledger of a file, for questions: the same for open days as for sealed ones. */
export type Ledger = ReturnType<typeof ledger>;

export type DayTotals = Totals & { day: number };

/** Open days are kept in memory up to so many rows, of 64 bytes each, so that a question reads only what came since. */
const KEPT_ROWS = 400_000;

type Kept = { open: OpenRows; state: string; day: Day };

const SHOWN = 'site_id = ? AND shown = 1 AND day >= ? AND day < ?';

export function ledger(db: Db) {
  const kept = new Map<string, Kept>();
  const columns = keptColumns();

  function keep(key: string, one: Kept): void {
    kept.delete(key);
    kept.set(key, one);
    let rows = 0;
    for (const [other, { open }] of [...kept].reverse()) {
      rows += open.rows.count;
      if (rows > KEPT_ROWS && other !== key) kept.delete(other);
    }
  }

  function openDay(siteId: number, day: number): Day {
    const key = `${siteId} ${day}`;
    const before = kept.get(key);
    const open = readOpen(db, siteId, day, before?.open);
    const state = JSON.stringify(open.sources);
    const made = before?.state === state ? before.day : fold(day, open.rows);
    keep(key, { open, state, day: made });
    return made;
  }

  function read(id: number, name: ColumnName): Column {
    const sql = 'SELECT data, crc FROM segment WHERE sealed_day_id = ? AND name = ?';
    return unpackColumn(name, sound(db.one(sql, id, name), `column ${name} of day ${id}`));
  }

  const sealedDay = ({ id, day, ...totals }: DayTotals & { id: number }): Day => ({
    day,
    totals,
    column: (name) => columns.of(id * COLUMNS.length + COLUMNS.indexOf(name), () => read(id, name)),
  });

  const openDays = (siteId: number, from: number, to: number): Day[] =>
    listOpenDays(db, siteId, from, to)
      .map((day) => openDay(siteId, day))
      .filter(({ totals }) => totals.visits > 0);

  return {
    /** Another question begins. */
    turn: columns.turn,
    /** Gives all memory back. */
    forget(): void {
      columns.forget();
      kept.clear();
    },
    /** The days of a site that have hits, from one to before another, each read as far as somebody looks at it. */
    *days(siteId: number, from: number, to: number): Generator<Day> {
      const sql = `SELECT id, day, ${TOTALS.join(', ')} FROM sealed_day WHERE ${SHOWN} AND ${HAS_HITS} ORDER BY day`;
      for (const row of db.all<DayTotals & { id: number }>(sql, siteId, from, to)) yield sealedDay(row);
      yield* openDays(siteId, from, to);
    },

    /** The days that are known by their sums only, which `days` leaves out. */
    summed: (siteId: number, from: number, to: number): number[] => listSummed(db, siteId, from, to),

    /** The sums of each day without a filter. */
    totals(siteId: number, from: number, to: number): DayTotals[] {
      const sql = `SELECT day, ${TOTALS.join(', ')} FROM sealed_day WHERE ${SHOWN}`;
      const open = openDays(siteId, from, to).map(({ day, totals }) => ({ day, ...totals }));
      return [...db.all<DayTotals>(sql, siteId, from, to), ...open];
    },

    /** What is counted for a breakdown without a filter, in parts that add up: whole months where they are known, and days. */
    *rollups(siteId: number, dimension: Dimension, from: number, to: number): Generator<Rollup> {
      const days = listDays(db, siteId, from, to);
      for (const [month, own] of Map.groupBy(days, ({ day }) => monthOf(day))) {
        const isWhole = firstDay(month) >= from && firstDay(month + 1) <= to;
        const data = isWhole ? findMonth(db, siteId, dimension, own) : undefined;
        if (data) yield unpackRollup(dimension, data);
        else for (const { id } of own) yield readRollup(db, id, dimension);
      }
      for (const day of openDays(siteId, from, to)) yield rollupOf(day, dimension);
    },
  };
}
