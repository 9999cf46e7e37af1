// Runs the long work of the server, one job after another. Also compacts a large open day as soon as enough hits have
// arrived.
//
// Invariant: two jobs never run at the same time, so no job sees the half-done work of another job. When the server
// stops, the running job is stopped too.
//
// Example: a day should have at most about 100,000 rows (hits and heartbeats) outside of its shards. After each 25,000
// rows of all sites, `note` looks for days with 100,000 or more such rows, and compacts them. engine.ts calls this
// file.
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

  /** Returns a signal that aborts when the server stops, or when the caller's own signal aborts. */
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
          if (!stopping.signal.aborted) log('compaction failed. The server tries again', { reason: error.message });
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

/** Compacts all open days that need it. If one day fails, the other days are still compacted. */
async function compactDays(deps: Deps, workers: Threads<Tasks>, stop: AbortSignal): Promise<void> {
  const { db, clock, log, readers, limits = LIMITS } = deps;
  for (const siteDay of await readers.run({}, 'compactable', limits)) {
    try {
      while (needsCompaction(db, siteDay, limits) && (await compact({ db, clock, limits }, workers, siteDay)));
    } catch (error) {
      if (stop.aborted) throw error;
      const { siteId: site, day } = siteDay;
      log('an open day was not compacted. The server tries again', {
        site,
        day: formatDay(day * DAY),
        reason: findReason(error),
      });
    }
  }
}

/**
 * The thread for compaction ends after 60 s without work. It does not end after each compaction, because starting a
 * thread takes as long as a compaction.
 */
const KEPT_MS = 60_000;

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
