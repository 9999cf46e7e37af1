import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addImport } from '../../../src/catalog/imports.ts';
import { COLUMNS } from '../../../src/ledger/column/column.ts';
import { type DayReader, dayReader } from '../../../src/ledger/query/day-reader.ts';
import { showImport, stageOpen } from '../../../src/ledger/upkeep/import.ts';
import { Stopped } from '../../../src/lib/errors.ts';
import { finish } from '../../../src/lib/steps.ts';
import { DERIVED_BREAKDOWNS, STORED_BREAKDOWNS } from '../../../src/stats/dimensions.ts';
import type { Db } from '../../../src/store/db.ts';
import { TODAY } from '../../collect/stage.ts';
import { rowsOf } from '../rows.ts';
import { bookOf, crowd, foldOnce, NOW, pageviewsIn, rowsIn, sealOnce, TINY, YESTERDAY } from '../stage.ts';

const RANGE = { from: TODAY - 10, to: TODAY + 10 };

const readColumn = (days: DayReader, name: (typeof COLUMNS)[number]) => {
  for (const day of days.days(1, RANGE.from, RANGE.to)) day.column(name);
};
const readRollup = (days: DayReader, name: (typeof STORED_BREAKDOWNS)[number]) => [
  ...days.sums(1, [RANGE], []).rollups(name, RANGE),
];

test('a damaged blob or rollup throws rather than answers, whichever bit of it was flipped', async (t) => {
  const { db, take } = bookOf(t);
  const words = { event: 'e', label: 'l', utm_source: 'a', utm_medium: 'b', utm_campaign: 'c' };
  await take(...crowd(4), ...crowd(4, { ...words, second: 5_000 }));
  sealOnce(db, { siteId: 1, day: YESTERDAY });
  for (const [table, names, read] of [
    ['sealed_blob', COLUMNS, readColumn],
    ['rollup', STORED_BREAKDOWNS, readRollup],
  ] as const) {
    for (const name of names) {
      const { data = Buffer.alloc(0) } =
        db.one<{ data: Buffer }>(`SELECT data FROM ${table} WHERE name = ?`, name) ?? {};
      assert.ok(data.length > 0);
      for (let bit = 0; bit < data.length * 8; bit += 5) {
        const damaged = Buffer.from(data);
        damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        db.run(`UPDATE ${table} SET data = ? WHERE name = ?`, damaged, name);
        assert.throws(() => read(dayReader(db), name as never), `bit ${bit} of ${table} ${name}`);
      }
      db.run(`UPDATE ${table} SET data = ? WHERE name = ?`, data, name);
      read(dayReader(db), name as never);
    }
  }
});

test('a blob or rollup that is missing throws', async (t) => {
  const { db, take } = bookOf(t);
  await take(...crowd(4));
  sealOnce(db, { siteId: 1, day: YESTERDAY });
  db.run("DELETE FROM sealed_blob WHERE name = 'page'");
  db.run("DELETE FROM rollup WHERE name = 'pages'");
  assert.throws(() => readColumn(dayReader(db), 'page'), /page .*missing/);
  assert.throws(() => readRollup(dayReader(db), 'pages'), /pages .*missing/);
});

test('a rollup is read once, and another day in the place of its day has its own', async (t) => {
  const { db, take } = bookOf(t);
  await take(...crowd(4));
  sealOnce(db, { siteId: 1, day: YESTERDAY });
  const days = dayReader(db);
  const read = (name: (typeof STORED_BREAKDOWNS)[number]) => {
    days.nextQuery();
    return readRollup(days, name).map(({ visitors, hits }) => [Array.from(visitors), Array.from(hits)]);
  };
  const before = STORED_BREAKDOWNS.map(read);
  db.run('UPDATE rollup SET data = zeroblob(1)');
  assert.deepEqual(STORED_BREAKDOWNS.map(read), before);
  await take(...crowd(3));
  assert.equal(sealOnce(db, { siteId: 1, day: YESTERDAY }), true);
  const hits = read('pages').flatMap(([, counts = []]) => counts);
  assert.equal(
    hits.reduce((sum, count) => sum + count, 0),
    7,
  );
});

test('each list that is cached of a sealed day has a place of its own, also beside the day after it', async (t) => {
  const { db, take } = bookOf(t);
  for (const day of [YESTERDAY - 1, YESTERDAY]) {
    await take(...crowd(4, { day }));
    sealOnce(db, { siteId: 1, day });
  }
  let made = 0;
  const days = dayReader(db);
  const read = () => {
    days.nextQuery();
    return [...days.sealed(1, RANGE.from, RANGE.to)].flatMap((day) => {
      const list = () => Uint32Array.of(++made);
      const counts = () => ({ terms: list(), visitors: list(), hits: list() });
      return [
        ...COLUMNS.map(day.column),
        day.quarters?.(),
        day.channels?.(() => ({ terms: list(), codes: new Uint8Array(1) })),
        ...DERIVED_BREAKDOWNS.map((name) => day.derived?.(name, counts)),
        day.sales?.(() => ({
          hits: list(),
          visits: list(),
          amounts: new Float64Array(1),
          currencies: new Uint8Array(1),
        })),
      ];
    });
  };
  const lists = read();
  assert.equal(lists.length, 2 * (COLUMNS.length + 3 + DERIVED_BREAKDOWNS.length));
  assert.ok(!lists.includes(undefined));
  assert.equal(new Set(lists).size, lists.length);
  for (const [i, list] of read().entries()) assert.equal(list, lists[i]);
});

test('what is kept of an open day is topped up, and given up when an import or a seal takes its place', async (t) => {
  const { db, take, counted } = bookOf(t);
  for (let n = 1; n <= 300; n += 7) {
    await take(...crowd(7, { second: n }));
    assert.deepEqual(counted(), { [YESTERDAY]: n + 6 });
  }
  const before = counted();
  sealOnce(db, { siteId: 1, day: YESTERDAY });
  assert.deepEqual(counted(), before);
});

test('a question that is stopped keeps the open days that it had read, large ones too', async (t) => {
  const { db, take } = bookOf(t);
  const [small, large] = [YESTERDAY - 1, YESTERDAY];
  await take(...crowd(5, { day: small }), ...crowd(20, { day: large }), ...crowd(3, { day: TODAY }));
  while (foldOnce(db, { siteId: 1, day: large }, TINY));
  await take(...crowd(4, { day: large, page: '/more' }));
  let left = 5;
  const days = dayReader(db, {
    checkpoint() {
      if (left-- === 0) throw new Error('stopped');
    },
  });
  const pageviews = () => pageviewsIn(db, days, { from: small, to: TODAY + 1 });
  assert.throws(pageviews, /stopped/);
  // What has been read need not be there any more, except for the last row of each day.
  db.run('DELETE FROM hit WHERE id NOT IN (SELECT max(id) FROM hit GROUP BY day)');
  left = Number.POSITIVE_INFINITY;
  assert.equal(rowsIn(db, 'hit'), 3);
  assert.deepEqual(pageviews(), [5, 24, 1]);
});

test('between questions the large days that are cached take in what came, each in turn', async (t) => {
  const { db, take } = bookOf(t);
  const cached = [TODAY - 2, YESTERDAY, TODAY];
  for (const day of cached) {
    await take(...crowd(60, { day }));
    while (foldOnce(db, { siteId: 1, day }, TINY));
  }
  await take(...crowd(5, { day: TODAY - 3 }));
  let checks = 0;
  const days = dayReader(db, {
    checkpoint() {
      checks++;
    },
  });
  const sums = (): number[] => pageviewsIn(db, days, { from: TODAY - 3, to: TODAY + 1 });
  const checksOf = (work: () => unknown): number => {
    checks = 0;
    work();
    return checks;
  };
  days.keepUp();
  assert.deepEqual(sums(), [5, 60, 60, 60]);
  const fewest = checksOf(sums);
  for (const [turns, second] of [
    [0, 7_200],
    [10 * cached.length, 14_400],
  ] as const) {
    const before = sums();
    for (const day of cached) await take(...crowd(20, { day, second }));
    for (let turn = 0; turn < turns; turn++) days.keepUp();
    let after: number[] = [];
    const checked = checksOf(() => {
      after = sums();
    });
    assert.deepEqual(
      after,
      before.map((count, i) => (i === 0 ? count : count + 20)),
    );
    // Where nobody has taken in what came, the question does, and looks for each part whether it shall stop.
    if (turns > 0) assert.equal(checked, fewest);
    else assert.ok(checked > fewest);
  }
});

test('between questions no hits are read of a day with imports, which would be read anew each time', async (t) => {
  const { db, take } = bookOf(t);
  await take(...crowd(20, { day: TODAY }));
  while (foldOnce(db, { siteId: 1, day: TODAY }, TINY));
  let reads = 0;
  const lists: Db['lists'] = (...asked) => {
    reads++;
    return db.lists(...asked);
  };
  const days = dayReader({ ...db, lists });
  const sums = (): number[] => pageviewsIn(db, days, { from: TODAY, to: TODAY + 1 });
  const readsBetween = (): number => {
    reads = 0;
    days.keepUp();
    return reads;
  };
  assert.deepEqual(sums(), [20]);
  await take(...crowd(4, { day: TODAY, page: '/more' }));
  assert.ok(readsBetween() > 0);
  const importId = addImport(db, 1, { now: NOW, today: TODAY });
  finish(stageOpen(db, { siteId: 1, importId }, TODAY, rowsOf(30)));
  showImport(db, { siteId: 1, importId, sealed: 0, now: NOW }, false);
  for (const expected of [54, 54]) {
    assert.equal(readsBetween(), 0);
    assert.deepEqual(sums(), [expected]);
  }
});

test('a question about a day of which too many rows are in no part is stopped, until they are', async (t) => {
  const { db, take } = bookOf(t);
  const siteDay = { siteId: 1, day: TODAY };
  const days = dayReader(db, { mostRows: 20 });
  const pageviews = () => pageviewsIn(db, days, { from: TODAY, to: TODAY + 1 });
  await take(...crowd(19, { day: TODAY }));
  assert.deepEqual(pageviews(), [19]);
  await take(...crowd(1, { day: TODAY }));
  assert.throws(pageviews, Stopped);
  assert.deepEqual(pageviewsIn(db, dayReader(db), { from: TODAY, to: TODAY + 1 }), [20], 'a command reads on');
  while (foldOnce(db, siteDay, TINY));
  await take(...crowd(12, { day: TODAY }));
  assert.deepEqual(pageviews(), [32]);
  await take(...crowd(8, { day: TODAY }));
  assert.throws(pageviews, Stopped);
  // What replaces it keeps all else out of parts, and nobody need wait.
  const importId = addImport(db, 1, { now: NOW, today: TODAY });
  finish(stageOpen(db, { siteId: 1, importId }, TODAY, rowsOf(30)));
  showImport(db, { siteId: 1, importId, sealed: 0, now: NOW }, true);
  await take(...crowd(25, { day: TODAY }));
  assert.deepEqual(pageviews(), [55]);
});
