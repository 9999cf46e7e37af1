import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** The milliseconds that hits took, ascending. `starting` has the hits of the first seconds, `later` all others. */
export type Times = { starting: number[]; later: number[] };

/**
 * Sends this number of hits a second until it is stopped. Then returns how long each hit took. The sender has a thread
 * of its own. A thread with other work would see answers late, and the server would seem slow.
 */
export function load(url: string, rate: number): () => Promise<Times> {
  const sender = new Worker(new URL('./sender.ts', import.meta.url), { workerData: { url, rate } });
  return async () => {
    sender.postMessage('stop');
    const [times] = (await once(sender, 'message')) as [Times];
    return times;
  };
}
