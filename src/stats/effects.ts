// Measures what changed after a day: how many percent more or fewer visitors, and whether that may be chance. The 14
// days after a change are compared with the 14 days before it, in pairs of the same weekday. From 2,000 random samples
// of these pairs, a lower and an upper bound of the true change are computed.
//
// Example: with 100 visitors a day before and 120 after, the change is +20 %. With the bounds +12 % and +28 %, the
// verdict is `up`. If 0 is between the bounds, the verdict is `unclear`. note-effect.ts counts the days. api/effects.ts
// and mail/effects.ts use this file and note-effect.ts. `npm run bench:effects` shows that 95 of 100 true changes are
// between the bounds.
import { type Coded, coded } from '../lang/coded.ts';
import { computeChange, rounded } from '../lib/percent.ts';
import { seeded } from '../lib/seeded.ts';

/**
 * The number of days after a change. These days are compared with the same number of days before the change. The day of
 * the change is not counted, because the change happened in the middle of it.
 */
export const EFFECT_DAYS = 14;

/** Two days of the same weekday: one before the change, and one after it. */
export type DayPair = { before: number; after: number };

export type CountPair = { before: number; after: number };

export const EFFECT_METRICS = ['visitors', 'pageviews', 'conversions'] as const;
export type EffectMetric = (typeof EFFECT_METRICS)[number];

export const VERDICTS = ['up', 'down', 'unclear', 'too_few_days', 'too_few_counted'] as const;

/**
 * How much the counts changed, with the bounds of the true change. A count changes in percent, and a rate in percentage
 * points. `change` and `interval` are null if there are too few pairs of days, or if too little was counted.
 */
export type Effect = {
  change: number | null;
  interval: [low: number, high: number] | null;
  verdict: (typeof VERDICTS)[number];
};

/** Measures how much the counts changed after a day, and whether chance alone may explain the difference. */
export function measureEffect(pairs: readonly CountPair[]): Effect {
  const counts = pairs.map(({ before, after }) => [before, after]);
  const change = computeChange(sumSide(pairs, 'after'), sumSide(pairs, 'before'));
  return judge(counts, ([before = 0, after = 0]) => Math.log(after / before), { change, write: toPercent });
}

/**
 * A rate on two days, such as the bounce rate. Then `part` is the number of bounces, and `whole` is the number of
 * visits.
 */
export type RatePair = Record<'before' | 'after', { part: number; whole: number }>;

/** Measures how much a rate changed after a day, in percentage points. */
export function measureRateEffect(pairs: readonly RatePair[]): Effect {
  const counts = pairs.map(({ before, after }) => [before.part, before.whole, after.part, after.whole]);
  const subtract = ([partBefore = 0, before = 0, partAfter = 0, after = 0]: readonly number[]) =>
    (partAfter / after - partBefore / before) * 100;
  return judge(counts, subtract, {
    change: rounded(subtract(sumAll(counts)), 1),
    write: (points) => rounded(points, 1),
  });
}

/**
 * Finds the bounds of a difference, and the verdict. `counts` has the numbers of each pair of days. `compute` makes a
 * difference from the sums over all pairs, and `write` rounds this difference. `change` is the rounded change over all
 * pairs.
 */
function judge(
  counts: readonly (readonly number[])[],
  compute: Compute,
  { change, write }: { change: number | null; write(difference: number): number },
): Effect {
  const nothing = { change: null, interval: null };
  if (counts.length < LEAST_PAIRS) return { ...nothing, verdict: 'too_few_days' };
  const bounds = findBounds(counts, compute);
  if (!bounds.every(Number.isFinite)) return { ...nothing, verdict: 'too_few_counted' };
  const interval = bounds.map(write) as [number, number];
  const [low, high] = interval;
  return { change, interval, verdict: low > 0 ? 'up' : high < 0 ? 'down' : 'unclear' };
}

/**
 * Pairs each day after the change with the day two weeks before it. For the 14th day after the change, that would be
 * the day of the change, which is not counted. Therefore the 14th day after is paired with the 14th day before.
 */
export const pairDays = (day: number): DayPair[] =>
  Array.from({ length: EFFECT_DAYS }, (_, i) => ({ before: day - EFFECT_DAYS + i, after: day + (i || EFFECT_DAYS) }));

/** The least number of pairs. With fewer pairs, a single day could change the result too much. */
export const LEAST_PAIRS = 7;

const RESAMPLES = 2_000;
/** The start of the random numbers is fixed. Therefore the answer for a day is always the same. */
const SEED = 1;
const TAIL = 0.025;

/**
 * Limits that a value exceeds by chance in 2.5 of 100 cases. `NORMAL` is for the normal distribution. `STUDENT` is for
 * Student's t distribution: its first entry is for 7 pairs, its last for 14 pairs.
 */
const NORMAL = 1.96;
const STUDENT = [2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16];

/**
 * Returns the factor by which the bounds are widened. Random samples of few pairs vary too little, therefore their
 * bounds are too narrow. `npm run bench:effects` checks the result.
 */
const widenBy = (pairs: number): number =>
  (Math.sqrt(pairs / (pairs - 1)) * (STUDENT[pairs - LEAST_PAIRS] ?? NORMAL)) / NORMAL;

type Compute = (sums: readonly number[]) => number;

/**
 * Draws 2,000 random samples of the pairs of days, to see how much the result varies by chance. A sample has as many
 * pairs as `counts`, and may have the same pair several times. Returns what `compute` gives for each sample (the
 * difference between before and after the change), sorted.
 */
function resample(counts: readonly (readonly number[])[], compute: Compute): Float64Array {
  const random = seeded(SEED);
  const drawn = () => counts[Math.floor(random() * counts.length)] as readonly number[];
  return Float64Array.from({ length: RESAMPLES }, () => compute(sumAll(counts.map(drawn)))).sort();
}

const sumAll = (counts: readonly (readonly number[])[]): number[] =>
  (counts[0] ?? []).map((_, i) => counts.reduce((sum, one) => sum + (one[i] as number), 0));

export const sumSide = (pairs: readonly CountPair[], side: keyof CountPair): number =>
  pairs.reduce((sum, pair) => sum + pair[side], 0);

/**
 * Finds two bounds for a difference, such as the logarithm of after / before. In 95 of 100 cases, the true difference
 * lies between them. If too many samples have no counts before or after the change, a bound is not finite. Then the
 * verdict is `too_few_counted`.
 */
function findBounds(counts: readonly (readonly number[])[], compute: Compute): [low: number, high: number] {
  const difference = compute(sumAll(counts));
  const differences = resample(counts, compute);
  const bound = (share: number): number => {
    const quantile = differences[Math.round(share * (RESAMPLES - 1))] as number;
    return difference + (quantile - difference) * widenBy(counts.length);
  };
  return [bound(TAIL), bound(1 - TAIL)];
}

const toPercent = (logarithm: number): number => rounded(Math.expm1(logarithm) * 100, 1);

/** Describes an effect as a sentence. The sentence says what changed and by how much, but not why. */
export function sayEffect(metric: EffectMetric, pairs: readonly CountPair[], effect: Effect): Coded {
  const { change, interval, verdict } = effect;
  const days = pairs.length;
  if (verdict === 'too_few_days') return coded('too_few_days', { days, all: EFFECT_DAYS, needed: LEAST_PAIRS });
  if (change === null || interval === null) {
    return coded(`too_few_${metric}`, { before: sumSide(pairs, 'before'), after: sumSide(pairs, 'after') });
  }
  const [low, high] = interval;
  return coded(`${metric}_${verdict === 'unclear' ? 'unclear' : 'changed'}`, { change, days, low, high });
}
