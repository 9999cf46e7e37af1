import { seeded } from '../lib/seeded.ts';

export type Weights<T> = readonly (readonly [what: T, weight: number])[];

export type Dice = ReturnType<typeof dice>;

/** Makes dice, which make random choices. Equal seeds lead to equal choices, therefore a demo can be tested. */
export function dice(seed: number) {
  /** Returns a number from 0 up to, but not including, 1. */
  const roll = seeded(seed);

  return {
    roll,
    chance: (share: number): boolean => roll() < share,
    /** Returns a whole number from `least` to `most`. The result may also be `least` or `most`. */
    between: (least: number, most: number): number => least + Math.floor(roll() * (most - least + 1)),
    /** Returns a whole number near the mean. The numbers vary as much as the daily counts of real sites. */
    near(mean: number): number {
      const bell = roll() + roll() + roll() + roll() + roll() + roll() - 3;
      return Math.max(0, Math.round(mean + bell * Math.SQRT2 * Math.sqrt(mean) * 1.2));
    },
    /** Returns a whole number of seconds. Most are shorter than the mean, and a few are much longer. */
    wait: (mean: number): number => Math.ceil(-Math.log(1 - roll()) * mean),
    pick<T>(weights: Weights<T>): T {
      let left = roll() * weights.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [what, weight] of weights) {
        left -= weight;
        if (left < 0) return what;
      }
      return (weights[0] as readonly [T, number])[0];
    },
  };
}
