import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { Job, Reply } from './pool.ts';

/** After so long without a task a thread gives back what it kept for the next one. */
const IDLE_MS = 60_000;

/** The life of a thread of a pool: a task at a time, until it is ended. */
export function workOn(tasks: Record<string, (input: never) => unknown>, forget: () => void): void {
  // Linux counts this for the thread alone: where processors are short, taking hits goes before answering questions.
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
