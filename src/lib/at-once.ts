import { Problem } from './errors.ts';
import { makeLines } from './lines.ts';

/**
 * Makes a function that runs at most `most` tasks at a time. Up to `waiting` more tasks wait in lines, for example in
 * one line for each site. The lines take turns, so one site with many tasks does not block other sites. A line has at
 * most `inLine` tasks. Any further task gets 503, so that an attacker cannot fill the memory. If all places are taken,
 * the last task of the longest line gives its place to a task of a shorter line, and gets 503 itself.
 */
export function limitAtOnce(most: number, waiting: number, inLine = waiting) {
  let running = 0;
  const queue = makeLines<PromiseWithResolvers<void>>();

  return async <Result>(work: () => Promise<Result>, line = 0): Promise<Result> => {
    if (running >= most) {
      if (queue.countIn(line) >= inLine) throw new Problem('unavailable');
      if (queue.count() >= waiting) {
        const last = queue.giveWay(line);
        if (!last) throw new Problem('unavailable');
        last.reject(new Problem('unavailable'));
      }
      // A task that ends starts the next task directly and does not lower `running`. So `running` is not raised here.
      const turn = Promise.withResolvers<void>();
      queue.add(line, turn);
      await turn.promise;
    } else running++;
    try {
      return await work();
    } finally {
      const next = queue.next();
      if (next) next.resolve();
      else running--;
    }
  };
}
