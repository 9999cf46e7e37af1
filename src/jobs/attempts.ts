import { type Coded, coded } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';
import { writeCoded } from '../lib/http/fault.ts';
import type { Log } from '../lib/log.ts';
import { findReason } from '../lib/reason.ts';
import { type Clock, seconds } from '../lib/time.ts';
import { trouble } from '../lib/trouble.ts';
import type { Db } from '../store/db.ts';
import { type Job, listWaitingJobs, noteWaitingJob, removeWaitingJob } from '../store/server/waiting-jobs.ts';

/** A job gives a reason where it could not do all that is due. */
export type Work = () => unknown;

type Deps = { db: Db; clock: Clock; log: Log };

/** Resolves after so many milliseconds; `end` takes it back. */
function timer(ms: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const own = setTimeout(resolve, ms);
  return { promise, end: () => clearTimeout(own) };
}

/**
 * Tries jobs, each on its own: one that fails or hangs stops no other. What waits is noted in the file, for doctor and /metrics, and the
 * note goes when the job is done. Held by test/jobs/attempts.test.ts.
 */
export function attempts({ db, clock, log }: Deps, isStopped: () => boolean) {
  const running = new Map<Job, Promise<void>>();
  const waiting = new Set(listWaitingJobs(db).map(({ job }) => job));
  const troubles = trouble(log, clock, 'jobs failed, in all');

  function note(job: Job, since: number, reason: string): void {
    waiting.add(job);
    try {
      noteWaitingJob(db, { job, since, reason });
    } catch {
      // On a full disk the log says it.
    }
  }

  /** Logged once, however often it is tried in vain. */
  function waits(job: Job, since: number, reason: Coded): void {
    if (!waiting.has(job)) log(`${job} waits`, { reason: inEnglish(reason) });
    note(job, since, writeCoded(reason));
  }

  function noteDone(job: Job): void {
    if (waiting.has(job)) removeWaitingJob(db, job);
    waiting.delete(job);
    troubles.worked();
  }

  async function run(job: Job, since: number, work: Work): Promise<void> {
    try {
      const reason = (await work()) as Coded | undefined;
      if (isStopped()) return;
      if (reason) waits(job, since, reason);
      else noteDone(job);
    } catch (error) {
      if (isStopped()) return;
      const reason = findReason(error);
      note(job, since, reason);
      troubles.failed(`${job} ${reason}`, `${job} failed; it is tried again in a minute`, { reason });
    }
  }

  return {
    /** Begins a job, unless it still runs, and gives it so much time before others begin. */
    async attempt(job: Job, work: Work, patienceMs: number): Promise<void> {
      if (isStopped() || running.has(job)) return;
      const since = seconds(clock);
      const own = run(job, since, work);
      running.set(job, own);
      void own.finally(() => running.delete(job));
      const { promise, end } = timer(patienceMs);
      const isDone = await Promise.race([own.then(() => true), promise.then(() => false)]);
      end();
      if (!isDone && !isStopped()) note(job, since, writeCoded(coded('not_done_yet')));
    },
    /** Resolves when no job runs. */
    over: async (): Promise<void> => void (await Promise.all(running.values())),
    settle: troubles.settle,
  };
}
