import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';

export type Started = { worker: Worker; end(): Promise<void> };

/**
 * Starts a worker thread. Its first message says that its libraries are loaded. Ending the thread before this message
 * would crash the process, so `end` waits (test/threads/thread.test.ts). The thread keeps the process running.
 * Otherwise the process could exit and end the thread before that message (torture/stop.test.ts).
 */
export function startThread(code: string, data: object, onMessage: (message: unknown) => void): Started {
  // The code is a text and has no path of its own. So the code finds packages from the path of this module.
  const workerData = { ...data, from: import.meta.url };
  for (const flag of FLAGS) setFlagsFromString(flag);
  const worker = new Worker(code, { eval: true, execArgv: ARGUMENTS, workerData, resourceLimits: LIMITS });
  const { promise: loaded, resolve } = Promise.withResolvers<void>();
  worker.once('message', () => {
    worker.on('message', onMessage);
    resolve();
  });
  worker.once('exit', () => resolve());
  return {
    worker,
    async end() {
      await loaded;
      await worker.terminate();
    },
  };
}

/**
 * Tells Node that the code is CommonJS. Otherwise Node would first try to read it as a module and as TypeScript, which
 * takes milliseconds.
 */
const ARGUMENTS = ['--input-type=commonjs'];

/**
 * Tasks make few objects. With little memory for young objects, the garbage collector runs more often. So it frees the
 * large buffers of tasks sooner.
 */
const LIMITS = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 1024 };

const FLAGS = [
  // The main thread has another value for this flag. Without this line, a worker thread would use that value and ignore
  // `LIMITS`.
  '--max-semi-space-size=0',
  // Without this flag, V8 may inline a loop over rows into a function that runs once per day. The loop then runs at
  // half speed for dozens of queries.
  '--max-maglev-inlined-bytecode-size=0',
];
