import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { makeCrawlWriter } from '../../src/logs/positions.ts';
import { changeDomain } from '../../src/store/sites/domains.ts';
import { startApp } from '../support/helpers.ts';
import { assertPrivate, MORE, PATTERNS, REFERRER, textsIn, URLS } from './private-addresses.ts';
import { BROWSER, CHROME, GERMAN, GPTBOT, TODAY } from './stage.ts';

async function app(t: TestContext) {
  const stage = await startApp(t, { flood: '0' });
  const { status } = await stage.manager.ask('PATCH', `/sites/${stage.siteId}`, { private_paths: PATTERNS });
  assert.equal(status, 200);
  return stage;
}

test('nothing private of an address is kept of what browsers send', async (t) => {
  const { ask, db } = await app(t);
  const send = async (message: object) => {
    const answer = await ask('POST', '/day', { body: { site: 'example.com', ...message }, headers: BROWSER });
    assert.deepEqual([answer.status, answer.headers.get('Daybook-Dropped')], [202, null]);
  };
  for (const url of [...URLS, ...MORE]) {
    await send({ url, referrer: REFERRER });
    await send({ url, engaged: 1000 });
    await send({ url, event: '404', label: new URL(url).pathname.slice(0, 200) });
    await send({ url, event: 'Download', label: 'example.com/users/s3cret-ann/bill.pdf' });
    await send({ url, event: 'Outbound link', label: 'other.example/ann@s3cret.example' });
    const pixel = `/day.gif?site=example.com&url=${encodeURIComponent(url)}`;
    assert.equal((await ask('GET', pixel, { headers: BROWSER })).status, 200);
  }
  assertPrivate(db);
  assert.ok(textsIn(db).includes('example.com/users/:id/bill.pdf'));
});

test('nothing private of an address is kept of what servers send', async (t) => {
  const { ask, db, owner, siteId, tokenOf } = await app(t);
  const token = tokenOf(owner, ['collect']);
  const urls = [...URLS, ...MORE];
  const hits = urls.map((url) => ({
    url,
    referrer: REFERRER,
    ip: GERMAN,
    agent: CHROME,
    event: 'e',
    label: new URL(url).pathname.slice(0, 200),
  }));
  const passed = await ask('POST', `/api/v1/sites/${siteId}/hits`, { token, body: hits });
  assert.equal(passed.body.data.accepted, urls.length);
  assertPrivate(db);
});

test('nothing private of an address is kept of what crawlers read', async (t) => {
  const { ask, db, owner, siteId, tokenOf } = await app(t);
  const token = tokenOf(owner, ['collect']);
  const crawls = URLS.map((url) => ({ url, agent: GPTBOT }));
  const passed = await ask('POST', `/api/v1/sites/${siteId}/crawls`, { token, body: crawls });
  assert.equal(passed.body.data.accepted, URLS.length);
  assertPrivate(db);
});

test('a setting holds from the next hit on, and what was kept before stays', async (t) => {
  const { ask, held, owner, siteId } = await startApp(t, { flood: '0' });
  const look = () =>
    ask('POST', '/day', { body: { site: 'example.com', url: 'https://example.com/users/5' }, headers: BROWSER });
  await look();
  await owner.ask('PATCH', `/sites/${siteId}`, { private_paths: ['users/*'] });
  await look();
  await owner.ask('PATCH', `/sites/${siteId}`, { private_paths: [] });
  await look();
  const pages = await held.hits();
  assert.deepEqual(
    pages.map(({ page }) => page),
    ['/users/5', '/users/:id', '/users/5'],
  );
});

test('a log that is followed goes by the setting of the moment at which it is written', async (t) => {
  const { db, engine, held, siteId } = await app(t);
  const write = makeCrawlWriter(db, engine.intake, { id: siteId, domain: 'example.com' });
  await write([{ siteId, day: TODAY, crawler: 'gptbot', page: '/users/5', requests: 1 }]);
  assert.deepEqual(await held.crawls(siteId), { 'gptbot /users/:id': 1 });
  db.write(() => changeDomain(db, siteId, 'new.example', 0));
  await write([{ siteId, day: TODAY, crawler: 'gptbot', page: '/renamed', requests: 1 }]);
  assert.deepEqual(await held.crawls(siteId), { 'gptbot /renamed': 1, 'gptbot /users/:id': 1 });
});
