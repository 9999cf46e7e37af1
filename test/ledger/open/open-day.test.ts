import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { hideImport } from '../../../src/catalog/imported.ts';
import { addImport } from '../../../src/catalog/imports.ts';
import type { Visit } from '../../../src/engine/activity.ts';
import { SHARD_COLUMNS } from '../../../src/ledger/column/column.ts';
import { beginOpenDay, type OpenDay, readShards, takeRows, takeTurn } from '../../../src/ledger/open/open-day.ts';
import { beginOpen, readOn } from '../../../src/ledger/open/row-sources.ts';
import { readShard } from '../../../src/ledger/open/shard-format.ts';
import { listShards } from '../../../src/ledger/open/shard-table.ts';
import { readVisitsByDay } from '../../../src/ledger/query/export-visits.ts';
import { prepareWork } from '../../../src/ledger/query/scan.ts';
import { scanOpen } from '../../../src/ledger/query/scan-open.ts';
import { readTexts } from '../../../src/ledger/rows/terms.ts';
import { showImport, stageOpen } from '../../../src/ledger/upkeep/import.ts';
import { recount } from '../../../src/ledger/upkeep/recount.ts';
import { finish } from '../../../src/lib/steps.ts';
import type { Db } from '../../../src/store/db.ts';
import { append, type Hit, pageview, TODAY } from '../../collect/stage.ts';
import { site } from '../../stats/random.ts';
import { share, startApp } from '../../support/helpers.ts';
import { rowsOf } from '../rows.ts';
import {
  bookOf,
  crowd,
  foldOnce,
  foldSteps,
  NOW,
  readerOf,
  rowsIn,
  sealLargeSteps,
  sealOnce,
  sweepAll,
  TINY,
  YESTERDAY,
} from '../stage.ts';

/** All visits of a site as they are exported. */
async function exported(db: Db, siteId: number): Promise<(Visit & { day: number })[]> {
  const told: (Visit & { day: number })[] = [];
  for await (const { day, visits } of readVisitsByDay(db, siteId))
    for (const visit of visits) told.push({ day, ...visit });
  return told;
}

test('a large day is sealed to the same visits of the same visitors in the same order as any other', async (t) => {
  const property = fc.asyncProperty(site, fc.integer({ min: 1, max: 30 }), async ({ hits }, portion) => {
    const { db, take } = bookOf(t);
    // A sign of life without a visit would give its visitor a place in a day that is sealed from rows.
    const ofDay = hits
      .filter(({ day, engaged }) => day !== TODAY && engaged === null)
      .map((hit) => ({ ...hit, day: YESTERDAY }));
    for (let from = 0; from < ofDay.length; from += portion) {
      const some: Hit[] = ofDay.slice(from, from + portion);
      for (const siteId of [1, 2]) await take(...some.map((hit) => ({ ...hit, siteId })));
      foldOnce(db, { siteId: 2, day: YESTERDAY }, TINY);
    }
    sealOnce(db, { siteId: 1, day: YESTERDAY });
    finish(sealLargeSteps(db, { siteId: 2, day: YESTERDAY }, TINY));
    sweepAll(db);
    const [small, large] = [await exported(db, 1), await exported(db, 2)];
    assert.deepEqual(large, small);
    for (const { faults } of recount(db)) assert.deepEqual(faults, []);
    assert.equal(rowsIn(db, 'hit', 'engaged IS NULL') + rowsIn(db, 'open_shard') + rowsIn(db, 'open_blob'), 0);
  });
  await fc.assert(property, { numRuns: share(40) });
});

test('rows that are in parts are deleted, but the latest, and the day is still found by it', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(50));
  assert.ok(foldOnce(db, { siteId: 1, day: YESTERDAY }, TINY));
  assert.equal(rowsIn(db, 'hit') > 1, true, 'a round takes a portion');
  while (foldOnce(db, { siteId: 1, day: YESTERDAY }, TINY));
  assert.equal(rowsIn(db, 'hit'), 1);
  assert.deepEqual(counted(), { [YESTERDAY]: 50 });
});

test('a round that ends after any of its steps has put into parts what it had, and the next one the rest', async (t) => {
  for (let ended = 1; ended < 40; ended++) {
    const { path, db, take, counted } = bookOf(t);
    const day = { siteId: 1, day: YESTERDAY };
    await take(...crowd(30));
    while (foldOnce(db, day, TINY));
    await take(...crowd(8, { page: '/again', second: 100 }));
    assert.deepEqual(counted(), { [YESTERDAY]: 38 });
    const round = foldSteps(db, day, TINY);
    let isOver = false;
    for (let step = 0; step < ended && !isOver; step++) isOver = round.next().done === true;
    assert.deepEqual(counted(), { [YESTERDAY]: 38 });
    await take(...crowd(7, { page: '/more', second: 200 }));
    // One reader has been there from the beginning, the other starts now.
    for (const ask of [counted, readerOf(t, path).counted]) assert.deepEqual(ask(), { [YESTERDAY]: 45 });
    while (foldOnce(db, day, TINY));
    assert.deepEqual(counted(), { [YESTERDAY]: 45 });
    assert.equal(rowsIn(db, 'hit'), 1);
    if (isOver) return;
  }
  assert.fail('the round has more steps');
});

test('each step of a round takes what came until then, and the next round what is left', async (t) => {
  const { path, db, take, counted } = bookOf(t);
  const day = { siteId: 1, day: YESTERDAY };
  await take(...crowd(30));
  while (foldOnce(db, day, TINY));
  const known = () => new Set(listShards(db, day).map(({ count }) => count));
  assert.deepEqual([...known()], [30]);
  await take(...crowd(12, { page: '/again', second: 100 }));
  let sum = 42;
  for (const _ of foldSteps(db, day, { ...TINY, rows: 1_000 })) {
    for (const ask of [counted, readerOf(t, path).counted]) assert.deepEqual(ask(), { [YESTERDAY]: sum });
    await take(...crowd(1, { page: '/more', second: 200 + sum++ }));
  }
  assert.ok(known().size > 2, `parts know ${[...known()]} rows`);
  assert.ok(rowsIn(db, 'hit') > 1, 'what came to parts that had their step waits');
  while (foldOnce(db, day, TINY));
  assert.deepEqual([...known()], [sum]);
  assert.deepEqual(counted(), { [YESTERDAY]: sum });
  sealOnce(db, day);
  assert.deepEqual(counted(), { [YESTERDAY]: sum });
});

test('a part that has grown too large is split into equal ones, none of which is small', async (t) => {
  const { db, take } = bookOf(t);
  const day = { siteId: 1, day: YESTERDAY };
  for (const [count, parts] of [
    [99, 1],
    [101, 2],
    [105, 4],
  ] as const) {
    await take(...crowd(count));
    foldOnce(db, day, { rows: 1_000, hits: 75, sealedHits: 1_000, kept: 0 });
    const sizes = listShards(db, day).map(({ pageviews }) => pageviews);
    assert.equal(sizes.length, parts);
    // All but what one visitor has.
    assert.ok(Math.min(...sizes) > 75 - 4, `${sizes}`);
  }
});

test('a part that is split keeps the signs of life that had no visit, and no others', async (t) => {
  const { db, take } = bookOf(t);
  const day = { siteId: 1, day: YESTERDAY };
  // The day began before 00:00 UTC, and a visitor may have any number.
  const seen = (visitor: number): Hit => pageview({ day: YESTERDAY, visitor, second: -1 });
  const idle = (visitor: number): Hit => pageview({ day: YESTERDAY, visitor, second: 9_000, engaged: 30 });
  const rounds = [
    { hits: [0, 1, 2, 3, 4, 5, 6], signs: [20] },
    { hits: [7, 8, 9, 10, 11], signs: [1, 6, 9] },
  ];
  for (const { hits, signs } of rounds) {
    await take(...hits.map(seen), ...signs.map(idle));
    assert.ok(foldOnce(db, day, TINY));
  }
  const parts = listShards(db, day).map((row) => readShard(db, YESTERDAY, row));
  assert.ok(parts.length > 1);
  const waiting = parts.flatMap((part) => [...part.idle.visitor]);
  assert.deepEqual(
    waiting.sort((one, other) => one - other),
    [1, 6, 9, 20],
  );
  await take(...[0, 1, 2, 3].map(seen));
  foldOnce(db, day, TINY);
  for await (const { visits } of readVisitsByDay(db, 1)) for (const { seconds } of visits) assert.equal(seconds, 0);
});

test('an import into a large day counts beside its parts, in their place if it replaces, and not when it is removed', async (t) => {
  const { db, take, counted } = bookOf(t);
  const day = { siteId: 1, day: TODAY };
  await take(...crowd(20, { day: TODAY }));
  while (foldOnce(db, day, TINY));
  const bring = (count: number, replace: boolean): number => {
    const importId = addImport(db, 1, { now: NOW, today: TODAY });
    finish(stageOpen(db, { siteId: 1, importId }, TODAY, rowsOf(count)));
    assert.deepEqual(counted(), before);
    showImport(db, { siteId: 1, importId, sealed: 0, now: NOW }, replace);
    return importId;
  };
  let before = { [TODAY]: 20 };
  const beside = bring(3, false);
  assert.deepEqual(counted(), { [TODAY]: 23 });
  await take(...crowd(6, { day: TODAY }));
  while (foldOnce(db, day, TINY));
  before = { [TODAY]: 29 };
  assert.deepEqual(counted(), before);
  const replacing = bring(5, true);
  assert.deepEqual(counted(), { [TODAY]: 5 });
  await take(...crowd(10, { day: TODAY }));
  assert.equal(foldOnce(db, day, TINY), false, 'what an import hides may come back');
  assert.deepEqual(counted(), { [TODAY]: 15 });
  hideImport(db, 1, replacing, { now: NOW });
  assert.deepEqual(counted(), { [TODAY]: 39 });
  hideImport(db, 1, beside, { now: NOW });
  sweepAll(db);
  while (foldOnce(db, day, TINY));
  assert.deepEqual(counted(), { [TODAY]: 36 });
});

test('what comes to a large day is taken in by turns in portions as all at once', async (t) => {
  const { db, take } = bookOf(t);
  const siteDay = { siteId: 1, day: YESTERDAY };
  await take(...crowd(40));
  while (foldOnce(db, siteDay, TINY));
  await take(...crowd(60, { page: '/again', second: 300 }), ...crowd(30, { page: '/later', second: 9_000 }));
  const { shards, open } = beginOpen(db, siteDay);
  readOn(db, YESTERDAY, open);
  const [once, byTurns] = [beginOpenDay(db, YESTERDAY, shards), beginOpenDay(db, YESTERDAY, shards)];
  takeRows(once, open);
  const last = open.first + open.rows.count;
  let turns = 0;
  const isBehind = () => byTurns.shards.some(({ count }) => count < last);
  for (; turns < 1_000 && isBehind(); turns++) takeTurn(byTurns, open, 7);
  assert.ok(turns > shards.length, `${turns} turns for ${shards.length} shards`);
  const told = (large: OpenDay): unknown =>
    readShards(large).map((view) => [
      view.totals,
      SHARD_COLUMNS.map((name) => {
        const { terms, codes } = view.column(name);
        return Array.from(codes, (code) => terms[code] ?? code);
      }),
    ]);
  assert.deepEqual(told(byTurns), told(once));
});

test('of a large day only so many answers are kept, also of questions that count little', async (t) => {
  const { db, take } = bookOf(t);
  const day = { siteId: 1, day: YESTERDAY };
  await take(...crowd(2_000));
  foldOnce(db, day, { ...TINY, rows: 1_000, hits: 1_000 });
  const large = beginOpenDay(db, YESTERDAY, listShards(db, day));
  const ask = (page: string) => {
    const question = {
      report: 'overview',
      siteId: 1,
      range: { from: YESTERDAY, to: TODAY },
      filters: { page: { is: [page] } },
    } as const;
    scanOpen(large, prepareWork(question, readTexts(db, 1)), () => {});
  };
  for (let n = 0; n < 50; n++) ask(`/${n}`);
  const kept = [...large.answers.keys()];
  assert.ok(kept.length > 1 && kept.length < 50, `${kept.length} are kept`);
  assert.match(kept.at(-1) ?? '', /49/);
});

test('a damaged part gives an error, because a wrong figure is worse than none', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(20));
  while (foldOnce(db, { siteId: 1, day: YESTERDAY }, TINY));
  db.run("UPDATE open_blob SET data = zeroblob(length(data)) WHERE name = 'page'");
  assert.throws(() => counted(), /damaged/);
  db.run("DELETE FROM open_blob WHERE name = 'page'");
  assert.throws(() => counted(), /missing/);
});

test('after a large day was sealed no visitor code is anywhere in the file or beside it', async (t) => {
  const app = await startApp(t, {}, { limits: TINY });
  const path = app.db.one<{ file: string }>('SELECT file FROM pragma_database_list')?.file ?? '';
  const hits = crowd(60, { siteId: app.siteId });
  await append(app.db, hits);
  await app.engine.upkeep.compact();
  assert.ok(rowsIn(app.db, 'open_shard') > 1);
  const low = (code: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(code % 2 ** 32);
    return bytes;
  };
  const found = (): number => {
    const files = ['', '-wal'].map((end) => `${path}${end}`).filter((name) => existsSync(name));
    const contents = files.map((name) => readFileSync(name));
    return hits.filter(({ visitor }) => contents.some((bytes) => bytes.includes(low(visitor)))).length;
  };
  assert.equal(found(), hits.length);
  assert.equal(await app.seal(), 1);
  assert.equal(rowsIn(app.db, 'open_shard') + rowsIn(app.db, 'open_blob') + rowsIn(app.db, 'hit'), 0);
  assert.equal(found(), 0);
});
