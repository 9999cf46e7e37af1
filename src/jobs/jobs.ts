import type { Collector } from '../collect/collector.ts';
import { type Engine, unsealed } from '../engine.ts';
import type { Log } from '../lib/log.ts';
import { plural } from '../lib/plural.ts';
import type { Random } from '../lib/secrets.ts';
import { type Clock, DAY, dayOf, HOUR, seconds } from '../lib/time.ts';
import { trouble } from '../lib/trouble.ts';
import { dayOfSite } from '../lib/zone.ts';
import { markRunning } from '../store/outages.ts';
import { removeEndedSessions } from '../store/sessions.ts';
import { endRemoval, listRemovedSites } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import { removeExpiredInvitations } from '../store/team.ts';
import { leapTo, type Trust } from '../store/trust.ts';
import { noteUpkeep } from '../store/upkeep.ts';
import { removeExpiredPasswordLinks } from '../store/users.ts';
import { listZones } from '../store/zones.ts';
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
  engine: Engine;
  clock: Clock;
  random: Random;
  trust: Pick<Trust, 'look'>;
  collector: Pick<Collector, 'everyMinute'>;
  log: Log;
  copies: Copies;
  mails?: SiteMails;
};

/** Deletes what was counted for sites that were deleted. */
export async function forgetRemovedSites(db: Db, engine: Pick<Engine, 'forget'>): Promise<void> {
  for (const siteId of listRemovedSites(db)) {
    await engine.forget(siteId);
    endRemoval(db, siteId);
  }
}

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

/** Seals past days, deletes what is not needed any more and makes the daily copy. */
function upkeep(deps: Omit<Deps, 'mails' | 'trust'>, stop: AbortSignal) {
  const { db, engine, clock, collector } = deps;
  const copies = dailyCopy(deps);
  /** The running days when days were sealed last, and the UTC day when a copy was made. */
  let sealedOn: string | undefined;
  let copiedOn: number | undefined;
  /** When to try again what could not be sealed. */
  let againAt = Number.POSITIVE_INFINITY;
  /** Deleted visitor codes may still be in the WAL, where somebody was reading when it was to be emptied. */
  let isWalDue = false;

  /** Notes for doctor whether all days could be sealed. */
  async function seal(at: number): Promise<void> {
    const night = await engine.seal(stop);
    const fine = night.failed.length === 0;
    againAt = fine ? Number.POSITIVE_INFINITY : clock.tick() + AGAIN_MS;
    noteUpkeep(db, 'seal', { at, fine, words: fine ? 'all past days are sealed' : unsealed(night) });
  }

  /** Notes for doctor whether the days that were counted again this night add up. */
  async function recount(at: number): Promise<void> {
    const { days, faulty } = await engine.recountSome(stop);
    const [first] = faulty;
    const named = first && `${first.domain} ${dayOf(first.day * DAY)}: ${first.faults.join('; ')}`;
    const words = first
      ? `${plural(faulty.length, 'day')} of ${days} counted again ${faulty.length === 1 ? 'does' : 'do'} not add up; ${named}`
      : `${plural(days, 'sealed day')} counted again, all as they were`;
    if (days > 0) noteUpkeep(db, 'recount', { at, fine: !first, words });
  }

  return {
    /** Does what is due now. */
    async run(isTrusted: boolean): Promise<void> {
      collector.everyMinute();
      if (isTrusted) removeEnded(db, seconds(clock));
      await forgetRemovedSites(db, engine);
      if (isWalDue) isWalDue = !db.emptyWal();
      if (stop.aborted || !isTrusted) return;
      // Exclusions may have been changed by a command.
      await engine.resum(stop);
      const now = seconds(clock);
      const running = runningDays(db, now - AFTER_MIDNIGHT_SECONDS);
      if (running !== sealedOn || clock.tick() >= againAt) {
        isWalDue = true;
        await seal(now);
        sealedOn = running;
        await recount(now);
      }
      const today = Math.floor((now - AFTER_MIDNIGHT_SECONDS) / DAY);
      if (today === copiedOn) return;
      await copies.make(now);
      copiedOn = today;
    },
    stop: () => copies.stop(),
  };
}

/** What the server does by itself: it looks at its start, and then every minute, whether anything is due. */
export function startJobs({ mails, ...deps }: Deps) {
  const stopping = new AbortController();
  const isStopped = () => stopping.signal.aborted;
  const troubles = trouble(deps.log, deps.clock, 'jobs failed, in all');
  const { run, stop } = upkeep(deps, stopping.signal);
  const isClockTrusted = trustLooks(deps);
  let running: Promise<void> | undefined;

  async function tried(name: string, work: () => Promise<void>): Promise<void> {
    try {
      if (!isStopped()) await work();
      troubles.worked();
    } catch (error) {
      const { message } = error as Error;
      const event = `${name} failed; it is tried again in a minute`;
      if (!isStopped()) troubles.failed(`${name} ${message}`, event, { reason: message });
    }
  }

  async function lookAtAll(): Promise<void> {
    let isTrusted = false;
    await tried('upkeep', async () => {
      isTrusted = isClockTrusted();
      await run(isTrusted);
    });
    // Last, because nothing else is to wait for a mail server.
    if (isTrusted) await tried('mailing', async () => mails?.run());
  }

  function begin(): void {
    running ??= lookAtAll().finally(() => {
      running = undefined;
    });
  }

  /** On a full disk the last mark stands, and the server was down since. */
  function mark(isStart = false): void {
    try {
      markRunning(deps.db, seconds(deps.clock), isStart);
    } catch {
      // Hits that cannot be stored are logged.
    }
  }

  const marks = setInterval(mark, EVERY_MS);
  const timer = setInterval(begin, EVERY_MS);
  mark(true);
  begin();
  return {
    async stop(): Promise<void> {
      stopping.abort();
      clearInterval(timer);
      clearInterval(marks);
      mark();
      mails?.stop();
      await stop();
      await running;
      troubles.settle();
    },
  };
}
