import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { once } from './once.ts';

const collector = once((): (() => void) => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
});

/**
 * Frees unused memory of this thread. V8 by itself would let 64 MB of typed arrays wait, because it counts only objects
 * of its own heap. This takes some milliseconds, so it is for steps that take a second (test/lib/garbage.test.ts).
 */
export const collectGarbage = (): void => collector()();
