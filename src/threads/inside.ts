// Runs in a worker thread of a pool, and does one task at a time until the thread is ended.
//
// Invariant: a task that should stop throws Stopped at its next checkpoint. What the task has cached until then stays
// in memory. After a minute without a task, a thread frees its caches.
//
// Example: the pool stores the number of job 12 in `stop`. The task of this job calls checkpoint() before it reads the
// next day. The call throws, and the reply is `{ stopped: 'it took too long' }`. src/worker.ts calls workOn in each
// thread of a pool.

import { parentPort } from 'node:worker_threads';
import { Stopped } from '../lib/errors.ts';
import { lowerPriority } from '../lib/priority.ts';
import type { Reply, ThreadData } from './pool.ts';
import { endWhenAsked } from './thread.ts';
import type { Job } from './waiting.ts';

type ThreadWork = {
  tasks: Record<string, (input: never) => unknown>;
  /** Brings the caches up to date in small steps, while no task runs. Then the next task is faster. */
  keepUp: () => void;
  forget: () => void;
  /** Lists the typed arrays of an output. The memory of these arrays is moved to the main thread and not copied. */
  movable: (output: unknown) => Uint8Array[];
};

/**
 * Waits for tasks and does them. Tasks call `checkpoint` often. If the pool wants to stop the present task,
 * `checkpoint` throws.
 */
export function workOn({ stop, priority }: ThreadData, workWith: (checkpoint: () => void) => ThreadWork): void {
  // This lowers the priority of the thread. The main thread, which accepts hits, keeps its own priority.
  lowerPriority(priority);
  let current = 0;
  const { tasks, keepUp, forget, movable } = workWith(() => {
    if (Atomics.load(stop, 0) === current) throw new Stopped('it took too long');
  });
  let idle: NodeJS.Timeout | undefined;
  let upkeep: NodeJS.Timeout | undefined;

  function beIdle(): void {
    clearInterval(upkeep);
    upkeep = undefined;
    forget();
  }

  function tryKeepUp(): void {
    current = NONE;
    try {
      keepUp();
    } catch {
      // An error is ignored here. The next task meets the same error, and reports it.
    }
  }

  endWhenAsked();
  parentPort?.on('message', ({ number, name, input }: Job) => {
    clearTimeout(idle);
    idle = setTimeout(beIdle, IDLE_MS);
    upkeep ??= setInterval(tryKeepUp, KEEP_UP_MS);
    current = number;
    let reply: Reply;
    try {
      reply = { output: tasks[name]?.(input as never) };
    } catch (error) {
      reply =
        error instanceof Stopped ? { stopped: error.message } : { error: String((error as Error).stack ?? error) };
    }
    parentPort?.postMessage(reply, 'output' in reply ? listMemory(movable(reply.output)) : []);
  });
}

/** After this time without a task, a thread frees its caches. */
const IDLE_MS = 60_000;
/** An idle thread brings its caches up to date at this interval, until it frees them. */
const KEEP_UP_MS = 100;
/** The value of `current` while `keepUp` runs. No job has this number, so a stopped job does not stop `keepUp` too. */
const NONE = -1;

/**
 * Lists the memory of typed arrays. An array that is only a part of its buffer is left out. Moving its memory would
 * take the whole buffer away from this thread.
 */
const listMemory = (lists: readonly Uint8Array[]): ArrayBuffer[] =>
  lists.flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
  );
