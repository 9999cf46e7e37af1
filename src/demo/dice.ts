import { seeded } from '../lib/seeded.ts';

/** Things to choose from, each with how often it is chosen. */
export type Weights<T> = readonly (readonly [what: T, weight: number])[];

export type Dice = ReturnType<typeof dice>;

/** What chance decides, the same each time for the same seed. */
export function dice(seed: number) {
  /** From 0 to below 1. */
  const roll = seeded(seed);

  return {
    roll,
    chance: (share: number): boolean => roll() < share,
    /** A whole number, both ends included. */
    between: (least: number, most: number): number => least + Math.floor(roll() * (most - least + 1)),
    /** A whole number near the mean, which varies as much as the counts of days do. */
    near(mean: number): number {
      const bell = roll() + roll() + roll() + roll() + roll() + roll() - 3;
      return Math.max(0, Math.round(mean + bell * Math.SQRT2 * Math.sqrt(mean) * 1.2));
    },
    /** Mostly short, sometimes long, with this mean. */
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
