import type { Db } from '../db.ts';

/** The name by which a cluster knows this file, and the latest number of a mark. */
type Installation = { name: string; beat: number };

export const findInstallation = (db: Db): Installation | undefined =>
  db.one('SELECT name, beat FROM installation WHERE one = 1');

/** Gives this file a random name, if it has none. Call it inside a transaction. */
export const nameInstallation = (db: Db): void => {
  db.run('INSERT OR IGNORE INTO installation (one, name, beat) VALUES (1, lower(hex(randomblob(16))), 0)');
};

/** Gives a number for a new mark, above all earlier ones. Call it inside a transaction. */
export function raiseBeat(db: Db): number {
  db.run('UPDATE installation SET beat = beat + 1');
  return findInstallation(db)?.beat ?? 0;
}

/** Keeps numbers up to this one from being given to marks. Call it inside a transaction. */
export const skipBeats = (db: Db, last: number): void => {
  db.run('UPDATE installation SET beat = max(beat, ?)', last);
};
