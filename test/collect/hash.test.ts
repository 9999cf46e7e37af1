import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportHits } from '../../src/exchange/export.ts';
import { parseHit } from '../../src/exchange/products/ndjson.ts';
import { HIT, wordsOf } from '../exchange/reading.ts';
import { startApp } from '../support/helpers.ts';
import { BROWSER, GPTBOT } from './stage.ts';

/** What the script sends with `data-hash`. */
const SENT = [
  'https://example.com/app?utm_source=x#/a',
  'https://example.com/app#/b',
  'https://example.com/app#!about',
];

test('pages after #/ and #! are counted apart, and filters, goals and files know them', async (t) => {
  const { ask, viewer, manager, siteId, engine } = await startApp(t, { flood: '0' });
  for (const url of SENT) {
    const { status } = await ask('POST', '/day', { body: { site: 'example.com', url }, headers: BROWSER });
    assert.equal(status, 202);
  }
  const rows = async (query: string) => {
    const answer = await viewer.ask(
      'GET',
      `/sites/${siteId}/stats/breakdown/pages?range=today&metrics=pageviews${query}`,
    );
    return answer.body.data.rows.map(({ value, pageviews }: Record<string, unknown>) => [value, pageviews]);
  };
  assert.deepEqual(await rows(''), [
    ['/app#!about', 1],
    ['/app#/a', 1],
    ['/app#/b', 1],
  ]);
  assert.deepEqual(await rows(`&filters[page]=${encodeURIComponent('/app#/a')}`), [['/app#/a', 1]]);
  assert.deepEqual(await rows(`&filters[page][like]=${encodeURIComponent('/app#/*')}`), [
    ['/app#/a', 1],
    ['/app#/b', 1],
  ]);
  const goal = await manager.ask('POST', `/sites/${siteId}/goals`, { type: 'page', value: '/app#/b' });
  assert.equal(goal.body.data.value, '/app#/b');
  const goals = await viewer.ask('GET', `/sites/${siteId}/stats/goals?range=today`);
  assert.deepEqual(
    goals.body.data.goals.map(({ conversions }: Record<string, unknown>) => conversions),
    [1],
  );

  const lines: string[] = [];
  for await (const piece of exportHits(engine.queries.readVisits(siteId), 'ndjson'))
    lines.push(...piece.trim().split('\n'));
  const pages = lines.map((line) => wordsOf({ ...parseHit(line, 1), at: HIT.at }));
  assert.deepEqual(
    pages.map(({ page, utm_source }) => [page, utm_source]),
    ['/app#/a', '/app#/b', '/app#!about'].map((page) => [page, 'x']),
  );
});

test('patterns of private segments hold after # too', async (t) => {
  const { ask, viewer, manager, siteId } = await startApp(t, { flood: '0' });
  await manager.ask('PATCH', `/sites/${siteId}`, { private_paths: ['/users/*', '{number}'] });
  for (const route of ['#/users/s3cret/edit', '#/orders/17', '#!/users/s3cret/edit', '#!users/s3cret', '#!17/a']) {
    await ask('POST', '/day', {
      body: { site: 'example.com', url: `https://example.com/app${route}` },
      headers: BROWSER,
    });
  }
  const { body } = await viewer.ask('GET', `/sites/${siteId}/stats/breakdown/pages?range=today`);
  const values = body.data.rows.map(({ value }: Record<string, unknown>) => value);
  assert.deepEqual(values.sort(), [
    '/app#!/users/:id/edit',
    '/app#!:id/a',
    '/app#!users/:id',
    '/app#/orders/:id',
    '/app#/users/:id/edit',
  ]);
});

test('a crawler that sends a fragment has read the page without it', async (t) => {
  const { ask, owner, viewer, siteId, tokenOf } = await startApp(t, { flood: '0' });
  const body = [{ url: 'https://example.com/a#/b', agent: GPTBOT }];
  await ask('POST', `/api/v1/sites/${siteId}/crawls`, { token: tokenOf(owner, ['collect']), body });
  const { data } = (await viewer.ask('GET', `/sites/${siteId}/stats/bots?range=today`)).body;
  assert.deepEqual(
    data.pages.map(({ value, page }: Record<string, unknown>) => value ?? page),
    ['/a'],
  );
});
