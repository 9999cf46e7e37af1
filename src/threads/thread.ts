// A worker thread: how it starts, and how it ends.
//
// Invariant: a thread is ended between two of its tasks. A thread must not be ended while it loads its libraries, or
// while it begins to compress. Node would abort the whole process (test/threads/thread.test.ts). Therefore a thread
// gets the message END, and ends itself. Only a thread that does not respond is ended from outside.
//
// Example: the server stops while a thread compresses a column. The thread finishes the column, reads END, and exits.

import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { parentPort, Worker } from 'node:worker_threads';

export type Started = { worker: Worker; end(longestMs?: number): Promise<void> };

/**
 * Starts a worker thread. Its first message says that its libraries are loaded, and its code must call `endWhenAsked`.
 * As long as the thread runs, the process runs. Otherwise, the process could exit and end the thread while it loads
 * (torture/stop.test.ts).
 */
export function startThread(code: string, data: object, onMessage: (message: unknown) => void): Started {
  // The code is a text and has no path of its own. With the path of this module, the code finds packages.
  const workerData = { ...data, from: import.meta.url };
  for (const flag of FLAGS) setFlagsFromString(flag);
  const worker = new Worker(code, { eval: true, execArgv: ARGUMENTS, workerData, resourceLimits: LIMITS });
  const { promise: loaded, resolve } = Promise.withResolvers<void>();
  worker.once('message', () => {
    worker.on('message', onMessage);
    resolve();
  });
  const exited = new Promise<void>((done) => worker.once('exit', () => done()));
  void exited.then(resolve);
  return {
    worker,
    async end(longestMs = LONGEST_END_MS) {
      await loaded;
      worker.postMessage(END);
      await Promise.race([exited, pause(longestMs, undefined, { ref: false })]);
      await worker.terminate();
    },
  };
}

/**
 * Passes one task to a thread of its own, and waits for the message with its result. `started` gets the thread, and
 * lets the caller end it.
 */
export const askThread = <Result>(code: string, data: object, started: (thread: Started) => void): Promise<Result> =>
  new Promise((done, failed) => {
    const thread = startThread(code, data, (result) => done(result as Result));
    thread.worker.once('error', failed).once('exit', () => failed(new Error('its thread was stopped')));
    started(thread);
  });

/**
 * Makes the thread obey the message END: the thread exits as soon as it has nothing to do. The code inside each thread
 * must call this function.
 */
export function endWhenAsked(): void {
  parentPort?.on('message', (message) => {
    if (message === END) process.exit();
  });
}

const END = 'end';

/**
 * How long a thread may take to end. A job checks between two steps whether it should stop. A longer step is cut off.
 */
const LONGEST_END_MS = 3_000;

/**
 * Says to Node that the code is CommonJS. Otherwise, Node would first try to read it as a module and as TypeScript,
 * which takes milliseconds.
 */
const ARGUMENTS = ['--input-type=commonjs'];

/**
 * Tasks make few objects. With little memory for young objects, the garbage collector runs more often. Then it frees
 * the large buffers of tasks sooner.
 */
const LIMITS = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 1024 };

const FLAGS = [
  // The main thread has another value for this flag. Without this line, a worker thread would use that value and ignore
  // `LIMITS`.
  '--max-semi-space-size=0',
  // Without this flag, V8 may inline a loop over rows into a function that runs only once for each day of a query. The
  // loop then runs at half speed until dozens of queries have run.
  '--max-maglev-inlined-bytecode-size=0',
];
