// Divisions say among how many shards the visitors of a day are divided. A cluster that grows divides new days among
// more shards. Past days stay as they are.
//
// Invariant: all hits of a visitor on a day are on one shard. This is also true for late hits, and for hits of
// different collectors. So the division of a day never changes after an outbox has divided a hit of that day.
//
// Example: a cluster of two shards gets a third one. The rows are { day: 0, shards: 2 } and { day: 20523, shards: 0 }.
// 0 shards means: not decided yet. Each outbox holds its hits of day 20523 and later. When all outboxes hold these
// hits, the primary decides, and the second row becomes { day: 20523, shards: 3 }. Then the held hits are sent.
// src/cluster/grow decides, and src/cluster/outbox divides hits.
import type { Db } from '../db.ts';

/** From `day` on, visitors are divided among `shards` shards. 0 means that the number is not decided yet. */
export type Division = { day: number; shards: number };

/** Lists the divisions, the earliest first. If there is no division, all days are divided among all shards. */
export const listDivisions = (db: Db): Division[] => db.all('SELECT day, shards FROM division ORDER BY day');

/** Finds the division that is not decided yet. There is at most one. */
export const findUndecided = (db: Db): Division | undefined =>
  db.one('SELECT day, shards FROM division WHERE shards = 0');

/**
 * Adds a division. Its first day is `day`, but at least one day later than the first day of the last division. 0 shards
 * means that the number is not decided yet. If no division is stored yet, all earlier days are divided among `before`
 * shards. Call this function inside a transaction.
 */
export function addDivision(db: Db, { day, shards }: Division, before: number): void {
  db.run('INSERT OR IGNORE INTO division (day, shards) SELECT 0, ? WHERE NOT EXISTS (SELECT 1 FROM division)', before);
  // An outbox that promises to hold hits names the division by its first day. Each new division gets a later first day
  // than all earlier divisions. So an old promise never counts for a new division.
  db.run('INSERT INTO division (day, shards) SELECT max(max(day) + 1, ?), ? FROM division', day, shards);
}

/** Decides the division that still has 0 shards: from `day` on, visitors are divided among `shards` shards. */
export const decideDivision = (db: Db, { day, shards }: Division): void => {
  db.run('UPDATE division SET day = ?, shards = ? WHERE shards = 0', day, shards);
};
