import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDayCounts } from '../../../src/ledger/open/hits-per-day.ts';
import { finish } from '../../../src/lib/steps.ts';
import type { Db } from '../../../src/store/db.ts';
import { append, pageview, storedDrops, TODAY } from '../../collect/stage.ts';
import { startApp } from '../../support/helpers.ts';
import {
  assertSound,
  bookOf,
  crowd,
  foldOnce,
  NOW,
  partsOf,
  rowsIn,
  sealLargeSteps,
  sweepAll,
  TINY,
} from '../stage.ts';

const today = { siteId: 1, day: TODAY };

const foldAll = (db: Db): void => {
  while (foldOnce(db, today, TINY));
};
const sealLarge = (db: Db): boolean => finish(sealLargeSteps(db, today, TINY));

test('a large day that was sealed in parts is opened again with all of them, and takes new parts beside them', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(30, { day: TODAY }));
  foldAll(db);
  assert.ok(sealLarge(db));
  const first = partsOf(db);
  assert.ok(first.length > 1);
  await take(...crowd(3, { day: TODAY }));
  assert.equal(rowsIn(db, 'sealed_day', "state = 'reopened'"), first.length);
  assert.deepEqual(counted(), { [TODAY]: 33 });
  assert.equal(makeDayCounts(db).of(1, TODAY), 33);
  await take(...crowd(20, { day: TODAY, page: '/more' }));
  foldAll(db);
  assert.deepEqual(counted(), { [TODAY]: 53 }, 'parts of the open day stand beside those of the sealed one');
  sweepAll(db, NOW + 10 * 86_400);
  await take(...crowd(2, { day: TODAY, page: '/last' }));
  assert.deepEqual(counted(), { [TODAY]: 55 });
  assert.ok(sealLarge(db));
  sweepAll(db);
  const parts = partsOf(db);
  assert.deepEqual(
    parts,
    parts.map((_, part) => part),
  );
  assert.ok(parts.length > first.length + 1);
  assert.deepEqual(counted(), { [TODAY]: 55 });
  assertSound(db);
  assert.equal(rowsIn(db, 'hit') + rowsIn(db, 'open_shard') + rowsIn(db, 'open_blob'), 0);
});

test('of a large day that was opened again nothing is lost to what comes while it is sealed', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(30, { day: TODAY }));
  foldAll(db);
  assert.ok(sealLarge(db));
  await take(...crowd(20, { day: TODAY }));
  foldAll(db);
  const sealing = sealLargeSteps(db, today, TINY);
  sealing.next();
  await take(...crowd(1, { day: TODAY }));
  assert.equal(finish(sealing), false);
  assert.deepEqual(counted(), { [TODAY]: 51 });
  sweepAll(db, NOW + 10 * 86_400);
  assert.deepEqual(counted(), { [TODAY]: 51 });
  assert.ok(sealLarge(db));
  assert.deepEqual(counted(), { [TODAY]: 51 });
});

test('a sign of life of nobody opens a large day, which is sealed to the same again', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(30, { day: TODAY }));
  foldAll(db);
  assert.ok(sealLarge(db));
  const parts = partsOf(db);
  await take(pageview({ visitor: 99, engaged: 1 }));
  foldAll(db);
  assert.ok(rowsIn(db, 'open_shard', "state = 'shown'") > 0);
  assert.ok(sealLarge(db));
  sweepAll(db);
  assert.deepEqual([partsOf(db), counted()], [parts, { [TODAY]: 30 }]);
  assert.equal(rowsIn(db, 'hit') + rowsIn(db, 'open_shard'), 0);
});

test('a day of which one part has sums only is not opened by halves', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(30, { day: TODAY }));
  foldAll(db);
  assert.ok(sealLarge(db));
  db.run('UPDATE sealed_day SET has_hits = 0 WHERE slice = 1');
  await take(...crowd(1, { day: TODAY }));
  assert.equal(rowsIn(db, 'sealed_day', "state = 'reopened'"), 0);
  db.run('UPDATE sealed_day SET has_hits = 1');
  assert.deepEqual(counted(), { [TODAY]: 30 });
  assert.deepEqual(storedDrops(db, 1), { 'too-late': 1 });
});

test('a clock that was a day ahead seals a large day too early, and it goes on when the clock is right', async (t) => {
  const { db, siteId, clock, engine } = await startApp(t, {}, { limits: TINY });
  const seen = async () => {
    let hits = 0;
    for await (const { visits } of engine.queries.readVisits(siteId))
      for (const visit of visits) hits += visit.hits.length;
    return hits;
  };
  const shown = () => rowsIn(db, 'sealed_day', "state = 'shown'");
  await append(db, crowd(30, { siteId, day: TODAY }));
  await engine.upkeep.compact();
  clock.jump(86_400);
  assert.equal((await engine.upkeep.seal()).days, 1);
  const parts = shown();
  assert.ok(parts > 1);
  clock.jump(-86_400);
  await append(db, crowd(20, { siteId, day: TODAY }));
  await engine.upkeep.compact();
  assert.ok(rowsIn(db, 'open_shard', "state = 'shown'") > 1);
  assert.deepEqual([shown(), await seen()], [0, 50]);
  clock.jump(10 * 86_400);
  assert.deepEqual(await engine.upkeep.seal(), { days: 0, failed: [] }, 'a clock that is not trusted does nothing');
  await engine.upkeep.compact();
  assert.deepEqual([shown(), await seen()], [0, 50]);
  clock.jump(-9 * 86_400);
  assert.equal((await engine.upkeep.seal()).days, 1);
  assert.ok(shown() > parts);
  assert.equal(await seen(), 50);
  assertSound(db);
});
