// Does the work of a night: sealing, sums without the excluded visits (reduced sums), packing crawls, retention, month
// rollups and the sweep.
//
// Invariant: no day is sealed, and no old data is deleted, while the server's clock is not trusted. For example, the
// clock may have jumped ahead by weeks. If the process is killed at any moment, the next night finishes the work.
//
// Example: at 00:01 on May 1, April 30 is still open. A thread packs the day in 2 s. Then the rollups of April are
// made, and the rows of the day are deleted. engine.ts calls this file through the queue of background.ts.
import { noteRecounted, type SiteDay, type Uncounted } from '../../catalog/sealed-days.ts';
import type { RecountResult, SealResult } from '../../engine/engine.ts';
import type { Log } from '../../lib/log.ts';
import { runPolitely, stepUntilStopped } from '../../lib/steps.ts';
import { type Clock, DAY, formatDay, formatMonth, seconds } from '../../lib/time.ts';
import { tryEach } from '../../lib/try-each.ts';
import type { Meters } from '../../metrics/meters.ts';
import { findFirstDay } from '../../stats/calendar.ts';
import { type Db, isSqliteError } from '../../store/db.ts';
import type { Trust } from '../../store/server/clock-trust.ts';
import { listSiteDomains } from '../../store/sites/sites.ts';
import type { Threads } from '../../threads/pool.ts';
import { type CompactionLimits, LIMITS } from '../open/compaction.ts';
import { packCrawls } from '../rows/crawls.ts';
import { putReduced, removeReduced } from '../sealed/excluded-sums.ts';
import { MONTH_NAMES, type Month, removeMonth, storeMonth } from '../sealed/month.ts';
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
  /** Threads for queries. The work of the night asks these threads which days need work. */
  readers: Threads<Tasks>;
  /** Starts a thread for sealing. Closing this thread after the work frees its memory. */
  sealers(): Threads<Tasks>;
  /**
   * Limits for compaction. A server sets limits, and compacts days as the days grow. A command sets no limits, and
   * compacts a day only just before it seals the day.
   */
  limits?: CompactionLimits | undefined;
  /** The most hits and heartbeats that a day of a site may have. All further ones are dropped. 0 means no limit. */
  capacity?: number | undefined;
};

export async function nightly(deps: Deps, stop?: AbortSignal): Promise<SealResult> {
  const { db, clock, trust, log } = deps;
  // The clock is read only once. All parts of the work then use the same moment, even if the clock is changed
  // meanwhile.
  const now = seconds(clock);
  if (!trust.look()) return { days: 0, failed: [] };
  let night: SealResult = { days: 0, failed: [] };
  // Each part is done even if an earlier part has failed. If an error in one day ended the work, the visitor codes of
  // all sites would stay stored.
  const parts = [
    () =>
      inThreads(deps, stop, async (workers) => {
        night = await sealDays(deps, now, workers, stop);
        // `resumDays` needs the hits of days, so it runs before expired hits are deleted.
        await resumDays(deps, workers, stop);
      }),
    () => runPolitely(stepUntilStopped(packCrawls(db, now), stop), clock),
    () => runPolitely(stepUntilStopped(removeExpired(db, now), stop), clock),
    () => tidyUp(deps, { stop }),
  ];
  await tryEach(parts, async (part) => {
    if (!stop?.aborted) await part();
  });
  if (night.days > 0 && !stop?.aborted) log('days sealed', { days: night.days });
  return night;
}

/** Runs some work, and closes its threads as soon as `stop` aborts. A running task then fails. */
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
 * Makes the month rollups that are missing, or whose days have changed. A thread adds up the days, and the main thread
 * only writes the results. A month with a damaged day is logged and left out.
 */
async function addUpMonths(
  { db, readers, log }: Deps,
  workers: Threads<Tasks>,
  { now, stop }: { now: number; stop: AbortSignal | undefined },
): Promise<void> {
  for (const month of await readers.run({}, 'changedMonths', now)) {
    try {
      await addUpMonth(db, workers, month);
    } catch (error) {
      if (stop?.aborted || isSqliteError(error)) throw error;
      const [site, reason] = [month.siteId, findReason(error)];
      const name = formatMonth(findFirstDay(month.month) * DAY);
      log('a month was not added up, so reports read its days', { site, month: name, reason });
    }
  }
}

async function addUpMonth(db: Db, workers: Threads<Tasks>, month: Month): Promise<void> {
  const { days } = month;
  if (days.length === 0) removeMonth(db, month);
  for (const name of days.length > 0 ? MONTH_NAMES : []) {
    const { buffer, byteOffset, byteLength } = await workers.run({ key: 0 }, 'addMonth', { days, name });
    storeMonth(db, month, name, Buffer.from(buffer, byteOffset, byteLength));
  }
}

/**
 * Makes new sums for days with stale sums. If a day is damaged, the other days still get new sums. Returns the number
 * of changed days.
 */
async function resumDays({ db, readers }: Deps, workers: Threads<Tasks>, stop?: AbortSignal): Promise<number> {
  let count = 0;
  await tryEach(await readers.run({}, 'unsummed', undefined), async ({ siteId, pending, idle }) => {
    for (const id of idle) db.write(() => removeReduced(db, id));
    count += idle.length;
    await tryEach(pending, async (day) => {
      if (stop?.aborted) return;
      const sums = await workers.run({ key: 0 }, 'sumSealedDay', { siteId, day });
      if (db.write(() => putReduced(db, siteId, day, sums))) count++;
    });
  });
  return count;
}

/** Makes new sums for days with stale sums, and adds up their months. May run at any time of the day. */
export async function resum(deps: Deps, stop?: AbortSignal): Promise<number> {
  if ((await deps.readers.run({}, 'unsummed', undefined)).length === 0) return 0;
  return inThreads(deps, stop, async (workers) => {
    const count = await resumDays(deps, workers, stop);
    await addUpMonths(deps, workers, { now: seconds(deps.clock), stop });
    return count;
  });
}

/** Counts some sealed days again from their hits, to find damage. A day with faults is counted again the next night. */
export function recountSome(deps: Deps, stop?: AbortSignal): Promise<RecountResult> {
  const { db, clock, readers } = deps;
  return inThreads(deps, stop, async (workers) => {
    const domains = new Map(listSiteDomains(db).map(({ id, domain }) => [id, domain]));
    const counted: RecountResult = { days: 0, faulty: [] };
    const { faulty } = counted;
    for (let next: Uncounted = { skip: 0 }; next.most !== 0; ) {
      const before = faulty.length;
      for (const { siteId, ...day } of await readers.run({}, 'uncounted', next)) {
        if (stop?.aborted) return counted;
        const faults = await workers.run({ key: 0 }, 'recountDay', { siteId, day });
        counted.days++;
        if (faults.length === 0) db.write(() => noteRecounted(db, day.id, seconds(clock)));
        else faulty.push({ domain: domains.get(siteId) ?? '', day: day.day, faults });
      }
      next = { skip: faulty.length, most: faulty.length - before };
    }
    return counted;
  });
}

/**
 * Adds up months and runs the sweep, after days were sealed, imported or deleted. Does nothing while the clock is not
 * trusted, because the clock decides which rows are old enough to be deleted.
 */
export async function tidyUp(
  deps: Deps,
  { pace = deps.clock, stop }: { pace?: Pick<Clock, 'tick'>; stop?: AbortSignal | undefined } = {},
): Promise<void> {
  const { db, clock, trust } = deps;
  if (!trust.look()) return;
  const now = seconds(clock);
  await inThreads(deps, stop, (workers) => addUpMonths(deps, workers, { now, stop }));
  await runPolitely(sweep(db, now), pace);
  // SQLite's write-ahead log still has the deleted rows with their visitor codes, until the log is emptied.
  db.emptyWal();
}

/**
 * Runs `tidyUp`. An error, for example because the disk is full, is only logged. The caller may already have another
 * error to report, such as the reason of a failed import. Or the caller's own work has succeeded, such as a deletion,
 * and must not look as if it had failed. The next night tidies up again.
 */
export async function tryTidyUp(deps: Deps, pace: Pick<Clock, 'tick'> = deps.clock): Promise<void> {
  try {
    await tidyUp(deps, { pace });
  } catch (error) {
    deps.log('rows that no report counts are still in the file. The next night deletes them', {
      reason: findReason(error),
    });
  }
}

/** Returns the first line of an error's message. An error of a thread has a cause with a better message. */
export function findReason(error: unknown): string {
  const { cause, message } = error as Error;
  return ((cause as Error | undefined)?.message ?? message).split('\n')[0] ?? '';
}

/** Seals each past day that is still open. If a day fails, it stays open, and the other days are still sealed. */
async function sealDays(deps: Deps, now: number, workers: Threads<Tasks>, stop?: AbortSignal): Promise<SealResult> {
  const { db, clock, limits = LIMITS } = deps;
  const domains = new Map(listSiteDomains(db).map(({ id, domain }) => [id, domain]));
  const failed: SealResult['failed'] = [];
  const unsealed: SiteDay[] = [];
  let days = 0;
  function fail({ siteId, day }: SiteDay, reason: string): void {
    const one = { domain: domains.get(siteId) ?? '', day: formatDay(day * DAY), reason };
    deps.log('day not sealed. It stays open, and reports read its hits', one);
    failed.push(one);
  }
  for (const siteDay of await deps.readers.run({}, 'due', now)) {
    try {
      if (await sealDay({ db, clock, limits }, workers, siteDay)) days++;
      else unsealed.push(siteDay);
    } catch (error) {
      if (stop?.aborted) throw error;
      fail(siteDay, findReason(error));
    }
  }
  // An unsealed day has failed only if it is still due. For example, it is no longer due if it had only heartbeats, or
  // if another process sealed it.
  const stillDue = unsealed.length === 0 ? [] : await deps.readers.run({}, 'due', now);
  const isDue = ({ siteId, day }: SiteDay) => stillDue.some((one) => one.siteId === siteId && one.day === day);
  for (const siteDay of unsealed.filter(isDue)) fail(siteDay, 'hits came meanwhile');
  return { days, failed };
}
