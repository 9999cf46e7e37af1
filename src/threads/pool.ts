import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { type Started, startThread } from './thread.ts';

type TaskTable = Record<string, (input: never) => unknown>;

/** Carries out tasks in worker threads, so that the server can take hits meanwhile, or in the caller's thread. */
export type Threads<Tasks extends TaskTable> = {
  size: number;
  /** Tasks with the same key run in the same thread, whose caches are then warm. */
  run<Name extends keyof Tasks & string>(
    key: number,
    name: Name,
    input: Parameters<Tasks[Name]>[0],
  ): Promise<ReturnType<Tasks[Name]>>;
  close(): Promise<void>;
};

/** Carries out tasks in the caller's thread, for commands. */
export const sameThread = <Tasks extends TaskTable>(tasks: Tasks): Threads<Tasks> => ({
  size: 1,
  run: async (_, name, input) => tasks[name]?.(input as never) as ReturnType<Tasks[typeof name]>,
  close: async () => {},
});

export type Job = { name: string; input: unknown };
export type Reply = { output: unknown } | { error: string };

type QueuedJob = Job & { done(output: unknown): void; failed(error: Error): void };

/** Tasks allocate little. With a small young generation the garbage collector frees their buffers sooner. */
const LIMITS = { maxYoungGenerationSizeMb: 3, maxOldGenerationSizeMb: 1024 };
const MAX_QUEUED = 1_000;
const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

type Options = {
  code: string;
  path: string;
  size: number;
  /** How many milliseconds a job may take before its thread is ended and replaced. */
  patience: number;
  log: Log;
};

const unavailable = () => new Problem('unavailable', { headers: { 'Retry-After': '1' } });

/** One worker thread and its queue. If the thread dies, its current job fails and the next job starts a new thread. */
function queuedThread({ code, path, patience, log }: Options) {
  const queue: QueuedJob[] = [];
  let thread: Started | undefined;
  let current: QueuedJob | undefined;
  let timer: NodeJS.Timeout | undefined;
  let restartPause = 0;
  let isClosed = false;

  function start(): void {
    const listen = (message: unknown) => {
      const reply = message as Reply;
      restartPause = 0;
      end('error' in reply ? new Error(reply.error) : undefined, 'output' in reply ? reply.output : undefined);
    };
    const started = startThread(code, { path }, listen, LIMITS);
    thread = started;
    const { worker } = started;
    worker.unref();
    worker.on('error', ({ message }) => log('worker thread failed', { message }));
    worker.on('exit', () => {
      if (isClosed || thread !== started) return;
      thread = undefined;
      end(unavailable());
    });
  }

  function end(error: Error | undefined, output?: unknown): void {
    clearTimeout(timer);
    const job = current;
    current = undefined;
    if (error) job?.failed(error);
    else job?.done(output);
    void next();
  }

  async function next(): Promise<void> {
    if (current || queue.length === 0 || isClosed) return;
    const job = queue.shift() as QueuedJob;
    current = job;
    if (!thread) {
      // A thread that dies at its first job every time must not use up the CPU with restarts.
      await pause(restartPause, undefined, { ref: false });
      restartPause = Math.min(Math.max(restartPause * 2, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
      if (isClosed) return job.failed(unavailable());
      start();
    }
    timer = setTimeout(() => {
      log('worker thread ended, its job took too long', { job: job.name });
      void thread?.end();
    }, patience).unref();
    thread?.worker.postMessage({ name: job.name, input: job.input } satisfies Job);
  }

  return {
    run<Result>(name: string, input: unknown): Promise<Result> {
      if (isClosed || queue.length >= MAX_QUEUED) return Promise.reject(unavailable());
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      queue.push({ name, input, done: resolve as (output: unknown) => void, failed: reject });
      void next();
      return promise;
    },
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      for (const job of [...(current ? [current] : []), ...queue.splice(0)]) job.failed(unavailable());
      await thread?.end();
    },
  };
}

export function pool<Tasks extends TaskTable>(options: Options): Threads<Tasks> {
  const threads = Array.from({ length: options.size }, () => queuedThread(options));
  return {
    size: options.size,
    run: (key, name, input) => (threads[key % threads.length] as (typeof threads)[number]).run(name, input),
    close: async () => {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}
