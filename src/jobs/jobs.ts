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

/** What the server does by itself: it looks at its start, and then every minute, whether anything is due. */
export function startJobs(deps: Deps) {
  const { db, path, entry, clock, collector, log } = deps;
  const copies = dailyCopy(deps);
  let thread: Pool | undefined;
  let isStopped = false;
  let sealedOn: number | undefined;
  /** Deleted visitor codes may still be in the WAL, where somebody was reading when it was to be emptied. */
  let isWalDue = false;
  let running: Promise<void> | undefined;

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

  async function look(): Promise<void> {
    try {
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
    } catch (error) {
      if (!isStopped) log('upkeep failed; it is tried again in a minute', { reason: (error as Error).message });
    }
  }

  /** Comes last, because nothing else is to wait for a mail server. */
  async function sendMails(): Promise<void> {
    try {
      if (!isStopped) await deps.mails?.run();
    } catch (error) {
      if (!isStopped) log('mails failed; they are tried again in a minute', { reason: (error as Error).message });
    }
  }

  async function lookAtAll(): Promise<void> {
    await look();
    await sendMails();
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
      deps.mails?.stop();
      await Promise.all([thread?.close(), copies.stop()]);
      await running;
    },
  };
}
