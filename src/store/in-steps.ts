import type { Steps } from '../lib/steps.ts';
import type { Db } from './db.ts';

const ROWS_PER_TRANSACTION = 1_000;

/**
 * Calls `remove` in short transactions, with a pause after each. In the pauses, hits can be stored. `remove` deletes up
 * to `most` rows, and returns how many. If these are fewer than `most`, no row is left.
 */
export function* removeInSteps(db: Db, remove: (most: number) => number, most = ROWS_PER_TRANSACTION): Steps {
  let removed = most;
  while (removed === most) {
    removed = db.write(() => remove(most));
    // There is a pause after the last transaction too. Otherwise, a thousand small sites would cause a thousand disk
    // syncs without a pause.
    if (removed > 0) yield;
  }
}
