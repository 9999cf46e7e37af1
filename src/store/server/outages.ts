import { MINUTE } from '../../lib/time.ts';
import { hasCollectors } from '../cluster/collectors.ts';
import type { Db } from '../db.ts';
import { findUpkeep, noteUpkeep } from './upkeep.ts';

/** When hits were not collected: the server was down, or refused them because it could not store them or had too many. */
export type Outage = { from: number; to: number; reason: 'down' | 'refused' };

/** What is shorter is not told. */
export const SHORTEST = MINUTE;

/** Those that last into a time, or begin in it. */
export const listOutages = (db: Db, from: number, to: number): Outage[] =>
  db.all(
    'SELECT from_at AS "from", to_at AS "to", reason FROM outage WHERE to_at > ? AND from_at < ? ORDER BY from_at, id',
    from,
    to,
  );

export function addOutage(db: Db, { from, to, reason }: Outage): void {
  if (to - from < SHORTEST) return;
  db.write(() => db.run('INSERT INTO outage (from_at, to_at, reason) VALUES (?, ?, ?)', from, to, reason));
}

/** One that a collector tells, which may tell it again. Call it inside a transaction. */
export function addToldOutage(db: Db, { from, to, reason }: Outage): void {
  const known = db.one('SELECT 1 FROM outage WHERE from_at = ? AND to_at = ? AND reason = ?', from, to, reason);
  if (!known) db.run('INSERT INTO outage (from_at, to_at, reason) VALUES (?, ?, ?)', from, to, reason);
}

/** How many last into what comes after a time. */
export const countOutages = (db: Db, after: number): number =>
  db.one<{ n: number }>('SELECT count(*) AS n FROM outage WHERE to_at > ?', after)?.n ?? 0;

export const listAllOutages = (db: Db): (Outage & { id: number })[] =>
  db.all('SELECT id, from_at AS "from", to_at AS "to", reason FROM outage ORDER BY id');

export const removeOutage = (db: Db, id: number): void => {
  db.run('DELETE FROM outage WHERE id = ?', id);
};

/** Nobody knows what a clock that was ahead has noted. */
const removeAhead = (db: Db, now: number): void => {
  db.write(() => db.run('DELETE FROM outage WHERE to_at > ?', now + MINUTE));
};

/** Marks come once a minute. */
const MARKS_MISSED = 3;

/**
 * Marks that the server runs. Since the last mark it was down if this is its start, or else if some marks are missing, as where the
 * machine slept.
 */
export function markRunning(db: Db, now: number, isStart: boolean): void {
  const last = findUpkeep(db, 'running');
  removeAhead(db, now);
  // Where others take hits meanwhile, nothing is missing.
  if (last && !hasCollectors(db) && (isStart || now - last.at > MARKS_MISSED * MINUTE)) {
    addOutage(db, { from: last.at, to: now, reason: 'down' });
  }
  noteUpkeep(db, 'running', { at: now, fine: true, words: 'the server runs' });
}
