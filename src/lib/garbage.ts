import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { once } from './once.ts';

const collector = once((): (() => void) => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
});

/**
 * Frees unused memory of this thread. V8 decides by the size of its own heap, so it may leave 64 MB of unused typed
 * arrays for long. A call takes some milliseconds, so only work of about a second calls this
 * (test/lib/garbage.test.ts).
 */
export const collectGarbage = (): void => collector()();
