// The work of a night: sealing past days, making sums with exclusions, packing crawler requests, deleting expired hits, month rollups, the
// sweep.
// Invariant: nothing is done while the clock is not trusted. After a kill at any moment the next night finishes the work.
//
// Example: at 00:01 a site has one open past day. A thread packs it in 2 s, the month rollup is added up again, and the rows are deleted.
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
  /** Threads that run queries, and find out what is due. */
  readers: Threads<Tasks>;
  /** Starts a thread that computes sealed days. It is closed after the work, which frees its memory. */
  sealers(): Threads<Tasks>;
  /** With limits, large open days are compacted as they grow. Without, as in commands, they are compacted only when sealed. */
  limits?: CompactionLimits | undefined;
  /** How many hits a day of a site may have; 0 means no limit. */
  capacity?: number | undefined;
};

export async function nightly(deps: Deps, stop?: AbortSignal): Promise<SealResult> {
  const { db, clock, trust, log } = deps;
  // Read once, so that a leap of the clock in the middle of the work changes nothing.
  const now = seconds(clock);
  if (!trust.look()) return { days: 0, failed: [] };
  const night = await inThreads(deps, stop, async (workers) => {
    const sealed = await sealDays(deps, now, workers, stop);
    // Must come before hits expire. Exclusions cannot be applied to a day without hits.
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

/** Closes the threads of some work as soon as `stop` aborts. */
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

/** Starts a thread for long work. It is closed after the work, or as soon as `stop` aborts. */
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

/** Brings the month rollups up to date. A thread adds them up, so the main thread writes only one blob between two hits. */
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

/** Makes sums again for days whose exclusions changed. The sums of a day are written in one transaction. */
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

/** Makes stale sums again at any time of the day, and the months of these days. */
export async function resum(deps: Deps, stop?: AbortSignal): Promise<number> {
  if ((await deps.readers.run({}, 'unsummed', undefined)).length === 0) return 0;
  return inThreads(deps, stop, async (workers) => {
    const count = await resumDays(deps, workers, stop);
    await addUpMonths(deps, workers, seconds(deps.clock));
    return count;
  });
}

/** Counts some sealed days again. A day that differs is counted again the next night too. */
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
 * Brings month rollups up to date and deletes dead rows, after sealing or an import. Does nothing without a trusted clock, which must
 * say what is dead.
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
  // The WAL still has deleted rows with their visitor codes until it is emptied.
  db.emptyWal();
}

/** The first line of an error's message, or of its cause when a thread failed. */
export function findReason(error: unknown): string {
  const { cause, message } = error as Error;
  return ((cause as Error | undefined)?.message ?? message).split('\n')[0] ?? '';
}

/** Seals each past day that is still open. A day that fails stays open and does not keep others from being sealed. */
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
