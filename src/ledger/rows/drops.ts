// The table of dropped hits: how many hits of a site were not counted on a day, by reason and by block. A block is a
// rule of a site that leaves out some hits, such as those of an IP address or a country.
//
// Invariant: a row has a block only if a block of the site dropped its hits. The sum of a day includes the hits of
// blocks that no longer exist.
//
// Example: on one day, block 3 dropped 5 hits and bots sent 2. `listDrops` says 5 for `blocked` and 2 for `bot`.
// `countBlocked` says 5 for block 3 on this day. open/append.ts adds drops. Queries and transfers read them, and the
// sweep deletes them.
import type { Drop } from '../../engine/activity.ts';
import type { BlockedHits } from '../../engine/engine.ts';
import type { Range } from '../../stats/query.ts';
import type { Db } from '../../store/db.ts';

/** Counts dropped hits by reason. An answer can then say which hits it does not count. */
export function addDrop(db: Db, { siteId, day, reason, block = 0, hits }: Drop): void {
  db.run(
    `INSERT INTO drop_day (site_id, day, reason, block, hits) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET hits = hits + excluded.hits`,
    ...[siteId, day, reason, block, hits],
  );
}

export const listDrops = (db: Db, siteId: number, { from, to }: Range): { reason: string; hits: number }[] =>
  db.all(
    `SELECT reason, sum(hits) AS hits FROM drop_day WHERE site_id = ? AND day >= ? AND day < ?
     GROUP BY reason ORDER BY hits DESC, reason`,
    siteId,
    from,
    to,
  );

/** Counts the hits that each block dropped on each day. */
export const countBlocked = (db: Db, siteId: number, { from, to }: Range): BlockedHits[] =>
  db.all(
    `SELECT block, day, sum(hits) AS hits FROM drop_day WHERE site_id = ? AND day >= ? AND day < ? AND block <> 0
     GROUP BY block, day`,
    ...[siteId, from, to],
  );

/** Lists all drops of a site as they are stored, with their blocks. */
export const listSiteDrops = (db: Db, siteId: number): Drop[] =>
  db.all(
    'SELECT site_id AS siteId, day, reason, block, hits FROM drop_day WHERE site_id = ? ORDER BY day, reason, block',
    siteId,
  );

export const listDropDays = (db: Db, siteId: number): Drop[] =>
  db.all(
    `SELECT site_id AS siteId, day, reason, sum(hits) AS hits FROM drop_day WHERE site_id = ?
     GROUP BY day, reason ORDER BY day, reason`,
    siteId,
  );

export const listDropped = (db: Db, reason: string, from: number): { siteId: number; day: number; hits: number }[] =>
  db.all(
    `SELECT site_id AS siteId, day, sum(hits) AS hits FROM drop_day WHERE reason = ? AND day >= ?
     GROUP BY site_id, day ORDER BY day`,
    ...[reason, from],
  );

export const removeSiteDrops = (db: Db, siteId: number, most: number): number =>
  db.run(
    `DELETE FROM drop_day WHERE (site_id, day, reason, block) IN
       (SELECT site_id, day, reason, block FROM drop_day WHERE site_id = ? LIMIT ?)`,
    siteId,
    most,
  ).changes;

export const removeDropsWithin = (db: Db, siteId: number, { from, to }: Range, most: number): number =>
  db.run(
    `DELETE FROM drop_day WHERE (site_id, day, reason, block) IN
       (SELECT site_id, day, reason, block FROM drop_day WHERE site_id = ? AND day >= ? AND day < ? LIMIT ?)`,
    ...[siteId, from, to, most],
  ).changes;
