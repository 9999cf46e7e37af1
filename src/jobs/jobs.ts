import type { Collector } from '../collect/collector.ts';
import { sweepSites } from '../ledger/sweep.ts';
import type { Log } from '../lib/log.ts';
import { politely } from '../lib/steps.ts';
import { type Clock, dayOf, seconds } from '../lib/time.ts';
import type { Db } from '../store/statements.ts';
import { type Pool, pool } from '../threads/pool.ts';
import { type Copies, dailyCopy } from './backup.ts';
import type { SiteMails } from './mail.ts';
import { sealDue } from './seal.ts';

const EVERY_MS = 60_000;
/** Reading and folding the largest day takes seconds; ten minutes mean that something is wrong. */
const PATIENCE_MS = 600_000;
/** Only then the day before is sealed, so that its last hits are in. */
const AFTER_MIDNIGHT_SECONDS = 60;

type Deps = {
  db: Db;
  path: string;
  code: string;
  clock: Clock;
  collector: Collector;
  log: Log;
  copies: Copies;
  mails?: SiteMails;
};

/** What the server does by itself: at its start, and then looking every minute whether anything is due. */
export function startJobs(deps: Deps) {
  const { db, path, code, clock, collector, log } = deps;
  const copies = dailyCopy(deps);
  let thread: Pool | undefined;
  let isStopped = false;
  let sealedOn: number | undefined;
  /** Deleted visitor codes may lie in the WAL still, if somebody was reading when it was to be emptied. */
  let isWalDue = false;
  let running: Promise<void> | undefined;

  /** With a thread of its own for as long as it takes, so that its memory is given back. */
  async function sealDays(): Promise<void> {
    const worker = pool({ code, path, size: 1, patience: PATIENCE_MS, log });
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
      const today = Math.floor(now / 86_400);
      if (today === sealedOn || (sealedOn !== undefined && now % 86_400 < AFTER_MIDNIGHT_SECONDS)) return;
      isWalDue = true;
      await sealDays();
      sealedOn = today;
      await copies.make(dayOf(now), now);
    } catch (error) {
      // It is tried again in a minute.
      if (!isStopped) log('a job failed', { message: (error as Error).message });
    }
  }

  /** After everything else, which is not to wait for a mail server. */
  async function sendMails(): Promise<void> {
    try {
      if (!isStopped) await deps.mails?.run();
    } catch (error) {
      if (!isStopped) log('mails failed', { message: (error as Error).message });
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
