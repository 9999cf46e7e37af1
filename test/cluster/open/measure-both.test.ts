import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { buildMeasureBoth } from '../../../src/cluster/open/measure-both.ts';
import type { OpenDays } from '../../../src/engine/open-days.ts';
import { openOpenDays } from '../../../src/ledger/open-days.ts';
import { makeNothingMeasured } from '../../../src/stats/aggregates.ts';
import type { Query } from '../../../src/stats/query.ts';
import { watchClock } from '../../../src/store/server/clock-trust.ts';
import { activityOf, fileOf, pageview, TODAY } from '../../collect/stage.ts';
import { folder, NOON, tasksHere } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { refusedInTime, threads } from '../../threads/stage.ts';

const OVERVIEW: Query = { siteId: 1, range: { from: TODAY, to: TODAY + 1 }, filters: {}, report: 'overview' };

/** Asks both places about some open days, of which the copy has today. `asked` has the days that ClickHouse counted. */
function stage(t: TestContext, { open = [TODAY], measure }: { open?: number[]; measure: OpenDays['measure'] }) {
  const asked: (readonly number[])[] = [];
  const state = { isStill: true, dropped: 0 };
  const followed = {
    take: async () => ({ days: new Set([TODAY]), measure, isStill: () => state.isStill }),
    noteCounted() {},
    async drop() {
      state.dropped++;
    },
  };
  const measureBoth = buildMeasureBoth({
    db: fileOf(t).open().db,
    followed,
    async measureWith(days) {
      asked.push(days);
      return makeNothingMeasured();
    },
  });
  return { state, asked, ask: (query: Query) => measureBoth(open, query, {}) };
}

test('copies of open days: ClickHouse answers the queries that run while the copy is deleted', async (t) => {
  const { run, close } = threads(t);
  let running = 0;
  const measure = async () => {
    running++;
    return (await run('sleep')) as never;
  };
  const { state, asked, ask } = stage(t, { measure });
  const answers = Promise.all([ask(OVERVIEW), ask(OVERVIEW)]);
  await until('both queries run or wait', () => running === 2);
  state.isStill = false;
  await close();
  await answers;
  assert.deepEqual([asked, state.dropped], [[[TODAY], [TODAY]], 0]);
});

test('copies of open days: ClickHouse answers a query whose thread dies', async (t) => {
  const { run } = threads(t);
  const { state, asked, ask } = stage(t, { measure: async () => (await run('exit')) as never });
  await ask(OVERVIEW);
  assert.deepEqual([asked, state.dropped], [[[TODAY]], 0]);
});

test('copies of open days: ClickHouse is not asked for what took a thread too long', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { run } = threads(t, { patience: 60_000 });
  const { asked, ask } = stage(t, { measure: async () => (await run('hang')) as never });
  await refusedInTime(t, ask(OVERVIEW));
  assert.deepEqual(asked, []);
});

test('copies of open days: ClickHouse counts tables and lists of which the copy has many rows', async (t) => {
  const file = join(folder(t), 'own.open-days');
  const clock = { now: () => NOON, tick: () => 0 };
  const trust = watchClock(fileOf(t).open().db, clock);
  const copy = openOpenDays({ file, threads: tasksHere, code: '', log: () => {}, clock, trust });
  t.after(() => copy.close());
  const addPages = (count: number, prefix: string) =>
    copy.append(
      Array.from({ length: count }, (_, i) => activityOf(pageview({ siteId: 1, page: `/${prefix}${i}`, visitor: i }))),
    );
  const open = [TODAY - 1, TODAY];
  const { asked, ask } = stage(t, { open, measure: copy.measure });
  const range = { from: TODAY - 1, to: TODAY + 1 };
  const asking = { metrics: [], offset: 0, limit: 5, timeZone: 'UTC' };
  const page: Query = { siteId: 1, range, filters: {}, report: 'table', by: ['page'], ...asking };
  const pages: Query = { siteId: 1, range, filters: {}, report: 'breakdown', breakdown: 'pages', limit: 5 };
  addPages(100, 'few');
  assert.equal((await ask(page)).table?.total, 100);
  assert.equal((await ask(pages)).rows.length, 5);
  assert.deepEqual(asked.splice(0), [[TODAY - 1], [TODAY - 1]]);
  addPages(10_000, 'many');
  for (const query of [page, pages]) {
    await ask(query);
    assert.deepEqual(asked.splice(0), [[TODAY - 1], open]);
  }
});
