import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { SiteDay } from '../../src/catalog/sealed-days.ts';
import {
  beginCompaction,
  type CompactionLimits,
  endCompaction,
  LIMITS,
  showShards,
  stageShards,
  sweepCompacted,
} from '../../src/ledger/open/compaction.ts';
import { type DayReader, dayReader } from '../../src/ledger/query/day-reader.ts';
import { measurePartial } from '../../src/ledger/query/measure.ts';
import { readTexts } from '../../src/ledger/rows/terms.ts';
import { addMonth, listChangedMonths, MONTH_NAMES, removeMonth, storeMonth } from '../../src/ledger/sealed/month.ts';
import type { PackedDay } from '../../src/ledger/sealed/packed-day.ts';
import { recount } from '../../src/ledger/upkeep/recount.ts';
import { beginSeal, type Sealing, showSealed, stage } from '../../src/ledger/upkeep/seal.ts';
import { forgetSite, sweep } from '../../src/ledger/upkeep/sweep.ts';
import { finish, type Steps } from '../../src/lib/steps.ts';
import type { Range } from '../../src/stats/query.ts';
import type { Db } from '../../src/store/db.ts';
import { openReader } from '../../src/store/file/open-file.ts';
import { endRemoval, listRemovedSites } from '../../src/store/sites/sites.ts';
import { append, fileOf, type Hit, pageview, TODAY } from '../collect/stage.ts';

export const NOW = TODAY * 86_400 + 43_200;
export const YESTERDAY = TODAY - 1;

export const sealOnce = (db: Db, siteDay: SiteDay, now = NOW): boolean =>
  finish(seal(db, siteDay, compute(db, siteDay), now));

/** What a recount of everything finds. */
export const faultsIn = (db: Db): string[] => [...recount(db)].flatMap(({ faults }) => faults);

/** Brings the sums of months up to date, as the night's work does with a thread. */
export function addUpMonths(db: Db, now: number): void {
  for (const month of listChangedMonths(db, now)) {
    if (month.days.length === 0) removeMonth(db, month);
    for (const name of month.days.length > 0 ? MONTH_NAMES : []) {
      storeMonth(db, month, name, addMonth(db, month.days, name));
    }
  }
}

/** As if a handful of hits were a large day. */
export const TINY: CompactionLimits = { rows: 4, hits: 6, sealedHits: 9, kept: 0 };

/** Puts what came to an open day into parts, in steps. */
export function* foldSteps(db: Db, siteDay: SiteDay, limits: CompactionLimits = LIMITS): Steps<boolean> {
  const begun = beginCompaction(db, siteDay, limits);
  if (!begun) return false;
  const { compaction, steps } = begun;
  for (const step of steps) {
    const staged = yield* stageShards(db, siteDay, step.shards, NOW);
    if (!showShards(db, siteDay, compaction, { ...step, staged })) return false;
    yield;
  }
  if (!endCompaction(db, siteDay, compaction)) return false;
  yield;
  yield* sweepCompacted(db, siteDay, compaction.until, limits);
  return true;
}

export const foldOnce = (db: Db, siteDay: SiteDay, limits?: CompactionLimits): boolean =>
  finish(foldSteps(db, siteDay, limits));

/** A day as it is read to be sealed, with all its slices. */
export type Computed = { sealing: Sealing; days: Iterable<PackedDay> };

export function compute(db: Db, siteDay: SiteDay, { sealedHits }: CompactionLimits = LIMITS): Computed {
  const { sealing, next } = beginSeal(db, siteDay, sealedHits);
  return { sealing, days: Array.from({ length: sealing.slices }, (_, slice) => next(slice)) };
}

/** Writes a day that was read before, in steps. */
export function* seal(db: Db, siteDay: SiteDay, { sealing, days }: Computed, now = NOW): Steps<boolean> {
  const staged: number[] = [];
  for (const day of days) {
    staged.push(...(yield* stage(db, siteDay.siteId, [day], { now })));
    yield;
  }
  return showSealed(db, siteDay, sealing, staged);
}

/** Seals a day in slices, in steps: each slice is read when the one before it is written. */
export function* sealLargeSteps(db: Db, siteDay: SiteDay, { sealedHits }: CompactionLimits = LIMITS): Steps<boolean> {
  const { sealing, next } = beginSeal(db, siteDay, sealedHits);
  function* days() {
    for (let slice = 0; slice < sealing.slices; slice++) yield next(slice);
  }
  return yield* seal(db, siteDay, { sealing, days: days() });
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

/** The numbers of the visible parts of what is sealed. */
export const partsOf = (db: Db): number[] =>
  db
    .all<{ slice: number }>("SELECT slice FROM sealed_day WHERE state = 'shown' ORDER BY slice")
    .map(({ slice }) => slice);

/** What is sealed is the same when it is counted again. */
export const assertSound = (db: Db): void => {
  for (const { domain, day, faults } of recount(db)) assert.deepEqual(faults, [], `${domain} ${day}`);
};

/** The ledger of a file, as it is read by one that begins now. */
export function readerOf(t: TestContext, path: string) {
  const reader = openReader(path);
  t.after(() => reader.close());
  const days = dayReader(reader.db);
  return {
    read: <Result>(work: (days: DayReader) => Result): Result => reader.db.read(() => work(days)),
    /** Pageviews by day, as they are exported and as they are counted. */
    counted(siteId = 1): Record<number, number> {
      return reader.db.read(() => {
        const sums: Record<number, number> = {};
        for (const { day, column } of days.days(siteId, TODAY - 1_000, TODAY + 1_000))
          sums[day] = (sums[day] ?? 0) + column('page').codes.length;
        const [from = TODAY, to = from] = [Object.keys(sums).map(Number)].flatMap((all) => [all[0], all.at(-1)]);
        const measured = pageviewsIn(reader.db, days, { from, to: to + 1 }, siteId);
        assert.deepEqual(
          measured,
          Array.from(measured, (_, i) => sums[from + i] ?? 0),
        );
        return sums;
      });
    },
  };
}

/** A file with two sites that is written to, and the ledger that others read it through. */
export function bookOf(t: TestContext, { sites = 2 } = {}) {
  const { path, open } = fileOf(t, { sites });
  const { db } = open();
  // What is on the disk after a power failure is for others to hold.
  db.run('PRAGMA synchronous = OFF');
  return {
    path,
    db,
    /** Takes hits as the collector does. */
    async take(...hits: Hit[]): Promise<void> {
      await append(db, hits);
    },
    ...readerOf(t, path),
  };
}

/** How many pageviews a range of up to 90 days has on each day. */
export function pageviewsIn(db: Db, days: DayReader, range: Range, siteId = 1): number[] {
  const question = { report: 'timeseries', siteId, range, filters: {} } as const;
  const { totals } = measurePartial(days, readTexts(db, siteId), question, [range]);
  return totals.map(({ pageviews }) => pageviews);
}

/** A code that looks like one: 53 bits, of which each byte is likely not zero. */
const codeOf = (i: number): number => 2 ** 52 + Math.floor((((i + 1) * 0.618_033_988_749_895) % 1) * 2 ** 52);

/** Pageviews of as many visitors on a day, on pages of their own. */
export const crowd = (count: number, more: Partial<Hit> = {}): Hit[] =>
  Array.from({ length: count }, (_, i) =>
    pageview({ day: YESTERDAY, visitor: codeOf(i), second: i % 86_400, page: `/${i}`, ...more }),
  );
