// This file does the work of a night. It seals past days, makes sums without excluded visits, packs crawler requests
// and deletes expired hits. It adds up months and runs the sweep, which deletes rows that no query needs.
// Invariant: nothing is done while the server's clock is not trusted. After a kill at any moment, the next night
// finishes the work.
//
// Example: at 00:01 a site has one open past day. A thread packs the day in 2 s. Then the sums of the month are made
// again, and the rows of the day are deleted.
// Called by engine.ts through the queue of background.ts.
import { noteRecounted } from '../../catalog/sealed-days.ts';
import type { RecountResult, SealResult } from '../../engine/engine.ts';
import type { Log } from '../../lib/log.ts';
import { runPolitely, stepUntilStopped } from '../../lib/steps.ts';
import { type Clock, DAY, formatDay, seconds } from '../../lib/time.ts';
import type { Meters } from '../../metrics/meters.ts';
import type { Db } from '../../store/db.ts';
import type { Trust } from '../../store/server/clock-trust.ts';
import { listSiteDomains } from '../../store/sites/sites.ts';
import type { Threads } from '../../threads/pool.ts';
import { type CompactionLimits, LIMITS } from '../open/compaction.ts';
import { packCrawls } from '../rows/crawls.ts';
import { putReduced, removeReduced } from '../sealed/excluded-sums.ts';
import { MONTH_NAMES, removeMonth, storeMonth } from '../sealed/month.ts';
import { removeExpired } from '../upkeep/retention.ts';
import { sweep } from '../upkeep/sweep.ts';
import { sealDay } from './compact-and-seal.ts';
import type { Tasks } from './tasks.ts';

export type Deps = {
  db: Db;
  clock: Clock;
  trust: Pick<Trust, 'look'>;
  log: Log;
  meters?: Meters | undefined;
  /** Threads for queries. The night's work asks these threads which days are due. */
  readers: Threads<Tasks>;
  /** Starts a thread that packs past days. The thread is closed after the work, which frees its memory. */
  sealers(): Threads<Tasks>;
  /**
   * How many new hits an open day may have before it is compacted (its hits are packed). A server sets limits and
   * compacts days as they grow. A command sets none, so a day is compacted only when it is sealed.
   */
  limits?: CompactionLimits | undefined;
  /** The most hits that a day of a site may have; more hits are dropped. 0 means no limit. */
  capacity?: number | undefined;
};

export async function nightly(deps: Deps, stop?: AbortSignal): Promise<SealResult> {
  const { db, clock, trust, log } = deps;
  // The clock is read once. So the work uses one moment, even if the clock is changed meanwhile.
  const now = seconds(clock);
  if (!trust.look()) return { days: 0, failed: [] };
  const night = await inThreads(deps, stop, async (workers) => {
    const sealed = await sealDays(deps, now, workers, stop);
    // `resumDays` makes sums without excluded visits, and needs hits for this. So it must come before expired hits are
    // deleted.
    await resumDays(deps, workers, stop);
    return sealed;
  });
  await runPolitely(stepUntilStopped(packCrawls(db, now), stop), clock);
  await runPolitely(stepUntilStopped(removeExpired(db, now), stop), clock);
  if (stop?.aborted) return night;
  await tidyUp(deps, { stop });
  if (night.days > 0) log('days sealed', { days: night.days });
  return night;
}

/** Runs some work, and closes its threads as soon as `stop` aborts. A task that is running then fails. */
export async function stoppable<Result>(
  workers: Threads<Tasks>,
  stop: AbortSignal | undefined,
  work: (workers: Threads<Tasks>) => Promise<Result>,
): Promise<Result> {
  const close = () => void workers.close();
  stop?.addEventListener('abort', close);
  try {
    return await work(workers);
  } finally {
    stop?.removeEventListener('abort', close);
  }
}

/** Starts a thread for long work. The thread is closed after the work, or as soon as `stop` aborts. */
async function inThreads<Result>(
  { sealers }: Deps,
  stop: AbortSignal | undefined,
  work: (workers: Threads<Tasks>) => Promise<Result>,
): Promise<Result> {
  const workers = sealers();
  try {
    return await stoppable(workers, stop, work);
  } finally {
    await workers.close();
  }
}

/**
 * Makes the sums of months that are missing or out of date. A thread adds up the days of a month. So the main thread,
 * which takes hits, is busy only while it writes one result.
 */
async function addUpMonths({ db, readers }: Deps, workers: Threads<Tasks>, now: number): Promise<void> {
  for (const month of await readers.run({}, 'changedMonths', now)) {
    const { days } = month;
    if (days.length === 0) removeMonth(db, month);
    for (const name of days.length > 0 ? MONTH_NAMES : []) {
      const { buffer, byteOffset, byteLength } = await workers.run({ key: 0 }, 'addMonth', { days, name });
      storeMonth(db, month, name, Buffer.from(buffer, byteOffset, byteLength));
    }
  }
}

/**
 * Makes new sums without excluded visits, for days whose exclusions changed. The sums of a day are written in one
 * transaction. Returns the number of changed days.
 */
async function resumDays({ db, readers }: Deps, workers: Threads<Tasks>, stop?: AbortSignal): Promise<number> {
  let count = 0;
  for (const { siteId, pending, idle } of await readers.run({}, 'unsummed', undefined)) {
    for (const id of idle) db.write(() => removeReduced(db, id));
    count += idle.length;
    for (const day of pending) {
      if (stop?.aborted) return count;
      const sums = await workers.run({ key: 0 }, 'sumSealedDay', { siteId, day });
      if (db.write(() => putReduced(db, siteId, day, sums))) count++;
    }
  }
  return count;
}

/**
 * Makes new sums without excluded visits, for days whose exclusions changed, and adds up their months. This may run at
 * any time of the day.
 */
export async function resum(deps: Deps, stop?: AbortSignal): Promise<number> {
  if ((await deps.readers.run({}, 'unsummed', undefined)).length === 0) return 0;
  return inThreads(deps, stop, async (workers) => {
    const count = await resumDays(deps, workers, stop);
    await addUpMonths(deps, workers, seconds(deps.clock));
    return count;
  });
}

/**
 * Counts some sealed (past) days again from their hits, to find damage. A day with faults is not noted as counted, so
 * it is counted again the next night.
 */
export function recountSome(deps: Deps, stop?: AbortSignal): Promise<RecountResult> {
  const { db, clock, readers } = deps;
  return inThreads(deps, stop, async (workers) => {
    const domains = new Map(listSiteDomains(db).map(({ id, domain }) => [id, domain]));
    const counted: RecountResult = { days: 0, faulty: [] };
    for (const { siteId, ...day } of await readers.run({}, 'uncounted', undefined)) {
      if (stop?.aborted) break;
      const faults = await workers.run({ key: 0 }, 'recountDay', { siteId, day });
      counted.days++;
      if (faults.length === 0) db.write(() => noteRecounted(db, day.id, seconds(clock)));
      else counted.faulty.push({ domain: domains.get(siteId) ?? '', day: day.day, faults });
    }
    return counted;
  });
}

/**
 * Brings the sums of months up to date and deletes rows that no query needs, after sealing or an import. Does nothing
 * while the clock is not trusted, because the clock decides which rows are old enough.
 */
export async function tidyUp(
  deps: Deps,
  { pace = deps.clock, stop }: { pace?: Pick<Clock, 'tick'>; stop?: AbortSignal | undefined } = {},
): Promise<void> {
  const { db, clock, trust } = deps;
  if (!trust.look()) return;
  const now = seconds(clock);
  await inThreads(deps, stop, (workers) => addUpMonths(deps, workers, now));
  await runPolitely(sweep(db, now), pace);
  // Deleted rows, with their visitor codes, stay in SQLite's write-ahead log until the log is emptied.
  db.emptyWal();
}

/**
 * Gives the first line of an error's message. An error of a thread has a cause, whose message says more, so that
 * message is used.
 */
export function findReason(error: unknown): string {
  const { cause, message } = error as Error;
  return ((cause as Error | undefined)?.message ?? message).split('\n')[0] ?? '';
}

/**
 * Seals each past day that is still open: packs it for good. If a day fails, it stays open, and the other days are
 * still sealed.
 */
async function sealDays(deps: Deps, now: number, workers: Threads<Tasks>, stop?: AbortSignal): Promise<SealResult> {
  const { db, clock, limits = LIMITS } = deps;
  const domains = new Map(listSiteDomains(db).map(({ id, domain }) => [id, domain]));
  const failed: SealResult['failed'] = [];
  let days = 0;
  for (const siteDay of await deps.readers.run({}, 'due', now)) {
    try {
      if (await sealDay({ db, clock, limits }, workers, siteDay)) days++;
    } catch (error) {
      if (stop?.aborted) throw error;
      const domain = domains.get(siteDay.siteId) ?? '';
      const one = { domain, day: formatDay(siteDay.day * DAY), reason: findReason(error) };
      deps.log('day not sealed; it stays open and is answered as before', one);
      failed.push(one);
    }
  }
  return { days, failed };
}
