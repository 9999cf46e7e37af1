// An outbox has one row about its owner, the primary or a collector. The owner sends the rows of the outbox, so it is
// called the sender. The row has its name, the last used row number, and the settings from the primary. It also has the
// difference of its clock.
//
// Invariant: `name` never changes, and `seq` never becomes smaller. The cluster recognizes rows by both.
//
// Example: a collector has used the row numbers up to 500 and stops. It starts again, and its next row gets a number
// above 500. src/cluster/outbox and src/collectors use this file.
import type { Db } from '../db.ts';

/**
 * What an outbox knows of its collector. The primary gave it `number`, and the URL `engine` of the cluster. `tag` is a
 * hash of the settings that the primary sent last. `seq` is the last used row number.
 */
type Sender = { name: string; seq: number; number: number; engine: string; tag: string };

export const findSender = (db: Db): Sender =>
  db.one('SELECT name, seq, number, engine, tag FROM sender') ?? { name: '', seq: 0, number: 0, engine: '', tag: '' };

/** Stores the settings that the primary has sent to this collector. */
export const changeSender = (db: Db, { number, engine, tag }: Omit<Sender, 'name' | 'seq'>): void => {
  db.run('UPDATE sender SET number = ?, engine = ?, tag = ?', number, engine, tag);
};

/**
 * Forgets the settings from the primary. At its next start, this collector must ask for new settings before it accepts
 * hits.
 */
export const forgetPrimary = (db: Db): void => {
  db.write(() => db.run("UPDATE sender SET engine = '', tag = ''"));
};

/**
 * `skew` is how far the primary's clock is ahead of this machine's clock. `knownAt` is when that was measured, or 0
 * before the first measurement. Both are in milliseconds.
 */
export type Time = { skew: number; knownAt: number };

export const findTime = (db: Db): Time =>
  db.one<Time>('SELECT skew, known_at AS knownAt FROM sender') ?? { skew: 0, knownAt: 0 };

export const setTime = (db: Db, { skew, knownAt }: Time): void => {
  db.write(() => db.run('UPDATE sender SET skew = ?, known_at = ?', skew, knownAt));
};

/**
 * Gives how many parcels this outbox has ever delivered. A smaller number than before shows that an older copy of the
 * outbox file was put back.
 */
export const countParcels = (db: Db): number => db.one<{ parcels: number }>('SELECT parcels FROM sender')?.parcels ?? 0;

/** Counts one more delivered parcel. The number later shows whether an older copy of the outbox file was put back. */
export const addParcel = (db: Db): void => {
  db.run('UPDATE sender SET parcels = parcels + 1');
};

/** Stores that all row numbers up to `seq` are used. After a restart, new rows get only higher numbers. */
export const setSequence = (db: Db, seq: number): void => {
  db.run('UPDATE sender SET seq = ?', seq);
};
