// The goals of a site. A goal is a page or an event, and a report counts the visitors who reach it.
//
// Invariant: a site has no two equal goals, and at most 1,000 goals. After a goal is changed, reports also count past
// days with the new goal. The table `former_goal` has goals as they were before a change or removal. Reports with
// `as_of` show a site as it was on an earlier day. These reports use this table.
//
// Example: the goal page `/thanks` with the property plan = pro counts only pageviews with this property. api/goals.ts
// uses this file, and funnels.ts stores its steps in the same form.

import { coded } from '../../lang/coded.ts';
import { invalid, Problem } from '../../lib/errors.ts';
import type { Db } from '../db.ts';
import { addChangeOfAll } from './changes.ts';
import { keepSettings } from './former-settings.ts';

/**
 * A page or an event. With `property`, the hit must also have this property. The path of a page and the value of the
 * property may be patterns. With `scroll`, the visitor must have seen at least this percentage of the page. The steps
 * of funnels have no `scroll`.
 */
export type Target = {
  type: 'page' | 'event';
  value: string;
  property?: TargetProperty | undefined;
  scroll?: number | undefined;
};
export type TargetProperty = { name: string; value: string };
export type Goal = Target & { id: number; created_at: number };

const GOAL = 'SELECT id, type, value, property, property_value, scroll, created_at FROM goal WHERE site_id = ?';

/** The columns that store a target in the tables `goal` and `funnel_step`. Without a property, `property` is empty. */
export type TargetRow = { type: Target['type']; value: string; property: string; property_value: string };

export const readTarget = ({ type, value, property: name, property_value }: TargetRow): Target =>
  name === '' ? { type, value } : { type, value, property: { name, value: property_value } };

/** Returns the values of a page or an event for `type`, `value`, `property` and `property_value`, in this order. */
export const writeTarget = ({ type, value, property }: Target): string[] => [
  type,
  value,
  property?.name ?? '',
  property?.value ?? '',
];

type GoalRow = TargetRow & { id: number; scroll: number; created_at: number };
const readGoal = ({ id, scroll, created_at, ...row }: GoalRow): Goal => ({
  ...{ id, ...readTarget(row) },
  ...(scroll === 0 ? {} : { scroll }),
  created_at,
});

/** Returns the values of `writeTarget`, and then the depth that the goal requires. Without a depth, this value is 0. */
const writeGoal = (target: Target): (string | number)[] => [...writeTarget(target), target.scroll ?? 0];

export const listGoals = (db: Db, siteId: number): Goal[] =>
  db.all<GoalRow>(`${GOAL} ORDER BY id`, siteId).map(readGoal);

export function findGoal(db: Db, siteId: number, id: number): Goal | undefined {
  const row = db.one<GoalRow>(`${GOAL} AND id = ?`, siteId, id);
  return row && readGoal(row);
}

/** The most goals of a site. Each report of goals counts all goals of its site. */
const GOALS_PER_SITE = 1_000;

export function assertRoomForGoal(db: Db, siteId: number): void {
  const count = db.one<{ n: number }>('SELECT count(*) AS n FROM goal WHERE site_id = ?', siteId)?.n ?? 0;
  if (count >= GOALS_PER_SITE)
    throw new Problem('limit_reached', { message: coded('most_goals', { most: GOALS_PER_SITE }) });
}

function assertNewGoal(db: Db, siteId: number, target: Target, id = 0): void {
  const equal = `${GOAL} AND type = ? AND value = ? AND property = ? AND property_value = ? AND scroll = ?
    AND id <> ?`;
  if (db.one(equal, siteId, ...writeGoal(target), id)) throw invalid({ value: coded('goal_exists') });
}

export function addGoal(db: Db, siteId: number, target: Target, now: number): Goal {
  assertNewGoal(db, siteId, target);
  const change = addChangeOfAll(db, { siteId, reason: 'goal_added', name: target.value, now });
  const sql = `INSERT INTO goal (site_id, type, value, property, property_value, scroll, created_at, changed_by)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
  const { id } = db.run(sql, siteId, ...writeGoal(target), now, change);
  return { id, ...target, created_at: now };
}

/** Changes a goal. Visits are counted when a goal is queried, therefore past days are counted with the new goal too. */
export function changeGoal(db: Db, siteId: number, { id, created_at }: Goal, target: Target, now: number): Goal {
  assertNewGoal(db, siteId, target, id);
  const change = addChangeOfAll(db, { siteId, reason: 'goal_changed', name: target.value, now });
  keepFormer(db, siteId, id, change);
  const sql = `UPDATE goal SET type = ?, value = ?, property = ?, property_value = ?, scroll = ?, changed_by = ?
    WHERE site_id = ? AND id = ?`;
  db.run(sql, ...writeGoal(target), change, siteId, id);
  return { id, ...target, created_at };
}

/** Removes a goal. If it was the main goal, the site has no main goal any more. */
export function removeGoal(db: Db, siteId: number, id: number, now: number): void {
  const goal = findGoal(db, siteId, id);
  if (!goal) return;
  const change = addChangeOfAll(db, { siteId, reason: 'goal_removed', name: goal.value, now });
  keepFormer(db, siteId, id, change);
  keepSettings(db, siteId, change);
  db.run('DELETE FROM goal WHERE site_id = ? AND id = ?', siteId, id);
}

const COLUMNS = 'id, site_id, type, value, property, property_value, scroll, created_at, changed_by';

/** Stores a goal in `former_goal`, as it was before the change with the number `change`. */
function keepFormer(db: Db, siteId: number, id: number, change: number): void {
  const sql = `INSERT INTO former_goal (${COLUMNS}, replaced_by) SELECT ${COLUMNS}, ? FROM goal WHERE site_id = ? AND id = ?`;
  db.run(sql, change, siteId, id);
}
