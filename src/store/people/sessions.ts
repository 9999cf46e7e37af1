// Sessions of signed-in users. A session belongs to one browser, which stores the secret of the session in a cookie.
//
// Invariant: a session ends after 7 days without use, and after 30 days even if it is used. Ended sessions are deleted.
// Otherwise, they would become valid again if the clock is set back. Only the hash of the secret is stored.
//
// Example: a user signs in on day 0 and visits the dashboard daily. On day 30 the session ends, and the user must sign
// in again. src/auth/identity.ts calls findSignedIn for each request with a cookie.

import { hashSecret } from '../../lib/secrets.ts';
import { DAY } from '../../lib/time.ts';
import type { Db } from '../db.ts';

/** How long a session lasts without use, in seconds. */
const IDLE = 7 * DAY;
export const LONGEST = 30 * DAY;

const LIVE = 'created_at > ? AND used_at > ?';
const listBounds = (now: number): [number, number] => [now - LONGEST, now - IDLE];

export type Session = { id: number; browser: string; created_at: number; used_at: number };

export type SignedIn = {
  sessionId: number;
  usedAt: number;
  reauthenticatedAt: number;
  userId: number;
  email: string;
  accountId: number;
};

/** Finds the session that belongs to the secret of a cookie. */
export const findSignedIn = (db: Db, secret: string, now: number): SignedIn | undefined =>
  db.one(
    `SELECT s.id AS sessionId, s.used_at AS usedAt, s.reauthenticated_at AS reauthenticatedAt, u.id AS userId, u.email, a.id AS accountId
     FROM session s JOIN user u ON u.id = s.user_id JOIN account a ON a.user_id = u.id
     WHERE s.hash = ? AND s.created_at > ? AND s.used_at > ?`,
    hashSecret(secret),
    ...listBounds(now),
  );

const SESSION = 'SELECT id, browser, created_at, used_at FROM session WHERE user_id = ?';

export const findSession = (db: Db, userId: number, id: number): Session | undefined =>
  db.one(`${SESSION} AND id = ?`, userId, id);

export const listSessions = (db: Db, userId: number, now: number): Session[] =>
  db.all(`${SESSION} AND ${LIVE} ORDER BY id`, userId, ...listBounds(now));

/** Deletes ended sessions. Otherwise, they would become valid again if the clock is set back. */
export const removeEndedSessions = (db: Db, now: number): void => {
  db.run(`DELETE FROM session WHERE NOT (${LIVE})`, ...listBounds(now));
};

type NewSession = {
  userId: number;
  secret: string;
  browser: string;
  now: number;
  /** When the user last typed a password. The default is now, because most sessions begin with a password. */
  reauthenticatedAt?: number | undefined;
};

export function addSession(db: Db, { userId, secret, browser, now, reauthenticatedAt = now }: NewSession): void {
  db.run(
    'INSERT INTO session (user_id, hash, browser, created_at, used_at, reauthenticated_at) VALUES (?, ?, ?, ?, ?, ?)',
    userId,
    hashSecret(secret),
    browser,
    now,
    now,
    reauthenticatedAt,
  );
}

export const removeSession = (db: Db, userId: number, id: number): void => {
  db.run('DELETE FROM session WHERE user_id = ? AND id = ?', userId, id);
};

export const removeSessions = (db: Db, userId: number): number =>
  db.run('DELETE FROM session WHERE user_id = ?', userId).changes;

export const touchSession = (db: Db, id: number, now: number): void => {
  db.write(() => db.run('UPDATE session SET used_at = ? WHERE id = ?', now, id));
};

export const proveSession = (db: Db, id: number, now: number): void => {
  db.write(() => db.run('UPDATE session SET reauthenticated_at = ? WHERE id = ?', now, id));
};
