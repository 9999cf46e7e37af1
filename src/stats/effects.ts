/**
 * What changed after a day: how many percent more or fewer visitors, and whether chance explains it.
 *
 * Fourteen days after the day are compared with fourteen before it, in pairs of one weekday. Pairs are drawn at random 2,000 times, which
 * gives bounds. With 100 visitors a day before and 120 after, the change is +20 %; if the bounds are +12 % and +28 %, the verdict is `up`.
 * If they include 0, it is `unclear`. `npm run bench:effects` shows that 95 of 100 bounds hold. `api/effects.ts` calls it.
 */
import { type Coded, coded } from '../lang/coded.ts';
import { computeChange, rounded } from '../lib/percent.ts';
import { seeded } from '../lib/seeded.ts';

/** So many days after the day are compared with as many before it. The day is in neither: the change came within it. */
export const EFFECT_DAYS = 14;

/** Two days of the same weekday. */
export type DayPair = { before: number; after: number };

/** What was counted on two such days. */
export type CountPair = { before: number; after: number };

export const EFFECT_METRICS = ['visitors', 'pageviews', 'conversions'] as const;
export type EffectMetric = (typeof EFFECT_METRICS)[number];

export const VERDICTS = ['up', 'down', 'unclear', 'too_few_days', 'too_few_counted'] as const;

/** In percent. Where there is no figure, its place is null. */
export type Effect = {
  change: number | null;
  interval: [low: number, high: number] | null;
  verdict: (typeof VERDICTS)[number];
};

/** Pairs days after a day with the weekday two weeks earlier. The last day has the first day of all as its partner. */
export const pairsAround = (day: number): DayPair[] =>
  Array.from({ length: EFFECT_DAYS }, (_, i) => ({ before: day - EFFECT_DAYS + i, after: day + (i || EFFECT_DAYS) }));

/** Below a week a bound would rest on a few days. */
const LEAST_PAIRS = 7;

const RESAMPLES = 2_000;
/** A fixed seed makes two answers about one day the same. */
const SEED = 1;
const TAIL = 0.025;

/** What 2.5 % of the normal distribution are above, and of Student's t for 7 pairs and more. */
const NORMAL = 1.96;
const STUDENT = [2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16];

/**
 * How much further from the middle the bounds are than in the resamples, which vary too little where there are few pairs: their variance lacks
 * the factor n / (n - 1), and how large it is, is itself known from these pairs only. `npm run bench:effects` shows that it is right.
 */
const widenBy = (pairs: number): number =>
  (Math.sqrt(pairs / (pairs - 1)) * (STUDENT[pairs - LEAST_PAIRS] ?? NORMAL)) / NORMAL;

/** The logarithm of after / before of as many pairs, drawn at random, each as often as it comes; in order. */
function resampled(pairs: readonly CountPair[]): Float64Array {
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
 * The bounds between which the true logarithm of after / before is in 95 of 100 cases: those of the resamples, widened. They are not finite
 * where all of one side was counted on two or three days, so that resamples are left without any.
 */
function findBounds(pairs: readonly CountPair[]): [low: number, high: number] {
  const ratio = Math.log(sumSide(pairs, 'after') / sumSide(pairs, 'before'));
  const ratios = resampled(pairs);
  const bound = (share: number): number => {
    const quantile = ratios[Math.round(share * (RESAMPLES - 1))] as number;
    return ratio + (quantile - ratio) * widenBy(pairs.length);
  };
  return [bound(TAIL), bound(1 - TAIL)];
}

const inPercent = (logarithm: number): number => rounded(Math.expm1(logarithm) * 100, 1);

/** How much more or less there was after than before, and whether it can be told from chance. */
export function measureEffect(pairs: readonly CountPair[]): Effect {
  const nothing = { change: null, interval: null };
  if (pairs.length < LEAST_PAIRS) return { ...nothing, verdict: 'too_few_days' };
  const bounds = findBounds(pairs);
  if (!bounds.every(Number.isFinite)) return { ...nothing, verdict: 'too_few_counted' };
  const interval = bounds.map(inPercent) as [number, number];
  const [low, high] = interval;
  const change = computeChange(sumSide(pairs, 'after'), sumSide(pairs, 'before'));
  return { change, interval, verdict: low > 0 ? 'up' : high < 0 ? 'down' : 'unclear' };
}

/** An effect as a sentence. It says what was counted when, and not why. */
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
