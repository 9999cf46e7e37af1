/** Outliers do not move it. 0 of no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

/** A day or an hour is compared with the same one of so many weeks before, if at least LEAST_WEEKS of them are known. */
export const WEEKS = 8;
export const LEAST_WEEKS = 4;

/*
 * Usual is the median of the weeks before; the spread is 1.4826 times the median distance from it, which for the bell curve is the
 * standard deviation, but not less than the root of the median, by which counts scatter even where nothing ever changes, and not
 * less than 1. A number is above the usual by more than 2 spreads, and far above by more than 5, and then also by 25 visitors and
 * to twice the usual, so that a small site is not alarmed by a handful of people.
 */
const ABOVE = 2;
const FAR = 5;
const LEAST_VISITORS = 25;
const LEAST_TIMES = 2;

export type Compared = { now: number; usual: number; spread: number };

export function compared(now: number, before: readonly number[]): Compared {
  const usual = median(before);
  const distance = median(before.map((value) => Math.abs(value - usual)));
  return { now, usual, spread: Math.max(1.4826 * distance, Math.sqrt(usual), 1) };
}

export const isAbove = ({ now, usual, spread }: Compared): boolean => now > usual + ABOVE * spread;

export const isFarAbove = ({ now, usual, spread }: Compared): boolean =>
  now > usual + FAR * spread && now >= usual + LEAST_VISITORS && now >= usual * LEAST_TIMES;
