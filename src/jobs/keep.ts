import { crc32 } from 'node:zlib';
import { TOTALS, type Totals } from '../ledger/day.ts';
import { ROLLUPS, readRollup } from '../ledger/rollups.ts';
import { markOf } from '../ledger/sum-days.ts';
import type { Steps } from '../lib/steps.ts';
import type { Db } from '../store/statements.ts';

type Row = Totals & { id: number; day: number };

/** Sealed days that are older than their site keeps hits, and still have some. */
const DUE = `FROM sealed_day d JOIN site s ON s.id = d.site_id
  WHERE d.shown = 1 AND s.keep_days > 0 AND d.day < ? - s.keep_days
    AND EXISTS (SELECT 1 FROM segment WHERE sealed_day_id = d.id)`;

/** How many of these days a site has, and the bytes that their hits take. */
export const sizeOfOldHits = (db: Db, siteId: number, today: number): { count: number; bytes: number } =>
  db.one(
    `SELECT count(DISTINCT sealed_day_id) AS count, coalesce(sum(length(data)), 0) AS bytes FROM segment
     WHERE sealed_day_id IN (SELECT d.id ${DUE} AND s.id = ?)`,
    today,
    siteId,
  ) ?? { count: 0, bytes: 0 };

/** A day whose sums are damaged keeps its hits, from which they can be counted again; daybook check reports it. */
function isWhole(db: Db, { id }: Row): boolean {
  try {
    for (const name of ROLLUPS) readRollup(db, id, name);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('SQLITE_')) throw error;
    return false;
  }
}

/** Deletes the hits of days that are older than their site keeps them. A day is marked first, from when on only its sums are read. */
export function* deleteOldHits(db: Db, today: number): Steps {
  const sums = TOTALS.map((name) => `d.${name}`).join(', ');
  const insert = 'INSERT OR IGNORE INTO rollup (sealed_day_id, name, data, crc) VALUES (?, ?, ?, ?)';
  for (const row of db.all<Row>(`SELECT d.id, d.day, ${sums} ${DUE} ORDER BY d.id`, today)) {
    if (!isWhole(db, row)) continue;
    const mark = markOf(row);
    db.write(() => db.run(insert, row.id, mark.name, mark.data, crc32(mark.data)));
    yield;
    for (const { name } of db.all<{ name: string }>('SELECT name FROM segment WHERE sealed_day_id = ?', row.id)) {
      db.write(() => db.run('DELETE FROM segment WHERE sealed_day_id = ? AND name = ?', row.id, name));
      yield;
    }
  }
}
