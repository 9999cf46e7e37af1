// Outages are times in which hits were not collected: the server was down, refused hits, or its machine slept. Answers
// about such a time say that they are not complete.
//
// Invariant: an outage is at least a minute long, and none ends after now, even if the clock was ahead when it was
// written.
//
// Example: the server marks each minute that it runs. The last mark is of 10:00 and a start comes at 10:07, so an
// outage from 10:00 to 10:07 is added. The jobs call markRunning, and collectors send outages of their own to
// addToldOutage.

import { MINUTE } from '../../lib/time.ts';
import { hasCollectors } from '../cluster/collectors.ts';
import type { Db } from '../db.ts';
import { findUpkeep, noteUpkeep } from './upkeep.ts';

/** A time without hits: the server was down, or refused hits because it could not store them or had too many. */
export type Outage = { from: number; to: number; reason: 'down' | 'refused' };

/** A shorter outage is not kept. */
export const SHORTEST = MINUTE;

/** Lists the outages that overlap a range. */
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

/** Adds an outage that a collector has reported, perhaps for the second time. Call it inside a transaction. */
export function addToldOutage(db: Db, { from, to, reason }: Outage): void {
  const known = db.one('SELECT 1 FROM outage WHERE from_at = ? AND to_at = ? AND reason = ?', from, to, reason);
  if (!known) db.run('INSERT INTO outage (from_at, to_at, reason) VALUES (?, ?, ?)', from, to, reason);
}

/** Counts the outages that end after a time. */
export const countOutages = (db: Db, after: number): number =>
  db.one<{ n: number }>('SELECT count(*) AS n FROM outage WHERE to_at > ?', after)?.n ?? 0;

export const listAllOutages = (db: Db): (Outage & { id: number })[] =>
  db.all('SELECT id, from_at AS "from", to_at AS "to", reason FROM outage ORDER BY id');

export const removeOutage = (db: Db, id: number): void => {
  db.run('DELETE FROM outage WHERE id = ?', id);
};

/** Removes outages that end in the future: a clock that was ahead wrote them. */
const removeAhead = (db: Db, now: number): void => {
  db.write(() => db.run('DELETE FROM outage WHERE to_at > ?', now + MINUTE));
};

/** As many missing marks are an outage; a mark comes once a minute. */
const MARKS_MISSED = 3;

/**
 * Marks that the server runs. Before a start, or if some marks are missing because the machine slept, the time since
 * the last mark becomes an outage.
 */
export function markRunning(db: Db, now: number, isStart: boolean): void {
  const last = findUpkeep(db, 'running');
  removeAhead(db, now);
  // Collectors take hits meanwhile, so nothing is missing.
  if (last && !hasCollectors(db) && (isStart || now - last.at > MARKS_MISSED * MINUTE)) {
    addOutage(db, { from: last.at, to: now, reason: 'down' });
  }
  noteUpkeep(db, 'running', { at: now, fine: true, words: 'the server runs' });
}
