import type { Db } from '../db.ts';

/**
 * `name` identifies this database file on the cluster. A mark is a number that daybook writes to each server of the
 * cluster, and `beat` is the latest such number.
 */
type Installation = { name: string; beat: number };

export const findInstallation = (db: Db): Installation | undefined =>
  db.one('SELECT name, beat FROM installation WHERE one = 1');

export const nameInstallation = (db: Db): void => {
  db.run('INSERT OR IGNORE INTO installation (one, name, beat) VALUES (1, lower(hex(randomblob(16))), 0)');
};

/**
 * Gives the number for a new mark (a number that daybook writes to each server of the cluster). It is higher than all
 * earlier numbers. Call it inside a transaction.
 */
export function raiseBeat(db: Db): number {
  db.run('UPDATE installation SET beat = beat + 1');
  return findInstallation(db)?.beat ?? 0;
}

/** Marks get only numbers above `last` after this call. Call it inside a transaction. */
export const skipBeats = (db: Db, last: number): void => {
  db.run('UPDATE installation SET beat = max(beat, ?)', last);
};
