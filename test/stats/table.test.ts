import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHitKey } from '../../src/stats/table-keys.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { date } from './days.ts';
import { type App, openSite } from './stage.ts';
import { countsOf, TABLE_KEYS } from './table.ts';

const ask = async (app: App, body: object) => app.owner.ask('POST', `/sites/${app.siteId}/query`, body);

test('query: rows by one dimension are those of its breakdown', async (t) => {
  const app = await startApp(t);
  const { store, ask: read, known } = await openSite(app);
  const countries = ['DE', 'DE', 'FR', ''];
  await store(countries.map((country, visitor) => pageview({ day: TODAY, visitor, country, page: `/${visitor % 2}` })));
  for (const [by, breakdown] of [
    ['country', 'countries'],
    ['page', 'pages'],
  ]) {
    const metrics = ['visitors', 'visits', 'pageviews'];
    const answer = await app.owner.ask('POST', `/sites/${known.siteId}/query`, { range: 'today', by: [by], metrics });
    const query = { range: 'today', metrics: 'visits,pageviews', limit: '100' };
    const { rows } = await read({ path: `breakdown/${breakdown}`, query });
    assert.deepEqual(
      answer.body.data.rows.map(({ by: [value], metrics }: { by: string[]; metrics: object }) => ({
        value,
        ...metrics,
      })),
      rows,
    );
  }
});

test('query: the visitors of a property and a country are known, also on a day without the property', async (t) => {
  const app = await startApp(t);
  const { store, known } = await openSite(app);
  const hit = (visitor: number, country: string, page: string, plan?: string) =>
    pageview({ day: TODAY, visitor, country, page, properties: plan === undefined ? '' : JSON.stringify({ plan }) });
  const ask = async () => {
    const body = { range: 'today', by: ['property:plan', 'country'], filters: { country: { is: ['FR'] } } };
    const { data } = (await app.owner.ask('POST', `/sites/${known.siteId}/query`, body)).body;
    return data.rows.map(({ by, metrics }: { by: string[]; metrics: { visitors: number } }) => [
      ...by,
      metrics.visitors,
    ]);
  };
  await store([hit(0, 'DE', '/'), hit(1, 'DE', '/'), hit(2, 'DE', '/'), hit(3, 'FR', '/a'), hit(3, 'FR', '/b')]);
  assert.deepEqual(await ask(), [['', 'FR', 1]]);
  await store([hit(4, 'FR', '/a', 'pro'), hit(4, 'FR', '/a', 'pro'), hit(4, 'FR', '/b', 'free'), hit(5, 'DE', '/')]);
  assert.deepEqual(await ask(), [
    ['', 'FR', 1],
    ['free', 'FR', 1],
    ['pro', 'FR', 1],
  ]);
});

test('query: rows can be compared with the days before, also those that were not there', async (t) => {
  const app = await startApp(t);
  const { store, known } = await openSite(app);
  await store([pageview({ day: TODAY - 1, visitor: 1, country: 'DE' })]);
  await store(['DE', 'DE', 'FR'].map((country, visitor) => pageview({ day: TODAY, visitor, country })));
  const body = { range: 'today', by: ['country'], compare: 'previous' };
  const answer = await app.owner.ask('POST', `/sites/${known.siteId}/query`, body);
  assert.deepEqual(answer.body.data.rows, [
    { by: ['DE'], metrics: { visitors: 2 }, previous: { visitors: 1 } },
    { by: ['FR'], metrics: { visitors: 1 }, previous: null },
  ]);
  const compared = async (compare: string) => {
    const { data } = (await app.owner.ask('POST', `/sites/${known.siteId}/query`, { ...body, compare })).body;
    return data.previous;
  };
  const yesterday = { from: `${date(TODAY - 1)}T00:00:00Z`, to: `${date(TODAY - 1)}T23:59:59Z` };
  assert.deepEqual(await compared('previous'), yesterday);
  assert.deepEqual(await compared(`${date(TODAY - 1)}~${date(TODAY - 1)}`), yesterday);
  assert.equal(await compared('none'), undefined);
});

test('query: totals-only days are named, also among the days that rows are compared with', async (t) => {
  const app = await startApp(t);
  const { store, known } = await openSite(app);
  await store([1, 2, 3, 4].map((ago) => pageview({ day: TODAY - ago, visitor: ago, country: 'DE' })));
  await app.seal();
  const ask = async (body: object) => {
    const range = `${date(TODAY - 2)}~${date(TODAY - 1)}`;
    const answer = await app.owner.ask('POST', `/sites/${known.siteId}/query`, { range, by: ['country'], ...body });
    return [answer.body.data.rows[0].previous, answer.body.data.left_out];
  };
  const span = (from: number, to: number) => [{ from: date(from), to: date(to) }];
  assert.deepEqual(await ask({ compare: 'previous' }), [{ visitors: 2 }, undefined]);
  const loseHits = "UPDATE sealed_day SET has_hits = 0 WHERE site_id = ? AND day = ? AND state = 'shown'";
  app.db.run(loseHits, known.siteId, TODAY - 3);
  assert.deepEqual(await ask({}), [undefined, undefined]);
  assert.deepEqual(await ask({ compare: 'previous' }), [{ visitors: 1 }, span(TODAY - 3, TODAY - 3)]);
  app.db.run(loseHits, known.siteId, TODAY - 2);
  assert.deepEqual(await ask({}), [undefined, span(TODAY - 2, TODAY - 2)]);
  assert.deepEqual(await ask({ compare: 'previous' }), [{ visitors: 1 }, span(TODAY - 3, TODAY - 2)]);
});

test('query: what cannot be asked is refused with the field', async (t) => {
  const app = await startApp(t);
  const refused: [body: object, field: string][] = [
    [{ by: ['colour'] }, 'by.0'],
    [{ by: ['country', 'country'] }, 'by'],
    [{ by: ['country', 'page', 'os', 'browser'] }, 'by'],
    [{ by: ['country', 'page', 'os'], interval: 'day' }, 'interval'],
    [{ by: ['page'], metrics: ['bounce_rate'] }, 'metrics'],
    [{ by: ['country'], metrics: ['count'] }, 'metrics'],
    [{ metrics: [] }, 'metrics'],
    [{ by: ['country'], sort: 'pageviews' }, 'sort'],
    [{ by: ['country'], goal: 1 }, 'goal'],
    [{ by: ['country'], metrics: ['conversions'] }, 'goal'],
    [{ by: ['country'], metrics: ['revenue'] }, 'currency'],
    [{ by: ['day'], compare: 'previous' }, 'compare'],
    [{ any: [] }, 'any'],
    [{ any: [{}] }, 'any.0'],
    [{ any: Array(6).fill({ country: 'DE' }) }, 'any'],
    [{ limit: 0 }, 'limit'],
    [{ limit: 10_001 }, 'limit'],
    [{ limit: '10' }, 'limit'],
    [{ range: 'soon' }, 'range'],
    [{ filters: { colour: 'red' } }, 'filters.colour'],
    [{ any: [{ country: 'DE', constructor: 'x' }] }, 'any.0.constructor'],
    [{ colour: 'red' }, 'colour'],
  ];
  for (const [body, field] of refused) {
    const { status, body: answer } = await ask(app, body);
    assert.deepEqual([status, Object.keys(answer.error?.fields ?? {})], [422, [field]], JSON.stringify([body, answer]));
  }
});

test('query: whether each hit has its own value of a key is known for each key', () => {
  const ofHits = TABLE_KEYS.filter((one) => isHitKey(one as never));
  assert.deepEqual(
    ofHits.sort(),
    [...'event hostname hour hour_of_day page'.split(' '), 'property:never', 'property:plan', 'property:theme'].sort(),
  );
  assert.equal(countsOf([]), 'visits');
});
