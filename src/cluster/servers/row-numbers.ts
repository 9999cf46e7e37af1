// Row numbers are made from the time and the number of the sender. So later rows have higher numbers, and two rows
// never have the same number, even from different machines.
import { findLastClosed } from '../../catalog/day-states.ts';
import type { Clock } from '../../lib/time.ts';
import type { Db } from '../../store/db.ts';

/**
 * Each process that sends rows can number 16 rows in a millisecond, 16,000 in a second. If it has more for a while, its
 * numbers run ahead of the time.
 */
const PER_MS = 16;
/**
 * Up to 64 processes send rows, each with a number from 0 to 63. The remainder of a row number, divided by 64, is the
 * number of its process. So two processes never give the same row number, and those of one process differ by 64.
 */
export const SENDERS = 64;

/**
 * A heartbeat is a row that says for how many seconds a page was visible. If no server could check the seconds, this
 * number is added. The query that forms visits then limits the seconds.
 */
export const CLAIMED = 2 ** 31;

/** Gives the lowest row number of a time in milliseconds. Row numbers grow with time: 1,024 for each millisecond. */
export const findLowestNumber = (now: number): number => now * PER_MS * SENDERS;

/**
 * Gives the first row number of a new collector, a machine that only takes hits. It is above those of all rows whose
 * days are sealed (stored as visits). A row with a lower number would look as if it were in a stored visit already, and
 * would not count.
 */
export const findUnsealedNumber = (db: Db, clock: Pick<Clock, 'now'>): number =>
  Math.max(findLowestNumber(clock.now()), findLastClosed(db) + SENDERS);
