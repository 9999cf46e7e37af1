import type { Collector } from '../collect/collector.ts';
import type { Engine } from '../engine.ts';
import type { Log } from '../lib/log.ts';
import { type Clock, DAY, dayOf, seconds } from '../lib/time.ts';
import { endRemoval, listRemovedSites } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import { leapTo, type Trust } from '../store/trust.ts';
import { type Copies, dailyCopy } from './backup.ts';
import type { SiteMails } from './mail.ts';

const EVERY_MS = 60_000;
/** A day is sealed so long after its end, when its last hits have been stored. */
const AFTER_MIDNIGHT_SECONDS = 60;

const LEAPT =
  'the clock has leapt; nothing is sealed, let go, copied or mailed until it has stood for 6 hours; if it is right, run daybook seal --trust-clock';

type Deps = {
  db: Db;
  path: string;
  /** Of a thread. */
  code: string;
  engine: Engine;
  clock: Clock;
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

/** Seals past days, deletes what is not needed any more and makes the daily copy. */
function upkeep(deps: Omit<Deps, 'mails' | 'trust'>, stop: AbortSignal) {
  const { db, engine, clock, collector } = deps;
  const copies = dailyCopy(deps);
  let sealedOn: number | undefined;
  /** Deleted visitor codes may still be in the WAL, where somebody was reading when it was to be emptied. */
  let isWalDue = false;

  return {
    /** Does what is due now. */
    async run(isTrusted: boolean): Promise<void> {
      collector.everyMinute();
      await forgetRemovedSites(db, engine);
      if (isWalDue) isWalDue = !db.emptyWal();
      if (stop.aborted || !isTrusted) return;
      const now = seconds(clock);
      const today = Math.floor(now / DAY);
      if (today === sealedOn || (sealedOn !== undefined && now % DAY < AFTER_MIDNIGHT_SECONDS)) return;
      isWalDue = true;
      await engine.seal(stop);
      sealedOn = today;
      await copies.make(dayOf(now), now);
    },
    stop: () => copies.stop(),
  };
}

/** What the server does by itself: it looks at its start, and then every minute, whether anything is due. */
export function startJobs({ mails, ...deps }: Deps) {
  const stopping = new AbortController();
  const isStopped = () => stopping.signal.aborted;
  const { run, stop } = upkeep(deps, stopping.signal);
  const isClockTrusted = trustLooks(deps);
  let running: Promise<void> | undefined;

  async function tried(name: string, work: () => Promise<void>): Promise<void> {
    try {
      if (!isStopped()) await work();
    } catch (error) {
      if (!isStopped()) deps.log(`${name} failed; it is tried again in a minute`, { reason: (error as Error).message });
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

  const timer = setInterval(begin, EVERY_MS);
  begin();
  return {
    async stop(): Promise<void> {
      stopping.abort();
      clearInterval(timer);
      mails?.stop();
      await stop();
      await running;
    },
  };
}
