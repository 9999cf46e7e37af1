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
 * Lists the sites and months with hits that this collector received, but has not reported to the primary yet. `hits`
 * also has the hits that were reported before. Returns at most `most` sites and months.
 */
export const listUntold = (db: Db, most: number): TakenHits[] =>
  db.all('SELECT site_id AS siteId, month, hits FROM taken WHERE hits > told ORDER BY month, site_id LIMIT ?', most);

/**
 * Stores that the primary has counted these numbers of hits. After that, listUntold leaves out these sites and months
 * until the collector has received more hits.
 */
export function noteTold(db: Db, taken: readonly TakenHits[]): void {
  for (const { siteId, month, hits } of taken)
    db.run('UPDATE taken SET told = ? WHERE site_id = ? AND month = ?', hits, siteId, month);
}

export const removeTakenBefore = (db: Db, month: string): void => {
  db.run('DELETE FROM taken WHERE month < ? AND told = hits', month);
};
