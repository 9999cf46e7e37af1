import type { Db } from '../db.ts';

/** The limits of a plan; null is no limit. */
export type PlanLimits = { sites: number | null; members: number | null; events: number | null };

/** The plan of accounts that the operator or the set-up link made: active, without limits. */
export const SELF_HOSTED = 'self-hosted';
/** The plan of accounts that an invitation made: active, without own sites or team. */
export const GUEST = 'guest';
export const BUILT_IN: readonly string[] = [SELF_HOSTED, GUEST];

export const findPlan = (db: Db, name: string): ({ id: number } & PlanLimits) | undefined =>
  db.one('SELECT id, sites, members, events FROM plan WHERE name = ?', name);

/** Adds a plan, or changes its limits for all accounts that have it. */
export function setPlan(db: Db, name: string, { sites, members, events }: PlanLimits): void {
  db.write(() =>
    db.run(
      `INSERT INTO plan (name, sites, members, events) VALUES (?, ?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET sites = excluded.sites, members = excluded.members, events = excluded.events`,
      name,
      sites,
      members,
      events,
    ),
  );
}
