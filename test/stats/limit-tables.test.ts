import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Queries } from '../../src/engine/engine.ts';
import { limitTables, makeAsk } from '../../src/stats/ask.ts';
import { explainDifference } from '../../src/stats/difference.ts';
import { measureNoises } from '../../src/stats/difference-noise.ts';
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

test('tables: a site whose tables wait does not take the places of another site', async () => {
  const asked: number[] = [];
  const measure = async ({ siteId }: { siteId: number }) => {
    asked.push(siteId);
    await new Promise(setImmediate);
  };
  const limited = limitTables({ measure } as unknown as Queries, 512 * MEGABYTES);
  const ask = (siteId: number) => limited.measure({ report: 'table', siteId } as unknown as Of<'table'>);
  const flood = Promise.allSettled(Array.from({ length: 20 }, () => ask(1)));
  await ask(2);
  assert.deepEqual(asked.slice(0, 3), [1, 1, 2]);
  const refused = (await flood).filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 20 - 1 - 8);
});

test('tables: eight sites with all their places do not keep out a ninth', async () => {
  const measure = () => new Promise(setImmediate);
  const limited = limitTables({ measure } as unknown as Queries, 512 * MEGABYTES);
  const ask = (siteId: number) => limited.measure({ report: 'table', siteId } as unknown as Of<'table'>);
  const flood = Promise.allSettled([1, ...Array.from({ length: 64 }, (_, i) => 1 + (i % 8))].map(ask));
  await ask(9);
  const refused = (await flood).filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 1);
});

const COUNTRIES = ['DE', 'FR', 'ES', 'IT', 'PL', 'US'];

test('tables: to explain a difference with several reasons, one table of each range is asked at once', async (t) => {
  const app = await startApp(t);
  const { engine } = app;
  const { store, known } = await openSite(app);
  const hits = [0, 1].flatMap((ago) =>
    COUNTRIES.flatMap((country, place) =>
      Array.from({ length: ago === 0 && place < 2 ? 900 : 300 }, (_, visitor) =>
        pageview({ day: TODAY - ago, visitor: place * 1_000 + visitor, country }),
      ),
    ),
  );
  await store(hits);
  let [running, most] = [0, 0];
  const ask = makeAsk({
    async measure(query, signal) {
      const step = query.report === 'table' ? 1 : 0;
      running += step;
      most = Math.max(most, running);
      const measured = await engine.queries.measure(query, signal);
      running -= step;
      return measured;
    },
  });
  const { reasons } = await explainDifference(ask, {
    ...{ siteId: known.siteId, timeZone: 'UTC', filters: {} },
    ...{ range: { from: TODAY, to: TODAY + 1 }, compared: { from: TODAY - 1, to: TODAY } },
  });
  assert.ok(reasons.length > 1, JSON.stringify(reasons));
  assert.equal(most, 2);
});

test('explain: noise that cannot be measured is taken as larger than chance', async () => {
  const all = { before: 100, after: 200 };
  const counts = [{ dimension: 'country' as const, values: [{ value: 'DE', ...all }] }];
  const range = { from: TODAY, to: TODAY + 7 };
  const question = { siteId: 1, timeZone: 'UTC', range, compared: { from: TODAY - 7, to: TODAY }, filters: {} };
  const readNoise = await measureNoises(async () => undefined, question, { counts, all });
  assert.equal(readNoise('country'), 2);
});
