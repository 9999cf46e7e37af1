import { crc32 } from 'node:zlib';
import { TOTALS, type Totals } from '../stats/measured.ts';
import type { Db } from '../store/statements.ts';
import type { Piece } from './pieces.ts';
import type { SiteDay } from './sealed-days.ts';

/**
 * The range of visitors of a part begins at `from`; it ends where the next part begins. Of the rows of the day, `count` are in the
 * parts: those with ids up to `until`.
 */
export type OpenPart = Totals & { id: number; from: number; until: number; count: number };

const FIELDS = `id, from_visitor AS "from", hit_until AS until, row_count AS count, ${TOTALS.join(', ')}`;

/** The visible parts of an open day, by their visitors. */
export const listParts = (db: Db, { siteId, day }: SiteDay): OpenPart[] =>
  db.all(
    `SELECT ${FIELDS} FROM open_part WHERE site_id = ? AND day = ? AND state = 'shown' ORDER BY from_visitor`,
    siteId,
    day,
  );

/** How many collected hits of a day are in its parts, and up to which id; zeros for a day without parts. */
export const foldedRows = (db: Db, { siteId, day }: SiteDay): { until: number; rows: number } =>
  db.one(
    `SELECT coalesce(max(hit_until), 0) AS until, coalesce(max(row_count), 0) AS rows FROM open_part
     WHERE site_id = ? AND day = ? AND state = 'shown'`,
    siteId,
    day,
  ) ?? { until: 0, rows: 0 };

const INSERT = `INSERT INTO open_part (site_id, day, state, staged_at, from_visitor, hit_until, row_count, ${TOTALS.join(', ')})
  VALUES (?, ?, 'staged', ?, ?, 0, 0, ${TOTALS.map(() => '?').join(', ')})`;

type StagedPart = SiteDay & { from: number; totals: Totals; now: number };

/** Adds a part that is not visible to queries yet. */
export const addPart = (db: Db, { siteId, day, from, totals, now }: StagedPart): number =>
  db.run(INSERT, siteId, day, now, from, ...TOTALS.map((name) => totals[name])).id;

/** Inserts nothing if the part was deleted with its site or its sealed day while it was being written. */
export function addPartPiece(db: Db, partId: number, { name, data }: Piece): void {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const sql = 'INSERT INTO open_piece (open_part_id, name, data, crc) SELECT id, ?, ?, ? FROM open_part WHERE id = ?';
  db.run(sql, name, bytes, crc32(data), partId);
}

/** A piece of a part. Throws if it is damaged, because a wrong figure is worse than none. */
export function partPiece(db: Db, partId: number, name: string): Buffer {
  const row = db.one<{ data: Buffer; crc: number }>(
    'SELECT data, crc FROM open_piece WHERE open_part_id = ? AND name = ?',
    partId,
    name,
  );
  if (!row) throw new Error(`column ${name} of part ${partId} of an open day is missing`);
  if (crc32(row.data) !== row.crc) {
    throw new Error(`column ${name} of part ${partId} of an open day is damaged, its checksum has changed`);
  }
  return row.data;
}

export const markPartGone = (db: Db, id: number): void => {
  db.run("UPDATE open_part SET state = 'gone' WHERE id = ?", id);
};

export const showPart = (db: Db, id: number): boolean =>
  db.run("UPDATE open_part SET state = 'shown' WHERE id = ? AND state = 'staged'", id).changes === 1;

/** All rows of a day up to an id are now in its visible parts. */
export const setFolded = (db: Db, { siteId, day }: SiteDay, until: number, count: number): void => {
  const sql = "UPDATE open_part SET hit_until = ?, row_count = ? WHERE site_id = ? AND day = ? AND state = 'shown'";
  db.run(sql, until, count, siteId, day);
};

/** Makes the parts of a day that was sealed invisible, and leaves them to `sweep`. */
export const markPartsGone = (db: Db, { siteId, day }: SiteDay): void => {
  db.run("UPDATE open_part SET state = 'gone' WHERE site_id = ? AND day = ?", siteId, day);
};

/** A part that is gone, or that was staged before a moment and never shown. */
export const findDeadPart = (db: Db, stagedBefore: number): number | undefined =>
  db.one<{ id: number }>(
    "SELECT id FROM open_part WHERE state = 'gone' OR (state = 'staged' AND staged_at < ?) LIMIT 1",
    stagedBefore,
  )?.id;

export const findPartOfSite = (db: Db, siteId: number): number | undefined =>
  db.one<{ id: number }>('SELECT id FROM open_part WHERE site_id = ? LIMIT 1', siteId)?.id;

/** Deletes one piece of a part, or the part when it has none left. A piece has up to two megabytes. */
export function removeFromPart(db: Db, id: number): void {
  const sql =
    'DELETE FROM open_piece WHERE rowid IN (SELECT rowid FROM open_piece WHERE open_part_id = ? ORDER BY name LIMIT 1)';
  if (db.run(sql, id).changes === 0) db.run('DELETE FROM open_part WHERE id = ?', id);
}
