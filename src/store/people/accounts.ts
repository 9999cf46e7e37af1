import { coded } from '../../lang/coded.ts';
import { Problem } from '../../lib/errors.ts';
import { formatMonth } from '../../lib/time.ts';
import type { Db } from '../db.ts';

/** What somebody may do with the sites of an account. */
export type Role = 'viewer' | 'manager' | 'owner';

/** What an account may do now: its plan, its limits, and what it has used of them. */
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

/** Counts what an account used, by month. Call it inside a transaction. */
export const addUsage = (db: Db, accountId: number, month: string, events: number): void => {
  db.run(
    `INSERT INTO usage (account_id, month, events) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET events = events + excluded.events`,
    accountId,
    month,
    events,
  );
};

/** Corrects what an account used in a month. */
export const setUsage = (db: Db, accountId: number, month: string, events: number): void => {
  db.write(() => db.run('REPLACE INTO usage (account_id, month, events) VALUES (?, ?, ?)', accountId, month, events));
};

/** The account that a user owns. */
export const findAccountOf = (db: Db, userId: number): number | undefined =>
  db.one<{ id: number }>('SELECT id FROM account WHERE user_id = ?', userId)?.id;

export const isBlocked = ({ plan, eventsUsed, eventsIncluded }: Standing): boolean =>
  plan === null || (eventsIncluded !== null && eventsUsed > eventsIncluded);

export function assertActive(standing: Standing): void {
  if (isBlocked(standing)) throw new Problem('account_blocked');
}

export const pastLimit = (limit: number, noun: 'site' | 'member'): Problem =>
  new Problem('limit_reached', {
    message: limit > 0 ? coded(`plan_${noun}s`, { limit }) : coded(`plan_no_${noun}s`),
  });

/** The accounts in which a user may add sites: their own first, then those they manage. */
export const listManagedAccounts = (db: Db, userId: number): { id: number }[] =>
  db.all(
    `SELECT id FROM account WHERE user_id = ?
     UNION ALL SELECT account_id AS id FROM member WHERE user_id = ? AND role = 'manager'`,
    userId,
    userId,
  );

/** Who has the first account of those that are left without this one. */
export const findNextFirst = (db: Db, id: number): string | undefined =>
  db.one<{ email: string }>(
    'SELECT u.email FROM account a JOIN user u ON u.id = a.user_id WHERE a.id <> ? ORDER BY a.id LIMIT 1',
    id,
  )?.email;

/** The account that was made first is that of whoever set the server up. */
export const isFirstAccount = (db: Db, id: number): boolean =>
  db.one<{ id: number | null }>('SELECT min(id) AS id FROM account')?.id === id;

export function findAccountRole(db: Db, accountId: number, userId: number): Role | undefined {
  return db.one<{ role: Role }>(
    `SELECT 'owner' AS role FROM account WHERE id = ? AND user_id = ?
     UNION ALL SELECT role FROM member WHERE account_id = ? AND user_id = ?`,
    accountId,
    userId,
    accountId,
    userId,
  )?.role;
}

/** Gives the account of a user another plan; null takes the plan away, which blocks the account. */
export const changePlan = (db: Db, userId: number, planId: number | null): void => {
  db.write(() => db.run('UPDATE account SET plan_id = ? WHERE user_id = ?', planId, userId));
};
