import type { Language } from '../../lang/languages.ts';
import { hashSecret } from '../../lib/secrets.ts';
import type { Db } from '../db.ts';
import { SELF_HOSTED } from './plans.ts';
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

/** The language that somebody has chosen; undefined where it is that of their browser. */
export const findLanguage = (db: Db, id: number): Language | undefined =>
  db.one<{ language: Language | null }>('SELECT language FROM user WHERE id = ?', id)?.language ?? undefined;

export const findLanguageByEmail = (db: Db, email: string): Language | undefined =>
  db.one<{ language: Language | null }>('SELECT language FROM user WHERE email = ?', email)?.language ?? undefined;

export const changeLanguage = (db: Db, id: number, language: Language | null): void => {
  db.write(() => db.run('UPDATE user SET language = ? WHERE id = ?', language, id));
};

export const hasUsers = (db: Db): boolean => db.one('SELECT 1 FROM user LIMIT 1') !== undefined;

/** Adds a user and their account. Call it inside a transaction that made sure the e-mail is free. */
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

/** A user as the operator sees them: how much they own, and the plan of their account, null where it has none. */
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
 * Removes a user with all that is theirs but sites, and open invitations to them. Sites go before, by removeSite, because
 * what was counted for them is deleted later. Call it inside a transaction.
 */
export function removeUser(db: Db, { id, email }: User): void {
  db.run('DELETE FROM member WHERE email = ?', email);
  db.run('DELETE FROM user WHERE id = ?', id);
}

/** How many ways in somebody has who is let in already. */
export type Access = { sessions: number; tokens: number };

export const countAccess = (db: Db, userId: number, now: number): Access => ({
  sessions: listSessions(db, userId, now).length,
  tokens: listTokens(db, userId).length,
});

/** Signs a person out everywhere and revokes their tokens; gives how many there were. */
export const endAccess = (db: Db, userId: number): Access => ({
  sessions: removeSessions(db, userId),
  tokens: removeTokens(db, userId),
});

/**
 * For somebody who knows the old password. Also ends every link that could set another one, and every session, so that whoever
 * else knew the old one is out.
 */
export function changePassword(db: Db, userId: number, password: string): Access {
  db.run('UPDATE user SET password = ? WHERE id = ?', password, userId);
  db.run('DELETE FROM password_link WHERE user_id = ?', userId);
  // Codes are tried by somebody who has the password, and this ends that.
  removeWrongCodes(db, userId);
  return { sessions: removeSessions(db, userId), tokens: 0 };
}

/**
 * Gives a person another e-mail, also where they are in teams and mails wait for them. It ends their sessions and open links, as another
 * password does. Call it inside a transaction that made sure the e-mail is free.
 */
export function changeEmail(db: Db, { id, email: before }: User, email: string): Access {
  db.run('UPDATE user SET email = ? WHERE id = ?', email, id);
  // An open invitation to the new address stays as it is; where both are in one team, so does the place of the person.
  db.run(
    'DELETE FROM member WHERE user_id IS NULL AND email = ? AND account_id IN (SELECT account_id FROM member WHERE user_id = ?)',
    email,
    id,
  );
  db.run('UPDATE member SET email = ? WHERE user_id = ? AND email = ?', email, id, before);
  db.run('DELETE FROM password_link WHERE user_id = ?', id);
  return { sessions: removeSessions(db, id), tokens: 0 };
}

/** For somebody who came by a link: whatever was made before, perhaps by somebody else, ends (test/forms/password.test.ts). */
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

/** Deletes the links that have expired, so that they stay so when the clock goes back. */
export const removeExpiredPasswordLinks = (db: Db, now: number): void => {
  db.run('DELETE FROM password_link WHERE expires_at <= ?', now);
};

/** The user of a link that sets a password, as long as it is neither used nor expired. */
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
