// Measures how much the shares of visitors vary from day to day, beyond pure chance. This variation is called noise.
//
// Invariant: a change from one range to the other is no noise. A pair is a day of the earlier range and the matching
// day of the later range. Noise is only how much the change differs from pair to pair.
//
// Example: on some days a third of the visitors arrives from search engines, and on other days a half. Then a
// difference of a tenth between two weeks says little. If only chance changes the shares, the noise is 1.
import { computeMedian } from './unusual.ts';

/**
 * The counts of one day (or week) of the earlier range, and of the matching day of the later range. For example, the
 * second days of both ranges make a pair.
 */
export type CountedPair = { before: number; after: number };

/**
 * Measures the noise of a dimension. `values` has a list of pairs for each value, and `totals` has the pairs of all
 * visitors. A pair has the counts of two matching days, such as the second days of both ranges.
 */
export function measureNoise(values: readonly (readonly CountedPair[])[], totals: readonly CountedPair[]): number {
  if (totals.length < LEAST_PAIRS) return USUAL_NOISE;
  const spreads = values.filter((pairs) => sumPairs(pairs) >= LEAST_COUNT).map((pairs) => measureSpread(pairs, totals));
  if (spreads.length === 0) return USUAL_NOISE;
  return Math.max(1, computeMedian(spreads) / findMedianOfChance(totals.length - 1));
}

/** With fewer pairs of days than this, the noise cannot be measured. Then `USUAL_NOISE` is assumed. */
const LEAST_PAIRS = 4;
export const USUAL_NOISE = 2;
/** Values with fewer visitors than this are left out, because `measureSpread` would be inaccurate for them. */
const LEAST_COUNT = 30;

const sumPairs = (pairs: readonly CountedPair[]): number =>
  pairs.reduce((sum, { before, after }) => sum + before + after, 0);

/**
 * Returns the median of the results of `measureSpread` if only chance changes the shares. This median is a little below
 * 1. It is about the median of the chi-square distribution, divided by the degrees of freedom. `measureNoise` divides
 * the measured median by this median, so that pure chance has the noise 1.
 */
const findMedianOfChance = (freedom: number): number => (1 - 2 / (9 * freedom)) ** 3;

/**
 * Measures how much a value differs from its expected counts, pair by pair. The expected counts follow from all
 * visitors of the pair, and from the change of the value over all pairs. If only chance plays a role, the result is
 * about 1.
 */
function measureSpread(pairs: readonly CountedPair[], totals: readonly CountedPair[]): number {
  const odds = fitOdds(pairs, totals);
  let [sum, counted] = [0, 0];
  for (const [i, { before, after }] of pairs.entries()) {
    const total = totals[i] as CountedPair;
    const [both, all] = [before + after, total.before + total.after];
    const share = shiftShare(total, odds);
    const variance = both * share * (1 - share) * (1 - both / Math.max(all, both + 1));
    if (variance <= 0) continue;
    sum += (after - both * share) ** 2 / variance;
    counted++;
  }
  return sum / Math.max(1, counted - 1);
}

/**
 * Finds the odds of a value. Example: the totals of both ranges are equal, and two thirds of the value's visitors are
 * in the later range. Then the odds are 2. To find the odds, the function halves an interval of their logarithm 40
 * times.
 */
function fitOdds(pairs: readonly CountedPair[], totals: readonly CountedPair[]): number {
  const after = pairs.reduce((sum, pair) => sum + pair.after, 0);
  let [low, high] = [-8, 8];
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    const expected = pairs.reduce(
      (sum, pair, i) => sum + (pair.before + pair.after) * shiftShare(totals[i] as CountedPair, Math.exp(middle)),
      0,
    );
    if (expected < after) low = middle;
    else high = middle;
  }
  return Math.exp((low + high) / 2);
}

function shiftShare({ before, after }: CountedPair, odds: number): number {
  const shifted = odds * after;
  return before + shifted === 0 ? 0.5 : shifted / (before + shifted);
}
