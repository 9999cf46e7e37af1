import type { Db } from '../db.ts';
import type { TakenHits } from './collectors.ts';

/**
 * Adds to the number of hits that this collector received for a site in a month. The collector reports this number to
 * the primary later.
 */
export const addTaken = (db: Db, { siteId, month, hits }: TakenHits): void => {
  const sql = `INSERT INTO taken (site_id, month, hits) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET hits = hits + excluded.hits`;
  db.run(sql, siteId, month, hits);
};

/**
 * Lists the monthly numbers of hits that have grown since the last report to the primary. Returns at most `most` of
 * them.
 */
export const listUntold = (db: Db, most: number): TakenHits[] =>
  db.all('SELECT site_id AS siteId, month, hits FROM taken WHERE hits > told ORDER BY month, site_id LIMIT ?', most);

/**
 * Stores how many hits of each site and month the primary has counted. A later report has the number of a month only if
 * the number has grown since.
 */
export function noteTold(db: Db, taken: readonly TakenHits[]): void {
  for (const { siteId, month, hits } of taken)
    db.run('UPDATE taken SET told = ? WHERE site_id = ? AND month = ?', hits, siteId, month);
}

export const removeTakenBefore = (db: Db, month: string): void => {
  db.run('DELETE FROM taken WHERE month < ? AND told = hits', month);
};
