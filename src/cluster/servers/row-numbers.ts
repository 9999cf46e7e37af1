// Row numbers are made from the time and the number of the sender. So later rows have higher numbers, and two collected
// rows never have equal numbers, even from different machines. Imported rows of different days can have equal numbers.
import { findLastClosed } from '../../catalog/swept-days.ts';
import type { Clock } from '../../lib/time.ts';
import type { Db } from '../../store/db.ts';

/** Each process can number 16 rows in a millisecond. If it has more for a while, its numbers run ahead of the time. */
const PER_MS = 16;
/**
 * Up to 64 processes send rows, each with a number from 0 to 63. The remainder of a row number, divided by 64, is the
 * number of its process. So the row numbers of two processes are never equal.
 */
export const SENDERS = 64;

/** The process number of the primary. */
export const PRIMARY = 0;

/** Imported rows get this process number, which no collector has. */
const IMPORTER = SENDERS - 1;

/**
 * Gives the row number of an imported row. `row` is its index among the `count` rows of a day. `start` is a row number
 * from the start of the import or earlier. All imported rows get numbers below `start`, so live rows that come later
 * have higher numbers.
 */
export const numberImported = (start: number, row: number, count: number): number =>
  start - (start % SENDERS) - (count - row) * SENDERS + IMPORTER;

/**
 * This number is added to visible seconds that only a browser reported, and that the sender could not check. Then the
 * query that makes visits knows that these seconds were not checked, and limits them.
 */
export const CLAIMED = 2 ** 31;

/** Gives the lowest row number that can be made at a time. `now` is in milliseconds since 1970. */
export const findLowestNumber = (now: number): number => now * PER_MS * SENDERS;

/** Gives the time of a row number, in seconds since 1970. */
export const findTime = (number: number): number => Math.floor(number / (PER_MS * SENDERS * 1000));

/**
 * Gives the first row number of a new collector. This number is above the numbers of all sealed rows. A row with a
 * lower number would look sealed, and would not count.
 */
export const findUnsealedNumber = (db: Db, clock: Pick<Clock, 'now'>): number =>
  Math.max(findLowestNumber(clock.now()), findLastClosed(db) + SENDERS);
