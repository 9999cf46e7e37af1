import { hashOf } from '../lib/secrets.ts';
import { BUILT_IN } from './plans.ts';
import type { Db } from './statements.ts';

export type User = { id: number; email: string; password: string | null; accountId: number };

const FIELDS = 'u.id, u.email, u.password, a.id AS accountId';
const USERS = 'user u JOIN account a ON a.user_id = u.id';

export const findUser = (db: Db, email: string): User | undefined =>
  db.one(`SELECT ${FIELDS} FROM ${USERS} WHERE u.email = ?`, email);

export const hasUsers = (db: Db): boolean => db.one('SELECT 1 FROM user LIMIT 1') !== undefined;

/** Adds a user and their account, on the built-in plan. Call it inside a transaction that made sure the e-mail is free. */
export function addUser(
  db: Db,
  { email, password, now }: { email: string; password: string | null; now: number },
): User {
  const { id } = db.run('INSERT INTO user (email, password, created_at) VALUES (?, ?, ?)', email, password, now);
  const account = db.run(
    'INSERT INTO account (user_id, plan_id) VALUES (?, (SELECT id FROM plan WHERE name = ?))',
    id,
    BUILT_IN,
  );
  return { id, email, password, accountId: account.id };
}

/** Also ends every link that could set another password, and every session, so that whoever knew the old one is out. */
export function changePassword(db: Db, userId: number, password: string): void {
  db.run('UPDATE user SET password = ? WHERE id = ?', password, userId);
  db.run('DELETE FROM session WHERE user_id = ?', userId);
  db.run('DELETE FROM password_link WHERE user_id = ?', userId);
}

export function setPasswordLink(db: Db, userId: number, secret: string, expiresAt: number): void {
  db.run(
    `INSERT INTO password_link (user_id, hash, expires_at) VALUES (?, ?, ?)
     ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at`,
    userId,
    hashOf(secret),
    expiresAt,
  );
}

/** Deletes the links that have expired, so that they stay so when the clock goes back. */
export const removeExpiredPasswordLinks = (db: Db, now: number): void => {
  db.run('DELETE FROM password_link WHERE expires_at <= ?', now);
};

/** The user of a link that sets a password, as long as it is neither used nor expired. */
export function findUserByLink(db: Db, secret: string, now: number): User | undefined {
  const found = db.one<User & { expiresAt: number }>(
    `SELECT ${FIELDS}, l.expires_at AS expiresAt FROM ${USERS} JOIN password_link l ON l.user_id = u.id WHERE l.hash = ?`,
    hashOf(secret),
  );
  if (!found) return undefined;
  const { expiresAt, ...user } = found;
  if (expiresAt > now) return user;
  db.write(() => removeExpiredPasswordLinks(db, now));
  return undefined;
}
