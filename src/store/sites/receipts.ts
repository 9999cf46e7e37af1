// Stores the receipts of sites: signed records of the figures of sealed days. This file has all SQL for their table.
//
// Invariant: a stored receipt is never changed. A state is stored with the receipt, and is not signed. The state lists
// what the figures of the day depend on, such as its slices and exclusions. Only the state may be replaced.
//
// Example: a site has receipts 1 to 40, one for each day. Late hits of the fifth day lead to receipt 41.
// catalog/receipts.ts makes receipts, api/receipts.ts lists them, and jobs/receipt-days.ts checks them.

import { DAY, formatDay } from '../../lib/time.ts';
import type { Db } from '../db.ts';

/**
 * A receipt as it is stored: a signed record of the figures of a sealed day. `body` is the receipt. `state` lists what
 * the figures depend on, such as the ids of the day's slices (catalog/receipts.ts). Both are JSON.
 */
export type StoredReceipt = { sequence: number; day: number; state: string; body: string };

/**
 * Reads the body of a stored receipt. Throws if its bytes are damaged, and names the day. A later receipt cannot be
 * made then, because it needs the hash of this one.
 */
export function readBody<Body>({ sequence, day, body }: Pick<StoredReceipt, 'sequence' | 'day' | 'body'>): Body {
  try {
    return JSON.parse(body) as Body;
  } catch {
    throw new Error(`receipt ${sequence} of ${formatDay(day * DAY)} is damaged. Run daybook check`);
  }
}

const RECEIPT = 'SELECT sequence, day, state, body FROM receipt WHERE site_id = ?';

export const listReceipts = (db: Db, siteId: number, after: number, most: number): StoredReceipt[] =>
  db.all(`${RECEIPT} AND sequence > ? ORDER BY sequence LIMIT ?`, siteId, after, most);

export const findLastReceipt = (db: Db, siteId: number): StoredReceipt | undefined =>
  db.one(`${RECEIPT} ORDER BY sequence DESC LIMIT 1`, siteId);

/**
 * Counts the receipts of a site. A site's receipts are numbered from 1 without gaps, therefore the last number is the
 * count.
 */
export const countReceipts = (db: Db, siteId: number): number => findLastReceipt(db, siteId)?.sequence ?? 0;

/** Finds the latest receipt of a day, which replaces all earlier ones. */
export const findReceiptOfDay = (db: Db, siteId: number, day: number): StoredReceipt | undefined =>
  db.one(`${RECEIPT} AND day = ? ORDER BY sequence DESC LIMIT 1`, siteId, day);

/** Lists the days that have a receipt, each with the state that is stored with the day's latest receipt. */
export const listReceiptStates = (db: Db, siteId: number): { day: number; state: string }[] =>
  db.all('SELECT day, state, max(sequence) AS sequence FROM receipt WHERE site_id = ? GROUP BY day', siteId);

export const listSitesWithReceipts = (db: Db): number[] =>
  db.all<{ id: number }>('SELECT DISTINCT site_id AS id FROM receipt').map(({ id }) => id);

export function addReceipt(db: Db, siteId: number, { sequence, day, state, body }: StoredReceipt): void {
  const sql = 'INSERT INTO receipt (site_id, sequence, day, state, body) VALUES (?, ?, ?, ?, ?)';
  db.run(sql, siteId, sequence, day, state, body);
}

/**
 * Replaces the state that is stored with a receipt. catalog/receipts.ts calls this function if the state of a day has
 * changed, but not the content of its receipt.
 */
export const setReceiptState = (
  db: Db,
  siteId: number,
  { sequence, state }: Omit<StoredReceipt, 'body' | 'day'>,
): void => {
  db.run('UPDATE receipt SET state = ? WHERE site_id = ? AND sequence = ?', state, siteId, sequence);
};
