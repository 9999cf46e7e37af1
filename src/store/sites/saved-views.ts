import { coded } from '../../lang/coded.ts';
import { Problem } from '../../lib/errors.ts';
import type { Db } from '../db.ts';

export type SavedView = { id: number; name: string; query: string };

const VIEW = 'SELECT id, name, query FROM saved_view WHERE site_id = ?';

export const listViews = (db: Db, siteId: number): SavedView[] => db.all(`${VIEW} ORDER BY name, id`, siteId);

export const findView = (db: Db, siteId: number, id: number): SavedView | undefined =>
  db.one(`${VIEW} AND id = ?`, siteId, id);

const VIEWS_PER_SITE = 50;

export function assertRoomForView(db: Db, siteId: number): void {
  if (listViews(db, siteId).length < VIEWS_PER_SITE) return;
  throw new Problem('limit_reached', {
    message: coded('most_views', { most: VIEWS_PER_SITE }),
  });
}

export function addView(db: Db, siteId: number, { name, query }: Omit<SavedView, 'id'>): SavedView {
  const sql = 'INSERT INTO saved_view (site_id, name, query) VALUES (?, ?, ?)';
  return { id: db.run(sql, siteId, name, query).id, name, query };
}

export const removeView = (db: Db, siteId: number, id: number): void => {
  db.run('DELETE FROM saved_view WHERE site_id = ? AND id = ?', siteId, id);
};
