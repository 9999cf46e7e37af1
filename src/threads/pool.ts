import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { type Started, startThread } from './thread.ts';

type TaskTable = Record<string, (input: never) => unknown>;

/** Who carries out tasks: threads of their own, so that none of them keeps the server from taking hits, or the caller itself. */
export type Threads<Tasks extends TaskTable> = {
  size: number;
  /** The same key goes to the same thread, which then finds in its memory what it has read before. */
  run<Name extends keyof Tasks & string>(
    key: number,
    name: Name,
    input: Parameters<Tasks[Name]>[0],
  ): Promise<ReturnType<Tasks[Name]>>;
  close(): Promise<void>;
};

/** Carries out tasks at once, for a program that does nothing else. */
export const sameThread = <Tasks extends TaskTable>(tasks: Tasks): Threads<Tasks> => ({
  size: 1,
  run: async (_, name, input) => tasks[name]?.(input as never) as ReturnType<Tasks[typeof name]>,
  close: async () => {},
});

export type Job = { name: string; input: unknown };
export type Reply = { output: unknown } | { error: string };

type Waiting = Job & { done(output: unknown): void; failed(error: Error): void };

/** Little is new at a time, and the sooner it is looked through, the sooner what was read of the file is given back. */
const LIMITS = { maxYoungGenerationSizeMb: 3, maxOldGenerationSizeMb: 1024 };
const MOST_WAITING = 1_000;
const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

type Options = {
  code: string;
  path: string;
  size: number;
  /** How long a job may take; then its thread is ended, and another takes its place. */
  patience: number;
  log: Log;
};

const unavailable = () => new Problem('unavailable', { headers: { 'Retry-After': '1' } });

/** One thread and the job it is at. When it dies, that job fails, and the next ones go to a new thread. */
function thread({ code, path, patience, log }: Options) {
  const queue: Waiting[] = [];
  let running: Started | undefined;
  let current: Waiting | undefined;
  let timer: NodeJS.Timeout | undefined;
  let rest = 0;
  let isClosed = false;

  function begin(): void {
    const listen = (message: unknown) => {
      const reply = message as Reply;
      rest = 0;
      end('error' in reply ? new Error(reply.error) : undefined, 'output' in reply ? reply.output : undefined);
    };
    const started = startThread(code, { path }, listen, LIMITS);
    running = started;
    const { worker } = started;
    worker.unref();
    worker.on('error', ({ message }) => log('a thread failed', { message }));
    worker.on('exit', () => {
      if (isClosed || running !== started) return;
      running = undefined;
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
    const job = queue.shift() as Waiting;
    current = job;
    if (!running) {
      // One that dies at its first job, again and again, must not take the machine with it.
      await pause(rest, undefined, { ref: false });
      rest = Math.min(Math.max(rest * 2, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
      if (isClosed) return job.failed(unavailable());
      begin();
    }
    timer = setTimeout(() => {
      log('a question took too long', { job: job.name });
      void running?.end();
    }, patience).unref();
    running?.worker.postMessage({ name: job.name, input: job.input } satisfies Job);
  }

  return {
    waiting: () => queue.length + (current ? 1 : 0),
    run<Result>(name: string, input: unknown): Promise<Result> {
      if (isClosed || queue.length >= MOST_WAITING) return Promise.reject(unavailable());
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      queue.push({ name, input, done: resolve as (output: unknown) => void, failed: reject });
      void next();
      return promise;
    },
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      for (const job of [...(current ? [current] : []), ...queue.splice(0)]) job.failed(unavailable());
      await running?.end();
    },
  };
}

export function pool<Tasks extends TaskTable>(options: Options): Threads<Tasks> {
  const threads = Array.from({ length: options.size }, () => thread(options));
  return {
    size: options.size,
    run: (key, name, input) => (threads[key % threads.length] as (typeof threads)[number]).run(name, input),
    close: async () => {
      await Promise.all(threads.map((one) => one.close()));
    },
  };
}
