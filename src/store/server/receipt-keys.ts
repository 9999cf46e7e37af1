import type { Db } from '../db.ts';

/**
 * A key that signs receipts, which are records of the figures of sealed days. `seed` is the private key, or null for a
 * key that was replaced.
 */
export type ReceiptKey = { id: number; key: string; seed: Buffer | null; createdAt: number; replacedAt: number | null };

const KEY = 'SELECT id, key, seed, created_at AS createdAt, replaced_at AS replacedAt FROM receipt_key';

/** Lists all keys, the present one first. */
export const listReceiptKeys = (db: Db): ReceiptKey[] => db.all(`${KEY} ORDER BY id DESC`);

/** Adds a key. From now on, this key signs receipts. Call this function inside a transaction. */
export function addReceiptKey(db: Db, { key, seed, now }: { key: string; seed: Buffer; now: number }): void {
  db.run('UPDATE receipt_key SET replaced_at = ? WHERE replaced_at IS NULL', now);
  db.run('INSERT INTO receipt_key (key, seed, created_at) VALUES (?, ?, ?)', key, seed, now);
}

/**
 * Deletes the private parts of all keys that were replaced. The public parts stay, because old receipts are checked
 * with them.
 */
export const forgetReplacedSeeds = (db: Db): void => {
  db.run('UPDATE receipt_key SET seed = NULL WHERE replaced_at IS NOT NULL');
};
