// A pool of worker threads for work that would keep the server from taking hits: queries, and the jobs of the night. A
// task has a name and an input.
//
// Invariant: no caller waits for ever. A job that runs too long is stopped, a job that waits too long fails, and a
// thread that died is started again for the next job.
//
// Example: `run(place, 'measure', input)` with a patience of 10 s: after 10 s the job is told to stop, and 5 s later
// its thread is ended. The engines call run; commands use `sameThread` instead.

import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../lib/log.ts';
import { type Started, startThread } from './thread.ts';
import { type Job, type LinePlace, makeUnavailable, makeWaitingRoom, type WaitingJob, watchSignal } from './waiting.ts';

type TaskTable = Record<string, (input: never) => unknown>;

/** Carries out tasks in worker threads, or in the caller's thread. */
export type Threads<Tasks extends TaskTable> = {
  size: number;
  run<Name extends keyof Tasks & string>(
    place: LinePlace,
    name: Name,
    input: Parameters<Tasks[Name]>[0],
  ): Promise<ReturnType<Tasks[Name]>>;
  close(): Promise<void>;
};

/** The data with which a thread starts. */
export type ThreadData = { path: string; stop: Int32Array; priority: number };
export type Reply = { output: unknown } | { error: string } | { stopped: string };

type PoolOptions = {
  code: string;
  path: string;
  size: number;
  /** How many milliseconds a job may run. */
  patience: number;
  /** The priority for the operating system when the processor is busy. */
  priority: number;
  log: Log;
};

export function makePool<Tasks extends TaskTable>(options: PoolOptions): Threads<Tasks> {
  const threads = Array.from({ length: options.size }, () => makeQueuedThread(options));
  const threadFor = ({ key }: LinePlace) =>
    (key === undefined ? threads.find(({ isRunning }) => isRunning()) : undefined) ??
    // A key may be negative, as days before 1970 are.
    (threads.at((key ?? 0) % threads.length) as (typeof threads)[number]);
  return {
    size: options.size,
    run: (place, name, input) => threadFor(place).run(place, name, input),
    close: async () => {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

/** Makes threads of the caller's own thread, for commands. */
export const makeSameThread = <Tasks extends TaskTable>(tasks: Tasks): Threads<Tasks> => ({
  size: 1,
  run: async (_, name, input) => tasks[name]?.(input as never) as ReturnType<Tasks[typeof name]>,
  close: async () => {},
});

const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;
/** How long a stopped job may go on; it stops at the next day that it reads. */
const GRACE_MS = 5_000;
/** A job may wait so many times as long as it may run, so that jobs behind a slow one still have their turn. */
const WAIT = 2;

/** Makes a worker thread that starts at its first job, and again after it died. */
function makeLivingThread({ code, path, priority, log }: PoolOptions, heard: (reply: Reply | undefined) => void) {
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
        // A pause, because a thread that dies at each first job must not use up the processor with restarts.
        await pause(restartPause);
        restartPause = Math.min(Math.max(restartPause * 2, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
        if (isClosed) return;
        start();
      }
      thread?.worker.postMessage(job);
    },
    /** Asks the thread to stop a job. What the job has cached stays. */
    stop: (job: Job) => Atomics.store(stop, 0, job.number),
    end: () => void thread?.end(),
    async close(): Promise<void> {
      isClosed = true;
      await thread?.end();
    },
  };
}

/** Makes one worker thread with its queue. If the thread dies, its current job fails. */
function makeQueuedThread(options: PoolOptions) {
  const { patience, log } = options;
  const waiting = makeWaitingRoom(WAIT * patience);
  let numbers = 0;
  let current: (WaitingJob & { isOver(): void }) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const thread = makeLivingThread(options, (reply) => {
    const job = current;
    clearTimeout(timer);
    current = undefined;
    job?.isOver();
    if (reply && 'output' in reply) job?.done(reply.output);
    else if (reply && 'error' in reply) job?.failed(new Error(reply.error));
    else job?.failed(makeUnavailable(reply?.stopped ?? 'its thread died'));
    void next();
  });

  function interrupt(job: Job): void {
    thread.stop(job);
    clearTimeout(timer);
    timer = setTimeout(() => {
      log('worker thread ended, its job took too long', { job: job.name });
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
      log('job stopped, it took too long', { job: name });
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
      current?.isOver();
      for (let job: WaitingJob | undefined = current ?? waiting.next(); job; job = waiting.next())
        job.failed(makeUnavailable('the server stops'));
      await thread.close();
    },
  };
}
