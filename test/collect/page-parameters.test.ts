import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadScript } from '../../src/embedded/script.ts';
import { makeCrawlWriter } from '../../src/logs/positions.ts';
import { startApp } from '../support/helpers.ts';
import { BROWSER, CHROME, GERMAN, GPTBOT, TODAY } from './stage.ts';

const URLS = [
  'https://example.com/viewtopic.php?t=12&sid=9f86d081&f=3',
  'https://example.com/viewtopic.php?f=3&utm_source=x&t=12',
  'https://example.com/?t=ann%40example.com',
  'https://example.com/a?x=1',
];
const PAGES = ['/viewtopic.php?f=3&t=12', '/viewtopic.php?f=3&t=12', '/?t=:id', '/a'];

async function listing(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t, { flood: '0' });
  const { status } = await app.manager.ask('PATCH', `/sites/${app.siteId}`, { page_parameters: ['t', 'f'] });
  assert.equal(status, 200);
  return app;
}

test('browsers: hits of the script and the pixel have the page parameters of the site, and tags still count', async (t) => {
  const { ask, held } = await listing(t);
  for (const url of URLS) {
    await ask('POST', '/day', { body: { site: 'example.com', url }, headers: BROWSER });
    await ask('GET', `/day.gif?site=example.com&url=${encodeURIComponent(url)}`, { headers: BROWSER });
  }
  const hits = await held.hits();
  assert.deepEqual(
    hits.map(({ page }) => page),
    PAGES.flatMap((page) => [page, page]),
  );
  assert.deepEqual(
    hits.map(({ utm_source }) => utm_source).filter((tag) => tag !== ''),
    ['x', 'x'],
  );
});

test('a heartbeat counts for the page with its parameters', async (t) => {
  const { ask, viewer, siteId, clock } = await listing(t);
  const send = (message: object) =>
    ask('POST', '/day', { body: { site: 'example.com', ...message }, headers: BROWSER });
  for (const topic of [1, 2]) {
    const url = `https://example.com/viewtopic.php?t=${topic}`;
    await send({ url });
    clock.pass(topic * 10);
    await send({ url, engaged: topic * 10_000 });
  }
  const path = `/sites/${siteId}/stats/breakdown/pages?range=today&metrics=time_on_page`;
  const { rows } = (await viewer.ask('GET', path)).body.data;
  assert.deepEqual(
    rows.map(({ value, time_on_page }: Record<string, unknown>) => [value, time_on_page]),
    [
      ['/viewtopic.php?t=1', 10],
      ['/viewtopic.php?t=2', 20],
    ],
  );
});

test('servers: hits and requests of crawlers have the page parameters of the site', async (t) => {
  const { ask, held, owner, siteId, tokenOf } = await listing(t);
  const token = tokenOf(owner, ['collect']);
  const hits = URLS.map((url) => ({ url, ip: GERMAN, agent: CHROME }));
  await ask('POST', `/api/v1/sites/${siteId}/hits`, { token, body: hits });
  assert.deepEqual(
    (await held.hits()).map(({ page }) => page),
    PAGES,
  );
  await ask('POST', `/api/v1/sites/${siteId}/crawls`, { token, body: URLS.map((url) => ({ url, agent: GPTBOT })) });
  assert.deepEqual(await held.crawls(siteId), {
    'gptbot /viewtopic.php?f=3&t=12': 2,
    'gptbot /?t=:id': 1,
    'gptbot /a': 1,
  });
});

test('a setting of page parameters holds from the next hit on, and stored pages stay', async (t) => {
  const { ask, db, engine, held, owner, siteId } = await listing(t);
  const look = () => ask('POST', '/day', { body: { site: 'example.com', url: URLS[0] }, headers: BROWSER });
  await look();
  await owner.ask('PATCH', `/sites/${siteId}`, { page_parameters: ['sid'] });
  await look();
  await owner.ask('PATCH', `/sites/${siteId}`, { page_parameters: [] });
  await look();
  assert.deepEqual(
    (await held.hits()).map(({ page }) => page),
    ['/viewtopic.php?f=3&t=12', '/viewtopic.php?sid=9f86d081', '/viewtopic.php'],
  );
  const write = makeCrawlWriter(db, engine.intake, { id: siteId, domain: 'example.com' });
  await write([{ siteId, day: TODAY, crawler: 'gptbot', page: '/a?t=1', requests: 1 }]);
  assert.deepEqual(await held.crawls(siteId), { 'gptbot /a': 1 });
});

test('the script in the snippet of the site sends its page parameters, and the plain script stays as it is', async (t) => {
  const { ask, manager, siteId } = await listing(t);
  const plain = await ask('GET', '/day.js');
  assert.equal(plain.text, (await loadScript()).text);
  const { snippet } = (await manager.ask('GET', `/sites/${siteId}`)).body.data;
  const { pathname, search } = new URL(/src="([^"]+)"/.exec(snippet)?.[1] ?? '');
  const script = await ask('GET', pathname + search);
  assert.equal(script.text, plain.text.replace('(ref|source|utm_', '(t|f|ref|source|utm_'));
  assert.notEqual(script.text, plain.text);
  assert.notEqual(script.headers.get('ETag'), plain.headers.get('ETag'));
  assert.equal(script.headers.get('Cache-Control'), 'public, max-age=86400');
  const brackets = await ask('GET', '/day.js?keep=x%5B%5D,a.b');
  assert.ok(brackets.text.includes(String.raw`(x(\[|%5[Bb])(]|%5[Dd])|a\.b|ref|source|utm_`), brackets.text);
  const names = Array.from({ length: 11 }, (_, n) => `p${n}`);
  for (const query of ['', 'keep=', 'keep=utm_x', 'keep=p,p', 'keep=p)', 'keep=%24%26', 'v=2', `keep=${names}`]) {
    assert.equal((await ask('GET', `/day.js?${query}`)).text, plain.text, query);
  }
});
