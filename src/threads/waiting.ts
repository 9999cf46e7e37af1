import { Problem } from '../lib/errors.ts';
import { lines } from './lines.ts';

/** Where a task waits, and for whom. */
export type Place = {
  /** Tasks with the same key run in the same thread, whose caches are then warm; one without a key in any that runs already. */
  key?: number | undefined;
  /** Tasks of different lines take turns, so that many in one do not hold up the others. A site is a line. */
  line?: number;
  /** Aborted when nobody waits for the result any more: the task is then dropped, or stopped if it runs. */
  gone?: AbortSignal | undefined;
};

/** What a thread is sent. It stops a job when it finds the job's number in its memory shared with the pool. */
export type Job = { number: number; name: string; input: unknown };

export type WaitingJob = Job & { place: Place; done(output: unknown): void; failed(error: Error): void };

export const unavailable = (reason: string) =>
  new Problem('unavailable', { headers: { 'Retry-After': '1' }, cause: new Error(reason) });

const MAX_WAITING = 1_000;
/** So that one site cannot take all places. A page of the dashboard asks a dozen questions at once. */
const MAX_IN_LINE = 250;

/** Calls `leave` when nobody waits for a job any more. Returns what ends this. */
export function onGone({ place: { gone } }: WaitingJob, leave: () => void): () => void {
  gone?.addEventListener('abort', leave);
  return () => gone?.removeEventListener('abort', leave);
}

/**
 * Jobs that wait for a thread, in lines that are served in turn. One that nobody waits for any more, or that has waited for too
 * long, fails.
 */
export function waitingRoom(longestMs: number) {
  const queue = lines<WaitingJob & { leaves(): void }>();

  return {
    /** Fails the job at once where there is no room. */
    enter(job: WaitingJob): void {
      const { gone, line = 0 } = job.place;
      const isFull = queue.count() >= MAX_WAITING || queue.countIn(line) >= MAX_IN_LINE;
      if (isFull || gone?.aborted) {
        job.failed(unavailable('too many wait'));
        return;
      }
      const leave = () => {
        queue.remove(line, entered);
        entered.leaves();
        job.failed(unavailable('it waited for too long'));
      };
      const timer = setTimeout(leave, longestMs).unref();
      const forget = onGone(job, leave);
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
