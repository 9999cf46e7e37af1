import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** How many milliseconds hits took, in ascending order: those that were sent from the first second on, and later ones. */
export type Times = { starting: number[]; later: number[] };

/**
 * Sends so many hits a second until it is told to stop; then gives how long each took. In another thread, because whoever sends
 * thousands a second hears of an answer late, and would take that for the time of the server.
 */
export function load(url: string, rate: number): () => Promise<Times> {
  const sender = new Worker(new URL('./sender.ts', import.meta.url), { workerData: { url, rate } });
  return async () => {
    sender.postMessage('stop');
    const [times] = (await once(sender, 'message')) as [Times];
    return times;
  };
}
