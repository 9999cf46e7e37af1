import type { Db } from '../db.ts';

/**
 * `name` identifies this database file on the cluster. Each minute, daybook writes a mark to each server: a row with
 * this name and a number. `beat` is the number of the latest mark.
 */
type Installation = { name: string; beat: number };

export const findInstallation = (db: Db): Installation | undefined =>
  db.one('SELECT name, beat FROM installation WHERE one = 1');

/** Gives the name of the installation. A collector has this name from the primary, but has no beat. */
export const findInstallationName = (db: Db): string | undefined =>
  db.one<{ name: string }>('SELECT name FROM installation WHERE one = 1')?.name;

export const nameInstallation = (db: Db): void => {
  db.run('INSERT OR IGNORE INTO installation (one, name, beat) VALUES (1, lower(hex(randomblob(16))), 0)');
};

/** Returns the number for a new mark. The number is higher than all earlier numbers. */
export function raiseBeat(db: Db): number {
  db.run('UPDATE installation SET beat = beat + 1');
  return findInstallation(db)?.beat ?? 0;
}

/** Makes all later marks get numbers above `last`, for example because servers already have marks up to `last`. */
export const skipBeats = (db: Db, last: number): void => {
  db.run('UPDATE installation SET beat = max(beat, ?)', last);
};

/**
 * Begins a new range of 1,048,576 beats, above the beat `last`. The primary begins a range at each start. Another
 * primary may still run with a copy of the database file. The primary that started last always writes higher beats. The
 * other primary finds these beats on the servers, and then seals no days. With one mark a minute, a range lasts for two
 * years.
 */
export const beginBeats = (db: Db, last: number): void => {
  db.run('UPDATE installation SET beat = (max(beat, CAST(? AS INTEGER)) / 1048576 + 1) * 1048576', last);
};
