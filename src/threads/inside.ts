import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { Job, Reply } from './pool.ts';

/** A thread without a task for this long frees its caches. */
const IDLE_MS = 60_000;

/** Runs in a worker thread of a pool: carries out one task at a time until the thread is ended. */
export function workOn(tasks: Record<string, (input: never) => unknown>, forget: () => void): void {
  // On Linux this affects the thread alone, so that collecting hits goes before queries when the CPU is busy.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  let idle: NodeJS.Timeout | undefined;
  parentPort?.on('message', ({ name, input }: Job) => {
    clearTimeout(idle);
    idle = setTimeout(forget, IDLE_MS);
    let reply: Reply;
    try {
      reply = { output: tasks[name]?.(input as never) };
    } catch (error) {
      reply = { error: String((error as Error).stack ?? error) };
    }
    parentPort?.postMessage(reply);
  });
}
