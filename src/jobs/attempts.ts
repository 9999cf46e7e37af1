// Runs the jobs of the server, such as sealing or backups, each on its own.
//
// If a job fails or hangs, the other jobs run nevertheless. The database file notes the failed job with its reason, for
// `daybook doctor` and /metrics. The note is deleted when the job succeeds (test/jobs/attempts.test.ts). A failure that
// repeats is logged once.
//
// Example: a server of the cluster hangs while days are sealed. After 15 minutes, the job is noted as "still running".
// The backup then begins, while sealing still runs. jobs.ts tries every job each minute.

import { type Coded, coded } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';
import { writeCoded } from '../lib/http/fault.ts';
import type { Log } from '../lib/log.ts';
import { findReason } from '../lib/reason.ts';
import { type Clock, seconds } from '../lib/time.ts';
import { watchTrouble } from '../lib/trouble.ts';
import type { Db } from '../store/db.ts';
import { type Job, listWaitingJobs, noteWaitingJob, removeWaitingJob } from '../store/server/waiting-jobs.ts';

/**
 * The work of a job. If something is still to be done afterwards, the work returns the reason (`Coded`). Otherwise it
 * returns nothing.
 */
export type JobWork = () => unknown;

type Deps = { db: Db; clock: Clock; log: Log };

export function attempts({ db, clock, log }: Deps, isStopped: () => boolean) {
  const running = new Map<Job, Promise<void>>();
  const waiting = new Set(listWaitingJobs(db).map(({ job }) => job));
  const troubles = watchTrouble(log, clock, 'jobs failed, in all');

  function note(job: Job, since: number, reason: string): void {
    waiting.add(job);
    try {
      noteWaitingJob(db, { job, since, reason });
    } catch {
      // On a full disk, the note cannot be written. The log names failed jobs too, so no action is needed here.
    }
  }

  /** Notes that a job is not done yet, with the reason. Of several such notes in a row, only the first is logged. */
  function waits(job: Job, since: number, reason: Coded): void {
    if (!waiting.has(job)) log(`${job} waits`, { reason: inEnglish(reason) });
    note(job, since, writeCoded(reason));
  }

  function noteDone(job: Job): void {
    if (waiting.has(job)) removeWaitingJob(db, job);
    waiting.delete(job);
    troubles.worked();
  }

  async function run(job: Job, since: number, work: JobWork): Promise<void> {
    try {
      const reason = (await work()) as Coded | undefined;
      if (isStopped()) return;
      if (reason) waits(job, since, reason);
      else noteDone(job);
    } catch (error) {
      if (isStopped()) return;
      const reason = findReason(error);
      note(job, since, reason);
      troubles.failed(`${job} ${reason}`, `${job} failed. The server tries again in a minute`, { reason });
    }
  }

  return {
    /**
     * Runs a job, unless it is running already. Resolves when the job is done, or after `patienceMs`. So a slow job
     * delays the next job by at most this time.
     */
    async attempt(job: Job, work: JobWork, patienceMs: number): Promise<void> {
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
    over: async (): Promise<void> => void (await Promise.all(running.values())),
    settle: troubles.settle,
  };
}

/** Makes a promise that resolves after `ms` milliseconds. After a call of `end`, the promise never resolves. */
function timer(ms: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const own = setTimeout(resolve, ms);
  return { promise, end: () => clearTimeout(own) };
}
