import type { Db } from '../db.ts';

/** Null means no limit. */
export type PlanLimits = { sites: number | null; members: number | null; events: number | null };

/** The plan of an account that the operator or the set-up link has made. This plan has no limits. */
export const SELF_HOSTED = 'self-hosted';
/**
 * The plan of an account that was made when its user accepted an invitation to a team. This plan allows no sites and no
 * own team. Without a plan the account would be blocked.
 */
export const GUEST = 'guest';
export const BUILT_IN: readonly string[] = [SELF_HOSTED, GUEST];

export const findPlan = (db: Db, name: string): ({ id: number } & PlanLimits) | undefined =>
  db.one('SELECT id, sites, members, events FROM plan WHERE name = ?', name);

/** If a plan has this name already, its new limits hold at once for all accounts with this plan. */
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
