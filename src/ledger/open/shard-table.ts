// Reads and writes the table `open_shard`, which has the shards of open days. Their blobs are in `open_blob`.
// Invariant: a query sees shards in the state `shown` only. The shown shards of a day have ranges of visitors without gaps.
//
// Example: a day has shards from visitor 0 and from visitor 5000. Both have `count` 100,000: the first 100,000 rows of the day are in them.
// Then a compaction replaces the first shard up to row 150,000, and row 100,001 is in one shard only.
// Called by compaction.ts, row-sources.ts, shard-format.ts and upkeep/sweep.ts.
import type { SiteDay } from '../../catalog/sealed-days.ts';
import { TOTALS, type Totals } from '../../stats/aggregates.ts';
import type { Db } from '../../store/db.ts';
import { findBlob, makeMissingError, removeOneBlob } from '../column/blobs.ts';

/** Up to which row a shard has the day: rows with ids up to `until`, which are the first `count` of the day. */
export type Until = { until: number; count: number };

/** A shard as the table has it. Its visitors begin at `from` and end where the next shard begins. */
export type ShardRow = Totals & Until & { id: number; from: number };

const FIELDS = `id, from_visitor AS "from", hit_until AS until, row_count AS count, ${TOTALS.join(', ')}`;

/** The visible shards of an open day, by their visitors. */
export const listShards = (db: Db, { siteId, day }: SiteDay): ShardRow[] =>
  db.all(
    `SELECT ${FIELDS} FROM open_shard WHERE site_id = ? AND day = ? AND state = 'shown' ORDER BY from_visitor`,
    siteId,
    day,
  );

/** Up to which row all shards of a day have its hits. Zeros for a day without shards. */
export const findCompacted = (db: Db, { siteId, day }: SiteDay): Until =>
  db.one(
    `SELECT coalesce(min(hit_until), 0) AS until, coalesce(min(row_count), 0) AS count FROM open_shard
     WHERE site_id = ? AND day = ? AND state = 'shown'`,
    siteId,
    day,
  ) ?? { until: 0, count: 0 };

const INSERT = `INSERT INTO open_shard (site_id, day, state, staged_at, from_visitor, hit_until, row_count, ${TOTALS.join(', ')})
  VALUES (?, ?, 'staged', ?, ?, 0, 0, ${TOTALS.map(() => '?').join(', ')})`;

type StagedShard = SiteDay & { from: number; totals: Totals; now: number };

/** Adds a shard that queries do not see yet. */
export const addShard = (db: Db, { siteId, day, from, totals, now }: StagedShard): number =>
  db.run(INSERT, siteId, day, now, from, ...TOTALS.map((name) => totals[name])).id;

/** Reads a blob that every shard has. */
export function readShardBlob(db: Db, id: number, name: string): Buffer {
  const blob = findBlob(db, 'open_blob', id, name);
  if (!blob) throw makeMissingError('open_blob', id, name);
  return blob;
}

export const markShardGone = (db: Db, id: number): void => {
  db.run("UPDATE open_shard SET state = 'gone' WHERE id = ?", id);
};

export const showShard = (db: Db, id: number, { until, count }: Until): void => {
  db.run("UPDATE open_shard SET state = 'shown', hit_until = ?, row_count = ? WHERE id = ?", until, count, id);
};

export const isShownShard = (db: Db, id: number): boolean =>
  db.one("SELECT 1 FROM open_shard WHERE id = ? AND state = 'shown'", id) !== undefined;

/** Notes that all visible shards of a day have its rows up to `until`. A compaction leaves shards alone to which nothing came. */
export const setCompacted = (db: Db, { siteId, day }: SiteDay, { until, count }: Until): void => {
  const sql = `UPDATE open_shard SET hit_until = ?, row_count = ?
    WHERE site_id = ? AND day = ? AND state = 'shown' AND hit_until < ?`;
  db.run(sql, until, count, siteId, day, until);
};

/** Hides the shards of a sealed day from queries, and leaves them to `sweep`. */
export const markShardsGone = (db: Db, { siteId, day }: SiteDay): void => {
  db.run("UPDATE open_shard SET state = 'gone' WHERE site_id = ? AND day = ?", siteId, day);
};

/** A shard that is hidden, or that was staged before `stagedBefore` and never shown. */
export const findDeadShard = (db: Db, stagedBefore: number): number | undefined =>
  db.one<{ id: number }>(
    "SELECT id FROM open_shard WHERE state = 'gone' OR (state = 'staged' AND staged_at < ?) LIMIT 1",
    stagedBefore,
  )?.id;

export const findShardOfSite = (db: Db, siteId: number): number | undefined =>
  db.one<{ id: number }>('SELECT id FROM open_shard WHERE site_id = ? LIMIT 1', siteId)?.id;

/** Deletes one blob of a shard, or the shard when it has no blob left. */
export function removeFromShard(db: Db, id: number): void {
  if (removeOneBlob(db, 'open_blob', id) === undefined) db.run('DELETE FROM open_shard WHERE id = ?', id);
}
