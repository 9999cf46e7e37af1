// Runs in a worker thread of a pool, and carries out one task at a time until the thread is ended.
//
// Invariant: a task that should stop does so at its next checkpoint, by throwing Stopped; what it has cached by then
// stays. A thread without a task for a minute frees its caches.
//
// Example: the pool stores the number 12 in `stop`. Task 12 calls checkpoint() before its next day, which throws, and
// the reply is `{ stopped: 'it took too long' }`. src/worker.ts calls workOn in each thread.

import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { Stopped } from '../lib/errors.ts';
import type { Reply, ThreadData } from './pool.ts';
import type { Job } from './waiting.ts';

type ThreadWork = {
  tasks: Record<string, (input: never) => unknown>;
  /** Does a little of the work of the next task. */
  keepUp: () => void;
  forget: () => void;
  /**
   * Finds the typed arrays of an output that the thread does not need any more. They are moved to the main thread, not
   * copied.
   */
  movable: (output: unknown) => Uint8Array[];
};

/**
 * Carries out the tasks of a thread. Tasks call `checkpoint` often, which throws when the pool wants the current task
 * to stop.
 */
export function workOn({ stop, priority }: ThreadData, workWith: (checkpoint: () => void) => ThreadWork): void {
  // On Linux the priority is of this thread alone.
  setPriority(priority);
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
      // A fault here also fails the next task, which reports it.
    }
  }

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

/** A thread without a task for this time frees its caches. */
const IDLE_MS = 60_000;
/** How often an idle thread brings its caches up to date, until it frees them. */
const KEEP_UP_MS = 100;
/** A number that no job has. */
const NONE = -1;

/** Finds the buffers of typed arrays that fill a whole buffer. */
const listMemory = (lists: readonly Uint8Array[]): ArrayBuffer[] =>
  lists.flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
  );
