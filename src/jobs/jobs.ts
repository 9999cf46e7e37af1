import type { Collector } from '../collect/collector.ts';
import { sweepSites } from '../ledger/sweep.ts';
import type { Log } from '../lib/log.ts';
import { politely } from '../lib/steps.ts';
import { type Clock, DAY, dayOf, seconds } from '../lib/time.ts';
import type { Db } from '../store/statements.ts';
import { type Pool, pool } from '../threads/pool.ts';
import type { Thread } from '../threads/thread.ts';
import { type Copies, dailyCopy } from './backup.ts';
import type { SiteMails } from './mail.ts';
import { sealDue } from './seal.ts';

const EVERY_MS = 60_000;
/** Reading and folding the largest day takes seconds; after ten minutes something is wrong. */
const PATIENCE_MS = 600_000;
/** A day is sealed so long after its end, when its last hits have been stored. */
const AFTER_MIDNIGHT_SECONDS = 60;

type Deps = {
  db: Db;
  path: string;
  entry: Thread;
  clock: Clock;
  collector: Collector;
  log: Log;
  copies: Copies;
  mails?: SiteMails;
};

/** Seals past days, deletes what is not needed any more and makes the daily copy. */
function upkeep(deps: Omit<Deps, 'mails'>) {
  const { db, path, entry, clock, collector, log } = deps;
  const copies = dailyCopy(deps);
  let thread: Pool | undefined;
  let isStopped = false;
  let sealedOn: number | undefined;
  /** Deleted visitor codes may still be in the WAL, where somebody was reading when it was to be emptied. */
  let isWalDue = false;

  /** In a thread that ends afterwards, so that its memory is given back. */
  async function sealDays(): Promise<void> {
    const worker = pool({ entry, path, size: 1, patience: PATIENCE_MS, log });
    thread = worker;
    try {
      await sealDue(deps, {
        due: (before) => worker.run(0, 'due', before),
        compute: (siteDay) => worker.run(0, 'compute', siteDay),
      });
    } finally {
      await worker.close();
    }
  }

  return {
    /** Does what is due now. */
    async run(): Promise<void> {
      collector.turn();
      await politely(sweepSites(db), clock);
      if (isWalDue) isWalDue = !db.emptyWal();
      if (isStopped) return;
      const now = seconds(clock);
      const today = Math.floor(now / DAY);
      if (today === sealedOn || (sealedOn !== undefined && now % DAY < AFTER_MIDNIGHT_SECONDS)) return;
      isWalDue = true;
      await sealDays();
      sealedOn = today;
      await copies.make(dayOf(now), now);
    },
    async stop(): Promise<void> {
      isStopped = true;
      await Promise.all([thread?.close(), copies.stop()]);
    },
  };
}

/** What the server does by itself: it looks at its start, and then every minute, whether anything is due. */
export function startJobs({ mails, ...deps }: Deps) {
  const { run, stop } = upkeep(deps);
  let isStopped = false;
  let running: Promise<void> | undefined;

  async function tried(name: string, work: () => Promise<void>): Promise<void> {
    try {
      if (!isStopped) await work();
    } catch (error) {
      if (!isStopped) deps.log(`${name} failed; it is tried again in a minute`, { reason: (error as Error).message });
    }
  }

  async function lookAtAll(): Promise<void> {
    await tried('upkeep', run);
    // Last, because nothing else is to wait for a mail server.
    await tried('mailing', async () => mails?.run());
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
      isStopped = true;
      clearInterval(timer);
      mails?.stop();
      await stop();
      await running;
    },
  };
}
