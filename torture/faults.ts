import type { TestContext } from 'node:test';
import { chance } from '../test/support/random.ts';
import type { Fault } from './injection.ts';
import { scaled } from './scale.ts';

/** What a disk may say, as SQLite then calls it: full, broken, read-only, busy. */
const FAULTS: [calls: string, error: string][] = [
  ['pwrite64', 'ENOSPC'],
  ['pwrite64', 'EIO'],
  ['pwrite64', 'EROFS'],
  ['fsync,fdatasync', 'EIO'],
  ['pread64', 'EIO'],
  ['ftruncate', 'EIO'],
  ['fcntl', 'EAGAIN'],
];

/** Each call up to this one is made to fail, and after it fewer and fewer. */
const DENSE = scaled(2, 6);
export const BOUND = scaled(6, 400);
export const next = (nth: number): number => (nth < DENSE ? nth + 1 : nth * 2);

/** In the short form each work meets so many of the faults, of which chance chooses. */
const CHOSEN = scaled(2, 2 * FAULTS.length);

export function* chosen(t: TestContext): Generator<Pick<Fault, 'calls' | 'error' | 'forever'>> {
  const random = chance(t);
  const all = FAULTS.flatMap(([calls, error]) => [false, true].map((forever) => ({ calls, error, forever })));
  // A lock that is never given would be waited for, for 5 s each time: once tells as much.
  const some = all.filter(({ calls, forever }) => !(calls === 'fcntl' && forever));
  for (let n = 0; n < CHOSEN && some.length > 0; n++) {
    yield* some.splice(Math.floor(random() * some.length), 1);
  }
}
