import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { Stopped } from '../lib/errors.ts';
import type { Reply, ThreadData } from './pool.ts';
import type { Job } from './waiting.ts';

/** A thread without a task for this long frees its caches. */
const IDLE_MS = 60_000;
/** Until then its caches are kept up with what comes, so often. */
const KEEP_UP_MS = 100;
/** No job has this number. */
const NONE = -1;

type Work = {
  tasks: Record<string, (input: never) => unknown>;
  /** Does a little of what the next task would have to do. */
  keepUp: () => void;
  forget: () => void;
  /** The lists in an output that the thread does not need any more. They are moved, not copied. */
  movable: (output: unknown) => Uint8Array[];
};

/** The memory of lists, each of which has its own. */
const listMemory = (lists: readonly Uint8Array[]): ArrayBuffer[] =>
  lists.flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
  );

/**
 * Runs in a worker thread of a pool: carries out one task at a time until the thread is ended. Tasks call `checkpoint` now and
 * then, which throws once the pool wants the current one to stop; what they have cached until then stays.
 */
export function workOn({ stop, priority }: ThreadData, workWith: (checkpoint: () => void) => Work): void {
  // On Linux this affects the thread alone.
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
      // The next task fails in the same way, and tells of it.
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
