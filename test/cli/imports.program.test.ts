import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { listSealed } from '../../src/catalog/sealed-days.ts';
import { readShards } from '../../src/ledger/open/open-day.ts';
import { dayReader } from '../../src/ledger/query/day-reader.ts';
import { recount } from '../../src/ledger/upkeep/recount.ts';
import { openReader } from '../../src/store/file/open-file.ts';
import { TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { furnish } from '../support/furnish.ts';
import { kill } from '../support/kill.ts';
import { DAYBOOK } from '../support/program.ts';
import { commandLine, here } from './here.ts';

const ROUNDS = 3;

/** So many visitors a day, by how many days ago. */
const visitors = (counts: Record<number, number>): string =>
  Object.entries(counts)
    .flatMap(([back, count]) =>
      Array.from({ length: count }, (_, n) =>
        JSON.stringify({
          at: `${date(TODAY - Number(back))}T00:00:00Z`,
          url: `https://example.com/${n}`,
          visitor: `${n}`,
        }),
      ),
    )
    .join('\n');

async function started(t: TestContext) {
  const daybook = commandLine(t);
  const token = await furnish(daybook.db);
  const file = join(daybook.folder, 'hits.ndjson');
  return {
    daybook,
    token,
    async bring(counts: Record<number, number>): Promise<void> {
      writeFileSync(file, visitors(counts));
      await here(daybook.db, 'import', 'example.com', file, '--format', 'ndjson');
    },
    list: () => daybook.print(['import', 'list', 'example.com']),
    remove: (id: number | string) => daybook.run(['import', 'remove', 'example.com', `${id}`]),
  };
}

/** Pageviews by how many days ago, as sums and as columns tell them. */
function daysIn(path: string): Record<number, number> {
  const { db, close } = openReader(path);
  try {
    const days = dayReader(db);
    const range = [1, TODAY - 400, TODAY + 1] as const;
    const open = [...days.open(...range)].flatMap(({ own }) =>
      readShards(own).map(({ day, totals }) => ({ day, ...totals })),
    );
    const sums = [...listSealed(db, ...range), ...open].map(({ day, pageviews }) => [TODAY - day, pageviews]);
    const scanned = [...days.days(...range)].map((day) => [TODAY - day.day, day.column('page').codes.length]);
    assert.deepEqual(Object.fromEntries(scanned), Object.fromEntries(sums));
    for (const { day, faults } of recount(db)) assert.deepEqual(faults, [], date(day));
    return Object.fromEntries(sums);
  } finally {
    close();
  }
}

const rowsIn = (path: string, ...tables: string[]): number[] => {
  const { db, close } = openReader(path);
  const counts = tables.map((table) => db.one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0);
  close();
  return counts;
};

test('imports are listed with their days, and one that is removed takes nothing of its neighbours along', async (t) => {
  const { daybook, bring, list, remove } = await started(t);
  await bring({ 0: 2, 1: 3, 40: 4 });
  await bring({ 2: 5, 41: 6 });
  const columns = async () => (await list()).replaceAll(/ +/g, ' ');
  const second = `2 11 2 ${date(TODAY - 41)} ${date(TODAY - 2)} ${date(TODAY)}`;
  assert.equal(await columns(), `1 9 3 ${date(TODAY - 40)} ${date(TODAY)} ${date(TODAY)}\n${second}`);
  const { code, stdout, stderr } = await remove(1);
  assert.deepEqual([code, stdout, stderr], [0, 'import 1 removed: 9 hits of 3 days\n', '']);
  assert.equal(await columns(), second);
  assert.deepEqual(daysIn(daybook.db), { 2: 5, 41: 6 });
  assert.equal(await daybook.print(['check']), '2 days verified, 0 differ');
  // Nothing of it is left in the file.
  assert.deepEqual(rowsIn(daybook.db, 'sealed_day', 'hit', 'import', 'sealed_blob'), [2, 0, 1, 74]);
  assert.equal((await remove(2)).code, 0);
  assert.deepEqual(daysIn(daybook.db), {});
  assert.deepEqual(rowsIn(daybook.db, 'sealed_day', 'rollup', 'month_rollup', 'import'), [0, 0, 0, 0]);
});

test('what is no import of the site is an error', async (t) => {
  const { daybook, bring, remove } = await started(t);
  await bring({ 1: 1 });
  await daybook.print(['site', 'add', 'ann@example.com', 'other.example']);
  for (const id of ['2', 'x', '1.5', '']) {
    const { code, stderr } = await remove(id);
    const message = `daybook: example.com has no import ${id}. To list all, run daybook import list example.com\n`;
    assert.deepEqual([code, stderr], [1, message]);
  }
  const { stderr } = await daybook.run(['import', 'remove', 'other.example', '1']);
  assert.match(stderr, /other\.example has no import 1/);
  const { code, stdout, stderr: said } = await daybook.run(['import', 'list', 'other.example']);
  assert.deepEqual([code, stdout, said], [0, '', 'nothing has been imported into other.example\n']);
  assert.deepEqual(daysIn(daybook.db), { 1: 1 });
});

test('a server sees at once that an import is gone, also from today', async (t) => {
  const { daybook, token, bring, remove } = await started(t);
  const { url } = await daybook.serve();
  const pageviews = async (): Promise<number> => {
    const answer = await fetch(`${url}/api/v1/sites/example.com/stats/overview?range=30d`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    return ((await answer.json()) as { data: { pageviews: number } }).data.pageviews;
  };
  await bring({ 0: 2, 1: 3 });
  assert.equal(await pageviews(), 5);
  await remove(1);
  assert.equal(await pageviews(), 0);
});

test('killed at any moment, a removal took all of it or nothing, and takes the rest the next time', async (t) => {
  const { daybook, bring } = await started(t);
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [i * 2 + 1, 3]));
  await bring({ 2: 1, 4: 1 });
  await bring({ ...many, 0: 2 });
  const before = daysIn(daybook.db);
  const args = ['import', 'remove', 'example.com', '2'];
  await kill(t, {
    template: daybook.db,
    rounds: ROUNDS,
    argsOf: (path) => [...DAYBOOK, ...args, '--db', path],
    async look(path, ended) {
      const left = daysIn(path);
      const isGone = left[1] === undefined;
      assert.deepEqual(left, isGone ? { 2: 1, 4: 1 } : before);
      if (ended) assert.ok(isGone);
      // What was left to be deleted goes with the next sealing.
      await here(path, ...(isGone ? ['seal'] : args));
      assert.deepEqual(daysIn(path), { 2: 1, 4: 1 });
      assert.deepEqual(rowsIn(path, 'sealed_day', 'hit', 'import'), [2, 0, 1]);
      return !isGone;
    },
  });
});
