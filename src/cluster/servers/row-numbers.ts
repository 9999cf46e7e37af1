// The numbers of rows: a number grows with time on any machine, and no two rows have the same.
import { findLastClosed } from '../../catalog/day-states.ts';
import type { Clock } from '../../lib/time.ts';
import type { Db } from '../../store/db.ts';

/** A millisecond has 16 numbers for each sender. So a row of a later millisecond has a higher number, on any machine. */
const PER_MS = 16;
/** A number modulo 64 is the sender that gave it. So two numbers of one sender are at least 64 apart. */
export const SENDERS = 64;

/** A heartbeat that only a browser claims has 2^31 added to its `engaged`. */
export const CLAIMED = 2 ** 31;

/** The lowest number that a row of a millisecond may have. */
export const findLowestNumber = (now: number): number => now * PER_MS * SENDERS;

/** A number above those of all sealed rows that servers may still have. */
export const findUnsealedNumber = (db: Db, clock: Pick<Clock, 'now'>): number =>
  Math.max(findLowestNumber(clock.now()), findLastClosed(db) + SENDERS);
