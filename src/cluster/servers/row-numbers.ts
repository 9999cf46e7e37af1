// Row numbers are made from the time and the number of the sender. So later rows have higher numbers, and two rows
// never have the same number, even from different machines.
import { findLastClosed } from '../../catalog/day-states.ts';
import type { Clock } from '../../lib/time.ts';
import type { Db } from '../../store/db.ts';

/**
 * A sender is the primary server or a collector. Each sender has this many row numbers for each millisecond. A row of a
 * later millisecond always has a higher number, even from another machine.
 */
const PER_MS = 16;
/**
 * Each process that sends rows has a number. The remainder of a row number divided by 64 is that number. So
 * consecutive row numbers of a process differ by 64.
 */
export const SENDERS = 64;

/** Added to `engaged` in the row of a heartbeat if only the browser says how long the page was visible. */
export const CLAIMED = 2 ** 31;

/** Gives the lowest row number for a time in milliseconds. */
export const findLowestNumber = (now: number): number => now * PER_MS * SENDERS;

/** Gives a row number that is higher than the numbers of all sealed rows. Servers may still have such rows. */
export const findUnsealedNumber = (db: Db, clock: Pick<Clock, 'now'>): number =>
  Math.max(findLowestNumber(clock.now()), findLastClosed(db) + SENDERS);
