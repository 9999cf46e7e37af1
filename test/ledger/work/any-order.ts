import assert from 'node:assert/strict';
import { dayReader } from '../../../src/ledger/query/day-reader.ts';
import type { Steps } from '../../../src/lib/steps.ts';
import { openReader } from '../../../src/store/file/open-file.ts';
import { pageviewsIn } from '../stage.ts';

/** Does one step, and returns true if it was the last. What another process has swept away cannot be read any more. */
export function goOn(steps: Steps<unknown>): boolean {
  try {
    return steps.next().done === true;
  } catch (error) {
    assert.match((error as Error).message, /open_blob \w+ is missing/);
    return true;
  }
}

/** The pageviews of a day for somebody who opens the file now. */
export function countAnew(path: string, day: number): number {
  const { db, close } = openReader(path);
  try {
    return db.read(() => pageviewsIn(db, dayReader(db), { from: day, to: day + 1 }))[0] ?? 0;
  } finally {
    close();
  }
}
