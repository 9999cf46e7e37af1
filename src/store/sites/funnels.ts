// A funnel of a site is a named list of steps. A step is a page or an event. A report counts how many visitors take the
// steps in this order.
//
// Invariant: a site has at most 10 funnels. The positions of a funnel's steps are 0, 1, 2 … without a gap.
//
// Example: the funnel "Sign-up" has the steps page `/pricing`, page `/sign-up` and event `Signed up`. Visits are
// counted when the funnel is queried. Therefore a changed funnel is also counted for past days. api/funnels.ts uses
// this file.

import { coded } from '../../lang/coded.ts';
import { Problem } from '../../lib/errors.ts';
import type { Db } from '../db.ts';
import { readTarget, type Target, type TargetRow, writeTarget } from './goals.ts';

export type Funnel = { id: number; name: string; steps: Target[]; created_at: number };

export const FUNNELS_PER_SITE = 10;

const FUNNEL = `
  SELECT f.id, f.name, f.created_at,
         (SELECT json_group_array(json_object('type', s.type, 'value', s.value,
            'property', s.property, 'property_value', s.property_value) ORDER BY s.position)
          FROM funnel_step s WHERE s.funnel_id = f.id) AS steps
  FROM funnel f WHERE f.site_id = ?`;

export type FunnelChange = { name?: string | undefined; steps?: Target[] | undefined };

type StoredFunnel = Omit<Funnel, 'steps'> & { steps: string };
const readFunnel = (row: StoredFunnel): Funnel => ({
  ...row,
  steps: (JSON.parse(row.steps) as TargetRow[]).map(readTarget),
});

export const listFunnels = (db: Db, siteId: number): Funnel[] =>
  db.all<StoredFunnel>(`${FUNNEL} ORDER BY f.id`, siteId).map(readFunnel);

export function findFunnel(db: Db, siteId: number, id: number): Funnel | undefined {
  const row = db.one<StoredFunnel>(`${FUNNEL} AND f.id = ?`, siteId, id);
  return row && readFunnel(row);
}

export function assertRoomForFunnel(db: Db, siteId: number): void {
  const count = db.one<{ n: number }>('SELECT count(*) AS n FROM funnel WHERE site_id = ?', siteId)?.n ?? 0;
  if (count >= FUNNELS_PER_SITE) {
    const message = coded('most_funnels', { most: FUNNELS_PER_SITE });
    throw new Problem('limit_reached', { message });
  }
}

function addSteps(db: Db, id: number, steps: readonly Target[]): void {
  const sql =
    'INSERT INTO funnel_step (funnel_id, position, type, value, property, property_value) VALUES (?, ?, ?, ?, ?, ?)';
  for (const [position, step] of steps.entries()) db.run(sql, id, position, ...writeTarget(step));
}

export function addFunnel(
  db: Db,
  siteId: number,
  { name, steps }: Pick<Funnel, 'name' | 'steps'>,
  now: number,
): Funnel {
  assertRoomForFunnel(db, siteId);
  const { id } = db.run('INSERT INTO funnel (site_id, name, created_at) VALUES (?, ?, ?)', siteId, name, now);
  addSteps(db, id, steps);
  return { id, name, steps, created_at: now };
}

/**
 * Changes a funnel. Visits are counted when a funnel is queried, therefore past days are counted with the new steps
 * too. Call this function inside a transaction.
 */
export function changeFunnel(
  db: Db,
  siteId: number,
  funnel: Funnel,
  { name = funnel.name, steps = funnel.steps }: FunnelChange,
): Funnel {
  db.run('UPDATE funnel SET name = ? WHERE site_id = ? AND id = ?', name, siteId, funnel.id);
  db.run('DELETE FROM funnel_step WHERE funnel_id = ?', funnel.id);
  addSteps(db, funnel.id, steps);
  return { ...funnel, name, steps };
}

export const removeFunnel = (db: Db, siteId: number, id: number): void => {
  db.run('DELETE FROM funnel WHERE site_id = ? AND id = ?', siteId, id);
};
