// A user is a person who signs in. A user has an e-mail address, an own account, and usually a password.
//
// Invariant: an e-mail address belongs to one user. A change of the password or e-mail address ends all sessions, and
// all links that could set a password. So an intruder with such a session or link has no access any more.
//
// Example: `changePassword(db, 17, hash)` sets the password, deletes the link that was mailed an hour ago, and ends 2
// sessions. The result is `{ sessions: 2, tokens: 0 }`. src/auth, src/forms and the command `user` use this file.

import type { Language } from '../../lang/languages.ts';
import { hashSecret } from '../../lib/secrets.ts';
import type { Db } from '../db.ts';
import { SELF_HOSTED } from './plans.ts';
import { removeFactors } from './second-factors.ts';
import { listSessions, removeSessions } from './sessions.ts';
import { listTokens, removeTokens } from './tokens.ts';
import { removeWrongCodes } from './wrong-codes.ts';

export type User = { id: number; email: string; password: string | null; accountId: number };

const FIELDS = 'u.id, u.email, u.password, a.id AS accountId';
const USERS = 'user u JOIN account a ON a.user_id = u.id';

export const findUser = (db: Db, email: string): User | undefined =>
  db.one(`SELECT ${FIELDS} FROM ${USERS} WHERE u.email = ?`, email);

export const findUserById = (db: Db, id: number): User | undefined =>
  db.one(`SELECT ${FIELDS} FROM ${USERS} WHERE u.id = ?`, id);

/**
 * Finds the language of a user. Returns undefined if the user has not chosen one. Then the browser's language is used.
 */
export const findLanguage = (db: Db, id: number): Language | undefined =>
  db.one<{ language: Language | null }>('SELECT language FROM user WHERE id = ?', id)?.language ?? undefined;

export const findLanguageByEmail = (db: Db, email: string): Language | undefined =>
  db.one<{ language: Language | null }>('SELECT language FROM user WHERE email = ?', email)?.language ?? undefined;

export const changeLanguage = (db: Db, id: number, language: Language | null): void => {
  db.write(() => db.run('UPDATE user SET language = ? WHERE id = ?', language, id));
};

export const hasUsers = (db: Db): boolean => db.one('SELECT 1 FROM user LIMIT 1') !== undefined;

/** Adds a user and the user's account. The e-mail address must be free. Call this function inside a transaction. */
export function addUser(
  db: Db,
  { email, password, now, plan = SELF_HOSTED }: { email: string; password: string | null; now: number; plan?: string },
): User {
  const { id } = db.run('INSERT INTO user (email, password, created_at) VALUES (?, ?, ?)', email, password, now);
  const account = db.run(
    'INSERT INTO account (user_id, plan_id) VALUES (?, (SELECT id FROM plan WHERE name = ?))',
    id,
    plan,
  );
  return { id, email, password, accountId: account.id };
}

/** A user in the list of users. `plan` is null if the user's account has no plan. */
type UserRow = {
  email: string;
  created_at: number;
  sites: number;
  members: number;
  tokens: number;
  plan: string | null;
};

export const listUsers = (db: Db): UserRow[] =>
  db.all(
    `SELECT u.email, u.created_at, p.name AS plan,
            (SELECT count(*) FROM site s WHERE s.account_id = a.id) AS sites,
            (SELECT count(*) FROM member m WHERE m.account_id = a.id) AS members,
            (SELECT count(*) FROM token t WHERE t.user_id = u.id) AS tokens
     FROM user u JOIN account a ON a.user_id = u.id LEFT JOIN plan p ON p.id = a.plan_id ORDER BY u.email`,
  );

/**
 * Removes a user and the user's account. The user also leaves all teams, and open invitations to the user's e-mail
 * address are deleted. Call removeSite for each site of the account first. Otherwise, nothing would delete the hits of
 * these sites. Call this function inside a transaction.
 */
export function removeUser(db: Db, { id, email }: User): void {
  db.run('DELETE FROM member WHERE email = ?', email);
  db.run('DELETE FROM user WHERE id = ?', id);
}

export type Access = { sessions: number; tokens: number };

export const countAccess = (db: Db, userId: number, now: number): Access => ({
  sessions: listSessions(db, userId, now).length,
  tokens: listTokens(db, userId).length,
});

export const endAccess = (db: Db, userId: number): Access => ({
  sessions: removeSessions(db, userId),
  tokens: removeTokens(db, userId),
});

/**
 * Sets a password. Ends all sessions, and deletes all mailed links that could set a password. So an intruder with
 * such a session or link has no access any more. API tokens stay valid.
 */
export function changePassword(db: Db, userId: number, password: string): Access {
  db.run('UPDATE user SET password = ? WHERE id = ?', password, userId);
  db.run('DELETE FROM password_link WHERE user_id = ?', userId);
  // An intruder may have entered wrong two-factor codes with the old password. The count of wrong codes is deleted
  // here. Otherwise, it would block the user.
  removeWrongCodes(db, userId);
  return { sessions: removeSessions(db, userId), tokens: 0 };
}

/**
 * Ends all access to the account of a user: sessions, API tokens, mailed links, the password and the second factors.
 * Another person may have made the account with the e-mail address of this user.
 */
export const removeSecrets = (db: Db, userId: number): Access => ({
  ...removePassword(db, userId),
  tokens: removeTokens(db, userId),
});

/** Removes the password, mailed links and second factors of a user, and ends all sessions. API tokens stay valid. */
export function removePassword(db: Db, userId: number): Access {
  db.run('UPDATE user SET password = NULL WHERE id = ?', userId);
  db.run('DELETE FROM password_link WHERE user_id = ?', userId);
  removeFactors(db, userId);
  return { sessions: removeSessions(db, userId), tokens: 0 };
}

/**
 * Changes the e-mail address of a user, also in teams. Ends all sessions, and deletes all mailed links that could set a
 * password. So an intruder with such a session or link has no access any more. The new e-mail address must be free.
 * Call this function inside a transaction.
 */
export function changeEmail(db: Db, { id, email: before }: User, email: string): Access {
  db.run('UPDATE user SET email = ? WHERE id = ?', email, id);
  // The new e-mail address may have an open invitation to a team that the user is already in, or owns. Such an
  // invitation is deleted. Otherwise, the user could be in the team twice. Then reports over all sites would count each
  // site twice.
  db.run(
    `DELETE FROM member WHERE user_id IS NULL AND email = ? AND account_id IN
       (SELECT account_id FROM member WHERE user_id = ? UNION ALL SELECT id FROM account WHERE user_id = ?)`,
    email,
    id,
    id,
  );
  db.run('UPDATE member SET email = ? WHERE user_id = ? AND email = ?', email, id, before);
  db.run('DELETE FROM password_link WHERE user_id = ?', id);
  return { sessions: removeSessions(db, id), tokens: 0 };
}

/**
 * Sets a password for a user who opened a mailed link, or whose password the operator replaces. Ends all sessions, API
 * tokens and links, because an intruder may have made them (test/forms/password.test.ts).
 */
export function resetPassword(db: Db, userId: number, password: string): Access {
  const ended = endAccess(db, userId);
  changePassword(db, userId, password);
  return ended;
}

export function setPasswordLink(db: Db, userId: number, secret: string, expiresAt: number): void {
  db.run(
    `INSERT INTO password_link (user_id, hash, expires_at) VALUES (?, ?, ?)
     ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at`,
    userId,
    hashSecret(secret),
    expiresAt,
  );
}

/** Deletes expired links. Otherwise, they would work again if the clock is set back. */
export const removeExpiredPasswordLinks = (db: Db, now: number): void => {
  db.run('DELETE FROM password_link WHERE expires_at <= ?', now);
};

/** Finds the user of a mailed link. Returns undefined if the link was used or has expired. */
export function findUserByLink(db: Db, secret: string, now: number): User | undefined {
  const found = db.one<User & { expiresAt: number }>(
    `SELECT ${FIELDS}, l.expires_at AS expiresAt FROM ${USERS} JOIN password_link l ON l.user_id = u.id WHERE l.hash = ?`,
    hashSecret(secret),
  );
  if (!found) return undefined;
  const { expiresAt, ...user } = found;
  if (expiresAt > now) return user;
  db.write(() => removeExpiredPasswordLinks(db, now));
  return undefined;
}
