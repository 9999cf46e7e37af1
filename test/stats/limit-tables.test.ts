import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitTables } from '../../src/stats/ask.ts';
import { askForVisitors, type Of } from '../../src/stats/query.ts';
import type { PastMoment } from '../../src/store/file/as-of.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { openSite } from './stage.ts';

const MEGABYTES = 1024 * 1024;

test('tables: a small machine computes one at a time, and other reports do not wait', async (t) => {
  const app = await startApp(t);
  const { store, known } = await openSite(app);
  await store([pageview({ day: TODAY, country: 'DE' })]);
  const range = { from: TODAY, to: TODAY + 1 };
  const table: Of<'table'> = {
    ...{ report: 'table', siteId: known.siteId, range, filters: {}, timeZone: 'UTC' },
    ...{ by: ['country'], metrics: [], offset: 0, limit: 10 },
  };
  let [running, most, tables] = [0, 0, 0];
  const { queries } = app.engine;
  const counted: typeof queries = {
    ...queries,
    asOf: () => counted,
    async measure(query, signal) {
      const isTable = query.report === 'table';
      if (isTable) most = Math.max(most, ++running);
      const measured = await queries.measure(query, signal);
      if (isTable) [running, tables] = [running - 1, tables + 1];
      return measured;
    },
  };
  for (const [megabytes, atOnce] of [
    [256, 1],
    [512, 1],
    [1024, 2],
  ] as const) {
    most = 0;
    const { measure, asOf } = limitTables(counted, megabytes * MEGABYTES);
    const past = asOf(app.db, {} as PastMoment);
    const asked = [measure, past.measure, measure, past.measure].map((one) => one(table));
    const before = tables;
    await measure(askForVisitors(known.siteId, range));
    assert.ok(tables < before + 4);
    for (const { table: found } of await Promise.all(asked)) assert.equal(found?.total, 1);
    assert.equal(most, atOnce);
  }
});
