// An account owns sites and has a team and a plan. A plan limits sites, team members and events a month. An account
// without a plan is blocked.
//
// Invariant: each user owns exactly one account, and the events of an account are counted by month, in UTC. The hits of
// a blocked account are still stored, but its users see no reports.
//
// Example: a plan includes 10,000 events a month, and an account has used 10,001 in November. Until December, isBlocked
// returns true. The API calls findStanding before it adds a site or a team member, and commit/plan-usage.ts calls
// addUsage.

import { coded } from '../../lang/coded.ts';
import { Problem } from '../../lib/errors.ts';
import { formatMonth } from '../../lib/time.ts';
import type { Db } from '../db.ts';

export type Role = 'viewer' | 'manager' | 'owner';

/**
 * The plan of an account with its limits, and the number of its events in this month. A limit of null means no limit.
 */
export type Standing = {
  accountId: number;
  plan: string | null;
  sites: number | null;
  members: number | null;
  eventsIncluded: number | null;
  eventsUsed: number;
};

export function findStanding(db: Db, accountId: number, now: number): Standing {
  const standing = db.one<Standing>(
    `SELECT a.id AS accountId, p.name AS plan, p.sites, p.members, p.events AS eventsIncluded,
            coalesce(u.events, 0) AS eventsUsed
     FROM account a LEFT JOIN plan p ON p.id = a.plan_id LEFT JOIN usage u ON u.account_id = a.id AND u.month = ?
     WHERE a.id = ?`,
    formatMonth(now),
    accountId,
  );
  if (!standing) throw new Problem('not_found');
  return standing;
}

export const addUsage = (db: Db, accountId: number, month: string, events: number): void => {
  db.run(
    `INSERT INTO usage (account_id, month, events) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET events = events + excluded.events`,
    accountId,
    month,
    events,
  );
};

export const setUsage = (db: Db, accountId: number, month: string, events: number): void => {
  db.write(() => db.run('REPLACE INTO usage (account_id, month, events) VALUES (?, ?, ?)', accountId, month, events));
};

export const findOwnAccount = (db: Db, userId: number): number | undefined =>
  db.one<{ id: number }>('SELECT id FROM account WHERE user_id = ?', userId)?.id;

export const isBlocked = ({ plan, eventsUsed, eventsIncluded }: Standing): boolean =>
  plan === null || (eventsIncluded !== null && eventsUsed > eventsIncluded);

export function assertActive(standing: Standing): void {
  if (isBlocked(standing)) throw new Problem('account_blocked');
}

export const refuseBeyondLimit = (limit: number, noun: 'site' | 'member'): Problem =>
  new Problem('limit_reached', {
    message: limit > 0 ? coded(`plan_${noun}s`, { limit }) : coded(`plan_no_${noun}s`),
  });

/**
 * Lists the accounts to which a user may add sites. The user's own account is first, and the accounts that the user
 * manages follow. A manager of only some sites may not add a site.
 */
export const listManagedAccounts = (db: Db, userId: number): { id: number }[] =>
  db.all(
    `SELECT id FROM account WHERE user_id = ?
     UNION ALL SELECT account_id AS id FROM member WHERE user_id = ? AND role = 'manager' AND sees_all = 1`,
    userId,
    userId,
  );

/**
 * Finds the user who is the operator after account `id` is deleted: the owner of the first account that remains. The
 * command `user remove` names this user if it deletes the first account.
 */
export const findNextFirst = (db: Db, id: number): string | undefined =>
  db.one<{ email: string }>(
    'SELECT u.email FROM account a JOIN user u ON u.id = a.user_id WHERE a.id <> ? ORDER BY a.id LIMIT 1',
    id,
  )?.email;

/**
 * Finds the first account, which belongs to the operator. If a sign-in provider sends the role of a new person, the
 * person joins the team of this account (forms/vouched.ts). Returns undefined if there is no account yet.
 */
export const findFirstAccount = (db: Db): { id: number; owner: string } | undefined =>
  db.one('SELECT a.id, u.email AS owner FROM account a JOIN user u ON u.id = a.user_id ORDER BY a.id LIMIT 1');

/** True for the first account, which belongs to the operator of the server. */
export const isFirstAccount = (db: Db, id: number): boolean =>
  db.one<{ id: number | null }>('SELECT min(id) AS id FROM account')?.id === id;

/**
 * Finds the role of a user in an account. A manager of some sites is a viewer of the account, because the account has
 * other sites too.
 */
export function findAccountRole(db: Db, accountId: number, userId: number): Role | undefined {
  return db.one<{ role: Role }>(
    `SELECT 'owner' AS role FROM account WHERE id = ? AND user_id = ?
     UNION ALL SELECT iif(sees_all = 1, role, 'viewer') FROM member WHERE account_id = ? AND user_id = ?`,
    accountId,
    userId,
    accountId,
    userId,
  )?.role;
}

/** Changes the plan of a user's account. Null removes the plan, which blocks the account. */
export const changePlan = (db: Db, userId: number, planId: number | null): void => {
  db.write(() => db.run('UPDATE account SET plan_id = ? WHERE user_id = ?', planId, userId));
};
