import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Hit, pageview, TODAY } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { dataOf } from '../support/requests.ts';
import { COUNTRIES, days, explain, SOURCES } from './explaining.ts';
import { openSite } from './stage.ts';

const SHOP = 'shop.example.com';
const SITE = 'example.com';
const sign = (plan: string, hostname: string): Partial<Hit> => ({
  ...{ event: 'signup', hostname, properties: JSON.stringify({ plan }) },
});

/**
 * Two weeks. Each day, 20 visitors sign up for pro on the site, 20 for free in the shop, and 20 only read. In the last
 * week, 30 more come each day.
 */
async function openWeeks(t: Parameters<typeof startApp>[0], more: readonly Partial<Hit>[]) {
  const app = await startApp(t);
  const opened = await openSite(app);
  const usual = [
    [{ hostname: SITE }, sign('pro', SITE)],
    [{ hostname: SHOP }, sign('free', SHOP)],
    [{ hostname: SITE }],
  ];
  const hits = Array.from({ length: 14 }, (_, ago) =>
    Array.from({ length: ago < 7 ? 90 : 60 }, (_, visitor) =>
      (visitor < 60 ? (usual[visitor % 3] ?? []) : more).map((own, i) =>
        pageview({
          ...{ day: TODAY - 1 - ago, visitor, second: 60 * visitor + i },
          ...{ country: COUNTRIES[visitor % 4] ?? '', source: SOURCES[(visitor >> 2) % 4] ?? '', ...own },
        }),
      ),
    ),
  ).flat(2);
  await opened.store(hits);
  return { app, opened, asked: { range: days(-7, -1), compare: days(-14, -8) } };
}

test('explain: a host name and a property are found together', async (t) => {
  const { app, opened, asked } = await openWeeks(t, [{ hostname: SHOP }, sign('pro', SHOP)]);
  const both = [{ hostname: SHOP, 'property:plan': 'pro' }];
  assert.deepEqual(await explain(app, opened, asked), both);
  assert.deepEqual(await explain(app, opened, { ...asked, 'filters[event]': 'signup' }), both);
  assert.deepEqual(await explain(app, opened, { ...asked, 'filters[hostname]': SHOP }), [{ 'property:plan': 'pro' }]);
  await app.seal();
  assert.deepEqual(await explain(app, opened, asked), both);
});

test('explain: a host name and a property of different hits are no filter, so one of them is the reason', async (t) => {
  const { app, opened, asked } = await openWeeks(t, [{ hostname: SHOP }, sign('pro', SITE)]);
  const [first, ...others] = await explain(app, opened, asked);
  assert.equal(Object.keys(first ?? {}).filter((name) => /hostname|plan/.test(name)).length, 1, JSON.stringify(first));
  assert.ok(others.every((other) => !('hostname' in other && 'property:plan' in other)));
});

test('explain: the answer says which properties were tried, and which are too many', async (t) => {
  const app = await startApp(t);
  const opened = await openSite(app);
  const names = Array.from({ length: 11 }, (_, i) => `p${i}`);
  const hits = Array.from({ length: 12 }, (_, visitor) =>
    pageview({
      ...{ day: TODAY - 1, visitor, second: visitor },
      properties: JSON.stringify(Object.fromEntries(names.slice(0, visitor).map((name) => [name, 'x']))),
    }),
  );
  await opened.store(hits);
  const ask = async (query: string) =>
    (await app.owner.ask('GET', `/sites/${opened.known.siteId}/stats/explain?${query}`)).body.data.properties;
  assert.deepEqual(await ask('range=7d'), { tried: names.slice(0, 5), left_out: names.slice(5) });
  assert.deepEqual(await ask(`range=${days(-9, -3)}`), { tried: [], left_out: [] });
});

test('explain: by conversions, the reason is of the goal', async (t) => {
  const app = await startApp(t);
  const opened = await openSite(app, { goals: [{ type: 'page', value: '/thanks' }] });
  const make = (day: number, visitor: number, source: string, page: string) =>
    pageview({ day, visitor, second: visitor, source, page, country: COUNTRIES[visitor % 3] ?? '' });
  const hits = Array.from({ length: 14 }, (_, ago) =>
    Array.from({ length: 60 }, (_, visitor) => {
      const source = visitor % 2 ? 'google.com' : 'x.org';
      const isReached = visitor < (visitor % 2 && ago < 7 ? 60 : 20);
      const pages = isReached ? ['/', '/thanks'] : ['/'];
      return pages.map((page) => make(TODAY - 1 - ago, visitor, source, page));
    }),
  ).flat(2);
  await opened.store(hits);
  const ask = async (query: string) => {
    const url = `/sites/${opened.known.siteId}/stats/explain`;
    return dataOf(await app.owner.ask('GET', `${url}?range=${days(-7, -1)}${query}`), 'GET', url);
  };
  const { by, goal, total, previous, verdict, reasons } = await ask('&by=conversions');
  assert.deepEqual([by, goal, total, previous.total], ['conversions', opened.known.goals[0]?.id, 280, 140]);
  assert.equal(verdict, 'explained');
  assert.deepEqual(reasons[0].filters, { channel: 'Organic Search' });
  assert.deepEqual([reasons[0].difference, reasons[0].share], [140, 100]);
  const still = await ask('');
  assert.deepEqual([still.difference, still.verdict, still.reasons], [0, 'chance', []]);
});

test('explain: by pageviews, visitors that read more pages are the reason, and their number did not change', async (t) => {
  const app = await startApp(t);
  const opened = await openSite(app);
  const hits = Array.from({ length: 14 }, (_, ago) =>
    Array.from({ length: 60 }, (_, visitor) =>
      Array.from({ length: visitor % 2 && ago < 7 ? 6 : 2 }, (_, i) =>
        pageview({
          ...{ day: TODAY - 1 - ago, visitor, second: 10 * i, page: `/${i}`, country: COUNTRIES[visitor % 3] ?? '' },
          device: visitor % 2 ? 'Mobile' : 'Desktop',
        }),
      ),
    ),
  ).flat(2);
  await opened.store(hits);
  const asked = { range: days(-7, -1), compare: days(-14, -8) };
  assert.deepEqual(await explain(app, opened, { ...asked, by: 'pageviews' }), [{ device: 'Mobile' }]);
  for (const by of ['visitors', 'visits']) assert.deepEqual(await explain(app, opened, { ...asked, by }), []);
  await app.seal();
  assert.deepEqual(await explain(app, opened, { ...asked, by: 'pageviews' }), [{ device: 'Mobile' }]);
});

test('explain: what cannot be explained is refused with the field', async (t) => {
  const app = await startApp(t);
  const refused = [
    ['compare=none', 'compare'],
    ['by=revenue', 'by'],
    ['goal=1', 'goal'],
    ['by=conversions', 'goal'],
    ['range=soon', 'range'],
    ['filters[colour]=red', 'filters[colour]'],
  ];
  for (const [query, field] of refused) {
    const { status, body } = await app.owner.ask('GET', `/sites/${app.siteId}/stats/explain?${query}`);
    assert.deepEqual([status, Object.keys(body.error?.fields ?? {})], [422, [field]], query);
  }
  assert.equal((await app.owner.ask('GET', `/sites/${app.siteId}/stats/explain?by=conversions&goal=9`)).status, 404);
});

test('explain: without visits there is nothing to explain', async (t) => {
  const app = await startApp(t);
  const { body } = await app.owner.ask('GET', `/sites/${app.siteId}/stats/explain`);
  const { total, difference, verdict, reasons } = body.data;
  assert.deepEqual(
    { total, difference, verdict, reasons },
    { total: 0, difference: 0, verdict: 'chance', reasons: [] },
  );
});
