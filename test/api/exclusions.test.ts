import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appendTo, type Hit, pageview, TODAY } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { dataOf } from '../support/requests.ts';

type App = Awaited<ReturnType<typeof startApp>>;

/** Three who only look at /wp-login, and one who reads two pages, comes back an hour later and asks for it too. */
const HITS: Hit[] = [
  ...[1, 2, 3].map((visitor) => pageview({ visitor, day: TODAY - 1, page: '/wp-login', country: 'XX' })),
  pageview({ visitor: 4, day: TODAY - 1, page: '/', second: 100 }),
  pageview({ visitor: 4, day: TODAY - 1, page: '/a', second: 200 }),
  pageview({ visitor: 4, day: TODAY - 1, page: '/wp-login', second: 9_000 }),
  pageview({ visitor: 5, page: '/', second: 43_100 }),
  pageview({ visitor: 6, page: '/wp-login', second: 43_100 }),
];

const BOTS = { from: '2026-03-09', filters: { page: { like: ['/wp-*'] } } };

async function withHits(app: App): Promise<void> {
  await appendTo(
    app.engine,
    HITS.map((hit) => ({ ...hit, siteId: app.siteId })),
  );
}

const figures = async ({ owner, siteId }: App, path = 'overview?range=7d') => {
  const url = `/sites/${siteId}/stats/${path}`;
  return dataOf(await owner.ask('GET', url), 'GET', url);
};

const add = async ({ manager, siteId }: App, body: unknown) =>
  await manager.ask('POST', `/sites/${siteId}/exclusions`, body);

test('what is set aside is in no answer, each of which says so, and comes back with its exclusion gone', async (t) => {
  const app = await startApp(t);
  const { manager, viewer, siteId } = app;
  await withHits(app);
  const raw = await figures(app);
  assert.deepEqual([raw.visitors, raw.visits, raw.pageviews, raw.notices], [6, 7, 8, undefined]);

  const added = await add(app, { ...BOTS, note: 'a wave' });
  assert.equal(added.status, 201, added.text);
  const expected = {
    id: added.body.data.id,
    ...{ from: '2026-03-09', to: null, filters: { page: { like: ['/wp-*'] } }, note: 'a wave', visits: 5 },
    created_at: '2026-03-10T12:00:00Z',
  };
  assert.deepEqual(added.body.data, expected);
  for (const sealed of [false, true]) {
    if (sealed) await app.seal();
    const left = await figures(app);
    assert.deepEqual([left.visitors, left.visits, left.pageviews], [2, 2, 3]);
    assert.deepEqual(left.notices, ['5 visits are excluded by 1 exclusion.']);
    assert.deepEqual((await figures(app, 'realtime')).notices, ['1 visit is excluded by 1 exclusion.']);
    assert.deepEqual((await figures(app, 'breakdown/pages?range=7d')).rows, [
      { value: '/', visitors: 2 },
      { value: '/a', visitors: 1 },
    ]);
    const all = await app.owner.ask('GET', '/stats/overview?range=7d');
    assert.deepEqual(
      [all.body.data.visitors, all.body.data.notices],
      [2, ['example.com: 5 visits are excluded by 1 exclusion.']],
    );
    const live = await app.owner.ask('GET', '/stats/realtime');
    assert.deepEqual(
      [live.body.data.visitors, live.body.data.notices],
      [1, ['example.com: 1 visit is excluded by 1 exclusion.']],
    );
    assert.deepEqual((await viewer.ask('GET', `/sites/${siteId}/exclusions`)).body.data, [expected]);
    await app.engine.upkeep.remakeSums();
  }
  assert.equal((await figures(app, 'overview?range=today')).notices[0], '5 visits are excluded by 1 exclusion.');

  assert.equal((await manager.ask('DELETE', `/sites/${siteId}/exclusions/${expected.id}`)).status, 204);
  assert.deepEqual(await figures(app), raw);
  assert.deepEqual((await manager.ask('GET', `/sites/${siteId}/exclusions`)).body.data, []);
});

test('a preview says by day what would go, and counts those as visitors of whom nothing would be left', async (t) => {
  const app = await startApp(t);
  const { manager, siteId } = app;
  await withHits(app);
  const path = `/sites/${siteId}/exclusions/preview`;
  const days = [
    { date: '2026-03-09', visitors: 3, visits: 4, pageviews: 4, events: 0 },
    { date: '2026-03-10', visitors: 1, visits: 1, pageviews: 1, events: 0 },
  ];
  for (const sealed of [false, true]) {
    if (sealed) await app.seal();
    const answer = await manager.ask('POST', path, BOTS);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body.data, { visitors: 4, visits: 5, pageviews: 5, events: 0, days });
  }
  // Others do not change what it would take, and nothing was stored.
  await add(app, { from: '2026-03-01', filters: { country: 'XX' } });
  assert.deepEqual((await manager.ask('POST', path, BOTS)).body.data.visits, 5);
  const both = await add(app, { from: '2026-03-09', to: '2026-03-09', filters: { page: '/wp-login' } });
  assert.equal(both.body.data.visits, 4);
  assert.deepEqual((await figures(app)).notices, ['4 visits are excluded by 2 exclusions.']);
  assert.equal((await manager.ask('GET', `/sites/${siteId}/exclusions`)).body.data.length, 2);
});

test('a goal is meant as it was: changing or deleting it puts nothing back', async (t) => {
  const app = await startApp(t);
  const { manager, siteId } = app;
  await withHits(app);
  const goal = await manager.ask('POST', `/sites/${siteId}/goals`, { type: 'page', value: '/wp-*' });
  const { id } = goal.body.data;
  const added = await add(app, { from: '2026-03-01', filters: { goal: id } });
  assert.deepEqual([added.status, added.body.data.filters, added.body.data.visits], [201, { goal: id }, 5]);
  assert.equal((await manager.ask('PATCH', `/sites/${siteId}/goals/${id}`, { value: '/never' })).status, 200);
  assert.equal((await figures(app)).visits, 2);
  assert.equal((await manager.ask('DELETE', `/sites/${siteId}/goals/${id}`)).status, 204);
  assert.equal((await figures(app)).visits, 2);
});

test('what cannot be set aside is refused by the name of the field', async (t) => {
  const app = await startApp(t);
  const from = '2026-03-01';
  const filters = { country: 'DE' };
  const wrong: [body: object, field: string][] = [
    [{ filters }, 'from'],
    [{ from: 'yesterday', filters }, 'from'],
    [{ from, to: '2026-02-28', filters }, 'to'],
    [{ from, to: '', filters }, 'to'],
    [{ from }, 'filters'],
    [{ from, filters: {} }, 'filters'],
    [{ from, filters: [] }, 'filters'],
    [{ from, filters: { visitors: '1' } }, 'filters.visitors'],
    [{ from, filters: { ...filters, constructor: 'x' } }, 'filters.constructor'],
    [{ from, filters: JSON.parse('{"country": "DE", "__proto__": "x"}') }, 'filters.__proto__'],
    [{ from, filters: { page: {} } }, 'filters.page'],
    [{ from, filters: { page: { is: [] } } }, 'filters.page.is'],
    [{ from, filters: { page: { like: ['a'], near: ['b'] } } }, 'filters.page'],
    [{ from, filters: { page: 'no-slash' } }, 'filters.page'],
    [{ from, filters: { device: { like: ['*'] } } }, 'filters.device'],
    [{ from, filters: { page: { is: new Array(21).fill('/') } } }, 'filters.page.is'],
    [{ from, filters: { goal: 'first' } }, 'filters.goal'],
    [{ from, filters, note: 'x'.repeat(201) }, 'note'],
    [{ from, filters, visits: 3 }, 'visits'],
  ];
  for (const [body, field] of wrong) {
    const answer = await add(app, body);
    assert.equal(answer.status, 422, JSON.stringify(body));
    assert.deepEqual(Object.keys(answer.body.error.fields), [field], answer.text);
    assert.doesNotMatch(answer.text, /Invalid/);
  }
  assert.equal((await add(app, { from, filters: { goal: 77 } })).status, 404);
  assert.deepEqual((await app.manager.ask('GET', `/sites/${app.siteId}/exclusions`)).body.data, []);
});

test('a site has at most 50, and the next is refused before anything is counted', async (t) => {
  const app = await startApp(t);
  for (let n = 0; n < 50; n++) assert.equal((await add(app, { ...BOTS, note: String(n) })).status, 201);
  const answer = await add(app, BOTS);
  assert.deepEqual([answer.status, answer.body.error.code], [402, 'limit_reached']);
});
