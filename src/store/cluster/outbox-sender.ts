// The owner of an outbox is the primary or a collector. The owner sends the rows of the outbox, therefore it is called
// the sender. An outbox has one row about its sender. The row has the name, the last used row number, and the settings
// from the primary. The row also says how many parcels were delivered, and how far the clocks of a collector and the
// primary differ.
//
// Invariant: `name` never changes, and `seq` never becomes smaller. Each insert has a token that begins with `name`,
// and rows have numbers up to `seq`. By its token, ClickHouse recognises an insert that is sent again, and ignores it.
//
// Example: a collector has used the row numbers up to 500 and stops. When the collector runs again, its next row gets a
// higher number. src/cluster/outbox and src/collectors use this file.
import type { Db } from '../db.ts';

/**
 * What an outbox knows of its sender. The primary assigned `number`, and sent `engine`, the URL of the cluster.
 * `tag` is a hash of the settings that the primary sent last. `seq` is the last used row number.
 */
type Sender = { name: string; seq: number; number: number; engine: string; tag: string };

export const findSender = (db: Db): Sender =>
  db.one('SELECT name, seq, number, engine, tag FROM sender') ?? { name: '', seq: 0, number: 0, engine: '', tag: '' };

/** Stores the settings that the primary has sent to this collector. */
export const changeSender = (db: Db, { number, engine, tag }: Omit<Sender, 'name' | 'seq'>): void => {
  db.run('UPDATE sender SET number = ?, engine = ?, tag = ?', number, engine, tag);
};

/**
 * Forgets the settings from the primary, because the primary refuses this collector. At its next start, this collector
 * must request new settings before it accepts hits.
 */
export const forgetPrimary = (db: Db): void => {
  db.write(() => db.run("UPDATE sender SET engine = '', tag = ''"));
};

/**
 * `skew` says by how much the clock of the primary is ahead of the clock of this machine. `knownAt` is the time at
 * which `skew` was measured, or 0 before the first measurement. Each is in milliseconds.
 */
export type Time = { skew: number; knownAt: number };

export const findTime = (db: Db): Time =>
  db.one<Time>('SELECT skew, known_at AS knownAt FROM sender') ?? { skew: 0, knownAt: 0 };

export const setTime = (db: Db, { skew, knownAt }: Time): void => {
  db.write(() => db.run('UPDATE sender SET skew = ?, known_at = ?', skew, knownAt));
};

/**
 * Returns how many parcels this outbox has ever delivered. A smaller number than before shows that somebody put an
 * older copy of the outbox file back.
 */
export const countParcels = (db: Db): number => db.one<{ parcels: number }>('SELECT parcels FROM sender')?.parcels ?? 0;

/**
 * Counts one more delivered parcel. This count later shows whether somebody put an older copy of the outbox file back.
 */
export const addParcel = (db: Db): void => {
  db.run('UPDATE sender SET parcels = parcels + 1');
};

/** Stores that all row numbers up to `seq` are used. After a restart, new rows get only higher numbers. */
export const setSequence = (db: Db, seq: number): void => {
  db.run('UPDATE sender SET seq = ?', seq);
};
