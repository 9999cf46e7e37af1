import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';

export type Started = { worker: Worker; end(): Promise<void> };

/**
 * Starts a worker thread, whose first message says that its libraries are loaded. Ending a thread before that crashes
 * the process, so `end` waits for the message (test/threads/thread.test.ts). The thread keeps the process alive,
 * because the end of the process would end it too (torture/stop.test.ts).
 */
export function startThread(code: string, data: object, onMessage: (message: unknown) => void): Started {
  // Evaluated code has no path, so it resolves packages from this module.
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
 * Tells node that the code is CommonJS. Otherwise node would try it as a module and as TypeScript first, which takes
 * milliseconds.
 */
const ARGUMENTS = ['--input-type=commonjs'];

/** Tasks allocate little. With a small young generation the garbage collector frees their buffers sooner. */
const LIMITS = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 1024 };

const FLAGS = [
  // The program starts with this flag for its first thread; a worker thread would take it in place of `LIMITS`.
  '--max-semi-space-size=0',
  // V8 would inline a loop over rows into a function that runs once a day, and the loop would run at half speed for
  // dozens of queries.
  '--max-maglev-inlined-bytecode-size=0',
];
