import { Problem } from './errors.ts';
import { makeLines } from './lines.ts';

/**
 * Makes a function that runs at most `most` pieces of work at a time. Up to `waiting` more pieces wait for their turn.
 * Each piece belongs to a line, such as a site, and the lines take turns. Up to `inLine` pieces of a line wait. In this
 * way, one site with many pieces does not block other sites. Any further work gets 503, so that an attacker cannot fill
 * the memory.
 */
export function limitAtOnce(most: number, waiting: number, inLine = waiting) {
  let running = 0;
  const queue = makeLines<() => void>();

  return async <Result>(work: () => Promise<Result>, line = 0): Promise<Result> => {
    if (running >= most) {
      if (queue.count() >= waiting || queue.countIn(line) >= inLine) throw new Problem('unavailable');
      // Work that ends starts the next piece directly and does not lower `running`. So `running` is not raised here.
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
