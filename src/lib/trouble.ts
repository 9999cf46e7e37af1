import type { Log } from './log.ts';
import { type Clock, MINUTE } from './time.ts';

/** Longer than between two looks of the jobs, so that one that fails each time is one trouble. */
const QUIET_MS = 5 * MINUTE * 1000;

export type Trouble = ReturnType<typeof trouble>;

/**
 * Trouble that goes on, such as a full disk, is one line in the log, and when nothing has failed for a while, or at the stop, another
 * with how often it came: a line for each hit would fill the disk that the log is on. Another kind of failure has its own line.
 */
export function trouble(log: Log, clock: Pick<Clock, 'tick'>, inAll: string) {
  let kinds = new Set<string>();
  let times = 0;
  let last = 0;

  /** Says how often it failed, if it was more than the one that was logged. */
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
    /** Call it after a success; it costs nothing as long as nothing has failed. */
    worked,
    settle,
  };
}
