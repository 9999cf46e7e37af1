import type { Log } from './log.ts';
import { type Clock, MINUTE } from './time.ts';

/**
 * A trouble ends after this time without a failure. Jobs run more often, so a job that fails each time is one trouble.
 */
const QUIET_MS = 5 * MINUTE * 1000;

export type Trouble = ReturnType<typeof watchTrouble>;

/**
 * Logs a lasting trouble, such as a full disk, in two lines: at its beginning, and at its end with the number of
 * failures. A line for each hit would fill the disk of the log. Each kind of failure gets its own first line.
 */
export function watchTrouble(log: Log, clock: Pick<Clock, 'tick'>, inAll: string) {
  let kinds = new Set<string>();
  let times = 0;
  let last = 0;

  /** Logs how often it failed, if that was more than once. */
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
     * Ends a trouble after a while without failures. Call it after each success; without a trouble it costs nothing.
     */
    worked,
    settle,
  };
}
