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
import { dayOfSite } from '../lib/zone.ts';
import type { Db } from '../store/db.ts';
import { removeEndedSessions } from '../store/people/sessions.ts';
import { removeExpiredInvitations } from '../store/people/team.ts';
import { removeExpiredPasswordLinks } from '../store/people/users.ts';
import { leapTo, type Trust } from '../store/server/clock-trust.ts';
import { markRunning } from '../store/server/outages.ts';
import { noteUpkeep } from '../store/server/upkeep.ts';
import type { Job } from '../store/server/waiting-jobs.ts';
import { endRemoval, listRemovedSites } from '../store/sites/sites.ts';
import { listZones } from '../store/sites/zones.ts';
import { attempts, type Work } from './attempts.ts';
import { type Copies, dailyCopy } from './backup.ts';
import type { SiteMails } from './mail.ts';

const EVERY_MS = 60_000;
/** A day is sealed so long after its end, when its last hits have been stored. */
const AFTER_MIDNIGHT_SECONDS = 60;
/** What could not be sealed is tried again after so long. */
const AGAIN_MS = HOUR * 1000;

const LEAPT =
  'the clock has leapt; nothing is sealed, let go, copied or mailed until it has stood for 6 hours; if it is right, run daybook seal --trust-clock';

type Deps = {
  db: Db;
  path: string;
  /** Of a thread. */
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
  /** So long a job may keep those after it waiting. */
  patienceMs?: number;
};

/** Deletes what was counted for sites that were deleted. What fails with one stops none of the others. */
export const forgetRemovedSites = (db: Db, upkeep: Pick<Upkeep, 'deleteSite'>): Promise<void> =>
  tryEach(listRemovedSites(db), async (siteId) => {
    await upkeep.deleteSite(siteId);
    endRemoval(db, siteId);
  });

/** Links that nobody opens and sessions are deleted when they end, because a clock that goes back would let them in again. */
function removeEnded(db: Db, now: number): void {
  db.write(() => {
    removeExpiredInvitations(db, now);
    removeExpiredPasswordLinks(db, now);
    removeEndedSessions(db, now);
  });
}

/** Looks whether the clock is trusted, and logs when that changes: the first line tells what is held up, and what ends it. */
function trustLooks({ db, clock, trust, log }: Pick<Deps, 'db' | 'clock' | 'trust' | 'log'>): () => boolean {
  let wasTrusted = true;
  return () => {
    const isTrusted = trust.look();
    const days = leapTo(db, Math.floor(seconds(clock) / DAY));
    if (wasTrusted && !isTrusted) log(LEAPT, { days });
    if (!wasTrusted && isTrusted) log('the clock is trusted again');
    wasTrusted = isTrusted;
    return isTrusted;
  };
}

/** The days that run at an instant, by zone: where they are others than before, a day is over. */
const runningDays = (db: Db, at: number): string =>
  listZones(db)
    .map((zone) => `${zone.timeZone} ${dayOfSite(zone, at)}`)
    .join();

/** The jobs about days: they are sealed, let go, counted again and copied. */
function daily(deps: Omit<Deps, 'mails' | 'trust'>, stop: AbortSignal) {
  const { db, upkeep, clock } = deps;
  const copies = dailyCopy(deps);
  /** The running days when days were sealed last, when some were counted again, and the UTC day when a copy was made. */
  let sealedOn: string | undefined;
  let recountedOn: string | undefined;
  let copiedOn: number | undefined;
  /** What could not be sealed, and when to try it again. */
  let unsealedReason: Coded | undefined;
  let againAt = Number.POSITIVE_INFINITY;
  /** Deleted visitor codes may still be in the WAL, where somebody was reading when it was to be emptied. */
  let isWalDue = false;
  const running = () => runningDays(db, seconds(clock) - AFTER_MIDNIGHT_SECONDS);

  return {
    /** Seals past days, and notes for doctor whether all could be. */
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
    /** Counts some days again where others were sealed, and notes for doctor whether they add up. */
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

/** So long a job may keep those after it waiting; then they begin beside it. */
const PATIENCE_MS = 15 * 60_000;
/** So long a stop waits for what has begun. */
const STOP_MS = 30_000;

/**
 * What the server does by itself: it looks at its start, and then every minute, whether anything is due. Each job is tried on its own,
 * because a server of a cluster that hangs in one of them would stop all others.
 */
export function startJobs({ mails, patienceMs = PATIENCE_MS, ...deps }: Deps) {
  const { db, upkeep, clock, log, collector } = deps;
  const stopping = new AbortController();
  const stop = stopping.signal;
  const { attempt, over, settle } = attempts({ db, clock, log }, () => stop.aborted);
  const days = daily(deps, stop);
  const isClockTrusted = trustLooks(deps);
  let looking: Promise<void> | undefined;

  /** In the order in which each sees what those before it did. Mails come last, because nothing else is to wait for a mail server. */
  const UNTRUSTED: [Job, Work][] = [['removals', () => forgetRemovedSites(db, upkeep)]];
  const TRUSTED: [Job, Work][] = [
    // Exclusions may have been changed by a command.
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

  /** What takes no time is done each minute, whatever the others wait for. */
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

  /** On a full disk the last mark stands, and the server was down since. */
  function mark(isStart = false): void {
    try {
      markRunning(db, seconds(clock), isStart);
    } catch {
      // Hits that cannot be stored are logged.
    }
  }

  const marks = setInterval(mark, EVERY_MS);
  const timer = setInterval(look, EVERY_MS);
  mark(true);
  look();
  return {
    /** Resolves when the look that has begun is over. */
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
