import { takeTurns } from '../../catalog/one-at-a-time.ts';
import { DAY, formatDay } from '../../lib/time.ts';
import type { Threads } from '../../threads/pool.ts';
import { LIMITS, needsCompaction } from '../open/compaction.ts';
import { compact } from './compact-and-seal.ts';
import { type Deps, reasonOf, stoppable } from './nightly.ts';
import type { Tasks } from './tasks.ts';

/** Puts what came to large open days into their parts. A day that fails does not keep the others from it. */
async function foldDays(deps: Deps, workers: Threads<Tasks>, stop: AbortSignal): Promise<void> {
  const { db, clock, log, readers, limits = LIMITS } = deps;
  for (const siteDay of await readers.run({}, 'foldable', limits)) {
    try {
      while (needsCompaction(db, siteDay, limits) && (await compact({ db, clock, limits }, workers, siteDay)));
    } catch (error) {
      if (stop.aborted) throw error;
      const { siteId: site, day } = siteDay;
      log('open day not put into parts; it is tried again', {
        site,
        day: formatDay(day * DAY),
        reason: reasonOf(error),
      });
    }
  }
}

/** A thread that has folded is kept for so long: to compile its code, a new one takes as long as for the work. */
const KEPT_MS = 60_000;

/** Folds in threads that are kept for the next time. */
function folding(deps: Deps) {
  let workers: Threads<Tasks> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function end(): Promise<void> {
    clearTimeout(timer);
    const ending = workers;
    workers = undefined;
    await ending?.close();
  }

  return {
    async fold(stop: AbortSignal): Promise<void> {
      clearTimeout(timer);
      workers ??= deps.sealers();
      await stoppable(workers, stop, (open) => foldDays(deps, open, stop)).finally(() => {
        timer = setTimeout(end, KEPT_MS).unref();
      });
    },
    end,
  };
}

/** Runs what is long one after another, and folds large days whenever enough hits have come. */
export function backstage(deps: Deps) {
  const { log, limits } = deps;
  const stopping = new AbortController();
  const folds = folding(deps);
  const { inTurn, settle } = takeTurns();
  let isDue = false;
  let since = 0;

  /** Aborted when the server stops, or when whoever asked for the work does not want it any more. */
  const until = (stop?: AbortSignal): AbortSignal =>
    stop ? AbortSignal.any([stopping.signal, stop]) : stopping.signal;

  const fold = (stop?: AbortSignal) => inTurn(() => folds.fold(until(stop)));
  return {
    inTurn,
    until,
    fold,
    note(rows: number): void {
      since += rows;
      if (!limits || since < limits.rows / 4 || isDue || stopping.signal.aborted) return;
      isDue = true;
      since = 0;
      fold()
        .catch((error: Error) => {
          if (!stopping.signal.aborted) log('folding open days failed; it is tried again', { reason: error.message });
        })
        .finally(() => {
          isDue = false;
        });
    },
    async close(): Promise<void> {
      stopping.abort();
      await settle();
      await folds.end();
    },
  };
}
