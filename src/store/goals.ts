import { invalid } from '../lib/errors.ts';
import type { Db } from './statements.ts';

/** What somebody can reach: a page by its path, an event by its name. */
export type Target = { type: 'page' | 'event'; value: string };
export type Goal = Target & { id: number; created_at: number };

const GOAL = 'SELECT id, type, value, created_at FROM goal WHERE site_id = ?';

export const listGoals = (db: Db, siteId: number): Goal[] => db.all(`${GOAL} ORDER BY id`, siteId);

export const findGoal = (db: Db, siteId: number, id: number): Goal | undefined =>
  db.one(`${GOAL} AND id = ?`, siteId, id);

export function addGoal(db: Db, siteId: number, { type, value }: Target, now: number): Goal {
  if (db.one(`${GOAL} AND type = ? AND value = ?`, siteId, type, value)) {
    throw invalid({ value: 'The site already has this goal.' });
  }
  const sql = 'INSERT INTO goal (site_id, type, value, created_at) VALUES (?, ?, ?, ?)';
  return { id: db.run(sql, siteId, type, value, now).id, type, value, created_at: now };
}

export const removeGoal = (db: Db, siteId: number, id: number): void => {
  db.run('DELETE FROM goal WHERE site_id = ? AND id = ?', siteId, id);
};
