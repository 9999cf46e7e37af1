// What changed after a day: how many percent more or fewer visitors, and whether chance explains it.
//
// Fourteen days after the day are compared with fourteen before it, in pairs of one weekday. Pairs are drawn at random 2,000 times, which
// gives bounds. With 100 visitors a day before and 120 after, the change is +20 %; if the bounds are +12 % and +28 %, the verdict is `up`.
// If they include 0, it is `unclear`. `npm run bench:effects` shows that 95 of 100 bounds hold. `api/effects.ts` calls it.
import { type Coded, coded } from '../lang/coded.ts';
import { computeChange, rounded } from '../lib/percent.ts';
import { seeded } from '../lib/seeded.ts';

/**
 * So many days after the day are compared with as many before it. The day itself counts on neither side, because the change came within it.
 */
export const EFFECT_DAYS = 14;

/** Two days of one weekday. */
export type DayPair = { before: number; after: number };

/** The counts of two such days. */
export type CountPair = { before: number; after: number };

export const EFFECT_METRICS = ['visitors', 'pageviews', 'conversions'] as const;
export type EffectMetric = (typeof EFFECT_METRICS)[number];

export const VERDICTS = ['up', 'down', 'unclear', 'too_few_days', 'too_few_counted'] as const;

/** The change and its bounds in percent; null where there are too few counts. */
export type Effect = {
  change: number | null;
  interval: [low: number, high: number] | null;
  verdict: (typeof VERDICTS)[number];
};

/** Measures how much more or less there was after the day than before it, and whether chance explains it. */
export function measureEffect(pairs: readonly CountPair[]): Effect {
  const nothing = { change: null, interval: null };
  if (pairs.length < LEAST_PAIRS) return { ...nothing, verdict: 'too_few_days' };
  const bounds = findBounds(pairs);
  if (!bounds.every(Number.isFinite)) return { ...nothing, verdict: 'too_few_counted' };
  const interval = bounds.map(toPercent) as [number, number];
  const [low, high] = interval;
  const change = computeChange(sumSide(pairs, 'after'), sumSide(pairs, 'before'));
  return { change, interval, verdict: low > 0 ? 'up' : high < 0 ? 'down' : 'unclear' };
}

/** Pairs each day after the day with the weekday two weeks earlier. The last pair has the first day of all. */
export const pairDays = (day: number): DayPair[] =>
  Array.from({ length: EFFECT_DAYS }, (_, i) => ({ before: day - EFFECT_DAYS + i, after: day + (i || EFFECT_DAYS) }));

/** With fewer pairs than a week, a bound would rest on a few days. */
const LEAST_PAIRS = 7;

const RESAMPLES = 2_000;
/** With a fixed seed, two answers about one day are equal. */
const SEED = 1;
const TAIL = 0.025;

/** The normal distribution is above this in 2.5 of 100 cases. `STUDENT` has the same bound of Student's t, from 7 pairs on. */
const NORMAL = 1.96;
const STUDENT = [2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16];

/**
 * Says how much wider the bounds are than those of the resamples. With few pairs, resamples vary too little: their variance lacks the
 * factor n / (n - 1), and is itself an estimate. `npm run bench:effects` checks the bounds.
 */
const widenBy = (pairs: number): number =>
  (Math.sqrt(pairs / (pairs - 1)) * (STUDENT[pairs - LEAST_PAIRS] ?? NORMAL)) / NORMAL;

/** Draws as many pairs at random, again and again. Gives the logarithm of after / before of each draw, sorted. */
function resample(pairs: readonly CountPair[]): Float64Array {
  const random = seeded(SEED);
  const ratios = new Float64Array(RESAMPLES);
  for (let sample = 0; sample < RESAMPLES; sample++) {
    let [before, after] = [0, 0];
    for (let drawn = 0; drawn < pairs.length; drawn++) {
      const pair = pairs[Math.floor(random() * pairs.length)] as CountPair;
      before += pair.before;
      after += pair.after;
    }
    ratios[sample] = Math.log(after / before);
  }
  return ratios.sort();
}

export const sumSide = (pairs: readonly CountPair[], side: keyof CountPair): number =>
  pairs.reduce((sum, pair) => sum + pair[side], 0);

/**
 * Finds bounds that hold the true logarithm of after / before in 95 of 100 cases. They are not finite if some draws have nothing on one
 * side, because all of it was counted on two or three days.
 */
function findBounds(pairs: readonly CountPair[]): [low: number, high: number] {
  const ratio = Math.log(sumSide(pairs, 'after') / sumSide(pairs, 'before'));
  const ratios = resample(pairs);
  const bound = (share: number): number => {
    const quantile = ratios[Math.round(share * (RESAMPLES - 1))] as number;
    return ratio + (quantile - ratio) * widenBy(pairs.length);
  };
  return [bound(TAIL), bound(1 - TAIL)];
}

const toPercent = (logarithm: number): number => rounded(Math.expm1(logarithm) * 100, 1);

/** Says an effect as a sentence: what was counted when, and not why. */
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
