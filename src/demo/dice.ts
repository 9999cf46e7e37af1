import { seeded } from '../lib/seeded.ts';

/** Things to choose from, each with its weight. */
export type Weights<T> = readonly (readonly [what: T, weight: number])[];

export type Dice = ReturnType<typeof dice>;

/** Makes dice. Equal seeds give equal throws. */
export function dice(seed: number) {
  /** Gives a number from 0 to below 1. */
  const roll = seeded(seed);

  return {
    roll,
    chance: (share: number): boolean => roll() < share,
    /** Gives a whole number between two ends, both included. */
    between: (least: number, most: number): number => least + Math.floor(roll() * (most - least + 1)),
    /** Gives a whole number near a mean. It varies as counts of days vary. */
    near(mean: number): number {
      const bell = roll() + roll() + roll() + roll() + roll() + roll() - 3;
      return Math.max(0, Math.round(mean + bell * Math.SQRT2 * Math.sqrt(mean) * 1.2));
    },
    /** Gives a time in seconds with this mean, mostly short and sometimes long. */
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
