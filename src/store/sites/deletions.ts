import type { Db } from '../db.ts';

/**
 * Days that were deleted at the time `at`, from `from` up to, but not including, `to`. Their crawler requests and drops
 * are still being deleted.
 */
export type Deletion = { id: number; siteId: number; from: number; to: number; at: number };

/** Adds a deletion. Call this function inside the transaction that hides the days. */
export const addDeletion = (db: Db, { siteId, from, to, at }: Omit<Deletion, 'id'>): void => {
  db.run('INSERT INTO deletion (site_id, from_day, to_day, at) VALUES (?, ?, ?, ?)', siteId, from, to, at);
};

/** Lists the unfinished deletions of all sites. */
export const listDeletions = (db: Db): Deletion[] =>
  db.all('SELECT id, site_id AS siteId, from_day AS "from", to_day AS "to", at FROM deletion ORDER BY id');

export const endDeletion = (db: Db, id: number): void => {
  db.run('DELETE FROM deletion WHERE id = ?', id);
};
