/** The median is used because a few extreme values hardly change it. The median of an empty list is 0. */
export function computeMedian(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

/** A day or an hour is compared with the 8 weeks before. At least 4 of these weeks must be known. */
export const WEEKS = 8;
export const LEAST_WEEKS = 4;

/** A count is above the usual count if the difference is more than 2 spreads. It is far above if the difference is more than 5 spreads. */
const ABOVE = 2;
const FAR = 5;
/**
 * A count is far above only if it is also at least 25 more than usual, and at least twice the usual count. So a few people on a small site
 * raise no alarm.
 */
const LEAST_VISITORS = 25;
const LEAST_TIMES = 2;

/** A count, the usual count, and the spread of the usual counts. */
export type Compared = { now: number; usual: number; spread: number };

/**
 * Compares a count with the counts of the weeks before. The usual count is their median. The spread is 1.4826 times the median of the
 * distances from the usual count. For a bell curve, such a spread equals the standard deviation. Counts vary by about the square root of
 * the usual count even if nothing changes. So the spread is at least this root, and at least 1.
 */
export function compared(now: number, before: readonly number[]): Compared {
  const usual = computeMedian(before);
  const distance = computeMedian(before.map((value) => Math.abs(value - usual)));
  return { now, usual, spread: Math.max(1.4826 * distance, Math.sqrt(usual), 1) };
}

export const isAbove = ({ now, usual, spread }: Compared): boolean => now > usual + ABOVE * spread;

export const isFarAbove = ({ now, usual, spread }: Compared): boolean =>
  now > usual + FAR * spread && now >= usual + LEAST_VISITORS && now >= usual * LEAST_TIMES;
