import type { Db } from '../db.ts';

/** What a plan includes; null means without limit. */
export type Limits = { sites: number | null; members: number | null; events: number | null };

/** The plan of an account that the operator or the set-up link made: active, without limits. */
export const SELF_HOSTED = 'self-hosted';
/** That of an account that came by an invitation: active, with no sites and no team of its own. */
export const GUEST = 'guest';
export const BUILT_IN: readonly string[] = [SELF_HOSTED, GUEST];

export const findPlan = (db: Db, name: string): ({ id: number } & Limits) | undefined =>
  db.one('SELECT id, sites, members, events FROM plan WHERE name = ?', name);

/** Adds the plan, or changes the one of that name for everybody who has it. */
export function setPlan(db: Db, name: string, { sites, members, events }: Limits): void {
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
