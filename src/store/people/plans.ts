import type { Db } from '../db.ts';

/** The limits of a plan. Null means no limit. */
export type PlanLimits = { sites: number | null; members: number | null; events: number | null };

/** The plan of an account that the operator or the set-up link has made. This plan has no limits. */
export const SELF_HOSTED = 'self-hosted';
/**
 * The plan of an account that was made when its user joined a team, by an invitation or through a sign-in provider.
 * This plan allows no sites and no team. Without any plan, the account would be blocked.
 */
export const GUEST = 'guest';
export const BUILT_IN: readonly string[] = [SELF_HOSTED, GUEST];

export const findPlan = (db: Db, name: string): ({ id: number } & PlanLimits) | undefined =>
  db.one('SELECT id, sites, members, events FROM plan WHERE name = ?', name);

/**
 * Adds a plan. If there is already a plan with this name, all accounts with this plan get the new limits immediately.
 */
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
