import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { listDue } from '../../../src/ledger/open/row-sources.ts';
import { finish } from '../../../src/lib/steps.ts';
import { removeSite } from '../../../src/store/sites/sites.ts';
import { append, type Hit, pageview, TODAY } from '../../collect/stage.ts';
import { startApp } from '../../support/helpers.ts';
import {
  assertSound,
  bookOf,
  type Computed,
  compute,
  crowd,
  NOW,
  rowsIn,
  seal,
  sealOnce,
  sweepAll,
  sweepSites,
  YESTERDAY,
} from '../stage.ts';

const yesterday = { siteId: 1, day: YESTERDAY };

/** With so much in it that it is written in more than one step. */
const large = ({ sealing, days }: Computed): Computed => ({
  sealing,
  days: Array.from(days, (day) => ({
    ...day,
    blobs: [{ name: 'large', data: Buffer.alloc(600_000) }, ...day.blobs],
  })),
});

test('a sealed day counts as it did while it was open, and today is not due', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(5), ...crowd(3, { day: TODAY }), ...crowd(2, { siteId: 2 }));
  assert.deepEqual(counted(), { [YESTERDAY]: 5, [TODAY]: 3 });
  assert.deepEqual(listDue(db, NOW), [
    { siteId: 1, day: YESTERDAY },
    { siteId: 2, day: YESTERDAY },
  ]);
  assert.equal(sealOnce(db, yesterday), true);
  assert.deepEqual(counted(), { [YESTERDAY]: 5, [TODAY]: 3 });
  assert.deepEqual(listDue(db, NOW), [{ siteId: 2, day: YESTERDAY }]);
  assert.deepEqual(counted(2), { [YESTERDAY]: 2 });
  assertSound(db);
});

test('a hit that comes in after a day was computed keeps it open, and the next round seals all', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(5));
  const early = compute(db, yesterday);
  await take(...crowd(1, { second: 70_000 }));
  assert.equal(finish(seal(db, yesterday, early, NOW)), false);
  assert.deepEqual(counted(), { [YESTERDAY]: 6 });
  assert.equal(sealOnce(db, yesterday), true);
  sweepAll(db);
  assert.deepEqual(counted(), { [YESTERDAY]: 6 });
  assert.equal(rowsIn(db, 'sealed_day'), 1);
  assert.equal(rowsIn(db, 'hit'), 0);
  assertSound(db);
});

test('a hit that comes in while a day is being written keeps it open', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(5));
  const steps = seal(db, yesterday, large(compute(db, yesterday)), NOW);
  assert.equal(steps.next().done, false, 'it takes more than one step');
  assert.deepEqual(counted(), { [YESTERDAY]: 5 });
  await take(...crowd(1));
  assert.equal(finish(steps), false);
  sweepAll(db);
  assert.deepEqual(counted(), { [YESTERDAY]: 6 });
  assert.equal(rowsIn(db, 'sealed_blob') + rowsIn(db, 'rollup') + rowsIn(db, 'sealed_day'), 0);
});

test('an engagement message that comes in between keeps a day open too', async (t) => {
  const { db, take } = bookOf(t);
  await take(...crowd(2));
  const early = compute(db, yesterday);
  await take(...crowd(1, { engaged: 3, second: 1 }));
  assert.equal(finish(seal(db, yesterday, early, NOW)), false);
  assert.equal(sealOnce(db, yesterday), true);
});

test('of two who seal at once one wins, and nothing is doubled', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(5));
  const [one, other] = [compute(db, yesterday), compute(db, yesterday)];
  const outcomes = [finish(seal(db, yesterday, one, NOW)), finish(seal(db, yesterday, other, NOW))];
  assert.deepEqual(outcomes, [true, false]);
  assert.deepEqual(counted(), { [YESTERDAY]: 5 });
  sweepAll(db);
  assert.deepEqual(counted(), { [YESTERDAY]: 5 });
  assert.equal(rowsIn(db, 'sealed_day'), 1);
  assertSound(db);
});

test('who computed a day before another sealed and swept it changes nothing', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(5));
  const late = compute(db, yesterday);
  assert.equal(sealOnce(db, yesterday), true);
  sweepAll(db);
  assert.equal(finish(seal(db, yesterday, late, NOW)), false);
  assert.equal(finish(seal(db, yesterday, compute(db, yesterday), NOW)), false);
  assert.deepEqual(counted(), { [YESTERDAY]: 5 });
});

test('a site that is deleted in between is not sealed, and leaves nothing', async (t) => {
  const { db, take } = bookOf(t);
  await take(...crowd(5), ...crowd(4, { siteId: 2 }));
  const computed = large(compute(db, yesterday));
  const steps = seal(db, yesterday, computed, NOW);
  assert.equal(steps.next().done, false);
  db.write(() => removeSite(db, 1));
  finish(sweepSites(db));
  assert.equal(finish(steps), false);
  assert.equal(finish(seal(db, yesterday, computed, NOW)), false);
  sweepAll(db);
  for (const table of ['sealed_day', 'sealed_blob', 'rollup']) assert.equal(rowsIn(db, table), 0, table);
  assert.equal(rowsIn(db, 'hit'), 4);
});

test('a day on which only messages came in goes without a trace', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(pageview({ day: YESTERDAY, engaged: 3 }));
  assert.equal(sealOnce(db, yesterday), false);
  assert.deepEqual(counted(), {});
  assert.deepEqual(listDue(db, NOW), []);
  assert.equal(rowsIn(db, 'hit'), 0);
});

test('after sealing no visitor code of the day is anywhere in the file or beside it', async (t) => {
  const app = await startApp(t);
  const [file] = app.db.all<{ file: string }>('PRAGMA database_list');
  const path = file?.file ?? '';
  const hits = crowd(500, { siteId: app.siteId });
  const later = crowd(3, { siteId: app.siteId, day: TODAY }).map((hit) => ({ ...hit, visitor: hit.visitor - 1 }));
  await append(app.db, [...hits, ...later]);

  const bytesOf = (code: number): Buffer => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64BE(BigInt(code));
    return bytes;
  };
  const found = (list: readonly Hit[]): number => {
    const files = ['', '-wal', '-shm', '-journal'].map((end) => `${path}${end}`).filter((name) => existsSync(name));
    const contents = files.map((name) => readFileSync(name));
    return list.filter(({ visitor }) => contents.some((bytes) => bytes.includes(bytesOf(visitor)))).length;
  };
  assert.equal(found(hits), hits.length);
  assert.equal(await app.seal(), 1);
  assert.equal(rowsIn(app.db, 'hit'), later.length);
  assert.equal(found(hits), 0);
  assert.equal(found(later), later.length);
});

test('after the clock was set back, hits for a sealed day count on their own day, before and after it is sealed anew', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(5), ...crowd(1, { day: TODAY }));
  sealOnce(db, yesterday);
  sweepAll(db);
  await take(...crowd(2));
  assert.deepEqual(counted(), { [YESTERDAY]: 7, [TODAY]: 1 });
  sealOnce(db, { siteId: 1, day: TODAY }, NOW + 86_400);
  sweepAll(db, NOW + 86_400);
  await take(...crowd(1), ...crowd(1, { day: TODAY }));
  assert.deepEqual(counted(), { [YESTERDAY]: 8, [TODAY]: 2 });
  for (const { siteId, day } of listDue(db, NOW + 86_400)) sealOnce(db, { siteId, day }, NOW + 2 * 86_400);
  sweepAll(db, NOW + 2 * 86_400);
  assert.deepEqual(counted(), { [YESTERDAY]: 8, [TODAY]: 2 });
  assert.equal(rowsIn(db, 'hit'), 0);
  assertSound(db);
});
