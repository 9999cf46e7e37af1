import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Visit } from '../../../src/engine/activity.ts';
import { sweep } from '../../../src/ledger/upkeep/sweep.ts';
import { finish } from '../../../src/lib/steps.ts';
import { append, appendTo, engineOver, pageview, storedDrops, TODAY } from '../../collect/stage.ts';
import { anyHit } from '../../stats/any-hit.ts';
import { rowsOf } from '../../stats/as-of-stage.ts';
import { share, startApp } from '../../support/helpers.ts';
import {
  assertSound,
  bookOf,
  compute,
  crowd,
  foldSteps,
  NOW,
  partsOf,
  rowsIn,
  sealOnce,
  sweepAll,
  TINY,
} from '../stage.ts';

const today = { siteId: 1, day: TODAY };

test('a hit of a sealed day opens it again: it counts where it came, and so does what was sealed', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(5, { day: TODAY }));
  assert.ok(sealOnce(db, today));
  assert.deepEqual(counted(), { [TODAY]: 5 });
  for (const visitor of [1, 2]) {
    await take(pageview({ visitor, second: 43_210 }));
    assert.deepEqual(counted(), { [TODAY]: 5 + visitor }, 'also of a reader that has the day in memory');
  }
  assert.deepEqual(db.all('SELECT DISTINCT day FROM hit'), [{ day: TODAY }]);
  sweepAll(db, NOW + 10 * 86_400);
  assert.deepEqual(counted(), { [TODAY]: 7 });
});

test('it is sealed anew as often as that happens, with what came as one more part of it', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(5, { day: TODAY }));
  for (let n = 1; n <= 3; n++) {
    assert.ok(sealOnce(db, today));
    if (n !== 2) sweepAll(db);
    await take(...crowd(1, { day: TODAY }), ...crowd(2, { day: TODAY, page: '/again' }));
    assert.deepEqual(counted(), { [TODAY]: 5 + 3 * n });
  }
  assert.ok(sealOnce(db, today));
  sweepAll(db);
  assert.deepEqual(counted(), { [TODAY]: 14 });
  assert.deepEqual(partsOf(db), [0, 1, 2, 3]);
  assert.equal(rowsIn(db, 'hit'), 0);
  assertSound(db);
});

test('a hit that comes while a day is opened again and sealed anew is not lost', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(5, { day: TODAY }));
  assert.ok(sealOnce(db, today));
  await take(...crowd(1, { day: TODAY }));
  const early = compute(db, today);
  await take(...crowd(1, { day: TODAY, page: '/late' }));
  assert.equal(Array.from(early.days)[0]?.totals.pageviews, 1);
  assert.ok(sealOnce(db, today));
  assert.deepEqual(counted(), { [TODAY]: 7 });
});

test('a day with sums only takes no hits; they are dropped and not counted on another day', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(5, { day: TODAY }));
  assert.ok(sealOnce(db, today));
  db.run('UPDATE sealed_day SET has_hits = 0');
  await take(...crowd(2, { day: TODAY }), ...crowd(1, { day: TODAY, engaged: 3 }), ...crowd(1, { day: TODAY + 1 }));
  db.run('UPDATE sealed_day SET has_hits = 1');
  assert.deepEqual(counted(), { [TODAY]: 5, [TODAY + 1]: 1 });
  assert.deepEqual(storedDrops(db, 1), { 'too-late': 2 });
});

test('what was begun or read before a day was sealed does not count its hits again when it is opened', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(5, { day: TODAY }));
  const folding = foldSteps(db, today, TINY);
  folding.next();
  assert.deepEqual(counted(), { [TODAY]: 5 });
  assert.ok(sealOnce(db, today));
  sweepAll(db);
  await take(...crowd(1, { day: TODAY }));
  assert.deepEqual(db.all('SELECT after_id FROM sealed_day'), [{ after_id: 0 }], 'there was no hit left');
  assert.deepEqual(counted(), { [TODAY]: 6 }, 'of a reader that has the day in memory');
  assert.equal(finish(folding), false);
  assert.deepEqual(counted(), { [TODAY]: 6 });
});

test('a late hit that comes while the rows of its sealed day are swept is kept, and so is the day', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(1_500, { day: TODAY }));
  assert.ok(sealOnce(db, today));
  const sweeping = sweep(db, NOW);
  sweeping.next();
  await take(...crowd(3, { day: TODAY, page: '/late' }));
  finish(sweeping);
  assert.deepEqual(counted(), { [TODAY]: 1_503 });
  assert.ok(sealOnce(db, today));
  sweepAll(db);
  assert.deepEqual(counted(), { [TODAY]: 1_503 });
  assert.equal(rowsIn(db, 'hit'), 0);
});

test('a hit of an unsealed day is late from a minute after the end of the day in the zone of its site', async (t) => {
  // Each site has the end of its day at another time, counted from 00:00 UTC of the day.
  const ends = { 'Europe/Berlin': 23, 'Pacific/Kiritimati': 10, 'America/New_York': 28, UTC: 24 };
  const { db } = bookOf(t, { sites: 4 });
  for (const [i, [zone, hours]] of Object.entries(ends).entries()) {
    const siteId = i + 1;
    db.run('UPDATE site SET time_zone = ? WHERE id = ?', zone, siteId);
    for (const [minutes, late] of [
      [-1, 0],
      [0.5, 0],
      [30, 1],
    ] as const) {
      const at = TODAY * 86_400 + hours * 3_600 + minutes * 60;
      await appendTo(engineOver(db, at * 1000), [pageview({ siteId, day: TODAY })]);
      assert.equal(rowsIn(db, 'change', `site_id = ${siteId} AND reason = 'late_hits'`), late, `${zone} ${minutes}`);
    }
  }
});

test('an import of the day that was sealed with it is not counted twice, and a replacing one replaces all of it', async (t) => {
  const { db, siteId, clock, engine } = await startApp(t);
  const bring = (count: number, replace: boolean) =>
    engine.imports.add(
      siteId,
      {
        today: TODAY,
        texts: ['', '/i'],
        days: [TODAY],
        readRows: () => rowsOf(count),
      },
      { replace },
    );
  const seen = async () => {
    let hits = 0;
    for await (const { visits } of engine.queries.readVisits(siteId))
      for (const visit of visits) hits += visit.hits.length;
    return hits;
  };
  await append(db, crowd(3, { siteId, day: TODAY }));
  await bring(4, false);
  clock.jump(86_400);
  assert.equal((await engine.upkeep.seal()).days, 1);
  clock.jump(-86_400);
  await append(db, crowd(2, { siteId, day: TODAY }));
  assert.equal(await seen(), 9);
  await bring(5, false);
  assert.equal(await seen(), 14);
  await bring(6, true);
  assert.equal(await seen(), 6);
  await append(db, crowd(1, { siteId, day: TODAY }));
  assert.equal(await seen(), 7);
});

test('what was sealed is the same when it is opened again, and when it is sealed anew', async (t) => {
  const sites = share(100);
  const { db } = bookOf(t, { sites });
  let siteId = 0;
  const engine = engineOver(db);
  /** Visitors in any order, because their numbers say nothing. */
  const visitors = async (): Promise<string[]> => {
    const all: Visit[] = [];
    for await (const { visits } of engine.queries.readVisits(siteId)) all.push(...visits);
    const known = Map.groupBy(all, ({ visitor }) => visitor).values();
    return [...known].map((visits) => JSON.stringify(visits.map((visit) => ({ ...visit, visitor: 0 })))).sort();
  };
  await fc.assert(
    fc.asyncProperty(fc.array(anyHit, { minLength: 1, maxLength: 40, size: 'max' }), async (hits) => {
      siteId++;
      const own = hits.map((one) => ({ ...one, siteId }));
      await append(db, own);
      const before = await visitors();
      if (!sealOnce(db, { siteId, day: TODAY })) return;
      // A sign of life of nobody opens the day, and counts nothing.
      await append(db, [pageview({ siteId, visitor: 99, engaged: 1 })]);
      assert.equal(rowsIn(db, 'sealed_day', `site_id = ${siteId} AND state = 'reopened'`), 1);
      assert.deepEqual(await visitors(), before);
      assert.ok(sealOnce(db, { siteId, day: TODAY }));
      assert.deepEqual(await visitors(), before);
    }),
    { numRuns: sites },
  );
});
