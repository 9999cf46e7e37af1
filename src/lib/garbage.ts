import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { once } from './once.ts';

const collector = once((): (() => void) => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
});

/**
 * Frees unused memory of this thread. V8 may keep 64 MB of unused typed arrays for a long time, because it measures
 * only its own heap. A call takes some milliseconds. So call this function only after work that took a second or more
 * (test/lib/garbage.test.ts).
 */
export const collectGarbage = (): void => collector()();

/**
 * Runs work that makes much garbage, such as copying millions of rows. Meanwhile, V8 collects garbage each time that
 * the heap of a thread has grown by 30 %. By default, V8 waits until the heap is several times as large. Only one such
 * work may run at a time, because its end gives V8 the default back (test/lib/garbage.test.ts).
 */
export async function keepHeapSmall<Result>(work: () => Promise<Result>): Promise<Result> {
  setFlagsFromString('--heap-growing-percent=30');
  try {
    return await work();
  } finally {
    setFlagsFromString('--heap-growing-percent=0');
  }
}
