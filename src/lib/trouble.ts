import type { Log } from './log.ts';
import { type Clock, MINUTE } from './time.ts';

/**
 * A trouble, such as a full disk, ends after this time without a failure. Jobs run each minute, so a job that always
 * fails stays one trouble.
 */
const QUIET_MS = 5 * MINUTE * 1000;

export type Trouble = ReturnType<typeof watchTrouble>;

/**
 * Logs a lasting trouble, such as a full disk, in two lines. The line at its beginning has the reason, and the line at
 * its end the number of failures. A line for each failed hit would fill the disk with the log. Each kind of failure has
 * its own first line.
 */
export function watchTrouble(log: Log, clock: Pick<Clock, 'tick'>, inAll: string) {
  let kinds = new Set<string>();
  let times = 0;
  let last = 0;

  /** Logs the number of failures if there was more than one. */
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
     * Ends a trouble after 5 minutes without a failure. Call `worked` after each success. Without a trouble, the call
     * costs nothing.
     */
    worked,
    settle,
  };
}
