// The jobs that the server does by itself: sealing, sweeping, receipts, recounts, backups, Parquet, mails, and deleting
// what has expired.
//
// The server checks at its start and then every minute whether a job is due. Jobs begin in order, because a job needs
// the results of earlier jobs. A wrong clock must not delete hits. So while the clock is not trusted, only one job of
// the list runs: the removal of deleted sites.
//
// Example: at 00:01 in Berlin, the day before is sealed and three sealed days are recounted. At 00:01 UTC a backup is
// made. compose.ts starts the jobs.

import { setTimeout as pause } from 'node:timers/promises';
import type { Collector } from '../collect/collector.ts';
import { describeUnsealed, type Queries, type Upkeep } from '../engine/engine.ts';
import { type Coded, coded } from '../lang/coded.ts';
import { writeCoded } from '../lib/http/fault.ts';
import type { Log } from '../lib/log.ts';
import { findReason } from '../lib/reason.ts';
import type { Random } from '../lib/secrets.ts';
import { type Clock, DAY, formatDay, HOUR, seconds } from '../lib/time.ts';
import { tryEach } from '../lib/try-each.ts';
import { findSiteDay } from '../lib/zone.ts';
import type { Db } from '../store/db.ts';
import { removeOldAuditEntries } from '../store/people/audit-entries.ts';
import { removeEndedSessions } from '../store/people/sessions.ts';
import { removeExpiredInvitations } from '../store/people/team.ts';
import { removeExpiredPasswordLinks } from '../store/people/users.ts';
import { computeLeap, type Trust } from '../store/server/clock-trust.ts';
import { noteRunning } from '../store/server/outages.ts';
import { noteUpkeep } from '../store/server/upkeep.ts';
import type { Job } from '../store/server/waiting-jobs.ts';
import { endRemoval, listRemovedSites } from '../store/sites/sites.ts';
import { listZones } from '../store/sites/zones.ts';
import { attempts, type JobWork } from './attempts.ts';
import { type BackupSettings, makeDailyBackups } from './backup.ts';
import { countChanges } from './changes.ts';
import { makeForgettingSearch } from './forgetting.ts';
import type { SiteMails } from './mail.ts';
import { mirrorParquet, type ParquetSettings } from './parquet.ts';
import { makeReceipts, type ReceiptOrder } from './receipts.ts';

const EVERY_MS = 60_000;
/** A day is sealed this many seconds after its end. By then its last hits are stored. */
const AFTER_MIDNIGHT_SECONDS = 60;
/**
 * If a day could not be sealed, the server tries again a minute later. For example, a server of the cluster did not
 * answer. The pause doubles after each failure, up to an hour. A day that only waits for rows of a cluster is tried
 * every minute.
 */
const LONGEST_PAUSE_MS = HOUR * 1000;

const LEAPT =
  'the clock has jumped. For 6 hours the server does not seal, delete, back up or send e-mails. If the clock is right, run daybook seal --trust-clock';

type Deps = {
  db: Db;
  path: string;
  code: string;
  queries: Pick<Queries, 'hasSealedDays' | 'asOf'>;
  upkeep: Upkeep;
  clock: Clock;
  random: Random;
  trust: Pick<Trust, 'look'>;
  collector: Pick<Collector, 'everyMinute' | 'removedSalts'>;
  log: Log;
  backups: BackupSettings;
  parquet?: ParquetSettings | undefined;
  receipts?: ReceiptOrder | undefined;
  mails?: SiteMails;
  /** If a job takes longer than this, the jobs after it begin while it still runs. */
  patienceMs?: number;
};

/** Deletes the hits of removed sites. A failure at one site does not stop the other sites. */
export const forgetRemovedSites = (db: Db, upkeep: Pick<Upkeep, 'deleteSite'>): Promise<void> =>
  tryEach(listRemovedSites(db), async (siteId) => {
    await upkeep.deleteSite(siteId);
    endRemoval(db, siteId);
  });

export function startJobs({ mails, patienceMs = PATIENCE_MS, ...deps }: Deps) {
  const { db, upkeep, clock, log, collector } = deps;
  const stopping = new AbortController();
  const stop = stopping.signal;
  const { attempt, over, settle } = attempts({ db, clock, log }, () => stop.aborted);
  const days = makeDailyJobs(deps, stop);
  const [files, receipts, forgetting] = [mirrorParquet(deps), makeReceipts(deps), makeForgettingSearch(deps)];
  const isClockTrusted = watchTrust(deps);
  let looking: Promise<void> | undefined;

  /**
   * Jobs start in this order. UNTRUSTED has the jobs that also start while the clock may be wrong. Mails are last, so
   * no other job waits for a mail server.
   */
  const UNTRUSTED: [Job, JobWork][] = [['removals', () => forgetRemovedSites(db, upkeep)]];
  const TRUSTED: [Job, JobWork][] = [
    // A command may have changed the exclusions. Then stale sums are computed again.
    ['exclusions', async () => void (await upkeep.remakeSums(stop))],
    ['sealing', days.seal],
    ['visitor codes', () => upkeep.sweep(stop)],
    ['receipts', receipts.run],
    ['changes', () => countChanges(deps, stop)],
    ['recount', days.recount],
    ['backup', days.copy],
    ['forgetting', forgetting.run],
    ['parquet', files.run],
    ['mails', async () => mails?.run()],
  ];

  async function lookAtAll(isTrusted: boolean): Promise<void> {
    for (const [job, work] of [...UNTRUSTED, ...(isTrusted ? TRUSTED : [])]) await attempt(job, work, patienceMs);
  }

  /**
   * Starts the jobs that are due. The jobs "salts" and "sessions" take almost no time. So they run immediately and
   * never wait for other jobs.
   */
  function look(): void {
    void attempt('salts', () => collector.everyMinute(), patienceMs);
    let isTrusted = false;
    void attempt(
      'sessions',
      () => {
        isTrusted = isClockTrusted();
        if (isTrusted) removeEnded(db, seconds(clock));
      },
      patienceMs,
    );
    looking ??= lookAtAll(isTrusted).finally(() => {
      looking = undefined;
    });
  }

  const note = (isStart = false): void => noteSafely(db, seconds(clock), isStart);
  const noting = setInterval(() => note(), EVERY_MS);
  const timer = setInterval(look, EVERY_MS);
  note(true);
  look();
  return {
    looked: async (): Promise<void> => looking,
    async stop(): Promise<void> {
      stopping.abort();
      clearInterval(timer);
      clearInterval(noting);
      note();
      mails?.stop();
      await Promise.all([days.stop(), files.stop(), receipts.stop(), forgetting.stop()]);
      await Promise.race([Promise.all([looking, over()]), pause(STOP_MS, undefined, { ref: false })]);
      settle();
    },
    /** Closes what the search for salts read. Call this after the database file and the outbox are closed. */
    release: forgetting.release,
  };
}

/** Notes when the server last ran. If a full disk prevents the note, the time since the last note counts as an outage. */
function noteSafely(db: Db, now: number, isStart: boolean): void {
  try {
    noteRunning(db, now, isStart);
  } catch {
    // A full disk also prevents storing hits. That failure is logged, so no action is needed here.
  }
}

/**
 * Removes expired invitations, links and sessions. They would become valid again if the clock is set back. Old entries
 * of the audit log go too.
 */
function removeEnded(db: Db, now: number): void {
  db.write(() => {
    removeExpiredInvitations(db, now);
    removeExpiredPasswordLinks(db, now);
    removeEndedSessions(db, now);
    removeOldAuditEntries(db, now);
  });
}

/**
 * Tells whether the clock is trusted, and logs each change. The log line says which jobs wait and what the operator can
 * do.
 */
function watchTrust({ db, clock, trust, log }: Pick<Deps, 'db' | 'clock' | 'trust' | 'log'>): () => boolean {
  let wasTrusted = true;
  return () => {
    const isTrusted = trust.look();
    const days = computeLeap(db, Math.floor(seconds(clock) / DAY));
    if (wasTrusted && !isTrusted) log(LEAPT, { days });
    if (!wasTrusted && isTrusted) log('the server trusts the clock again');
    wasTrusted = isTrusted;
    return isTrusted;
  };
}

/** Lists the current day of each time zone as a text. If the text changes, a day has ended in some zone. */
const listRunningDays = (db: Db, at: number): string =>
  listZones(db)
    .map((zone) => `${zone.timeZone} ${findSiteDay(zone, at)}`)
    .join();

function makeDailyJobs(deps: Omit<Deps, 'mails' | 'trust'>, stop: AbortSignal) {
  const { db, queries, upkeep, clock } = deps;
  const dailyBackups = makeDailyBackups(deps);
  /**
   * The current days of all time zones at the latest sealing, as a text. If the days are different now, a day has ended
   * in some zone, and days are sealed again.
   */
  let sealedOn: string | undefined;
  /**
   * Like `sealedOn`, but a sealing that failed changes it too. So a day that cannot be sealed does not stop the recount
   * of other days.
   */
  let triedOn: string | undefined;
  /** The value of `triedOn` at the latest recount. So days are recounted once after each sealing. */
  let recountedOn: string | undefined;
  /** The UTC day of the latest backup. A new file has nothing to back up until its first day is sealed. */
  let copiedOn: number | undefined;
  /** The reason why some days could not be sealed. */
  let unsealedReason: Coded | undefined;
  /** When the days that could not be sealed are tried again. The value is in milliseconds of `clock.tick()`. */
  let againAt = Number.POSITIVE_INFINITY;
  /**
   * The pause between the next failure and the try after it, in milliseconds. With 0, the check a minute later tries
   * again.
   */
  let pauseMs = 0;
  /**
   * True while the write-ahead log of SQLite may still contain deleted visitor codes. An open read can prevent emptying
   * the log, so the job tries again.
   */
  let isWalDue = false;
  const running = () => listRunningDays(db, seconds(clock) - AFTER_MIDNIGHT_SECONDS);

  return {
    /** Seals past days. A note for `daybook doctor` says whether every past day could be sealed. */
    async seal(): Promise<Coded | undefined> {
      if (isWalDue) isWalDue = !db.emptyWal();
      const [at, days] = [seconds(clock), running()];
      if (days === sealedOn && clock.tick() < againAt) return unsealedReason;
      isWalDue = true;
      triedOn = `failed ${days}`;
      const night = await upkeep.seal(stop).catch((error: Error) => {
        if (!stop.aborted) noteUpkeep(db, 'seal', { at, fine: false, words: findReason(error) });
        throw error;
      });
      const fine = night.failed.length === 0;
      const isFaulty = !night.failed.every(({ waits }) => waits);
      againAt = fine ? Number.POSITIVE_INFINITY : clock.tick() + (isFaulty ? pauseMs : 0);
      pauseMs = isFaulty ? Math.min(pauseMs * 2 || EVERY_MS, LONGEST_PAUSE_MS) : 0;
      sealedOn = days;
      triedOn = days;
      unsealedReason = fine ? undefined : describeUnsealed(night);
      noteUpkeep(db, 'seal', { at, fine, words: writeCoded(unsealedReason ?? coded('all_sealed')) });
      return unsealedReason;
    },
    /**
     * Counts some sealed days again after each sealing. A note for `daybook doctor` says whether their stored sums are
     * right.
     */
    async recount(): Promise<void> {
      if (triedOn === undefined || recountedOn === triedOn) return;
      const [at, tried] = [seconds(clock), triedOn];
      const { days, faulty } = await upkeep.recountSome(stop);
      const [first] = faulty;
      const found = first
        ? coded('recount_faulty', {
            ...{ count: faulty.length, days, domain: first.domain },
            ...{ date: formatDay(first.day * DAY), faults: first.faults.join('; ') },
          })
        : coded('recount_fine', { count: days });
      if (days > 0) noteUpkeep(db, 'recount', { at, fine: !first, words: writeCoded(found) });
      recountedOn = tried;
    },
    async copy(): Promise<void> {
      const now = seconds(clock);
      const today = Math.floor((now - AFTER_MIDNIGHT_SECONDS) / DAY);
      if (today === copiedOn || !queries.hasSealedDays()) return;
      await dailyBackups.make(now);
      copiedOn = today;
    },
    stop: () => dailyBackups.stop(),
  };
}

/** The jobs after a job wait for it at most this long. Then they begin while the long job still runs. */
const PATIENCE_MS = 15 * 60_000;
/** A stop waits for running jobs at most this long. */
const STOP_MS = 30_000;
