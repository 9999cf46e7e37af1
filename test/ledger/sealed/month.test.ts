import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addRollups, MONTH_NAMES } from '../../../src/ledger/sealed/month.ts';
import { findFirstDay, monthNumber } from '../../../src/stats/calendar.ts';
import type { Db } from '../../../src/store/db.ts';
import { TODAY } from '../../collect/stage.ts';
import { addUpMonths, bookOf, crowd, faultsIn, NOW, rowsIn, sealOnce } from '../stage.ts';

const MONTH = monthNumber(TODAY) - 1;
const [FIRST, END] = [findFirstDay(MONTH), findFirstDay(MONTH + 1)];

/** A month that is over, with hits on its first, second and last day, and what the pages of a range have. */
async function monthBook(t: TestContext) {
  const book = bookOf(t);
  const { db, take, read } = book;
  for (const [i, day] of [FIRST, FIRST + 1, END - 1].entries()) {
    await take(...crowd(i + 2, { day }));
    sealOnce(db, { siteId: 1, day });
  }
  addUpMonths(db, NOW);
  const parts = (from = FIRST, to = END) =>
    read((days) => [...days.sums(1, [{ from, to }], []).rollups('pages', { from, to })]);
  const sums = (): Record<number, number> => {
    const byTerm: Record<number, number> = {};
    for (const { terms, visitors } of parts()) {
      for (const [i, term] of Array.from(terms).entries()) byTerm[term] = (byTerm[term] ?? 0) + (visitors[i] ?? 0);
    }
    return byTerm;
  };
  return { ...book, parts, sums };
}

const damage = (db: Db, table: string, name: string): void => {
  db.write(() => db.run(`UPDATE ${table} SET data = zeroblob(length(data)) WHERE name = ?`, name));
};

test('rows of equal events and terms are added up, and terms of any size stay apart', () => {
  const [event, term] = [2 ** 31 - 2, 2 ** 31 - 3];
  const one = { events: [7, event], terms: [3, term], visitors: [1, 2], hits: [3, 4] };
  const other = { events: [7, event, event], terms: [2, term - 1, term], visitors: [5, 6, 7], hits: [8, 9, 10] };
  assert.deepEqual(addRollups([one, other]), {
    events: [7, 7, event, event],
    terms: [2, 3, term - 1, term],
    visitors: [5, 1, 6, 9],
    hits: [8, 3, 9, 14],
  });
});

test('a whole month is one part, and of a blob of a month each day is', async (t) => {
  const { parts, sums } = await monthBook(t);
  assert.equal(parts().length, 1);
  assert.deepEqual(Object.values(sums()), [3, 3, 2, 1]);
  assert.equal(parts(FIRST + 1).length, 2);
  assert.equal(parts(FIRST, END - 1).length, 2);
  assert.equal(parts(FIRST - 40, END + 40).length, 1);
});

test('a month that got another day is read day by day until it is added up again', async (t) => {
  const { db, take, parts, sums } = await monthBook(t);
  await take(...crowd(1, { day: FIRST + 2 }));
  sealOnce(db, { siteId: 1, day: FIRST + 2 });
  assert.equal(parts().length, 4);
  assert.deepEqual(Object.values(sums()), [4, 3, 2, 1]);
  addUpMonths(db, NOW);
  assert.equal(parts().length, 1);
  assert.deepEqual(Object.values(sums()), [4, 3, 2, 1]);
  assert.deepEqual(faultsIn(db), []);
});

test('what is added up already is left alone, and the month we are in too', async (t) => {
  const { db, take } = await monthBook(t);
  await take(...crowd(1, { day: findFirstDay(MONTH + 1) }));
  sealOnce(db, { siteId: 1, day: findFirstDay(MONTH + 1) });
  const changes = () => db.one<{ n: number }>('SELECT total_changes() AS n')?.n;
  const before = changes();
  addUpMonths(db, NOW);
  assert.equal(changes(), before);
  assert.equal(rowsIn(db, 'month_rollup'), MONTH_NAMES.length);
});

test('a month whose bytes changed is read day by day, and one whose sums are wrong is found by check', async (t) => {
  const { db, parts, sums } = await monthBook(t);
  damage(db, 'month_rollup', 'pages');
  assert.equal(parts().length, 3);
  assert.deepEqual(Object.values(sums()), [3, 3, 2, 1]);
  const other = 'UPDATE month_rollup SET (data, crc) = (SELECT data, crc FROM rollup r WHERE r.name = ? LIMIT 1)';
  db.write(() => db.run(`${other} WHERE name = ?`, 'pages', 'pages'));
  assert.deepEqual(faultsIn(db), ['rollup pages of the month: differs']);
});

test('a damaged day is said once, and not of its month', async (t) => {
  const { db } = await monthBook(t);
  damage(db, 'rollup', 'pages');
  const faults = faultsIn(db);
  assert.ok(faults.length >= 3);
  assert.ok(
    faults.every((fault) => !fault.includes('month')),
    faults.join('; '),
  );
});
