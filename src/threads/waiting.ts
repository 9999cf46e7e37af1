// The waiting room of a thread. Jobs wait in lines, one line for each site, and the lines take turns.
//
// Invariant: each job leaves the waiting room exactly once: either the thread gets it, or it fails. A job fails if
// there is no room, or if it has waited too long. A job also fails if its caller no longer wants the result.
//
// Example: site 1 has 200 jobs and site 2 has one job. The job of site 2 is done second. A line has at most 250 jobs,
// and all lines together have at most 1,000. A job above these limits fails immediately. But if all 1,000 places are
// taken, the last job of the longest line fails instead of a job of a shorter line. pool.ts makes a waiting room for
// each thread.

import { Problem } from '../lib/errors.ts';
import { makeLines } from '../lib/lines.ts';

export type LinePlace = {
  /**
   * Jobs with the same key always run in the same thread, which has their data in its caches. A job without a key
   * runs in any running thread.
   */
  key?: number | undefined;
  /**
   * A job waits in the line of its site. Lines take turns, therefore many jobs of one site do not block other sites.
   */
  line?: number;
  /**
   * The caller aborts this signal if it does not want the result any more. A waiting job is then removed, and a
   * running job is stopped.
   */
  signal?: AbortSignal | undefined;
};

/**
 * The message that starts a job in a thread. To stop the job, the pool writes its `number` into memory that it shares
 * with the thread.
 */
export type Job = { number: number; name: string; input: unknown };

export type WaitingJob = Job & { place: LinePlace; done(output: unknown): void; failed(error: Error): void };

export function makeWaitingRoom(longestMs: number) {
  const queue = makeLines<WaitingJob & { leaves(): void }>();

  /** Returns whether one more job may wait in a line. For this, the last job of the longest line may fail. */
  function makeRoom(line: number): boolean {
    if (queue.countIn(line) >= MAX_IN_LINE) return false;
    if (queue.count() < MAX_WAITING) return true;
    const displaced = queue.giveWay(line);
    displaced?.leaves();
    displaced?.failed(makeUnavailable('too many wait'));
    return displaced !== undefined;
  }

  return {
    /** Lets a job wait. If there is no room, the job fails immediately. */
    enter(job: WaitingJob): void {
      const { signal, line = 0 } = job.place;
      if (signal?.aborted || !makeRoom(line)) {
        job.failed(makeUnavailable('too many wait'));
        return;
      }
      const leave = () => {
        queue.remove(line, entered);
        entered.leaves();
        job.failed(makeUnavailable('it waited for too long'));
      };
      const timer = setTimeout(leave, longestMs).unref();
      const forget = watchSignal(job, leave);
      const entered = {
        ...job,
        leaves() {
          clearTimeout(timer);
          forget();
        },
      };
      queue.add(line, entered);
    },
    next(): WaitingJob | undefined {
      const job = queue.next();
      job?.leaves();
      return job;
    },
  };
}

export const makeUnavailable = (reason: string) =>
  new Problem('unavailable', { headers: { 'Retry-After': '1' }, cause: new Error(reason) });

const MAX_WAITING = 1_000;
/**
 * The most jobs in one line. With this limit, one site cannot fill the waiting room. One page of the dashboard sends
 * about twelve queries.
 */
const MAX_IN_LINE = 250;

/** Calls `leave` when the caller does not want the result any more. The returned function removes this listener. */
export function watchSignal({ place: { signal } }: WaitingJob, leave: () => void): () => void {
  signal?.addEventListener('abort', leave);
  return () => signal?.removeEventListener('abort', leave);
}
