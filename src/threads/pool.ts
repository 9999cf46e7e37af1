// A pool of worker threads for queries and the nightly jobs. In the main thread, this work would keep the server from
// accepting hits. A task has a name and an input. A job is one run of a task.
//
// Invariant: no caller waits without end. A job that runs too long is stopped, and a job that waits too long fails. A
// thread that died is started again for the next job.
//
// Example: `run(place, 'measure', input)` with a patience of 10 s. After 10 s the pool stops the job at its next
// checkpoint. If the job still runs 5 s later, the pool ends the thread. The engines call `run`. Commands use
// `makeSameThread` instead of a pool.

import { setTimeout as pause } from 'node:timers/promises';
import { ThreadDied } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { type Started, startThread } from './thread.ts';
import { type Job, type LinePlace, makeUnavailable, makeWaitingRoom, type WaitingJob, watchSignal } from './waiting.ts';

type TaskTable = Record<string, (input: never) => unknown>;

export type Threads<Tasks extends TaskTable> = {
  size: number;
  run<Name extends keyof Tasks & string>(
    place: LinePlace,
    name: Name,
    input: Parameters<Tasks[Name]>[0],
  ): Promise<ReturnType<Tasks[Name]>>;
  close(): Promise<void>;
};

export type ThreadData = { path: string; stop: Int32Array; priority: number };
export type Reply = { output: unknown } | { error: string } | { stopped: string };

type PoolOptions = {
  code: string;
  path: string;
  size: number;
  /** How many milliseconds a job may run. */
  patience: number;
  /** How many milliseconds a thread may take to end. A job that needs longer between two checkpoints is cut off. */
  longestEnd?: number | undefined;
  /** The operating system uses this priority for the threads when the processor is busy. */
  priority: number;
  log: Log;
};

export function makePool<Tasks extends TaskTable>(options: PoolOptions): Threads<Tasks> {
  const threads = Array.from({ length: options.size }, () => makeQueuedThread(options));
  const threadFor = ({ key }: LinePlace) =>
    (key === undefined ? threads.find(({ isRunning }) => isRunning()) : undefined) ??
    // The key of a job may be the number of a day, for example, which is negative before 1970. `at` also accepts
    // negative numbers.
    (threads.at((key ?? 0) % threads.length) as (typeof threads)[number]);
  return {
    size: options.size,
    run: (place, name, input) => threadFor(place).run(place, name, input),
    close: async () => {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

/** Commands use no pool: each task runs in the thread of the caller. */
export const makeSameThread = <Tasks extends TaskTable>(tasks: Tasks): Threads<Tasks> => ({
  size: 1,
  run: async (_, name, input) => tasks[name]?.(input as never) as ReturnType<Tasks[typeof name]>,
  close: async () => {},
});

const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;
/**
 * How long a job may still run after the pool has decided to stop it. A job checks only at its checkpoints whether it
 * should stop, for example between two days.
 */
const GRACE_MS = 5_000;
/** A job may wait this many times as long as it may run. Therefore a job behind one slow job still gets its turn. */
const WAIT = 2;

/** Makes a thread that starts with the first job. If the thread has died, the next job starts it again. */
function makeLivingThread(
  { code, path, priority, longestEnd, log }: PoolOptions,
  heard: (reply: Reply | undefined) => void,
) {
  const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let thread: Started | undefined;
  let restartPause = 0;
  let isClosed = false;

  function start(): void {
    const listen = (message: unknown) => {
      restartPause = 0;
      heard(message as Reply);
    };
    const started = startThread(code, { path, stop, priority } satisfies ThreadData, listen);
    thread = started;
    const { worker } = started;
    worker.on('error', ({ message }) => log('worker thread failed', { message }));
    worker.on('exit', () => {
      if (isClosed || thread !== started) return;
      thread = undefined;
      heard(undefined);
    });
  }

  return {
    isRunning: () => thread !== undefined,
    async post(job: Job): Promise<void> {
      if (!thread) {
        // A thread may die again and again. Without a pause, restarting it would use up the processor.
        await pause(restartPause);
        restartPause = Math.min(Math.max(restartPause * 2, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
        if (isClosed) return;
        start();
      }
      thread?.worker.postMessage(job);
    },
    /**
     * Makes the thread stop a job at its next checkpoint. What the job has cached stays in the thread, therefore the
     * next job for the same days is faster.
     */
    stop: (job: Job) => Atomics.store(stop, 0, job.number),
    end: () => void thread?.end(longestEnd),
    async close(): Promise<void> {
      isClosed = true;
      await thread?.end(longestEnd);
    },
  };
}

/** Makes a thread with a waiting room for its jobs. If the thread dies, the running job fails. */
function makeQueuedThread(options: PoolOptions) {
  const { patience, log } = options;
  const waiting = makeWaitingRoom(WAIT * patience);
  let numbers = 0;
  let current: (WaitingJob & { isOver(): void; isLate?: boolean }) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const thread = makeLivingThread(options, (reply) => {
    const job = current;
    clearTimeout(timer);
    current = undefined;
    job?.isOver();
    if (reply && 'output' in reply) job?.done(reply.output);
    else if (reply && 'error' in reply) job?.failed(new Error(reply.error));
    else if (reply || job?.isLate) job?.failed(makeUnavailable(reply?.stopped ?? 'it took too long'));
    else job?.failed(new ThreadDied());
    void next();
  });

  function interrupt(job: Job): void {
    thread.stop(job);
    clearTimeout(timer);
    timer = setTimeout(() => {
      log('worker thread stopped, because its job took too long', { job: job.name });
      if (current) current.isLate = true;
      thread.end();
    }, GRACE_MS).unref();
  }

  async function next(): Promise<void> {
    const job = current || isClosed ? undefined : waiting.next();
    if (!job) return;
    current = { ...job, isOver: watchSignal(job, () => interrupt(job)) };
    const { number, name, input } = job;
    await thread.post({ number, name, input });
    if (current?.number !== number || job.place.signal?.aborted) return;
    timer = setTimeout(() => {
      log('job stopped, because it took too long', { job: name });
      interrupt(job);
    }, patience).unref();
  }

  return {
    isRunning: thread.isRunning,
    run<Result>(place: LinePlace, name: string, input: unknown): Promise<Result> {
      if (isClosed) return Promise.reject(makeUnavailable('the server stops'));
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      waiting.enter({
        number: ++numbers,
        name,
        input,
        place,
        done: resolve as (output: unknown) => void,
        failed: reject,
      });
      void next();
      return promise;
    },
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      if (current) thread.stop(current);
      current?.isOver();
      for (let job: WaitingJob | undefined = current ?? waiting.next(); job; job = waiting.next())
        job.failed(makeUnavailable('the server stops'));
      await thread.close();
    },
  };
}
