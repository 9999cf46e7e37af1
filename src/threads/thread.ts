import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';

export type Started = { worker: Worker; end(): Promise<void> };

/** Says what the code is: node would try it as a module and as TypeScript first, which takes some milliseconds. */
const ARGUMENTS = ['--input-type=commonjs'];

/** Tasks allocate little. With a small young generation the garbage collector frees their buffers sooner. */
const LIMITS = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 1024 };

const FLAGS = [
  // The program is started with it for its first thread; every other would take that in place of its own limit.
  '--max-semi-space-size=0',
  // V8 would put a loop over rows into its caller, which is called once a day, and so run it at half speed for dozens of questions.
  '--max-maglev-inlined-bytecode-size=0',
];

/**
 * Starts a worker thread. Its first message says that it has loaded its libraries; ending it before that crashes the whole
 * process, so `end` waits for the message (test/threads/thread.test.ts), and the process goes on for as long as it runs, because
 * the end of the process would end it too (torture/stop.test.ts).
 */
export function startThread(code: string, data: object, onMessage: (message: unknown) => void): Started {
  // Evaluated code has no path of its own, so it resolves packages from this module.
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
