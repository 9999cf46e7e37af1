import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { once } from './once.ts';

const collector = once((): (() => void) => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
});

/**
 * Frees unused memory of this thread. V8 may leave 64 MB of unused typed arrays for long, because it looks only at its
 * own heap. A call takes some milliseconds. So call this function only after work that took a second or more
 * (test/lib/garbage.test.ts).
 */
export const collectGarbage = (): void => collector()();
