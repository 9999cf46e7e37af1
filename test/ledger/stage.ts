import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type DayReader, dayReader } from '../../src/ledger/days.ts';
import { beginRound, LIMITS, type Limits, showRound, stageParts } from '../../src/ledger/fold-round.ts';
import { compute, seal } from '../../src/ledger/seal.ts';
import type { SiteDay } from '../../src/ledger/sealed-days.ts';
import { forgetSite, sweep } from '../../src/ledger/sweep.ts';
import { finish, type Steps } from '../../src/lib/steps.ts';
import { openReader } from '../../src/store/open.ts';
import { endRemoval, listRemovedSites } from '../../src/store/sites.ts';
import type { Db } from '../../src/store/statements.ts';
import { append, fileOf, type Hit, pageview, TODAY } from '../collect/stage.ts';

export const NOW = TODAY * 86_400 + 43_200;
export const YESTERDAY = TODAY - 1;

export const sealOnce = (db: Db, siteDay: SiteDay, now = NOW): boolean =>
  finish(seal(db, siteDay, compute(db, siteDay), now));

/** Puts what came to an open day into parts. */
export function foldOnce(db: Db, siteDay: SiteDay, limits: Limits = LIMITS): boolean {
  const begun = beginRound(db, siteDay, limits);
  if (!begun) return false;
  const [replaced, staged]: [number[], number[]] = [[], []];
  for (const step of begun.steps) {
    if (step.replaced !== undefined) replaced.push(step.replaced);
    staged.push(...finish(stageParts(db, siteDay, step.parts, NOW)));
  }
  return showRound(db, siteDay, begun.round, { replaced, staged });
}

export const sweepAll = (db: Db, now = NOW): void => finish(sweep(db, now));

/** Deletes what was counted for sites that are gone, as the server does. */
export function* sweepSites(db: Db): Steps {
  for (const siteId of listRemovedSites(db)) {
    yield* forgetSite(db, siteId);
    endRemoval(db, siteId);
  }
}

/** How many rows of a table meet a condition. */
export const rowsIn = (db: Db, table: string, condition = '1'): number =>
  db.one<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE ${condition}`)?.n ?? 0;

/** A file with two sites that is written to, and the ledger that others read it through. */
export function bookOf(t: TestContext) {
  const { path, open } = fileOf(t);
  const { db } = open();
  // What is on the disk after a power failure is for others to hold.
  db.run('PRAGMA synchronous = OFF');
  const reader = openReader(path);
  t.after(() => reader.close());
  const days = dayReader(reader.db);
  return {
    path,
    db,
    /** Takes hits as the collector does. */
    async take(...hits: Hit[]): Promise<void> {
      await append(db, hits);
    },
    read: <Result>(work: (days: DayReader) => Result): Result => reader.db.read(() => work(days)),
    /** Pageviews by day, as a question without a filter and one with a filter add them up. */
    counted(siteId = 1): Record<number, number> {
      return reader.db.read(() => {
        const [from, to] = [TODAY - 1_000, TODAY + 1_000];
        const totals = days.totals(siteId, from, to).map(({ day, pageviews }) => [day, pageviews] as const);
        const scanned = [...days.days(siteId, from, to)].map(
          (one) => [one.day, one.column('page').codes.length] as const,
        );
        const sums = Object.fromEntries(totals);
        assert.equal(Object.keys(sums).length, totals.length, 'each day is there once');
        assert.deepEqual(Object.fromEntries(scanned), sums);
        assert.equal(scanned.length, totals.length);
        return sums;
      });
    },
  };
}

/** A code that looks like one: 53 bits, of which each byte is likely not zero. */
const codeOf = (i: number): number => 2 ** 52 + Math.floor((((i + 1) * 0.618_033_988_749_895) % 1) * 2 ** 52);

/** Pageviews of as many visitors on a day, on pages of their own. */
export const crowd = (count: number, more: Partial<Hit> = {}): Hit[] =>
  Array.from({ length: count }, (_, i) =>
    pageview({ day: YESTERDAY, visitor: codeOf(i), second: i % 86_400, page: `/${i}`, ...more }),
  );
