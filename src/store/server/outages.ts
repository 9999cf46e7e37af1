// Outages are times in which hits were not collected, because the server was down, refused hits, or its machine slept.
// A report about such a time says that hits are missing.
//
// Invariant: an outage lasts at least a minute. An outage that ends more than a minute in the future is deleted: it was
// written while the clock was ahead.
//
// Example: once a minute, the server stores the time. The last stored time is 10:00, and the server starts again at
// 10:07. Then an outage from 10:00 to 10:07 is added. The jobs call noteRunning. addReportedOutage stores outages that
// collectors report.

import { MINUTE } from '../../lib/time.ts';
import { hasCollectors } from '../cluster/collectors.ts';
import type { Db } from '../db.ts';
import { findUpkeep, noteUpkeep } from './upkeep.ts';

/**
 * A time without hits. `down`: the server did not run. `refused`: the server could not store hits, or received too
 * many.
 */
export type Outage = { from: number; to: number; reason: 'down' | 'refused' };

/** The shortest outage that is stored. A normal restart is shorter. */
export const SHORTEST = MINUTE;

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

/**
 * Adds an outage that a collector reports. A collector may report an outage twice, therefore an equal outage is not
 * added again.
 */
export function addReportedOutage(db: Db, { from, to, reason }: Outage): void {
  const known = db.one('SELECT 1 FROM outage WHERE from_at = ? AND to_at = ? AND reason = ?', from, to, reason);
  if (!known) db.run('INSERT INTO outage (from_at, to_at, reason) VALUES (?, ?, ?)', from, to, reason);
}

export const countOutages = (db: Db, after: number): number =>
  db.one<{ n: number }>('SELECT count(*) AS n FROM outage WHERE to_at > ?', after)?.n ?? 0;

export const listAllOutages = (db: Db): (Outage & { id: number })[] =>
  db.all('SELECT id, from_at AS "from", to_at AS "to", reason FROM outage ORDER BY id');

export const removeOutage = (db: Db, id: number): void => {
  db.run('DELETE FROM outage WHERE id = ?', id);
};

/** Removes outages that end more than a minute in the future. Such an outage was written while the clock was ahead. */
const removeAhead = (db: Db, now: number): void => {
  db.write(() => db.run('DELETE FROM outage WHERE to_at > ?', now + MINUTE));
};

/**
 * The server stores the time each minute. A last stored time that is older than this number of minutes shows an outage.
 */
const MINUTES_MISSED = 3;

/**
 * Stores that the server runs at the time `now`. At a start, the time since the last stored time becomes an outage. In
 * a running server, a stored time more than 3 minutes ago shows that the machine slept. The time of this sleep becomes
 * an outage too.
 */
export function noteRunning(db: Db, now: number, isStart: boolean): void {
  const last = findUpkeep(db, 'running');
  removeAhead(db, now);
  // With collectors there is no outage, because the collectors receive hits while this server is down.
  if (last && !hasCollectors(db) && (isStart || now - last.at > MINUTES_MISSED * MINUTE)) {
    addOutage(db, { from: last.at, to: now, reason: 'down' });
  }
  noteUpkeep(db, 'running', { at: now, fine: true, words: 'the server runs' });
}
