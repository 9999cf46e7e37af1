// The second factors of a user, for two-factor authentication, are authenticator apps and passkeys. With a recovery
// code, a user can sign in after losing all second factors.
//
// Invariant: a user without a factor has no recovery codes. A recovery code works once. Only its hash is stored.
//
// Example: a user adds an app and gets ten recovery codes. removeFactor deletes the app. Because it is the last factor,
// all recovery codes are deleted too. src/auth, src/forms and the command `user` use this file.

import { hashSecret } from '../../lib/secrets.ts';
import type { Db } from '../db.ts';

export type Factor = {
  id: number;
  kind: 'app' | 'passkey';
  name: string;
  key: Buffer;
  credential: string | null;
  used: number;
  created_at: number;
};

const FIELDS = 'id, kind, name, key, credential, used, created_at';

export type NewFactor = Omit<Factor, 'id' | 'created_at'> & { userId: number };

export const listFactors = (db: Db, userId: number): Factor[] =>
  db.all(`SELECT ${FIELDS} FROM factor WHERE user_id = ? ORDER BY id`, userId);

export const findPasskey = (db: Db, credential: string): (Factor & { userId: number }) | undefined =>
  db.one(`SELECT user_id AS userId, ${FIELDS} FROM factor WHERE credential = ?`, credential);

export const hasFactors = (db: Db, userId: number): boolean =>
  db.one('SELECT 1 FROM factor WHERE user_id = ?', userId) !== undefined;

export const addFactor = (db: Db, { userId, ...factor }: NewFactor, now: number): void => {
  const { kind, name, key, credential, used } = factor;
  const sql =
    'INSERT INTO factor (user_id, kind, name, key, credential, used, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)';
  db.run(sql, userId, kind, name, key, credential, used, now);
};

export const touchFactor = (db: Db, id: number, used: number): void => {
  db.run('UPDATE factor SET used = ? WHERE id = ?', used, id);
};

/**
 * Removes a factor. With the last factor of a user, the recovery codes are removed too. Returns true if the factor
 * existed.
 */
export function removeFactor(db: Db, userId: number, id: number): boolean {
  const { changes } = db.run('DELETE FROM factor WHERE user_id = ? AND id = ?', userId, id);
  if (!hasFactors(db, userId)) setRecoveryCodes(db, userId, []);
  return changes > 0;
}

/** Removes all factors and recovery codes of a user. Returns the number of removed factors. */
export function removeFactors(db: Db, userId: number): number {
  setRecoveryCodes(db, userId, []);
  return db.run('DELETE FROM factor WHERE user_id = ?', userId).changes;
}

export function setRecoveryCodes(db: Db, userId: number, codes: readonly string[]): void {
  db.run('DELETE FROM recovery_code WHERE user_id = ?', userId);
  for (const code of codes) db.run('INSERT INTO recovery_code (user_id, hash) VALUES (?, ?)', userId, hashSecret(code));
}

export const countRecoveryCodes = (db: Db, userId: number): number =>
  db.one<{ n: number }>('SELECT count(*) AS n FROM recovery_code WHERE user_id = ?', userId)?.n ?? 0;

/** Deletes a recovery code, because it works only once. Returns true if the user had this code. */
export const takeRecoveryCode = (db: Db, userId: number, code: string): boolean =>
  db.run('DELETE FROM recovery_code WHERE user_id = ? AND hash = ?', userId, hashSecret(code)).changes > 0;
