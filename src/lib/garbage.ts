import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { once } from './once.ts';

const collector = once((): (() => void) => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
});

/**
 * Frees unused memory of this thread. V8 counts only objects of its own heap, so it might not free 64 MB of typed
 * arrays for long. A call takes some milliseconds, so call this only in steps that take about a second
 * (test/lib/garbage.test.ts).
 */
export const collectGarbage = (): void => collector()();
