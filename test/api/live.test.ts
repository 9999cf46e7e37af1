import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appendTo, type Hit, pageview, TODAY } from '../collect/stage.ts';
import { naive } from '../stats/naive.ts';
import { startApp } from '../support/helpers.ts';

const NOW = TODAY * 86_400 + 43_200;

/** Some before the first minute, some in it, some in the running one, and the same people again and again. */
const HITS: Hit[] = Array.from({ length: 400 }, (_, i) =>
  pageview({
    second: 43_200 - ((i * 37) % 2_400),
    visitor: i % 23,
    page: `/${i % 13}`,
    source: i % 3 === 0 ? 'x.org' : '',
    country: ['DE', 'FR', ''][(i % 23) % 3] ?? '',
    event: i % 11 === 0 ? 'signup' : '',
  }),
);

const QUERIES = ['', '?filters[country]=DE', '?filters[page][like]=/1*', '?filters[event]=signup&range=7d'];

test('live is what the reference counts, with filters and without', async (t) => {
  const { engine, siteId, owner } = await startApp(t);
  const hits = HITS.map((hit) => ({ ...hit, siteId }));
  await appendTo(engine, hits);
  const site = { hits, crawls: [], goals: [], funnels: [], crawlers: [] };
  for (const search of QUERIES) {
    const url = `/sites/${siteId}/stats/live${search}`;
    const { data: found } = (await owner.ask('GET', url)).body;
    const query: Record<string, string | string[]> = {};
    for (const [name, value] of new URLSearchParams(search)) query[name] = name.endsWith('[like]') ? [value] : value;
    assert.equal(found.minutes.length, 30);
    assert.ok(found.visitors > 0 && found.pages.length > 0 && found.countries.length > 0, search);
    assert.deepEqual(found, naive(site, { path: 'live', query }, NOW), search);
  }
});

test('whoever may see the reports sees what is live, and others do not know the site', async (t) => {
  const { owner, manager, viewer, stranger, siteId, share, ask } = await startApp(t);
  const path = `/sites/${siteId}/stats/live`;
  for (const one of [owner, manager, viewer]) assert.equal((await one.ask('GET', path)).status, 200);
  assert.equal((await stranger.ask('GET', path)).status, 404);
  assert.equal((await ask('GET', `/api/v1${path}`)).status, 401);
  const link = await share(owner, siteId);
  assert.equal((await ask('GET', `/api/v1${path}`, { share: link })).status, 200);
  const refused = await owner.ask('GET', `${path}?minutes=60`);
  assert.equal(refused.status, 422);
});

test('an answer about now has no more of anybody than sums', async (t) => {
  const { engine, siteId, owner } = await startApp(t);
  await appendTo(engine, [pageview({ siteId, visitor: 987_654_321, country: 'DE', browser: 'Firefox' })]);
  const { text } = await owner.ask('GET', `/sites/${siteId}/stats/live`);
  assert.doesNotMatch(text, /987654321|Firefox|second|visit"/);
});
