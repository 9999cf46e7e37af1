import type { Log } from './log.ts';
import { type Clock, MINUTE } from './time.ts';

/**
 * A trouble, such as a full disk, is over when there was no failure for this time. Jobs run each minute. So a job that
 * always fails is one long trouble.
 */
const QUIET_MS = 5 * MINUTE * 1000;

export type Trouble = ReturnType<typeof watchTrouble>;

/**
 * Logs a trouble that lasts, such as a full disk, in a few lines. The first failure of each kind is logged with its
 * reason. At the end of the trouble, the text `inAll` is logged with the number of failures. With a line for each
 * failed hit, the log would fill the disk.
 */
export function watchTrouble(log: Log, clock: Pick<Clock, 'tick'>, inAll: string) {
  let kinds = new Set<string>();
  let times = 0;
  let last = 0;

  /** Ends a trouble, such as a full disk. If it had several failures, logs the text `inAll` and their number. */
  function settle(): void {
    if (times > 1) log(inAll, { times });
    kinds = new Set();
    times = 0;
  }

  function worked(): void {
    if (times > 0 && clock.tick() - last >= QUIET_MS) settle();
  }

  return {
    failed(kind: string, event: string, details: Record<string, string | number>): void {
      worked();
      if (!kinds.has(kind)) log(event, details);
      kinds.add(kind);
      times++;
      last = clock.tick();
    },
    /**
     * Must be called after a success. Ends a trouble, such as a full disk, if its last failure was at least 5 minutes
     * ago. Without a trouble, a call costs nothing.
     */
    worked,
    settle,
  };
}
