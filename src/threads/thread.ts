import { type ResourceLimits, Worker } from 'node:worker_threads';

export type Started = { worker: Worker; end(): Promise<void> };

/**
 * Starts a thread, whose first message says that it has loaded its libraries. One that is ended before that takes the
 * whole process with it (test/threads/thread.test.ts), so that its end waits.
 */
export function startThread(
  code: string,
  data: object,
  onMessage: (message: unknown) => void,
  resourceLimits: ResourceLimits = {},
): Started {
  // Code has no place of its own from which packages would be found.
  const workerData = { ...data, from: import.meta.url };
  const worker = new Worker(code, { eval: true, workerData, resourceLimits });
  const { promise: loaded, resolve } = Promise.withResolvers<void>();
  worker.once('message', () => {
    worker.on('message', onMessage);
    resolve();
  });
  worker.once('exit', () => resolve());
  return {
    worker,
    async end() {
      worker.ref();
      await loaded;
      await worker.terminate();
    },
  };
}
