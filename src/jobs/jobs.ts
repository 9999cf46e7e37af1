// The jobs that the server does by itself, such as sealing, receipts, backups and mails. The jobs also delete what has
// expired.
//
// The server checks at its start and then every minute whether a job is due. Jobs begin in order, because a job needs
// the results of earlier jobs. A wrong clock must not delete hits. So while the clock is not trusted, only two jobs
// run: the removal of deleted sites, and the renewal of salts.
//
// Example: at 00:01 in Berlin, the day before is sealed and some sealed days are recounted. At 00:01 UTC a backup is
// made (daily.ts). compose.ts starts the jobs.

import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { Collector } from '../collect/collector.ts';
import type { Queries, Upkeep } from '../engine/engine.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import { type Clock, DAY, seconds } from '../lib/time.ts';
import { tryEach } from '../lib/try-each.ts';
import type { Db } from '../store/db.ts';
import { removeOldAuditEntries } from '../store/people/audit-entries.ts';
import { removeEndedSessions } from '../store/people/sessions.ts';
import { removeExpiredInvitations } from '../store/people/team.ts';
import { removeExpiredPasswordLinks } from '../store/people/users.ts';
import { computeLeap, type Trust } from '../store/server/clock-trust.ts';
import { noteRunning } from '../store/server/outages.ts';
import type { Job } from '../store/server/waiting-jobs.ts';
import { removeDaysOfGone } from '../store/sites/changes.ts';
import { removeExpiredSearches } from '../store/sites/searches.ts';
import { endRemoval, listKeepingSites, listRemovedSites } from '../store/sites/sites.ts';
import { attempts, type JobWork } from './attempts.ts';
import type { BackupSettings } from './backup.ts';
import { countChanges } from './changes.ts';
import { makeDailyJobs } from './daily.ts';
import { makeForgettingSearch, noteSearch } from './forgetting.ts';
import type { SiteMails } from './mail.ts';
import { mirrorParquet, type ParquetSettings } from './parquet.ts';
import { makeReceipts, type ReceiptOrder } from './receipts.ts';

const EVERY_MS = 60_000;
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
  /** How long a job may delay the next job. After this time, the next job begins while the earlier job still runs. */
  patienceMs?: number;
};

/**
 * Deletes the hits of deleted sites. The job "changes" has stored the figures of days before and after each change. For
 * deleted sites, these figures are deleted too. If one site fails, the hits of the other sites are still deleted.
 */
export async function forgetRemovedSites(db: Db, upkeep: Pick<Upkeep, 'deleteSite'>): Promise<void> {
  const removed = listRemovedSites(db);
  if (removed.length > 0) for (const _ of removeDaysOfGone(db)) await turn();
  await tryEach(removed, async (siteId) => {
    await upkeep.deleteSite(siteId);
    endRemoval(db, siteId);
  });
}

export function startJobs({ mails, patienceMs = PATIENCE_MS, ...deps }: Deps) {
  const { db, upkeep, clock, log, collector } = deps;
  const stopping = new AbortController();
  const stop = stopping.signal;
  const { attempt, over, settle } = attempts({ db, clock, log }, () => stop.aborted);
  const days = makeDailyJobs(deps, stop);
  const [files, receipts, forgetting] = [mirrorParquet(deps), makeReceipts(deps), makeSearch(deps)];
  const [isClockTrusted, removeEnded, tried] = [watchTrust(deps), makeEndedRemoval(deps), new Map<number, number>()];
  let looking: Promise<void> | undefined;

  /**
   * The jobs, in the order in which they start. The jobs in UNTRUSTED also start while the clock may be wrong. Mails
   * are last, so no other job waits for a mail server.
   */
  const UNTRUSTED: [Job, JobWork][] = [['removals', () => forgetRemovedSites(db, upkeep)]];
  const TRUSTED: [Job, JobWork][] = [
    // A command may have changed the exclusions. Then this job computes the stale sums again.
    ['exclusions', async () => void (await upkeep.remakeSums(stop))],
    ['sealing', days.seal],
    ['visitor codes', () => upkeep.sweep(stop)],
    ['receipts', receipts.run],
    ['changes', () => countChanges(deps, { stop, longestMs: EVERY_MS, tried })],
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
   * Starts the jobs that are due. The jobs "salts" and "sessions" take almost no time. So they run immediately, and do
   * not wait for other jobs.
   */
  function look(): void {
    void attempt('salts', () => collector.everyMinute(), patienceMs);
    let isTrusted = false;
    void attempt(
      'sessions',
      () => {
        isTrusted = isClockTrusted();
        if (isTrusted) removeEnded();
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
    /**
     * Closes the files that the job "forgetting" has searched. Closing releases SQLite's locks on these files. So call
     * this function only after the database file and the outbox are closed.
     */
    release: forgetting.release,
  };
}

const makeSearch = (deps: Deps) => makeForgettingSearch({ ...deps, note: (search) => noteSearch(deps.db, search) });

/**
 * Notes when the server last ran. If the disk is full, the note may fail. Then the time since the last note counts as
 * an outage.
 */
function noteSafely(db: Db, now: number, isStart: boolean): void {
  try {
    noteRunning(db, now, isStart);
  } catch {
    // If the disk is full, hits cannot be stored either. That failure is logged, so no action is needed here.
  }
}

/**
 * Makes a function that removes expired invitations, links and sessions. If they stayed, they would become valid again
 * when somebody sets the clock back. The function also removes old entries of the audit log. Once in each UTC day, it
 * also removes old figures of Google searches: a site keeps them for as many days as its hits.
 */
function makeEndedRemoval({ db, clock }: Pick<Deps, 'db' | 'clock'>): () => void {
  let expiredOn: number | undefined;
  return () => {
    const now = seconds(clock);
    const today = Math.floor(now / DAY);
    db.write(() => {
      removeExpiredInvitations(db, now);
      removeExpiredPasswordLinks(db, now);
      removeEndedSessions(db, now);
      removeOldAuditEntries(db, now);
      if (today !== expiredOn) removeExpiredSearches(db, listKeepingSites(db), today);
    });
    expiredOn = today;
  };
}

/**
 * Makes a function that tells whether the clock is trusted, and logs each change. The log line says which jobs wait and
 * what the operator can do.
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

/** How long the next jobs wait for a job. After that, they begin while the long job still runs. */
const PATIENCE_MS = 15 * 60_000;
/** How long the server waits for running jobs when it stops. After that, it stops without them. */
const STOP_MS = 30_000;
