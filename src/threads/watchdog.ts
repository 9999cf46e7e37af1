// A thread that ends this process if its work takes too long or too much memory.
//
// The thread is needed because the work is one long call of SQLite. JavaScript cannot interrupt such a call, not even
// by ending its thread. Therefore the whole process is ended. The program that started the process continues.
//
// Example: `startWatchdog({ seconds: 30, megabytes: 512, ... })` ends the process with SIGKILL after 30 s. Before that,
// it writes the reason to standard error. cli/sql.ts starts a watchdog for each statement.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

type WatchdogOptions = {
  seconds: number;
  /** How much memory the process may take, in addition to what it takes now. */
  megabytes: number;
  /** What to write before the process is ended. */
  tooSlow: string;
  tooLarge: string;
};

/** Starts the thread, and waits until it watches. The caller calls the returned function when the work is done. */
export async function startWatchdog(options: WatchdogOptions): Promise<() => Promise<void>> {
  const { seconds, megabytes, tooSlow, tooLarge } = options;
  const bytes = process.memoryUsage.rss() + megabytes * 1024 * 1024;
  const worker = new Worker(CODE, {
    eval: true,
    execArgv: ['--input-type=commonjs'],
    workerData: { milliseconds: seconds * 1000, bytes, tooSlow, tooLarge },
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 8 },
  });
  await once(worker, 'message');
  return async () => {
    worker.postMessage('end');
    await once(worker, 'exit');
  };
}

const LOOK_MS = 10;

const CODE = `
  const { writeSync } = require('node:fs');
  const { parentPort, workerData: { milliseconds, bytes, tooSlow, tooLarge } } = require('node:worker_threads');
  function stop(reason) {
    try {
      writeSync(2, reason + '\\n');
    } finally {
      process.kill(process.pid, 'SIGKILL');
    }
  }
  const ending = setTimeout(() => stop(tooSlow), milliseconds);
  const looking = setInterval(() => {
    if (process.memoryUsage.rss() > bytes) stop(tooLarge);
  }, ${LOOK_MS});
  parentPort.once('message', () => {
    clearTimeout(ending);
    clearInterval(looking);
    parentPort.close();
  });
  parentPort.postMessage('watches');
`;
