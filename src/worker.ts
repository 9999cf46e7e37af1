import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { copy, type Order } from './jobs/backup.ts';
import { loadSqlite, openReader } from './store/open.ts';
import type { Job, Reply } from './threads/pool.ts';
import { tasksOf } from './threads/tasks.ts';

/** After so long without a question a thread gives back what it kept for the next one. */
const IDLE_MS = 60_000;

/** The life of a thread: a job at a time, until it is ended. */
function work(path: string): void {
  // Linux counts this for the thread alone: where processors are short, taking hits goes before answering questions.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const known = tasksOf(openReader(path).db);
  const tasks = known as Record<string, (input: never) => unknown>;
  let idle: NodeJS.Timeout | undefined;
  parentPort?.on('message', ({ name, input }: Job) => {
    clearTimeout(idle);
    idle = setTimeout(known.forget, IDLE_MS);
    let reply: Reply;
    try {
      reply = { output: tasks[name]?.(input as never) };
    } catch (error) {
      reply = { error: String((error as Error).stack ?? error) };
    }
    parentPort?.postMessage(reply);
  });
}

/** A copy for the night, and then the thread ends. */
async function copyOnce(path: string, order: Order): Promise<void> {
  setPriority(constants.priority.PRIORITY_LOW);
  parentPort?.postMessage(await copy(path, order));
}

loadSqlite();
parentPort?.postMessage('loaded');
const { path, order } = workerData as { path: string; order?: Order };
if (order) void copyOnce(path, order);
else work(path);
