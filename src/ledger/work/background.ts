// This file runs the long work of the server, one job after another. It also compacts a large open day as soon as
// enough hits have come: new hits are put into its shards, which are packed parts of the day.
// Invariant: two jobs never run at the same time, so no job sees the half-done work of another. When the server stops,
// running jobs are aborted.
//
// Example: a day must not have more than 100,000 hits outside of its shards. `note` looks for such days after each
// 25,000 hits of all sites, and usually finds few or none.
// Called by engine.ts.
import { takeTurns } from '../../catalog/one-at-a-time.ts';
import { DAY, formatDay } from '../../lib/time.ts';
import type { Threads } from '../../threads/pool.ts';
import { LIMITS, needsCompaction } from '../open/compaction.ts';
import { compact } from './compact-and-seal.ts';
import { type Deps, findReason, stoppable } from './nightly.ts';
import type { Tasks } from './tasks.ts';

export function makeBackground(deps: Deps) {
  const { log, limits } = deps;
  const stopping = new AbortController();
  const compactor = makeCompactor(deps);
  const { inTurn, settle } = takeTurns();
  let isDue = false;
  let since = 0;

  /** Gives a signal that aborts when the server stops, or when the caller's own signal aborts. */
  const until = (stop?: AbortSignal): AbortSignal =>
    stop ? AbortSignal.any([stopping.signal, stop]) : stopping.signal;

  const compact = (stop?: AbortSignal) => inTurn(() => compactor.compact(until(stop)));
  return {
    inTurn,
    until,
    compact,
    note(rows: number): void {
      since += rows;
      if (!limits || since < limits.rows / 4 || isDue || stopping.signal.aborted) return;
      isDue = true;
      since = 0;
      compact()
        .catch((error: Error) => {
          if (!stopping.signal.aborted) log('compaction failed; it is tried again', { reason: error.message });
        })
        .finally(() => {
          isDue = false;
        });
    },
    async close(): Promise<void> {
      stopping.abort();
      await settle();
      await compactor.end();
    },
  };
}

/**
 * Compacts all open days that need it: their new hits are put into shards, which are packed parts of the day. If one
 * day fails, the other days are still compacted.
 */
async function compactDays(deps: Deps, workers: Threads<Tasks>, stop: AbortSignal): Promise<void> {
  const { db, clock, log, readers, limits = LIMITS } = deps;
  for (const siteDay of await readers.run({}, 'compactable', limits)) {
    try {
      while (needsCompaction(db, siteDay, limits) && (await compact({ db, clock, limits }, workers, siteDay)));
    } catch (error) {
      if (stop.aborted) throw error;
      const { siteId: site, day } = siteDay;
      log('an open day was not compacted; it is tried again', {
        site,
        day: formatDay(day * DAY),
        reason: findReason(error),
      });
    }
  }
}

/**
 * A thread for compaction is closed after 60 s without work. Starting a new thread and compiling its code takes as long
 * as a compaction.
 */
const KEPT_MS = 60_000;

/**
 * Makes a compactor, which puts new hits of open days into packed parts. Its thread stays open for a while, because
 * starting a thread takes as long as a compaction.
 */
function makeCompactor(deps: Deps) {
  let workers: Threads<Tasks> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function end(): Promise<void> {
    clearTimeout(timer);
    const ending = workers;
    workers = undefined;
    await ending?.close();
  }

  return {
    async compact(stop: AbortSignal): Promise<void> {
      clearTimeout(timer);
      workers ??= deps.sealers();
      await stoppable(workers, stop, (open) => compactDays(deps, open, stop)).finally(() => {
        timer = setTimeout(end, KEPT_MS).unref();
      });
    },
    end,
  };
}
