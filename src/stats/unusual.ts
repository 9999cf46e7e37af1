/** Returns the middle value, or 0 for an empty list. A few extreme values hardly change a median. */
export function computeMedian(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

/**
 * A day or an hour is compared with the 8 weeks before it. The counts of at least 4 of these weeks must be known.
 * Otherwise, the day or hour is not compared.
 */
export const WEEKS = 8;
export const LEAST_WEEKS = 4;

/**
 * A count is above the usual count if it is more than 2 spreads higher. A count is far above if it is more than 5
 * spreads higher. The spread is how much such counts usually vary.
 */
const ABOVE = 2;
const FAR = 5;
/**
 * A count that is far above must also be at least 25 higher, and at least twice as high. Otherwise, a few people could
 * cause an alert on a small site.
 */
const LEAST_VISITORS = 25;
const LEAST_TIMES = 2;

/**
 * A note explains unusual traffic on its own day and on this many days after it. For example, a newspaper article still
 * brings visitors on the following days.
 */
export const ECHO_DAYS = 2;

/** A count, the usual count, and how much such counts usually vary. */
export type Compared = { now: number; usual: number; spread: number };

/**
 * Compares a count with the counts of the weeks before. The usual count is their median. The spread is 1.4826 times the
 * median distance from the usual count. For a bell curve, this is the standard deviation. By chance alone, counts vary
 * by the square root of the usual count. Therefore the spread is at least this root, and at least 1.
 */
export function compared(now: number, before: readonly number[]): Compared {
  const usual = computeMedian(before);
  const distance = computeMedian(before.map((value) => Math.abs(value - usual)));
  return { now, usual, spread: Math.max(1.4826 * distance, Math.sqrt(usual), 1) };
}

/**
 * A count is unusual if it is more than 4 spreads above or below the usual count. If days vary like a bell curve,
 * chance alone causes this on one day in 16,000.
 */
const UNUSUAL = 4;

export const isUnusual = ({ now, usual, spread }: Compared): boolean => Math.abs(now - usual) > UNUSUAL * spread;

export const isAbove = ({ now, usual, spread }: Compared): boolean => now > usual + ABOVE * spread;

export const isFarAbove = ({ now, usual, spread }: Compared): boolean =>
  now > usual + FAR * spread && now >= usual + LEAST_VISITORS && now >= usual * LEAST_TIMES;
