import type { Collector } from '../collect/collector.ts';
import type { Engine } from '../engine.ts';
import type { Log } from '../lib/log.ts';
import { type Clock, DAY, dayOf, seconds } from '../lib/time.ts';
import { endRemoval, listRemovedSites } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import type { Thread } from '../threads/thread.ts';
import { type Copies, dailyCopy } from './backup.ts';
import type { SiteMails } from './mail.ts';

const EVERY_MS = 60_000;
/** Only then the day before is sealed, so that its last hits are in. */
const AFTER_MIDNIGHT_SECONDS = 60;

type Deps = {
  db: Db;
  path: string;
  entry: Thread;
  engine: Engine;
  clock: Clock;
  collector: Collector;
  log: Log;
  copies: Copies;
  mails?: SiteMails;
};

/** Deletes what was counted for sites that are gone. */
export async function forgetRemovedSites(db: Db, engine: Pick<Engine, 'forget'>): Promise<void> {
  for (const siteId of listRemovedSites(db)) {
    await engine.forget(siteId);
    endRemoval(db, siteId);
  }
}

/** What the server does by itself: at its start, and then looking every minute whether anything is due. */
export function startJobs(deps: Deps) {
  const { db, engine, clock, collector, log } = deps;
  const copies = dailyCopy(deps);
  const stopping = new AbortController();
  const isStopped = () => stopping.signal.aborted;
  let sealedOn: number | undefined;
  /** Deleted visitor codes may lie in the WAL still, if somebody was reading when it was to be emptied. */
  let isWalDue = false;
  let running: Promise<void> | undefined;

  async function look(): Promise<void> {
    try {
      collector.turn();
      await forgetRemovedSites(db, engine);
      if (isWalDue) isWalDue = !db.emptyWal();
      if (isStopped()) return;
      const now = seconds(clock);
      const today = Math.floor(now / DAY);
      if (today === sealedOn || (sealedOn !== undefined && now % DAY < AFTER_MIDNIGHT_SECONDS)) return;
      isWalDue = true;
      await engine.seal(stopping.signal);
      sealedOn = today;
      await copies.make(dayOf(now), now);
    } catch (error) {
      // It is tried again in a minute.
      if (!isStopped()) log('a job failed', { message: (error as Error).message });
    }
  }

  /** After everything else, which is not to wait for a mail server. */
  async function sendMails(): Promise<void> {
    try {
      if (!isStopped()) await deps.mails?.run();
    } catch (error) {
      if (!isStopped()) log('mails failed', { message: (error as Error).message });
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
      stopping.abort();
      clearInterval(timer);
      deps.mails?.stop();
      await copies.stop();
      await running;
    },
  };
}
