// The jobs that the server does by itself: sealing, sweeping, recounts, backups, mails, and deleting what has expired.
//
// The server checks at its start and then every minute whether a job is due. Jobs begin in order, because a job needs
// the results of earlier jobs. A wrong clock must not delete hits. So while the clock is not trusted, the only job of
// the list that runs is the removal of deleted sites.
//
// Example: at 00:01 in Berlin, the day before is sealed and three sealed days are recounted. At 00:01 UTC a backup is
// made. The app starts the jobs (src/app.ts).

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
import { removeEndedSessions } from '../store/people/sessions.ts';
import { removeExpiredInvitations } from '../store/people/team.ts';
import { removeExpiredPasswordLinks } from '../store/people/users.ts';
import { computeLeap, type Trust } from '../store/server/clock-trust.ts';
import { markRunning } from '../store/server/outages.ts';
import { noteUpkeep } from '../store/server/upkeep.ts';
import type { Job } from '../store/server/waiting-jobs.ts';
import { endRemoval, listRemovedSites } from '../store/sites/sites.ts';
import { listZones } from '../store/sites/zones.ts';
import { attempts, type JobWork } from './attempts.ts';
import { type Copies, dailyCopy } from './backup.ts';
import type { SiteMails } from './mail.ts';

const EVERY_MS = 60_000;
/** A day is sealed (stored in its final form) this many seconds after its end. By then its last hits are stored. */
const AFTER_MIDNIGHT_SECONDS = 60;
/**
 * If a day could not be sealed, the next try begins after an hour. If it only waits for rows of a cluster, the next try
 * begins after a minute.
 */
const AGAIN_MS = HOUR * 1000;

const LEAPT =
  'the clock has leapt; nothing is sealed, let go, copied or mailed until it has stood for 6 hours; if it is right, run daybook seal --trust-clock';

type Deps = {
  db: Db;
  path: string;
  code: string;
  queries: Pick<Queries, 'hasSealedDays'>;
  upkeep: Upkeep;
  clock: Clock;
  random: Random;
  trust: Pick<Trust, 'look'>;
  collector: Pick<Collector, 'everyMinute'>;
  log: Log;
  copies: Copies;
  mails?: SiteMails;
  /** If a job takes longer than this, in milliseconds, the jobs after it begin while it still runs. */
  patienceMs?: number;
};

/** Deletes the hits of deleted sites. A failure at one site does not stop the other sites. */
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
  const isClockTrusted = watchTrust(deps);
  let looking: Promise<void> | undefined;

  /**
   * Jobs start in this order. UNTRUSTED has the jobs that also start while the clock may be wrong. Mails are last, so
   * no other job waits for a mail server.
   */
  const UNTRUSTED: [Job, JobWork][] = [['removals', () => forgetRemovedSites(db, upkeep)]];
  const TRUSTED: [Job, JobWork][] = [
    // A command may have changed the exclusions, which take visits out of all reports. So stored sums that were made
    // before are computed again.
    ['exclusions', async () => void (await upkeep.remakeSums(stop))],
    ['sealing', days.seal],
    ['visitor codes', () => upkeep.sweep(stop)],
    ['recount', days.recount],
    ['backup', days.copy],
    ['mails', async () => mails?.run()],
  ];

  async function lookAtAll(isTrusted: boolean): Promise<void> {
    for (const [job, work] of [...UNTRUSTED, ...(isTrusted ? TRUSTED : [])]) await attempt(job, work, patienceMs);
  }

  /**
   * Begins all jobs that are due. The jobs "salts" and "sessions" take almost no time. So they run immediately and
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

  /**
   * Notes the current time as the last time when the server ran. If a full disk prevents the note, the time since the
   * last note counts as an outage.
   */
  function mark(isStart = false): void {
    try {
      markRunning(db, seconds(clock), isStart);
    } catch {
      // A full disk also prevents storing hits. That failure is logged, so no action is needed here.
    }
  }

  const marks = setInterval(mark, EVERY_MS);
  const timer = setInterval(look, EVERY_MS);
  mark(true);
  look();
  return {
    looked: async (): Promise<void> => looking,
    async stop(): Promise<void> {
      stopping.abort();
      clearInterval(timer);
      clearInterval(marks);
      mark();
      mails?.stop();
      await days.stop();
      await Promise.race([Promise.all([looking, over()]), pause(STOP_MS, undefined, { ref: false })]);
      settle();
    },
  };
}

/** Deletes expired links and sessions. If they stayed, a clock that is set back would make them valid again. */
function removeEnded(db: Db, now: number): void {
  db.write(() => {
    removeExpiredInvitations(db, now);
    removeExpiredPasswordLinks(db, now);
    removeEndedSessions(db, now);
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
    if (!wasTrusted && isTrusted) log('the clock is trusted again');
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
  const { db, upkeep, clock } = deps;
  const copies = dailyCopy(deps);
  /**
   * The current days of all time zones at the latest sealing, as one text. If this text changes, a day has ended in
   * some zone, and days are sealed again.
   */
  let sealedOn: string | undefined;
  /**
   * The value of `sealedOn` at the latest recount. So days are recounted once each time a day has ended in some zone.
   */
  let recountedOn: string | undefined;
  /** The UTC day of the latest backup. */
  let copiedOn: number | undefined;
  /** The reason why some days could not be sealed. */
  let unsealedReason: Coded | undefined;
  /** When these days are tried again, in milliseconds of a timer. */
  let againAt = Number.POSITIVE_INFINITY;
  /**
   * Whether the write-ahead log, into which SQLite writes first, may still contain deleted visitor codes. An open read
   * can prevent emptying it, so this is tried again.
   */
  let isWalDue = false;
  const running = () => listRunningDays(db, seconds(clock) - AFTER_MIDNIGHT_SECONDS);

  return {
    /**
     * Seals past days, that is, stores them in their final form. A note for `daybook doctor` says whether this worked
     * for every day.
     */
    async seal(): Promise<Coded | undefined> {
      if (isWalDue) isWalDue = !db.emptyWal();
      const [at, days] = [seconds(clock), running()];
      if (days === sealedOn && clock.tick() < againAt) return unsealedReason;
      isWalDue = true;
      const night = await upkeep.seal(stop).catch((error: Error) => {
        if (!stop.aborted) noteUpkeep(db, 'seal', { at, fine: false, words: findReason(error) });
        throw error;
      });
      const fine = night.failed.length === 0;
      const isSoon = night.failed.every(({ waits }) => waits);
      againAt = fine ? Number.POSITIVE_INFINITY : clock.tick() + (isSoon ? 0 : AGAIN_MS);
      sealedOn = days;
      unsealedReason = fine ? undefined : describeUnsealed(night);
      noteUpkeep(db, 'seal', { at, fine, words: writeCoded(unsealedReason ?? coded('all_sealed')) });
      return unsealedReason;
    },
    /**
     * Counts some past days again after each sealing. A note for `daybook doctor` says whether the stored sums of these
     * days are right.
     */
    async recount(): Promise<void> {
      if (sealedOn === undefined || recountedOn === sealedOn) return;
      const [at, sealed] = [seconds(clock), sealedOn];
      const { days, faulty } = await upkeep.recountSome(stop);
      const [first] = faulty;
      const found = first
        ? coded('recount_faulty', {
            ...{ count: faulty.length, days, domain: first.domain },
            ...{ date: formatDay(first.day * DAY), faults: first.faults.join('; ') },
          })
        : coded('recount_fine', { count: days });
      if (days > 0) noteUpkeep(db, 'recount', { at, fine: !first, words: writeCoded(found) });
      recountedOn = sealed;
    },
    async copy(): Promise<void> {
      const now = seconds(clock);
      const today = Math.floor((now - AFTER_MIDNIGHT_SECONDS) / DAY);
      if (today === copiedOn) return;
      await copies.make(now);
      copiedOn = today;
    },
    stop: () => copies.stop(),
  };
}

/** The jobs after a job wait for it at most this long. Then they begin while the long job still runs. */
const PATIENCE_MS = 15 * 60_000;
/** A stop waits for running jobs at most this long. */
const STOP_MS = 30_000;
