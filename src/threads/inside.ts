import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { Stopped } from '../lib/errors.ts';
import type { Reply, ThreadData } from './pool.ts';
import type { Job } from './waiting.ts';

/** A thread without a task for this long frees its caches. */
const IDLE_MS = 60_000;

type Work = {
  tasks: Record<string, (input: never) => unknown>;
  forget: () => void;
  /** The lists in an output that the thread does not need any more. They are moved, not copied. */
  movable: (output: unknown) => Uint8Array[];
};

/** The memory of lists, each of which has its own. */
const memoryOf = (lists: readonly Uint8Array[]): ArrayBuffer[] =>
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
  const { tasks, forget, movable } = workWith(() => {
    if (Atomics.load(stop, 0) === current) throw new Stopped('it took too long');
  });
  let idle: NodeJS.Timeout | undefined;
  parentPort?.on('message', ({ number, name, input }: Job) => {
    clearTimeout(idle);
    idle = setTimeout(forget, IDLE_MS);
    current = number;
    let reply: Reply;
    try {
      reply = { output: tasks[name]?.(input as never) };
    } catch (error) {
      reply =
        error instanceof Stopped ? { stopped: error.message } : { error: String((error as Error).stack ?? error) };
    }
    parentPort?.postMessage(reply, 'output' in reply ? memoryOf(movable(reply.output)) : []);
  });
}
