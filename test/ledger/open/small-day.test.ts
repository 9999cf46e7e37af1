import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readShards } from '../../../src/ledger/open/open-day.ts';
import { makeOpenDayCache } from '../../../src/ledger/open/open-day-cache.ts';
import type { DayReader } from '../../../src/ledger/query/day-reader.ts';
import { measurePartial } from '../../../src/ledger/query/measure.ts';
import { makeMeasured } from '../../../src/ledger/query/merge.ts';
import { countLive } from '../../../src/ledger/query/realtime.ts';
import { readTexts } from '../../../src/ledger/rows/terms.ts';
import type { Filters, Query } from '../../../src/stats/query.ts';
import type { Db } from '../../../src/store/db.ts';
import { TODAY } from '../../collect/stage.ts';
import { site } from '../../stats/random.ts';
import { share } from '../../support/helpers.ts';
import { bookOf, crowd, foldOnce, readerOf } from '../stage.ts';

const DAY = { siteId: 1, day: TODAY };
const PATIENT = { checkpoint() {}, mostRows: Number.POSITIVE_INFINITY };

test('a small open day is one shard in memory, to which a few hits come as a delta, and many make it anew', async (t) => {
  const { db, take } = bookOf(t);
  const cache = makeOpenDayCache(db, PATIENT);
  const shard = () => cache.of(DAY.siteId, DAY.day).shards[0]?.delta;
  const read = () =>
    db.read(() => ({ base: shard()?.base, hits: readShards(cache.of(1, TODAY))[0]?.totals.pageviews }));
  await take(...crowd(100, { day: TODAY }));
  const small = read();
  await take(...crowd(1, { day: TODAY }));
  assert.notEqual(read().base, small.base, 'so few rows are sessionized at once');
  await take(...crowd(6_000, { day: TODAY }));
  const { base, hits } = read();
  assert.equal(hits, 6_101);
  await take(...crowd(20, { day: TODAY, second: 50_000 }));
  assert.deepEqual(read(), { base, hits: 6_121 });
  assert.ok(
    db.read(() => shard()?.added.base.totals.visits),
    'what came is a delta',
  );
  await take(...crowd(800, { day: TODAY, second: 60_000 }));
  const again = read();
  assert.equal(again.hits, 6_921);
  assert.notEqual(again.base, base);
  assert.deepEqual(read(), again);
});

/** What some reports say of the day. */
function answersOf(db: Db, days: DayReader, filters: Filters): unknown[] {
  const about = { siteId: 1, range: { from: TODAY, to: TODAY + 1 }, filters };
  const texts = readTexts(db, 1);
  const questions: Query[] = [
    { ...about, report: 'overview', withTimes: true },
    { ...about, report: 'hours', timeZone: 'UTC' },
    { ...about, report: 'breakdown', breakdown: 'pages', limit: 50, offset: 0 },
    { ...about, report: 'breakdown', breakdown: 'exit_pages', limit: 50, offset: 0 },
  ];
  const now = TODAY * 86_400 + 40_000;
  return [
    countLive(days, texts, { ...about, report: 'realtime', now }).visitors,
    ...questions.map((one) => makeMeasured(one, [measurePartial(days, texts, one, [about.range])], texts)),
  ];
}

test('a small open day with a delta gives each answer that it gives when all its rows are read at once', async (t) => {
  const property = fc.asyncProperty(site, fc.integer({ min: 2, max: 5 }), async ({ hits }, steps) => {
    const { path, db, take, read } = bookOf(t);
    await take(...crowd(5_500, { day: TODAY, second: 39_000 }));
    const ofDay = hits.map((hit) => ({ ...hit, siteId: 1, day: TODAY }));
    const portion = Math.ceil(ofDay.length / steps);
    for (let step = 0; step < steps; step++) {
      await take(...ofDay.slice(step * portion, (step + 1) * portion));
      if (step % 2 === 1 && step < steps - 1) continue;
      for (const filters of [{}, { page: { not: ['/1'] } }]) {
        const ask = (days: DayReader) => answersOf(db, days, filters);
        assert.deepEqual(read(ask), readerOf(t, path).read(ask));
      }
    }
    assert.ok(foldOnce(db, DAY));
    assert.deepEqual(
      read((days) => answersOf(db, days, {})),
      readerOf(t, path).read((days) => answersOf(db, days, {})),
    );
  });
  await fc.assert(property, { numRuns: share(6) });
});
