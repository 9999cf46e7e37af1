// Imports of today beside a large day, which has shards.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engineOver, TODAY } from '../../collect/stage.ts';
import { rowsOf } from '../rows.ts';
import { assertSound, bookOf, crowd, foldOnce, foldSteps, NOW, rowsIn, sealOnce, sweepAll, TINY } from '../stage.ts';

const today = { siteId: 1, day: TODAY };

const content = (count: number) => ({
  today: TODAY,
  texts: ['', '/imported'],
  days: [TODAY],
  readRows: () => rowsOf(count),
});

test('a large day that an import has replaced is sealed, and leaves no visitor code', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(20, { day: TODAY }));
  while (foldOnce(db, today, TINY));
  await engineOver(db, NOW * 1000).imports.add(1, content(3), { replace: true });
  await take(...crowd(2, { day: TODAY, page: '/after' }));
  assert.deepEqual(counted(), { [TODAY]: 5 });
  assert.ok(sealOnce(db, today));
  sweepAll(db);
  assert.deepEqual(counted(), { [TODAY]: 5 });
  assert.equal(rowsIn(db, 'hit') + rowsIn(db, 'open_shard') + rowsIn(db, 'open_blob'), 0);
  assertSound(db);
});

test('slices that an import has replaced do not come back with a late hit, before they are swept', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(5, { day: TODAY }));
  assert.ok(sealOnce(db, today));
  await take(...crowd(1, { day: TODAY, page: '/late' }));
  await engineOver(db, NOW * 1000).imports.add(1, content(3), { replace: true });
  assert.deepEqual(counted(), { [TODAY]: 3 });
  assert.ok(sealOnce(db, today));
  await take(...crowd(1, { day: TODAY, page: '/later' }));
  assert.deepEqual(counted(), { [TODAY]: 4 });
  sweepAll(db);
  assert.deepEqual(counted(), { [TODAY]: 4 });
});

test('each hit counts once beside an import, after every step of a compaction', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(30, { day: TODAY }));
  while (foldOnce(db, today, TINY));
  await take(...crowd(10, { day: TODAY, page: '/before' }));
  await engineOver(db, NOW * 1000).imports.add(1, content(7), { replace: false });
  await take(...crowd(10, { day: TODAY, page: '/after' }));
  let steps = 0;
  for (const _ of foldSteps(db, today, TINY)) {
    assert.deepEqual(counted(), { [TODAY]: 57 });
    steps++;
  }
  assert.ok(steps > 3);
  assert.deepEqual(counted(), { [TODAY]: 57 });
});
