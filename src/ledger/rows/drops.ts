import type { Drop } from '../../engine/activity.ts';
import type { Range } from '../../stats/query.ts';
import type { Db } from '../../store/db.ts';

/** Counts dropped hits by reason. An answer can then say which hits it does not count. */
export function addDrop(db: Db, { siteId, day, reason, hits }: Drop): void {
  db.run(
    `INSERT INTO drop_day (site_id, day, reason, hits) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET hits = hits + excluded.hits`,
    siteId,
    day,
    reason,
    hits,
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

export const listSiteDrops = (db: Db, siteId: number): Drop[] =>
  db.all('SELECT site_id AS siteId, day, reason, hits FROM drop_day WHERE site_id = ? ORDER BY day, reason', siteId);

export const listDropped = (db: Db, reason: string, from: number): { siteId: number; day: number; hits: number }[] =>
  db.all('SELECT site_id AS siteId, day, hits FROM drop_day WHERE reason = ? AND day >= ? ORDER BY day', reason, from);

export const removeSiteDrops = (db: Db, siteId: number, most: number): number =>
  db.run(
    `DELETE FROM drop_day WHERE (site_id, day, reason) IN
       (SELECT site_id, day, reason FROM drop_day WHERE site_id = ? LIMIT ?)`,
    siteId,
    most,
  ).changes;

export const removeDropsWithin = (db: Db, siteId: number, { from, to }: Range, most: number): number =>
  db.run(
    `DELETE FROM drop_day WHERE (site_id, day, reason) IN
       (SELECT site_id, day, reason FROM drop_day WHERE site_id = ? AND day >= ? AND day < ? LIMIT ?)`,
    ...[siteId, from, to, most],
  ).changes;
