import type { Log } from '../lib/log.ts';
import { politely } from '../lib/steps.ts';
import { type Clock, DAY, seconds } from '../lib/time.ts';
import type { Meters } from '../metrics/meters.ts';
import type { Db } from '../store/statements.ts';
import type { Threads } from '../threads/pool.ts';
import { isFoldable, LIMITS, type Limits } from './fold-round.ts';
import { removeExpired } from './keep.ts';
import { foldRound, sealLarge } from './large-days.ts';
import { addUpMonths } from './months.ts';
import { seal } from './seal.ts';
import { sweep } from './sweep.ts';
import type { Tasks } from './tasks.ts';

export type Deps = {
  db: Db;
  clock: Clock;
  log: Log;
  meters?: Meters | undefined;
  /** Run queries. */
  readers: Threads<Tasks>;
  /** Compute sealed days. Started for each sealing and closed after it, which frees the memory. */
  sealers(): Threads<Tasks>;
  /** With them large open days are folded as they grow; without them, as in commands, only when they are sealed. */
  limits?: Limits | undefined;
  /** How many hits a day of a site may have; 0 means no limit. */
  capacity?: number | undefined;
};

/** Brings the month rollups up to date and deletes dead rows, after sealing or an import. */
export async function tidyUp(db: Db, clock: Clock, pace: Pick<Clock, 'tick'> = clock): Promise<void> {
  const now = seconds(clock);
  await politely(addUpMonths(db, Math.floor(now / DAY)), pace);
  await politely(sweep(db, now), pace);
  // The WAL holds deleted rows, and their visitor codes, until it is emptied.
  db.emptyWal();
}

/** Seals each past day that is still open. Returns how many it sealed. */
async function sealDays({ db, clock, limits = LIMITS }: Deps, workers: Threads<Tasks>): Promise<number> {
  let days = 0;
  for (const siteDay of await workers.run(0, 'due', Math.floor(seconds(clock) / DAY))) {
    let isSealed = await sealLarge({ db, clock, limits }, workers, siteDay);
    if (isSealed === undefined) {
      const computed = await workers.run(0, 'compute', siteDay);
      isSealed = await politely(seal(db, siteDay, computed, seconds(clock)), clock);
    }
    if (isSealed) days++;
  }
  return days;
}

/** Puts what came to large open days into their parts. */
async function foldDays({ db, clock, sealers, limits = LIMITS }: Deps, stop: AbortSignal): Promise<void> {
  const workers = sealers();
  const close = () => void workers.close();
  stop.addEventListener('abort', close);
  try {
    for (const siteDay of await workers.run(0, 'foldable', limits)) {
      while (isFoldable(db, siteDay, limits) && (await foldRound({ db, clock, limits }, workers, siteDay)));
    }
  } finally {
    stop.removeEventListener('abort', close);
    await workers.close();
  }
}

/** Runs what is long one after another, and folds large days whenever enough hits have come. */
export function backstage(deps: Deps) {
  const { log, limits } = deps;
  const stopping = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  let isDue = false;
  let since = 0;

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  }
  const fold = () => inTurn(() => foldDays(deps, stopping.signal));
  return {
    inTurn,
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
      await last;
    },
  };
}

export async function nightly(deps: Deps, stop?: AbortSignal): Promise<number> {
  const { db, clock, log, sealers } = deps;
  const workers = sealers();
  const close = () => void workers.close();
  stop?.addEventListener('abort', close);
  try {
    const days = await sealDays(deps, workers);
    await politely(removeExpired(db, Math.floor(seconds(clock) / DAY)), clock);
    await tidyUp(db, clock);
    if (days > 0) log('days sealed', { days });
    return days;
  } finally {
    stop?.removeEventListener('abort', close);
    await workers.close();
  }
}
