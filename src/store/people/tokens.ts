// API tokens of users. A token has an id, a secret and abilities, which limit the requests that are possible with it.
//
// Invariant: only the hash of a secret is stored. A request with a wrong secret takes as long as a request with an
// unknown id. Therefore the time does not show which ids exist.
//
// Example: `12|dbk_…` is the text of token 12. findHolder(db, 12, 'dbk_…') returns the user of the token and
// `abilities: ['read']`. src/auth/identity.ts calls findHolder for each request with a token, and api/tokens.ts lists,
// adds and removes tokens.

import { timingSafeEqual } from 'node:crypto';
import { coded } from '../../lang/coded.ts';
import { Problem } from '../../lib/errors.ts';
import { hashSecret } from '../../lib/secrets.ts';
import type { Db } from '../db.ts';

export const ABILITIES = ['read', 'write', 'collect', 'note'] as const;
export type Ability = (typeof ABILITIES)[number];

export type Token = { id: number; name: string; abilities: Ability[]; created_at: number; last_used_at: number | null };

export type Holder = {
  tokenId: number;
  abilities: Ability[];
  lastUsedAt: number | null;
  userId: number;
  email: string;
  accountId: number;
};

export const TOKENS_PER_ACCOUNT = 25;

type StoredToken = Omit<Token, 'abilities'> & { abilities: string };
const TOKEN = 'SELECT id, name, abilities, created_at, last_used_at FROM token';
const readToken = (row: StoredToken): Token => ({ ...row, abilities: JSON.parse(row.abilities) as Ability[] });

const NOBODY = Buffer.alloc(32);

/**
 * Finds the user of a token. For an unknown id, the secret is compared with zeros. Therefore an unknown id takes as
 * long as a wrong secret, and the time does not show which ids exist.
 */
export function findHolder(db: Db, id: number, secret: string): Holder | undefined {
  const row = db.one<Omit<Holder, 'abilities'> & { abilities: string; hash: Buffer }>(
    `SELECT t.id AS tokenId, t.abilities, t.last_used_at AS lastUsedAt, t.hash, u.id AS userId, u.email, a.id AS accountId
     FROM token t JOIN user u ON u.id = t.user_id JOIN account a ON a.user_id = u.id WHERE t.id = ?`,
    id,
  );
  const matches = timingSafeEqual(hashSecret(secret), row?.hash ?? NOBODY);
  if (!row || !matches) return undefined;
  const { hash: _, ...holder } = row;
  return { ...holder, abilities: JSON.parse(row.abilities) as Ability[] };
}

export const findToken = (db: Db, userId: number, id: number): Token | undefined => {
  const row = db.one<StoredToken>(`${TOKEN} WHERE user_id = ? AND id = ?`, userId, id);
  return row && readToken(row);
};

export const listTokens = (db: Db, userId: number): Token[] =>
  db.all<StoredToken>(`${TOKEN} WHERE user_id = ? ORDER BY id`, userId).map(readToken);

/** Lists tokens with their users. If `userId` is null, lists the tokens of all users. */
export const listHeldTokens = (db: Db, userId: number | null): (Token & { email: string })[] =>
  db
    .all<StoredToken & { email: string }>(
      `SELECT t.id, t.name, t.abilities, t.created_at, t.last_used_at, u.email FROM token t JOIN user u ON u.id = t.user_id
       WHERE u.id = coalesce(?, u.id) ORDER BY u.email, t.id`,
      userId,
    )
    .map((row) => ({ ...row, ...readToken(row) }));

export function assertRoomForToken(db: Db, userId: number): void {
  const count = db.one<{ n: number }>('SELECT count(*) AS n FROM token WHERE user_id = ?', userId)?.n ?? 0;
  if (count >= TOKENS_PER_ACCOUNT) {
    const message = coded('most_tokens', { most: TOKENS_PER_ACCOUNT });
    throw new Problem('limit_reached', { message });
  }
}

export function addToken(
  db: Db,
  token: { userId: number; name: string; abilities: Ability[]; secret: string; now: number },
): Token {
  const { userId, name, abilities, secret, now } = token;
  assertRoomForToken(db, userId);
  const { id } = db.run(
    'INSERT INTO token (user_id, name, abilities, hash, created_at) VALUES (?, ?, ?, ?, ?)',
    userId,
    name,
    JSON.stringify(abilities),
    hashSecret(secret),
    now,
  );
  return { id, name, abilities, created_at: now, last_used_at: null };
}

export const removeToken = (db: Db, userId: number, id: number): void => {
  db.run('DELETE FROM token WHERE user_id = ? AND id = ?', userId, id);
};

export const removeTokens = (db: Db, userId: number): number =>
  db.run('DELETE FROM token WHERE user_id = ?', userId).changes;

export const touchToken = (db: Db, id: number, now: number): void => {
  db.write(() => db.run('UPDATE token SET last_used_at = ? WHERE id = ?', now, id));
};

/**
 * Stores when a token was last used on a collector. An earlier time than the stored one is ignored. Call this function
 * inside a transaction.
 */
export const noteTokenUse = (db: Db, id: number, at: number): void => {
  db.run('UPDATE token SET last_used_at = ? WHERE id = ? AND coalesce(last_used_at, 0) < ?', at, id, at);
};
