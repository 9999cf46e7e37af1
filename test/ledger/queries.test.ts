import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLedger } from '../../src/ledger/engine.ts';
import { makeTasks, type Tasks } from '../../src/ledger/work/tasks.ts';
import type { Query } from '../../src/stats/query.ts';
import type { TableKey } from '../../src/stats/table-keys.ts';
import { watchClock } from '../../src/store/server/clock-trust.ts';
import { addExclusion } from '../../src/store/sites/exclusions.ts';
import type { Threads } from '../../src/threads/pool.ts';
import { engineOver, TODAY } from '../collect/stage.ts';
import { rowsOf } from './rows.ts';
import { bookOf, crowd, NOW } from './stage.ts';

const DAYS = Array.from({ length: 30 }, (_, n) => TODAY - 30 + n);
const RANGE = { from: TODAY - 30, to: TODAY };
const FILTERED = { siteId: 1, range: RANGE, filters: { page: { is: ['/i'] } } };
const QUERIES: readonly Query[] = [
  { report: 'overview', ...FILTERED },
  { report: 'timeseries', ...FILTERED },
  { report: 'breakdown', breakdown: 'countries', limit: 10, ...FILTERED },
];

const clock = { now: () => NOW * 1000, tick: () => 0 };

/** Threads that take one task after the other; `between` is done once, after the first part of a query. */
function turns({ tasks }: ReturnType<typeof makeTasks>, between: () => unknown): Threads<Tasks> {
  let isDone = false;
  let last: Promise<unknown> = Promise.resolve();
  return {
    size: 4,
    run(_, name, input) {
      const own = last.then(async () => {
        const output = tasks[name](input as never);
        if (name === 'measurePartial' && !isDone) {
          isDone = true;
          await between();
        }
        return output;
      });
      last = own;
      return own as Promise<ReturnType<Tasks[typeof name]>>;
    },
    close: async () => {},
  };
}

const contentOf = (hits: number) => ({
  ...{ today: TODAY, texts: ['', '/i'], days: DAYS },
  readRows: () => rowsOf(hits),
});

const CHANGES = {
  'an import replaces all days': 'import',
  'an exclusion leaves out all visits': 'exclusion',
} as const;

for (const [name, change] of Object.entries(CHANGES)) {
  test(`threads that share a query count one state of the site while ${name}`, async (t) => {
    for (const query of QUERIES) {
      const { db } = bookOf(t);
      const { imports } = engineOver(db, NOW * 1000);
      await imports.add(1, contentOf(2), { replace: false });
      const filters = { page: { is: ['/i'] } };
      const exclusion = { from: 0, to: null, filters, applied: {}, note: '' };
      const between = () =>
        change === 'import'
          ? imports.add(1, contentOf(5), { replace: true })
          : db.write(() => addExclusion(db, 1, exclusion, NOW));
      const open = (readers: Threads<Tasks>) =>
        openLedger({ db, clock, trust: watchClock(db, clock), log: () => {}, readers, sealers: () => readers });
      const tasks = makeTasks(db, { freeMemory() {} });
      const measured = await open(turns(tasks, between)).queries.measure(query);
      const after = await open(turns(tasks, () => {})).queries.measure(query);
      assert.deepEqual(measured, after, query.report);
    }
  });
}

test('a table whose rows take longer to merge than to count goes to one thread from its second query on', async (t) => {
  const { db, take } = bookOf(t);
  const days = [30, 20, 10].map((ago) => TODAY - ago);
  for (const day of days) await take(...crowd(7_000, { day }));
  const threads = turns(makeTasks(db, { freeMemory() {} }), () => {});
  const asked: string[] = [];
  const readers: Threads<Tasks> = {
    ...threads,
    run(place, name, input) {
      asked.push(name);
      return threads.run(place, name, input);
    },
  };
  const options = { db, clock, trust: watchClock(db, clock), log: () => {}, readers, sealers: () => readers };
  const { queries } = openLedger(options);
  const ask = async (by: readonly TableKey[]) => {
    asked.length = 0;
    const wanted = { metrics: [], offset: 0, limit: 5, timeZone: 'UTC' };
    const { table } = await queries.measure({ report: 'table', siteId: 1, range: RANGE, filters: {}, by, ...wanted });
    return { table, isSplit: asked.includes('measurePartial') };
  };
  const [first, second] = [await ask(['entry', 'source']), await ask(['entry', 'source'])];
  assert.deepEqual([first.isSplit, second.isSplit], [true, false]);
  assert.equal(second.table?.total, 7_000);
  assert.deepEqual(second.table, first.table);
  for (let turn = 0; turn < 2; turn++) assert.equal((await ask(['country', 'browser'])).isSplit, true);
});
