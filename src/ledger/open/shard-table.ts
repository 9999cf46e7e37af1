import type { SiteDay } from '../../catalog/sealed-days.ts';
import { TOTALS, type Totals } from '../../stats/measured.ts';
import type { Db } from '../../store/db.ts';
import { findBlob, makeMissingError, removeOneBlob } from '../column/blobs.ts';

/** Up to where rows are in a part: those with ids up to `until`, which are the first `count` of the day. */
export type Until = { until: number; count: number };

/** The range of visitors of a part begins at `from`; it ends where the next part begins. */
export type ShardRow = Totals & Until & { id: number; from: number };

const FIELDS = `id, from_visitor AS "from", hit_until AS until, row_count AS count, ${TOTALS.join(', ')}`;

/** The visible parts of an open day, by their visitors. */
export const listShards = (db: Db, { siteId, day }: SiteDay): ShardRow[] =>
  db.all(
    `SELECT ${FIELDS} FROM open_part WHERE site_id = ? AND day = ? AND state = 'shown' ORDER BY from_visitor`,
    siteId,
    day,
  );

/** Up to where the collected hits of a day are in all of its parts; zeros for a day without parts. */
export const findCompacted = (db: Db, { siteId, day }: SiteDay): Until =>
  db.one(
    `SELECT coalesce(min(hit_until), 0) AS until, coalesce(min(row_count), 0) AS count FROM open_part
     WHERE site_id = ? AND day = ? AND state = 'shown'`,
    siteId,
    day,
  ) ?? { until: 0, count: 0 };

const INSERT = `INSERT INTO open_part (site_id, day, state, staged_at, from_visitor, hit_until, row_count, ${TOTALS.join(', ')})
  VALUES (?, ?, 'staged', ?, ?, 0, 0, ${TOTALS.map(() => '?').join(', ')})`;

type StagedPart = SiteDay & { from: number; totals: Totals; now: number };

/** Adds a part that is not visible to queries yet. */
export const addShard = (db: Db, { siteId, day, from, totals, now }: StagedPart): number =>
  db.run(INSERT, siteId, day, now, from, ...TOTALS.map((name) => totals[name])).id;

/** A blob that every part has. */
export function readShardBlob(db: Db, id: number, name: string): Buffer {
  const blob = findBlob(db, 'open_piece', id, name);
  if (!blob) throw makeMissingError('open_piece', id, name);
  return blob;
}

export const markShardGone = (db: Db, id: number): void => {
  db.run("UPDATE open_part SET state = 'gone' WHERE id = ?", id);
};

export const showShard = (db: Db, id: number, { until, count }: Until): void => {
  db.run("UPDATE open_part SET state = 'shown', hit_until = ?, row_count = ? WHERE id = ?", until, count, id);
};

export const isShownShard = (db: Db, id: number): boolean =>
  db.one("SELECT 1 FROM open_part WHERE id = ? AND state = 'shown'", id) !== undefined;

/** The visible parts of a day to which nothing came are as good as those to which something did. */
export const setCompacted = (db: Db, { siteId, day }: SiteDay, { until, count }: Until): void => {
  const sql = `UPDATE open_part SET hit_until = ?, row_count = ?
    WHERE site_id = ? AND day = ? AND state = 'shown' AND hit_until < ?`;
  db.run(sql, until, count, siteId, day, until);
};

/** Makes the parts of a day that was sealed invisible, and leaves them to `sweep`. */
export const markShardsGone = (db: Db, { siteId, day }: SiteDay): void => {
  db.run("UPDATE open_part SET state = 'gone' WHERE site_id = ? AND day = ?", siteId, day);
};

/** A part that is gone, or that was staged before a moment and never shown. */
export const findDeadShard = (db: Db, stagedBefore: number): number | undefined =>
  db.one<{ id: number }>(
    "SELECT id FROM open_part WHERE state = 'gone' OR (state = 'staged' AND staged_at < ?) LIMIT 1",
    stagedBefore,
  )?.id;

export const findShardOfSite = (db: Db, siteId: number): number | undefined =>
  db.one<{ id: number }>('SELECT id FROM open_part WHERE site_id = ? LIMIT 1', siteId)?.id;

/** Deletes one blob of a part, or the part when it has none left. */
export function removeFromShard(db: Db, id: number): void {
  if (removeOneBlob(db, 'open_piece', id) === undefined) db.run('DELETE FROM open_part WHERE id = ?', id);
}
