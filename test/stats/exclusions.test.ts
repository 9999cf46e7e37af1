import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepDays } from '../../src/store/sites/sites.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { openSite } from './stage.ts';

test('a report that leaves out a day does not say how many visits of the day are excluded', async (t) => {
  const app = await startApp(t);
  const { store, exclude, ask, known } = await openSite(app);
  await store(['/a', '/b'].map((page, visitor) => pageview({ day: TODAY - 9, visitor, page })));
  await app.seal();
  await exclude(TODAY - 9, null, { 'filters[page]': '/a' });
  await app.engine.upkeep.remakeSums();
  app.db.write(() => keepDays(app.db, known.siteId, 5));
  await app.seal();
  const listCodes = async (metrics: string) =>
    (await ask({ path: 'breakdown/pages', query: { range: '30d', metrics } })).notice_codes.map(
      ({ code }: { code: string }) => code,
    );
  assert.deepEqual(await listCodes('pageviews'), ['visits_excluded']);
  assert.deepEqual(await listCodes('time_on_page'), ['left_out']);
});

test('channels are counted again when visits are excluded, put back, or come late', async (t) => {
  const app = await startApp(t);
  const { store, exclude, include, agree } = await openSite(app);
  const sources = ['google.com', '', 'news.ycombinator.com', 'google.com'];
  const hits = sources.map((source, visitor) => pageview({ day: TODAY - 3, visitor, source }));
  await store(hits.slice(1));
  await app.seal();
  const questions = ['', 'visits,bounce_rate'].map((metrics) => ({
    path: 'breakdown/channels',
    query: { range: '7d', ...(metrics && { metrics }) },
  }));
  const agreeTwice = async (when: string): Promise<void> => {
    for (const time of ['first', 'second']) await agree(`${when}, the ${time} time`, questions);
  };
  await agreeTwice('sealed');
  const id = await exclude(TODAY - 9, null, { 'filters[source]': 'google.com' });
  await agreeTwice('excluded');
  await include(id);
  await agreeTwice('put back');
  await store(hits.slice(0, 1));
  await agreeTwice('reopened');
  await app.seal();
  await agreeTwice('sealed again');
});
