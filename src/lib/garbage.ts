import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { once } from './once.ts';

const collector = once((): (() => void) => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
});

/**
 * Frees what nobody needs any more, in this thread. By itself V8 lets 64 MB of lists wait for that, because it counts its own objects and
 * lists are none of them. It takes some milliseconds: for steps that take a second.
 * Test: test/lib/garbage.test.ts.
 */
export const collectGarbage = (): void => collector()();
