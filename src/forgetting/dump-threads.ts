// Writes the memory of worker threads into files, for a proof that the program forgets a visitor (prove.ts). Each
// thread has a memory of its own, and only the thread itself can read it.
//
// Invariant: when `dump` resolves, each running thread has written its memory. A thread that starts during the dump is
// asked too.
//
// Example: two threads answer queries. Then there are the files `thread-texts-1` and `thread-texts-2`.
// cli/prove-forgetting.ts calls `watchThreads`, and worker.ts calls `answerDumps` in each thread of a proof.
import { setTimeout as pause } from 'node:timers/promises';
import { BroadcastChannel, getEnvironmentData, setEnvironmentData, threadId, type Worker } from 'node:worker_threads';

const NAME = 'daybook-dump';
const EVERY_MS = 100;

type Asked = { folder: string; number: number };
type Done = { thread: number; number: number };

/** Watches for new threads. All threads that start after this call can be asked for their memory. */
export function watchThreads(): { dump(folder: string): Promise<void> } {
  const running = new Set<number>();
  setEnvironmentData(NAME, true);
  process.on('worker', (worker: Worker) => {
    const { threadId: own } = worker;
    running.add(own);
    worker.once('exit', () => running.delete(own));
  });
  let dumps = 0;
  return {
    async dump(folder) {
      const number = ++dumps;
      const done = new Set<number>();
      const channel = new BroadcastChannel(NAME);
      channel.onmessage = (event: unknown) => {
        const { data } = event as { data: Done };
        if (data.number === number) done.add(data.thread);
      };
      try {
        // A thread that is still starting does not listen yet. So it is asked again.
        while ([...running].some((one) => !done.has(one))) {
          channel.postMessage({ folder, number } satisfies Asked);
          await pause(EVERY_MS);
        }
      } finally {
        channel.close();
      }
    },
  };
}

/**
 * Lets a thread answer when it is asked for its memory. Only the threads of a proof do this. The channel does not keep
 * a thread running.
 */
export function answerDumps(): void {
  if (getEnvironmentData(NAME) !== true) return;
  const channel = new BroadcastChannel(NAME);
  let last = 0;
  channel.onmessage = async (event: unknown) => {
    const { folder, number } = (event as { data: Asked }).data;
    if (folder === undefined || number === last) return;
    last = number;
    const { dumpMemory } = await import('./dump-memory.ts');
    dumpMemory(folder, (kind) => `thread-${kind}-${threadId}`);
    channel.postMessage({ thread: threadId, number } satisfies Done);
  };
  channel.unref();
}
