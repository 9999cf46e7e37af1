import { coded } from '../../lang/coded.ts';
import { invalid } from '../../lib/errors.ts';
import type { Db } from '../db.ts';

export type Target = { type: 'page' | 'event'; value: string };
export type Goal = Target & { id: number; created_at: number };

const GOAL = 'SELECT id, type, value, created_at FROM goal WHERE site_id = ?';

export const listGoals = (db: Db, siteId: number): Goal[] => db.all(`${GOAL} ORDER BY id`, siteId);

export const findGoal = (db: Db, siteId: number, id: number): Goal | undefined =>
  db.one(`${GOAL} AND id = ?`, siteId, id);

function assertNewGoal(db: Db, siteId: number, { type, value }: Target, id = 0): void {
  if (db.one(`${GOAL} AND type = ? AND value = ? AND id <> ?`, siteId, type, value, id)) {
    throw invalid({ value: coded('goal_exists') });
  }
}

export function addGoal(db: Db, siteId: number, { type, value }: Target, now: number): Goal {
  assertNewGoal(db, siteId, { type, value });
  const sql = 'INSERT INTO goal (site_id, type, value, created_at) VALUES (?, ?, ?, ?)';
  return { id: db.run(sql, siteId, type, value, now).id, type, value, created_at: now };
}

/** Visits are counted when a goal is queried, so past days are counted with the new goal too. */
export function changeGoal(db: Db, siteId: number, goal: Goal, { type, value }: Target): Goal {
  assertNewGoal(db, siteId, { type, value }, goal.id);
  db.run('UPDATE goal SET type = ?, value = ? WHERE site_id = ? AND id = ?', type, value, siteId, goal.id);
  return { ...goal, type, value };
}

export const removeGoal = (db: Db, siteId: number, id: number): void => {
  db.run('DELETE FROM goal WHERE site_id = ? AND id = ?', siteId, id);
};
