/** Computes the median, which outliers do not move. The median of no values is 0. */
export function computeMedian(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

/** A day or an hour is compared with so many weeks before, if at least LEAST_WEEKS of them are known. */
export const WEEKS = 8;
export const LEAST_WEEKS = 4;

/** A count is above the usual by more than so many spreads, and far above by more than `FAR` spreads. */
const ABOVE = 2;
const FAR = 5;
/** Far above also means so many more and so many times as many, so that a few people on a small site raise no alarm. */
const LEAST_VISITORS = 25;
const LEAST_TIMES = 2;

/** A count beside what is usual, and the spread of usual counts. */
export type Compared = { now: number; usual: number; spread: number };

/**
 * Compares a count with the weeks before. Usual is their median. The spread is 1.4826 times the median distance from it: for a bell curve
 * this is the standard deviation. Counts scatter by the root of the median even where nothing changes, so the spread is at least that, and 1.
 */
export function compared(now: number, before: readonly number[]): Compared {
  const usual = computeMedian(before);
  const distance = computeMedian(before.map((value) => Math.abs(value - usual)));
  return { now, usual, spread: Math.max(1.4826 * distance, Math.sqrt(usual), 1) };
}

export const isAbove = ({ now, usual, spread }: Compared): boolean => now > usual + ABOVE * spread;

export const isFarAbove = ({ now, usual, spread }: Compared): boolean =>
  now > usual + FAR * spread && now >= usual + LEAST_VISITORS && now >= usual * LEAST_TIMES;
