// Reads and writes the table `open_shard`, which lists the shards of open days. The table `open_blob` has their
// content.
//
// Invariant: queries see only shards in the state `shown`. The shown shards of a day cover all visitor codes, without
// gaps. A shard in the state `gone` is never shown again, and is deleted later.
//
// Example: a day has a shard for the visitor codes below 5000, and another for all other codes. `count` says up to
// which row of the day a shard has the rows of its visitors. Both shards were built from the first 100,000 rows, so
// both have the `count` 100,000. Then a compaction replaces the first shard by one with the `count` 150,000.
// Compaction, queries, sealing and the sweep call this file.
import type { SiteDay } from '../../catalog/sealed-days.ts';
import { TOTALS, type Totals } from '../../stats/aggregates.ts';
import type { Db } from '../../store/db.ts';
import { VERSION } from '../../store/file/migrations.ts';
import { findBlob, makeMissingError, removeOneBlob } from '../column/blobs.ts';
import { makeAddedColumn, type ShardColumn, unpackShardColumn } from '../column/column.ts';
import type { Column } from '../column/packing.ts';

/**
 * A shard contains the rows of its visitors among the first `count` rows of the day. `until` is the id of the last of
 * these `count` rows. A query reads all later rows from the table `hit`.
 */
export type Until = { until: number; count: number };

/**
 * A row of the table. The visitor codes of a shard begin at `from` and end where the next shard begins. `format` is the
 * version that the database file had when the shard was written (`VERSION`). Shards from older versions may lack
 * columns that were added later.
 */
export type ShardRow = Totals & Until & { id: number; from: number; format: number };

const FIELDS = `id, format, from_visitor AS "from", hit_until AS until, row_count AS count, ${TOTALS.join(', ')}`;

/** Lists the shards that queries see, ordered by visitor code. Staged and replaced shards are left out. */
export const listShards = (db: Db, { siteId, day }: SiteDay): ShardRow[] =>
  db.all(
    `SELECT ${FIELDS} FROM open_shard WHERE site_id = ? AND day = ? AND state = 'shown' ORDER BY from_visitor`,
    siteId,
    day,
  );

/**
 * Finds the row up to which all rows of the day are in shards. `until` is the id of this row, and `count` is the number
 * of rows up to this row. A query reads later rows from the table `hit`. Without shards, both are 0.
 */
export const findCompacted = (db: Db, { siteId, day }: SiteDay): Until =>
  db.one(
    `SELECT coalesce(min(hit_until), 0) AS until, coalesce(min(row_count), 0) AS count FROM open_shard
     WHERE site_id = ? AND day = ? AND state = 'shown'`,
    siteId,
    day,
  ) ?? { until: 0, count: 0 };

const INSERT = `INSERT INTO open_shard (site_id, day, state, staged_at, format, from_visitor, hit_until, row_count, ${TOTALS.join(', ')})
  VALUES (?, ?, 'staged', ?, ${VERSION}, ?, 0, 0, ${TOTALS.map(() => '?').join(', ')})`;

type StagedShard = SiteDay & { from: number; totals: Totals; now: number };

/** Adds a staged shard. Queries do not see the shard until its content is written and `showShard` is called. */
export const addShard = (db: Db, { siteId, day, from, totals, now }: StagedShard): number =>
  db.run(INSERT, siteId, day, now, from, ...TOTALS.map((name) => totals[name])).id;

export function readShardBlob(db: Db, id: number, name: string): Buffer {
  const blob = findBlob(db, 'open_blob', id, name);
  if (!blob) throw makeMissingError(db, 'open_blob', id, name);
  return blob;
}

/**
 * Reads a column of a shard. The shard may have been written by an older version of daybook, which did not have this
 * column. All values are then empty.
 */
export function readShardColumn(
  db: Db,
  { id, format }: Pick<ShardRow, 'id' | 'format'>,
  name: ShardColumn,
  { rows, blob = name }: { rows: number; blob?: string },
): Column {
  const bytes = findBlob(db, 'open_blob', id, blob);
  if (bytes) return unpackShardColumn(name, bytes);
  const added = makeAddedColumn(name, format, rows);
  if (!added) throw makeMissingError(db, 'open_blob', id, blob);
  return added;
}

export const markShardGone = (db: Db, id: number): void => {
  db.run("UPDATE open_shard SET state = 'gone' WHERE id = ?", id);
};

export const showShard = (db: Db, id: number, { until, count }: Until): void => {
  db.run("UPDATE open_shard SET state = 'shown', hit_until = ?, row_count = ? WHERE id = ?", until, count, id);
};

export const hasShardState = (db: Db, id: number, state: 'staged' | 'shown'): boolean =>
  db.one('SELECT 1 FROM open_shard WHERE id = ? AND state = ?', id, state) !== undefined;

/**
 * Records that the shown shards together have the first `count` rows of the day. A compaction writes only shards with
 * new rows. All other shards get the new `count` here.
 */
export const setCompacted = (db: Db, { siteId, day }: SiteDay, { until, count }: Until): void => {
  const sql = `UPDATE open_shard SET hit_until = ?, row_count = ?
    WHERE site_id = ? AND day = ? AND state = 'shown' AND hit_until < ?`;
  db.run(sql, until, count, siteId, day, until);
};

/**
 * Hides the shards of a day that was sealed, so that no hit counts twice. `sweepShards` deletes these shards later, in
 * short transactions.
 */
export const markShardsGone = (db: Db, { siteId, day }: SiteDay): void => {
  db.run("UPDATE open_shard SET state = 'gone' WHERE site_id = ? AND day = ?", siteId, day);
};

/**
 * Finds a shard to delete. It may be in the state `gone`, for example because it was replaced or its day was sealed. Or
 * it was staged before `stagedBefore` and never shown, because the program stopped during a compaction.
 */
export const findDeadShard = (db: Db, stagedBefore: number): number | undefined =>
  db.one<{ id: number }>(
    "SELECT id FROM open_shard WHERE state = 'gone' OR (state = 'staged' AND staged_at < ?) LIMIT 1",
    stagedBefore,
  )?.id;

export const findShardOfSite = (db: Db, siteId: number): number | undefined =>
  db.one<{ id: number }>('SELECT id FROM open_shard WHERE site_id = ? LIMIT 1', siteId)?.id;

/**
 * Deletes one blob of a shard, so that the transaction is short. If the shard has no blobs left, deletes the shard
 * itself. The shard gets the state `gone` before its first blob is deleted. Otherwise, a compaction that is still
 * running could show an incomplete shard.
 */
export function removeFromShard(db: Db, id: number): void {
  markShardGone(db, id);
  if (removeOneBlob(db, 'open_blob', id) === undefined) db.run('DELETE FROM open_shard WHERE id = ?', id);
}
