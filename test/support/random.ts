import { randomInt } from 'node:crypto';
import type { TestContext } from 'node:test';

/** Numbers from 0 to 1 that a seed makes again. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** The same by a seed that is printed, and is that of SEED where somebody wants to see it again. */
export function chance(t: TestContext): () => number {
  const seed = Number(process.env.SEED ?? randomInt(1, 2_147_483_646));
  t.diagnostic(`seed ${seed}`);
  return randomFrom(seed);
}
