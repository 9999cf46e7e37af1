// Reads and writes the table `open_shard`, which lists the shards of open days. A shard has some visitors of a day with
// all their hits. The content of a shard is in the table `open_blob`.
// Invariant: queries see only shards in the state `shown`. The shown shards of a day have ranges of visitor codes
// without gaps.
//
// Example: a day has a shard for visitor codes below 5000, and another shard for all other codes. Both have the first
// 100,000 rows of the day, so their `count` is 100,000. Then a compaction replaces the first shard by one with `count`
// 150,000. Now row 100,001 is in a shard only if its visitor code is below 5000.
// compaction.ts, row-sources.ts, shard-format.ts and upkeep/sweep.ts call this file.
import type { SiteDay } from '../../catalog/sealed-days.ts';
import { TOTALS, type Totals } from '../../stats/aggregates.ts';
import type { Db } from '../../store/db.ts';
import { VERSION } from '../../store/file/migrations.ts';
import { findBlob, makeMissingError, removeOneBlob } from '../column/blobs.ts';
import { type Column, makeAddedColumn, type ShardColumn, unpackShardColumn } from '../column/column.ts';

/**
 * A shard has rows of some visitors of a day: those among the day's first `count` rows. `until` is the id of the last
 * of the `count` rows. So a query knows from where to read on.
 */
export type Until = { until: number; count: number };

/**
 * A row of the table `open_shard`. A shard has some visitors of a day. Its visitor codes begin at `from` and end where
 * the next shard begins. `format` is the version of the database file when the shard was written. An older shard may
 * lack a column that newer shards have.
 */
export type ShardRow = Totals & Until & { id: number; from: number; format: number };

const FIELDS = `id, format, from_visitor AS "from", hit_until AS until, row_count AS count, ${TOTALS.join(', ')}`;

/**
 * Lists the shards (each has some visitors of the day) that queries see, ordered by visitor code. Shards that are being
 * written, or were replaced, have another state than `shown`.
 */
export const listShards = (db: Db, { siteId, day }: SiteDay): ShardRow[] =>
  db.all(
    `SELECT ${FIELDS} FROM open_shard WHERE site_id = ? AND day = ? AND state = 'shown' ORDER BY from_visitor`,
    siteId,
    day,
  );

/**
 * Finds the last row that every shard (some visitors of a day) has. A query reads later rows from the table `hit`.
 * `until` and `count` are 0 for a day without shards.
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

/**
 * Adds a shard (some visitors of a day) in the state `staged`. Queries do not see the shard until all its content is
 * written and `showShard` is called.
 */
export const addShard = (db: Db, { siteId, day, from, totals, now }: StagedShard): number =>
  db.run(INSERT, siteId, day, now, from, ...TOTALS.map((name) => totals[name])).id;

/**
 * Reads a blob of a shard (some visitors of a day). A blob is for example a packed column. Throws if the blob is
 * missing or damaged, because a wrong figure is worse than none.
 */
export function readShardBlob(db: Db, id: number, name: string): Buffer {
  const blob = findBlob(db, 'open_blob', id, name);
  if (!blob) throw makeMissingError('open_blob', id, name);
  return blob;
}

/**
 * Reads a column of a shard (some visitors of a day) from the blob with the name `blob`. An older version of daybook,
 * which did not know this column, may have written the shard. Then all values are empty.
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
  if (!added) throw makeMissingError('open_blob', id, blob);
  return added;
}

export const markShardGone = (db: Db, id: number): void => {
  db.run("UPDATE open_shard SET state = 'gone' WHERE id = ?", id);
};

export const showShard = (db: Db, id: number, { until, count }: Until): void => {
  db.run("UPDATE open_shard SET state = 'shown', hit_until = ?, row_count = ? WHERE id = ?", until, count, id);
};

export const isShownShard = (db: Db, id: number): boolean =>
  db.one("SELECT 1 FROM open_shard WHERE id = ? AND state = 'shown'", id) !== undefined;

/**
 * A shard has some visitors of a day. Notes that all shown shards have the day's first `count` rows, up to the id
 * `until`. A compaction writes only shards whose visitors have new rows. For all other shards, these two numbers are
 * raised here.
 */
export const setCompacted = (db: Db, { siteId, day }: SiteDay, { until, count }: Until): void => {
  const sql = `UPDATE open_shard SET hit_until = ?, row_count = ?
    WHERE site_id = ? AND day = ? AND state = 'shown' AND hit_until < ?`;
  db.run(sql, until, count, siteId, day, until);
};

/**
 * When a day is sealed, its shards are packed in another form. Hides the shards from queries, so that no hit counts
 * twice. `sweepShards` deletes the shards later, in many short transactions.
 */
export const markShardsGone = (db: Db, { siteId, day }: SiteDay): void => {
  db.run("UPDATE open_shard SET state = 'gone' WHERE site_id = ? AND day = ?", siteId, day);
};

/**
 * Finds a shard (packed hits of a day) to be deleted. The shard is in the state `gone`, or was written before the time
 * `stagedBefore` and never shown. If the program is stopped while it writes shards, some are never shown.
 */
export const findDeadShard = (db: Db, stagedBefore: number): number | undefined =>
  db.one<{ id: number }>(
    "SELECT id FROM open_shard WHERE state = 'gone' OR (state = 'staged' AND staged_at < ?) LIMIT 1",
    stagedBefore,
  )?.id;

export const findShardOfSite = (db: Db, siteId: number): number | undefined =>
  db.one<{ id: number }>('SELECT id FROM open_shard WHERE site_id = ? LIMIT 1', siteId)?.id;

/**
 * Deletes one blob (a packed column) of a shard (some visitors of a day), so that each transaction is short. If the
 * shard has no blob left, the shard itself is deleted.
 */
export function removeFromShard(db: Db, id: number): void {
  if (removeOneBlob(db, 'open_blob', id) === undefined) db.run('DELETE FROM open_shard WHERE id = ?', id);
}
