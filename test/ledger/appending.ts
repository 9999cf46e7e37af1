import type { TestContext } from 'node:test';
import type { Crawl, Drop } from '../../src/engine/activity.ts';
import { makeAppender } from '../../src/ledger/open/append.ts';
import type { Db } from '../../src/store/db.ts';
import { activityOf, fileOf, type Hit, pageview, TODAY } from '../collect/stage.ts';

/** An open day over a file, another connection to that, and a count of the transactions. */
export function stage(t: TestContext, { sites = 2 } = {}) {
  const { open } = fileOf(t, { sites });
  const [{ db }, { db: other }] = [open(), open()];
  let writes = 0;
  let failure: Error | undefined;
  const watched: Db = {
    ...db,
    write: (work) =>
      db.write(() => {
        writes++;
        const result = work();
        // After all the work, as when the disk is full.
        if (failure) throw failure;
        return result;
      }),
  };
  const log: [event: string, details: object | undefined][] = [];
  let passed = 0;
  const { append, drop, settle } = makeAppender(watched, {
    log: (event, details) => log.push([event, details]),
    clock: { now: () => TODAY * 86_400_000, tick: () => passed },
  });
  t.after(settle);
  return {
    append: (hits: readonly Hit[], crawls: readonly Omit<Crawl, 'requests'>[] = []) =>
      append({ activities: hits.map(activityOf), crawls: crawls.map((one) => ({ ...one, requests: 1 })) }),
    countDrop: (one: Omit<Drop, 'hits'>) => drop({ ...one, hits: 1 }),
    settle,
    db,
    other,
    log,
    writes: () => writes,
    pass(seconds: number): void {
      passed += seconds * 1000;
    },
    fail(error: Error | undefined): void {
      failure = error;
    },
  };
}

export const numbered = (n: number, from = 0): Hit[] =>
  Array.from({ length: n }, (_, i) => pageview({ visitor: from + i }));

export const visitorsIn = (db: Db): number[] =>
  db.all<{ visitor: number }>('SELECT visitor FROM hit ORDER BY id').map(({ visitor }) => visitor);

export const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
