import { Problem } from './errors.ts';

/**
 * Makes a function that runs at most `most` works at a time. Up to `waiting` more wait for their turn, in the order in
 * which they came. Any further one gets 503, so that an attacker cannot fill the memory.
 */
export function limitAtOnce(most: number, waiting: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let running = 0;
  const queue: (() => void)[] = [];

  return async (work) => {
    if (running >= most) {
      if (queue.length >= waiting) throw new Problem('unavailable');
      // A work that ends starts the next one directly, so `running` is not changed here.
      await new Promise<void>((resolve) => queue.push(resolve));
    } else running++;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running--;
    }
  };
}
