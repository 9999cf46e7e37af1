import assert from 'node:assert/strict';
import { test } from 'node:test';
import { abandonImport } from '../../../src/catalog/imported.ts';
import { addImport } from '../../../src/catalog/imports.ts';
import { sessionize } from '../../../src/ledger/day/sessionize.ts';
import { listDue } from '../../../src/ledger/open/row-sources.ts';
import { packDay } from '../../../src/ledger/sealed/packed-day.ts';
import { listTaken, showImport, stageOpen, termsFor } from '../../../src/ledger/upkeep/import.ts';
import { recount } from '../../../src/ledger/upkeep/recount.ts';
import { stage } from '../../../src/ledger/upkeep/seal.ts';
import { finish } from '../../../src/lib/steps.ts';
import type { Db } from '../../../src/store/db.ts';
import { removeSite } from '../../../src/store/sites/sites.ts';
import { pageview, TODAY } from '../../collect/stage.ts';
import { rowsOf } from '../rows.ts';
import { bookOf, compute, crowd, NOW, rowsIn, seal, sealOnce, sweepAll, sweepSites, YESTERDAY } from '../stage.ts';

/** Writes an import of so many hits a day, which nobody sees yet. */
function staged(db: Db, counts: Record<number, number>) {
  const importId = addImport(db, 1, { now: NOW, today: TODAY });
  const [, page = 0] = finish(termsFor(db, 1, ['', '/imported']));
  const past = Object.entries(counts).filter(([day]) => Number(day) < TODAY);
  const days = past.map(([day, count]) => packDay(sessionize(Number(day), rowsOf(count, { page }), 'time')));
  finish(stage(db, 1, days, { importId, now: NOW }));
  finish(stageOpen(db, { siteId: 1, importId }, TODAY, rowsOf(counts[TODAY] ?? 0, { page })));
  return {
    importId,
    show: (replace = false) => showImport(db, { siteId: 1, importId, sealed: past.length, now: NOW }, replace),
  };
}

test('nobody sees anything of an import before it is shown, and then all of it', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(2, { day: TODAY }));
  const { show } = staged(db, { [YESTERDAY]: 5, [TODAY]: 3 });
  assert.deepEqual(counted(), { [TODAY]: 2 });
  assert.deepEqual(listTaken(db, 1, [YESTERDAY, TODAY]), [TODAY]);
  show();
  assert.deepEqual(counted(), { [YESTERDAY]: 5, [TODAY]: 5 });
  assert.deepEqual(counted(2), {});
});

test('today of an import is sealed with what came in live', async (t) => {
  const { db, take, counted } = bookOf(t);
  const { show } = staged(db, { [TODAY]: 3 });
  await take(...crowd(2, { day: TODAY }));
  show();
  await take(...crowd(1, { day: TODAY, second: 50_000 }));
  assert.deepEqual(counted(), { [TODAY]: 6 });
  assert.deepEqual(listDue(db, NOW + 86_400), [{ siteId: 1, day: TODAY }]);
  assert.equal(sealOnce(db, { siteId: 1, day: TODAY }, NOW + 86_400), true);
  sweepAll(db, NOW + 86_400);
  assert.deepEqual(counted(), { [TODAY]: 6 });
  assert.equal(rowsIn(db, 'hit'), 0);
  for (const { faults } of recount(db)) assert.deepEqual(faults, []);
});

test('an import that is shown after its day was computed keeps the day open', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(2, { day: TODAY }));
  const day = { siteId: 1, day: TODAY };
  const early = compute(db, day);
  staged(db, { [TODAY]: 3 }).show();
  assert.equal(finish(seal(db, day, early, NOW + 86_400)), false);
  assert.deepEqual(counted(), { [TODAY]: 5 });
});

test('what replaces takes the place of sealed days, of open ones, of live hits and of earlier imports', async (t) => {
  const { db, take, counted } = bookOf(t);
  const old = YESTERDAY - 1;
  await take(...crowd(9, { day: old }), ...crowd(8), ...crowd(7, { day: TODAY }));
  sealOnce(db, { siteId: 1, day: old });
  staged(db, { [TODAY]: 6 }).show();
  assert.deepEqual(counted(), { [old]: 9, [YESTERDAY]: 8, [TODAY]: 13 });
  staged(db, { [old]: 3, [YESTERDAY]: 2, [TODAY]: 1 }).show(true);
  assert.deepEqual(counted(), { [old]: 3, [YESTERDAY]: 2, [TODAY]: 1 });
  await take(...crowd(1, { day: TODAY }));
  assert.deepEqual(counted(), { [old]: 3, [YESTERDAY]: 2, [TODAY]: 2 });
  staged(db, { [TODAY]: 4 }).show(true);
  assert.deepEqual(counted(), { [old]: 3, [YESTERDAY]: 2, [TODAY]: 4 });
  sweepAll(db);
  assert.deepEqual(counted(), { [old]: 3, [YESTERDAY]: 2, [TODAY]: 4 });
  assert.equal(rowsIn(db, 'sealed_day'), 2);
  sealOnce(db, { siteId: 1, day: TODAY }, NOW + 86_400);
  sweepAll(db, NOW + 86_400);
  assert.deepEqual(counted(), { [old]: 3, [YESTERDAY]: 2, [TODAY]: 4 });
  assert.equal(rowsIn(db, 'hit'), 0);
});

test('what replaces leaves the days alone that it does not bring', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(9, { day: YESTERDAY - 1 }), ...crowd(7, { day: TODAY }), pageview({ siteId: 2, day: YESTERDAY }));
  sealOnce(db, { siteId: 2, day: YESTERDAY });
  staged(db, { [YESTERDAY]: 2 }).show(true);
  assert.deepEqual(counted(), { [YESTERDAY - 1]: 9, [YESTERDAY]: 2, [TODAY]: 7 });
  assert.deepEqual(counted(2), { [YESTERDAY]: 1 });
});

test('where a day of it was sealed meanwhile nothing is shown, unless it replaces', async (t) => {
  const { db, take, counted } = bookOf(t);
  const first = staged(db, { [YESTERDAY]: 5, [YESTERDAY - 1]: 1 });
  await take(...crowd(2));
  sealOnce(db, { siteId: 1, day: YESTERDAY });
  assert.throws(
    () => first.show(),
    /another import or the server wrote days of the file during this import. Nothing was imported/,
  );
  assert.deepEqual(counted(), { [YESTERDAY]: 2 });
  first.show(true);
  assert.deepEqual(counted(), { [YESTERDAY]: 5, [YESTERDAY - 1]: 1 });
});

test('of two imports of the same days at once one is shown', async (t) => {
  const { db, counted } = bookOf(t);
  const [one, other] = [staged(db, { [YESTERDAY]: 5 }), staged(db, { [YESTERDAY]: 5 })];
  one.show();
  assert.throws(() => other.show(), /Nothing was imported/);
  assert.deepEqual(counted(), { [YESTERDAY]: 5 });
});

test('of two imports of today at once one is shown, and what comes in live meanwhile is no import', async (t) => {
  const { db, take, counted } = bookOf(t);
  const [one, other] = [staged(db, { [TODAY]: 5 }), staged(db, { [TODAY]: 5 })];
  await take(...crowd(2, { day: TODAY }));
  one.show();
  assert.throws(
    () => other.show(),
    /wrote days of the file during this import. Nothing was imported. To replace those days, use --replace/,
  );
  assert.deepEqual(counted(), { [TODAY]: 7 });
  other.show(true);
  assert.deepEqual(counted(), { [TODAY]: 5 });
  assert.throws(() => staged(db, { [TODAY]: 1 }).show(), /Nothing was imported/);
});

test('an import of today that replaces is refused if one that began later is shown already', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(2, { day: TODAY }));
  const [slow, quick] = [staged(db, { [YESTERDAY]: 4, [TODAY]: 5 }), staged(db, { [TODAY]: 3 })];
  quick.show();
  assert.throws(
    () => slow.show(true),
    /another import of the same day began later and ended first. Nothing was imported/,
  );
  assert.deepEqual(counted(), { [TODAY]: 5 });
  staged(db, { [TODAY]: 5 }).show(true);
  assert.deepEqual(counted(), { [TODAY]: 5 });
});

test('an import of the day that another has as its today is refused, and what came in live that day stays', async (t) => {
  const { db, take, counted } = bookOf(t);
  const afterMidnight = staged(db, { [YESTERDAY]: 5 });
  await take(...crowd(2));
  const beforeMidnight = addImport(db, 1, { now: NOW, today: YESTERDAY });
  finish(stageOpen(db, { siteId: 1, importId: beforeMidnight }, YESTERDAY, rowsOf(3)));
  showImport(db, { siteId: 1, importId: beforeMidnight, sealed: 0, now: NOW }, false);
  assert.throws(() => afterMidnight.show(), /wrote days of the file during this import. Nothing was imported/);
  assert.deepEqual(counted(), { [YESTERDAY]: 5 });
});

test('where its day was sealed meanwhile the hits of today are not shown', async (t) => {
  const { db, take, counted } = bookOf(t);
  const { show } = staged(db, { [TODAY]: 3 });
  await take(...crowd(2, { day: TODAY }));
  sealOnce(db, { siteId: 1, day: TODAY }, NOW + 86_400);
  assert.throws(() => show(true), /a day of the file was sealed during the import. Nothing was imported/);
  assert.deepEqual(counted(), { [TODAY]: 2 });
});

test('where the site was deleted, or what was written was swept, nothing is shown', async (t) => {
  const { db, counted } = bookOf(t);
  const slow = staged(db, { [YESTERDAY]: 5 });
  sweepAll(db, NOW + 2 * 86_400);
  assert.throws(() => slow.show(), /took too long. Nothing was imported/);
  assert.deepEqual(counted(), {});
  const { show } = staged(db, { [YESTERDAY]: 5 });
  db.write(() => removeSite(db, 1));
  assert.throws(() => show(), /the site was deleted/);
});

test('nothing stays of an import whose site was deleted meanwhile', async (t) => {
  const { db } = bookOf(t);
  const { importId } = staged(db, { [YESTERDAY]: 5, [TODAY]: 3 });
  db.write(() => removeSite(db, 1));
  finish(sweepSites(db));
  const late = packDay(sessionize(YESTERDAY - 1, rowsOf(4), 'time'));
  finish(stage(db, 1, [late], { importId, now: NOW }));
  abandonImport(db, 1, importId);
  sweepAll(db);
  assert.deepEqual([rowsIn(db, 'sealed_day'), rowsIn(db, 'sealed_blob'), rowsIn(db, 'rollup')], [0, 0, 0]);
});

test('what is abandoned goes at once', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(2, { day: TODAY }));
  abandonImport(db, 1, staged(db, { [YESTERDAY]: 5, [TODAY]: 3 }).importId);
  sweepAll(db);
  assert.deepEqual([rowsIn(db, 'sealed_day'), rowsIn(db, 'import'), rowsIn(db, 'hit')], [0, 0, 2]);
  assert.deepEqual(counted(), { [TODAY]: 2 });
  const { importId, show } = staged(db, { [YESTERDAY]: 5 });
  show();
  abandonImport(db, 1, importId);
  sweepAll(db);
  assert.deepEqual(counted(), { [YESTERDAY]: 5, [TODAY]: 2 });
});

test('hits of today with equal properties look them up once', (t) => {
  const { db } = bookOf(t);
  const importId = addImport(db, 1, { now: NOW, today: TODAY });
  finish(termsFor(db, 1, ['', '/imported']));
  const count = (hits: number): number => {
    const rows = rowsOf(hits);
    rows.terms.properties.fill(1);
    const read = db.one;
    let lookups = 0;
    db.one = (sql, ...values) => {
      lookups++;
      return read(sql, ...values);
    };
    const properties = ['', '{"plan":"pro","theme":"dark"}'];
    finish(stageOpen(db, { siteId: 1, importId }, TODAY, { ...rows, properties }));
    db.one = read;
    return lookups;
  };
  count(1);
  assert.equal(count(200), count(100));
});

test('what replaces hides the days of before in as many queries for many days as for few', (t) => {
  const count = (days: number): number => {
    const { db } = bookOf(t);
    const counts = Object.fromEntries(Array.from({ length: days }, (_, i) => [YESTERDAY - i, 1]));
    staged(db, counts).show();
    const { show } = staged(db, counts);
    const write = db.run;
    let queries = 0;
    db.run = (sql, ...values) => {
      queries += Number(sql.includes('sealed_day'));
      return write(sql, ...values);
    };
    show(true);
    db.run = write;
    assert.equal(rowsIn(db, 'sealed_day', "state = 'gone'"), days);
    return queries;
  };
  assert.equal(count(12), count(3));
});
