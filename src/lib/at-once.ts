import { Problem } from './errors.ts';
import { makeLines } from './lines.ts';

/**
 * Makes a function that runs at most `most` works at a time. Up to `waiting` more wait for their turn. Lines take turns,
 * so many works of one site do not block other sites. Any further work gets 503, so that an attacker cannot fill the
 * memory.
 */
export function limitAtOnce(most: number, waiting: number) {
  let running = 0;
  const queue = makeLines<() => void>();

  return async <Result>(work: () => Promise<Result>, line = 0): Promise<Result> => {
    if (running >= most) {
      if (queue.count() >= waiting) throw new Problem('unavailable');
      // A work that ends starts the next one directly, so `running` is not changed here.
      await new Promise<void>((resolve) => queue.add(line, resolve));
    } else running++;
    try {
      return await work();
    } finally {
      const next = queue.next();
      if (next) next();
      else running--;
    }
  };
}
