// The waiting room of a thread: jobs wait in lines that are served in turn, a line for each site.
//
// Invariant: each job that enters leaves once: to the thread, or failed. A job fails when its caller has gone, when it
// has waited too long, or when there is no room.
//
// Example: site 1 has 200 jobs and site 2 has one. The job of site 2 is served second. Beyond 250 jobs of a line or
// 1,000 in all, the next one fails at once. pool.ts makes a waiting room for each thread.

import { Problem } from '../lib/errors.ts';
import { makeLines } from './lines.ts';

/** Where a task runs and waits. */
export type LinePlace = {
  /**
   * Tasks with one key always run in one thread, whose caches are then warm. A task without a key runs in any running
   * thread.
   */
  key?: number | undefined;
  /** Lines take turns, so that many tasks of one do not hold up the others. A site is a line. */
  line?: number;
  /** Aborted when the caller does not want the result any more. The task is then dropped or stopped. */
  signal?: AbortSignal | undefined;
};

/** The message to a thread. A job stops when its number is in the memory that the thread shares with the pool. */
export type Job = { number: number; name: string; input: unknown };

export type WaitingJob = Job & { place: LinePlace; done(output: unknown): void; failed(error: Error): void };

/** Makes a waiting room in which a job may wait for `longestMs`. */
export function makeWaitingRoom(longestMs: number) {
  const queue = makeLines<WaitingJob & { leaves(): void }>();

  return {
    /** Lets a job wait, or fails it at once if there is no room. */
    enter(job: WaitingJob): void {
      const { signal, line = 0 } = job.place;
      const isFull = queue.count() >= MAX_WAITING || queue.countIn(line) >= MAX_IN_LINE;
      if (isFull || signal?.aborted) {
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
 * A limit of each line, so that one site cannot take all places. A page of the dashboard asks a dozen queries at once.
 */
const MAX_IN_LINE = 250;

/** Calls `leave` when the caller of a job has gone. Returns a function that ends this. */
export function watchSignal({ place: { signal } }: WaitingJob, leave: () => void): () => void {
  signal?.addEventListener('abort', leave);
  return () => signal?.removeEventListener('abort', leave);
}
