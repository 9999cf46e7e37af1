import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { emptyRows } from '../../../src/engine/import-content.ts';
import { countVisitors, keepLatest } from '../../../src/ledger/open/active-visits.ts';
import { beginOpenDay } from '../../../src/ledger/open/open-day.ts';
import { beginOpen } from '../../../src/ledger/open/row-sources.ts';
import { countLive } from '../../../src/ledger/query/realtime.ts';
import { readTexts } from '../../../src/ledger/rows/terms.ts';
import { type Hit, pageview, TODAY } from '../../collect/stage.ts';
import { share } from '../../support/helpers.ts';
import { bookOf, crowd, foldOnce, readerOf, TINY } from '../stage.ts';

test('who is there now are the visitors with a hit in the last five minutes, whatever is in parts, and where the clock went', async (t) => {
  const moment = fc.record({
    passed: fc.oneof(
      { weight: 9, arbitrary: fc.nat(100) },
      { weight: 1, arbitrary: fc.integer({ min: -4_000, max: 0 }) },
    ),
    hits: fc.array(fc.record({ visitor: fc.nat(39), ago: fc.integer({ min: -1, max: 60 }), isSign: fc.boolean() }), {
      maxLength: 6,
    }),
    isFolded: fc.boolean(),
    asked: fc.constantFrom('nothing', 'nothing for a while', 'a report', 'who is there'),
  });
  const property = fc.asyncProperty(fc.array(moment, { minLength: 25, maxLength: 40 }), async (moments) => {
    const { path, db, take, read } = bookOf(t);
    const day = { siteId: 1, day: TODAY };
    const taken: Hit[] = [];
    let now = 40_000;
    for (const { passed, hits, isFolded, asked } of moments) {
      now += passed;
      const some = hits.map(({ visitor, ago, isSign }) =>
        pageview({ day: TODAY, visitor, second: now - ago, engaged: isSign ? 1 : null }),
      );
      taken.push(...some);
      await take(...some);
      if (isFolded) foldOnce(db, day, TINY);
      if (asked === 'nothing for a while') for (let turn = 0; turn < 3; turn++) read((days) => days.keepUp());
      if (asked === 'a report') read((days) => [...days.days(1, TODAY, TODAY + 1)]);
      if (asked !== 'who is there') continue;
      const question = { siteId: 1, range: { from: TODAY, to: TODAY + 1 }, now: TODAY * 86_400 + now } as const;
      const there = taken.filter(({ second, engaged }) => engaged === null && second > now - 301 && second <= now);
      // One reader has been there from the beginning, the other starts now. A filter goes by the visits.
      for (const ask of [read, readerOf(t, path).read]) {
        for (const filters of [{}, { country: { not: ['XX'] } }]) {
          const { visitors } = ask((days) =>
            countLive(days, readTexts(db, 1), { report: 'realtime', ...question, filters }),
          );
          assert.equal(visitors, new Set(there.map(({ visitor }) => visitor)).size, JSON.stringify(filters));
        }
      }
    }
  });
  await fc.assert(property, { numRuns: share(40) });
});

test('who is there now is told of thousands who came at once, and of who comes after them', async (t) => {
  const { db, take, read } = bookOf(t);
  await take(...crowd(20, { day: TODAY, second: 39_000 }));
  while (foldOnce(db, { siteId: 1, day: TODAY }, TINY));
  const ask = (second: number, country: string): number => {
    const filters = { country: { not: [country] } };
    const now = TODAY * 86_400 + second;
    const question = { report: 'realtime', siteId: 1, range: { from: TODAY, to: TODAY + 1 }, filters, now } as const;
    return read((days) => countLive(days, readTexts(db, 1), question)).visitors;
  };
  await take(...crowd(5_200, { day: TODAY, second: 40_000, country: 'DE' }));
  // Who was there before is from where the first visit of the day was.
  assert.deepEqual([ask(40_000, 'XX'), ask(40_000, 'DE')], [5_200, 20]);
  await take(
    ...crowd(5, { day: TODAY, second: 40_200, country: 'AT' }),
    ...crowd(5_300, { day: TODAY, second: 40_210 }),
  );
  assert.deepEqual([ask(40_250, 'XX'), ask(40_501, 'DE'), ask(40_511, 'XX')], [5_300, 120, 0]);
});

test('who was there is forgotten where hits go on and nobody asks for it, and is told again', async (t) => {
  const { db, take } = bookOf(t);
  const siteDay = { siteId: 1, day: TODAY };
  await take(...crowd(20, { day: TODAY, second: 39_900 }));
  while (foldOnce(db, siteDay, TINY));
  const { shards, open } = beginOpen(db, siteDay);
  const large = beginOpenDay(db, TODAY, shards);
  const more = (count: number, second: number): void => {
    const rows = emptyRows(count);
    rows.count = count;
    rows.second.fill(second);
    rows.engaged.fill(-1);
    for (let i = 0; i < count; i++) rows.visitor[i] = i;
    open.rows = rows;
  };
  assert.equal(countVisitors(large, open, { from: 39_700, to: 40_001 }), 20);
  more(150_000, 40_050);
  keepLatest(large, open);
  assert.equal(large.latest?.hits.waiting(), 150_000);
  assert.equal(countVisitors(large, open, { from: 39_751, to: 40_052 }), 150_020);
  more(360_000, 40_100);
  keepLatest(large, open);
  assert.equal(large.latest, undefined);
  assert.equal(countVisitors(large, open, { from: 39_951, to: 40_252 }), 360_000);
});
