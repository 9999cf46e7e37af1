import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addImport } from '../../../src/catalog/imports.ts';
import { addPacked } from '../../../src/ledger/rows/packed-crawls.ts';
import { addSet } from '../../../src/ledger/rows/property-sets.ts';
import { readTexts } from '../../../src/ledger/rows/terms.ts';
import { listPending, putReduced } from '../../../src/ledger/sealed/excluded-sums.ts';
import { sumSealedDay } from '../../../src/ledger/upkeep/exclusion-sums.ts';
import { stageOpen, termsFor } from '../../../src/ledger/upkeep/import.ts';
import { stage } from '../../../src/ledger/upkeep/seal.ts';
import { sweep } from '../../../src/ledger/upkeep/sweep.ts';
import { finish } from '../../../src/lib/steps.ts';
import type { Db } from '../../../src/store/db.ts';
import { addDeletion } from '../../../src/store/sites/deletions.ts';
import { addExclusion } from '../../../src/store/sites/exclusions.ts';
import { addReceipt } from '../../../src/store/sites/receipts.ts';
import { removeSite } from '../../../src/store/sites/sites.ts';
import { TODAY } from '../../collect/stage.ts';
import { rowsOf } from '../rows.ts';
import {
  addUpMonths,
  bookOf,
  compute,
  crowd,
  foldOnce,
  NOW,
  rowsIn,
  sealOnce,
  sweepAll,
  sweepSites,
  YESTERDAY,
} from '../stage.ts';

/** Every table that says of which site its rows are. */
const tablesOf = (db: Db): string[] =>
  db
    .all<{ name: string }>(
      `SELECT s.name FROM sqlite_schema s JOIN pragma_table_info(s.name) c WHERE s.type = 'table' AND c.name = 'site_id'`,
    )
    .map(({ name }) => name);

/** How many rows each table has for a site; of an open day also those of its imports, and of a sealed one its blobs. */
function held(db: Db, siteId: number): Record<string, number> {
  const counts = tablesOf(db).map((table) => [table, rowsIn(db, table, `site_id = ${siteId}`)] as const);
  const blobs = ['sealed_blob', 'rollup', 'excluded_rollup'].map(
    (table) =>
      [table, rowsIn(db, table, `sealed_day_id IN (SELECT id FROM sealed_day WHERE site_id = ${siteId})`)] as const,
  );
  const inParts = rowsIn(db, 'open_blob', `open_shard_id IN (SELECT id FROM open_shard WHERE site_id = ${siteId})`);
  return Object.fromEntries([...counts, ...blobs, ['open_blob', inParts]]);
}

const NOTHING_ELSE = [
  'removed_site',
  'zone_change',
  'salt',
  'exclusion',
  'former_',
  'lost_day',
  'block',
  'saved_view',
  'member_site',
  'search',
  'embed',
  'goal',
  'funnel',
  'note',
  'share',
  'destination',
  'alert',
  'mailing',
  'unsubscribed',
  'unknown_day',
  'unknown_site',
];

/** Both sites have something in every table, more of it than one step deletes. */
async function fullBook(t: TestContext) {
  const book = bookOf(t);
  const { db, take } = book;
  for (const siteId of [1, 2]) {
    await take(...crowd(1_200, { siteId }), ...crowd(2_300, { siteId, day: TODAY }));
    sealOnce(db, { siteId, day: YESTERDAY });
    assert.ok(foldOnce(db, { siteId, day: TODAY }));
    const importId = addImport(db, siteId, { now: NOW, today: TODAY });
    finish(stageOpen(db, { siteId, importId }, TODAY, rowsOf(1_100)));
    db.write(() => {
      db.run("INSERT INTO drop_day (site_id, day, reason, hits) VALUES (?, ?, 'bot', 1)", siteId, TODAY);
      addSet(db, { siteId, day: TODAY }, [['plan', 1]]);
      db.run(
        "INSERT INTO crawl_day (site_id, day, crawler, page, requests) VALUES (?, ?, 'gptbot', 1, 1)",
        siteId,
        TODAY,
      );
      db.run('INSERT INTO dismissed_day (site_id, day) VALUES (?, ?)', siteId, YESTERDAY);
      addReceipt(db, siteId, { sequence: 1, day: YESTERDAY, state: '{}', body: '{}' });
      for (let day = 1; day <= 50; day++) addPacked(db, { siteId, day, crawler: 'gptbot' }, new Map([[1, 1]]));
      addDeletion(db, { siteId, from: 100, to: 101, at: NOW });
      db.run("INSERT INTO collected (outbox, site_id, month, hits) VALUES ('one', ?, '2026-03', 1)", siteId);
      const sql = 'INSERT INTO log_position (site_id, fingerprint, length, offset, lines) VALUES (?, ?, 1, 1, 1)';
      db.run(sql, siteId, Buffer.alloc(32, siteId));
    });
  }
  for (const siteId of [1, 2]) {
    const range = { from: YESTERDAY, to: null };
    db.write(() =>
      addExclusion(db, siteId, { ...range, filters: { page: { like: ['/*'] } }, applied: {}, note: '' }, NOW),
    );
    for (const day of listPending(db, siteId).pending) {
      db.write(() => putReduced(db, siteId, day, sumSealedDay(db, siteId, day, readTexts(db, siteId))));
    }
    db.run('DELETE FROM exclusion');
  }
  addUpMonths(db, NOW + 31 * 86_400);
  return book;
}

test('deleting a site deletes all that was counted for it, a little at a time, and nothing of another', async (t) => {
  const { db, counted } = await fullBook(t);
  const [before, others] = [held(db, 1), held(db, 2)];
  for (const [table, rows] of Object.entries(before)) {
    if (!NOTHING_ELSE.some((name) => table.startsWith(name))) assert.ok(rows > 0, `${table} holds something`);
  }
  const answers = counted(2);
  db.write(() => removeSite(db, 1));

  let most = 0;
  let rows = db.one<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0;
  let steps = 0;
  for (const _ of sweepSites(db)) {
    steps++;
    const now = db.one<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0;
    most = Math.max(most, now - rows);
    rows = now;
    assert.deepEqual(held(db, 2), others);
  }
  assert.ok(steps > 5, `${steps} steps`);
  assert.ok(most <= 2_000, `${most} rows in one step`);
  for (const [table, left] of Object.entries(held(db, 1))) assert.equal(left, 0, table);
  assert.equal(rowsIn(db, 'hit', 'import_id IS NOT NULL'), 1_100);
  assert.equal(rowsIn(db, 'removed_site'), 0);
  assert.deepEqual(held(db, 2), others);
  assert.deepEqual(counted(2), answers);
  for (const table of ['sealed_blob', 'rollup']) {
    assert.equal(rowsIn(db, table, 'sealed_day_id NOT IN (SELECT id FROM sealed_day)'), 0, table);
  }
});

test('deleting goes on where it stopped', async (t) => {
  const { db } = await fullBook(t);
  db.write(() => removeSite(db, 1));
  for (let round = 0; rowsIn(db, 'removed_site') > 0; round++) {
    assert.ok(round < 200);
    sweepSites(db).next();
  }
  for (const [table, left] of Object.entries(held(db, 1))) assert.equal(left, 0, table);
});

test('what was written and never shown goes after a day, and not before', async (t) => {
  const { db, take, counted } = bookOf(t);
  await take(...crowd(3));
  const { days } = compute(db, { siteId: 1, day: YESTERDAY });
  finish(stage(db, 1, days, { now: NOW }));
  const importId = addImport(db, 1, { now: NOW, today: TODAY });
  finish(stageOpen(db, { siteId: 1, importId }, TODAY, rowsOf(10)));
  const staged = () => [rowsIn(db, 'sealed_day'), rowsIn(db, 'import'), rowsIn(db, 'hit', 'import_id IS NOT NULL')];

  sweepAll(db, NOW + 86_400);
  assert.deepEqual(staged(), [1, 1, 10]);
  sweepAll(db, NOW + 86_401);
  assert.deepEqual(staged(), [0, 0, 0]);
  assert.equal(rowsIn(db, 'sealed_blob') + rowsIn(db, 'rollup'), 0);
  assert.deepEqual(counted(), { [YESTERDAY]: 3 });
});

test('what an import still writes when its site is gone goes too', async (t) => {
  const { db } = bookOf(t);
  const importId = addImport(db, 1, { now: NOW, today: TODAY });
  db.write(() => removeSite(db, 1));
  finish(sweepSites(db));
  finish(stageOpen(db, { siteId: 1, importId }, TODAY, rowsOf(10)));
  assert.throws(() => finish(termsFor(db, 1, ['', '/a'])), /the site was deleted/);
  sweepAll(db);
  assert.equal(rowsIn(db, 'hit'), 0);
  assert.equal(rowsIn(db, 'term'), 0);
});

test('which words a day has seen is forgotten with the day', async (t) => {
  const { db, take } = bookOf(t);
  await take(...crowd(5, { day: YESTERDAY - 1 }), ...crowd(5), ...crowd(5, { day: TODAY }));
  sweepAll(db);
  const days = db.all<{ day: number }>('SELECT DISTINCT day FROM day_term ORDER BY day').map(({ day }) => day);
  assert.deepEqual(days, [YESTERDAY, TODAY]);
});

test('what many sites have to delete is deleted a site at a time', (t) => {
  const { db } = bookOf(t, { sites: 40 });
  db.write(() => {
    for (let siteId = 1; siteId <= 40; siteId++) {
      db.run("INSERT INTO day_term (site_id, day, kind, term) VALUES (?, ?, 'page', 1)", siteId, YESTERDAY - 2);
    }
  });
  const left = () => rowsIn(db, 'day_term');
  let before = left();
  for (const _ of sweep(db, NOW)) {
    assert.ok(before - left() <= 1);
    before = left();
  }
  assert.equal(left(), 0);
});

test('a sweep of twice as many sites with properties takes twice as many lookups', async (t) => {
  const count = async (sites: number): Promise<number> => {
    const { db, take } = bookOf(t, { sites });
    for (let siteId = 1; siteId <= sites; siteId++) {
      await take(...crowd(1, { siteId, day: TODAY, properties: '{"plan":"pro"}' }));
    }
    const read = db.one;
    let lookups = 0;
    db.one = (sql, ...values) => {
      lookups++;
      return read(sql, ...values);
    };
    sweepAll(db);
    db.one = read;
    assert.equal(rowsIn(db, 'property_set'), sites);
    return lookups;
  };
  const [few, many] = [await count(20), await count(40)];
  assert.ok(many < 2.2 * few, `${few} lookups, then ${many}`);
});

test('a large day is deleted a little at a time', async (t) => {
  const { db, take } = bookOf(t);
  await take(...crowd(3));
  assert.ok(sealOnce(db, { siteId: 1, day: YESTERDAY }));
  db.run('UPDATE sealed_blob SET data = zeroblob(300000)');
  db.run("UPDATE sealed_day SET state = 'gone'");
  const bytes = () => db.one<{ n: number }>('SELECT coalesce(sum(length(data)), 0) AS n FROM sealed_blob')?.n ?? 0;
  let before = bytes();
  assert.ok(before > 3_000_000);
  for (const _ of sweep(db, NOW + 2 * 86_400)) {
    assert.ok(before - bytes() <= 600_000);
    before = bytes();
  }
  assert.deepEqual([before, rowsIn(db, 'sealed_day'), rowsIn(db, 'rollup')], [0, 0, 0]);
});
