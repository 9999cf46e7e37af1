import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addStaged, listStaged, markDayGone } from '../../src/catalog/day-states.ts';
import { abandonOld } from '../../src/catalog/imported.ts';
import { addImport } from '../../src/catalog/imports.ts';
import { listSealed } from '../../src/catalog/sealed-days.ts';
import { showImport } from '../../src/catalog/show-import.ts';
import { noTotals } from '../../src/stats/aggregates.ts';
import { TODAY } from '../collect/stage.ts';
import { bookOf, NOW } from '../ledger/stage.ts';

/** An import of two days, staged as any engine does it. */
function stageTwoDays(t: TestContext) {
  const { db } = bookOf(t);
  const importId = addImport(db, 1, { now: NOW, today: TODAY });
  const ids = [TODAY - 2, TODAY - 1].map((day) =>
    addStaged(db, { siteId: 1, day, slice: 0, importId, hasHits: true, totals: noTotals(), now: NOW }),
  );
  const show = (listTaken: (days: readonly number[]) => number[] = () => []) =>
    showImport(
      db,
      { siteId: 1, importId, staged: ids.length, openDay: null, now: NOW },
      { replace: false, listTaken, listOpen: () => [], findNewestRow: () => 0 },
    );
  return { db, ids, show, shown: () => listSealed(db, 1, 0, TODAY).map(({ id }) => id) };
}

test('import: both days are shown at once', (t) => {
  const { ids, show, shown } = stageTwoDays(t);
  assert.deepEqual(shown(), []);
  show();
  assert.deepEqual(shown(), ids);
});

test('import: one that lacks a staged day shows nothing', (t) => {
  const { db, ids, show, shown } = stageTwoDays(t);
  markDayGone(db, ids[0] ?? 0);
  assert.throws(show, /the import took too long. Nothing was imported/);
  assert.deepEqual(shown(), []);
});

test('import: one whose days got data meanwhile shows nothing, and names the way out', (t) => {
  const { show, shown } = stageTwoDays(t);
  assert.throws(() => show((days) => days.slice(1)), /to replace those days, use --replace/i);
  assert.deepEqual(shown(), []);
});

test('import: once a sweep has begun with what was staged for too long, nothing of it is shown', (t) => {
  const { db, show, shown } = stageTwoDays(t);
  abandonOld(db, NOW);
  assert.equal(listStaged(db, 1, 1).length, 2);
  abandonOld(db, NOW + 1);
  assert.throws(show, /the import took too long. Nothing was imported/);
  assert.deepEqual(shown(), []);
  const today = addImport(db, 1, { now: NOW, today: TODAY });
  abandonOld(db, NOW + 1);
  const staged = { siteId: 1, importId: today, staged: 0, openDay: TODAY, now: NOW };
  const showing = { replace: false, listTaken: () => [], listOpen: () => [], findNewestRow: () => 0 };
  assert.throws(() => showImport(db, staged, showing), /the import took too long. Nothing was imported/);
});
