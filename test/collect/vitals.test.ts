import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ON_CLUSTER, startApp } from '../support/helpers.ts';
import { BROWSER, GPTBOT } from './stage.ts';

type Values = Record<string, unknown>;

async function withVitals(t: TestContext, options: Record<string, string> = {}) {
  const app = await startApp(t, { flood: '0', ...options });
  const path = `/sites/${app.siteId}`;
  const send = (message: object, address = '192.0.2.1', headers: object = BROWSER) =>
    app.ask('POST', '/day', { body: { site: 'example.com', ...message }, headers: { ...headers }, address });
  async function report(query = 'by=pages') {
    const { status, body, text } = await app.viewer.ask('GET', `${path}/stats/vitals?range=today&${query}`);
    assert.equal(status, 200, text);
    return body.data;
  }
  return {
    ...app,
    path,
    send,
    report,
    change: (change: object) => app.owner.ask('PATCH', path, change),
    view: (url: string, address?: string) => send({ url }, address),
    measure: (url: string, vitals: unknown, address?: string) => send({ url, vitals }, address),
    async rows(query?: string): Promise<string[]> {
      const { rows } = await report(query);
      return rows.map(({ value, lcp }: { value: string; lcp: Values }) => `${value} ${lcp.p50} ${lcp.count}`);
    },
  };
}

const A = 'https://example.com/a';

test('vitals are stored only while the site tracks them, and belong to the pageview of their visitor', async (t) => {
  const { view, measure, change, rows, report, held, viewer, path } = await withVitals(t);
  assert.equal((await viewer.ask('GET', path)).body.data.track_vitals, false);
  await view(A);
  assert.deepEqual([await rows(), await rows('by=none')], [[], [' null 0']], 'one row for all, also without values');
  const before = (await held.hits()).length;
  assert.equal((await measure(A, { lcp: 1_000 })).status, 202);
  assert.equal((await held.hits()).length, before);
  assert.deepEqual(await held.drops(1), {});
  assert.equal((await change({ track_vitals: true })).body.data.track_vitals, true);
  await measure(A, { lcp: 1_000, cls: 0.05 });
  // A second message of the same pageview replaces the first one.
  await measure(A, { lcp: 1_000, cls: 0.3, inp: 150 });
  await view('https://example.com/b', '192.0.2.2');
  await measure('https://example.com/b', { lcp: 5_000 }, '192.0.2.2');
  assert.deepEqual(await rows(), ['/a 995 1', '/b 4984 1']);
  assert.deepEqual(await rows('by=none'), [' 995 2']);
  assert.deepEqual(await rows('by=pages&filters[entry]=/b'), ['/b 4984 1']);
  assert.deepEqual(await rows('by=browsers&limit=1'), ['Chrome 995 2']);
  const { error, bounds, rows: all } = await report();
  assert.equal(error, 0.02);
  assert.deepEqual(bounds.lcp, { good: 2_500, poor: 4_000 });
  assert.deepEqual(all[0].cls, { p50: 0.2995, p75: 0.2995, p95: 0.2995, count: 1, good: 0, middle: 0, poor: 100 });
  await change({ track_vitals: false });
  await measure('https://example.com/b', { lcp: 50, cls: 9 }, '192.0.2.2');
  assert.deepEqual(await rows(), ['/a 995 1', '/b 4984 1']);
});

test('vitals of nobody who visits, of bots and of excluded addresses are not stored', async (t) => {
  const { send, measure, view, change, rows, held } = await withVitals(t, { 'exclude-addresses': '192.0.2.9' });
  await change({ track_vitals: true });
  await measure(A, { lcp: 1_000 });
  // A cluster stores what belongs to no visit until the day is sealed, and counts it nowhere.
  assert.deepEqual(await held.drops(1), ON_CLUSTER ? {} : { 'no-visit': 1 });
  await view(A, '192.0.2.9');
  await measure(A, { lcp: 1_000 }, '192.0.2.9');
  await send({ url: A }, '192.0.2.3', { 'user-agent': GPTBOT });
  await send({ url: A, vitals: { lcp: 1_000 } }, '192.0.2.3', { 'user-agent': GPTBOT });
  await measure('https://elsewhere.example/', { lcp: 1_000 });
  assert.deepEqual(await rows(), []);
});

test('a malformed value is left out, and a malformed message is refused', async (t) => {
  const { send, measure, view, change, rows } = await withVitals(t);
  await change({ track_vitals: true });
  await view(A);
  for (const vitals of [7, 'x', null, [], {}, { lcp: 'fast' }, { lcp: -1 }, { lcp: 1e9 }, { constructor: 1 }]) {
    assert.equal((await measure(A, vitals)).status, 202, JSON.stringify(vitals));
  }
  assert.deepEqual(await rows(), []);
  await measure(A, { lcp: 800, inp: 'slow', more: { of: 'it' } });
  assert.deepEqual(await rows(), ['/a 814 1']);
  for (const message of [{ url: 'a', vitals: {} }, { vitals: {} }, { url: A, vitals: {}, engaged: 1 }]) {
    assert.equal((await send(message)).status, 422, JSON.stringify(message));
  }
});

test('a page with vitals is stored as every page is, and its vitals outlive a restart', async (t) => {
  const app = await withVitals(t);
  await app.change({ track_vitals: true, private_paths: ['/users/*'], page_parameters: ['p'] });
  const url = 'https://example.com/users/17/?p=1&secret=2';
  await app.view(url);
  await app.measure(url, { lcp: 2_400 });
  await app.restart();
  assert.deepEqual(await app.rows(), ['/users/:id?p=1 2399 1']);
});

test('the second script is served beside the first, with the page parameters of its URL', async (t) => {
  const { ask, change } = await withVitals(t);
  const { body } = await change({ track_vitals: true, page_parameters: ['p'] });
  const { vitals_snippet: snippet } = body.data;
  assert.match(snippet, /^<script defer src="[^"]*\/day-vitals\.js\?keep=p" data-site="example\.com"><\/script>$/);
  const plain = await ask('GET', '/day-vitals.js');
  assert.equal(plain.status, 200);
  assert.match(plain.headers.get('content-type') ?? '', /^text\/javascript/);
  const kept = await ask('GET', '/day-vitals.js?keep=p');
  assert.equal(kept.text, plain.text.replace('((ref|', '((p|ref|'));
  assert.equal((await change({ track_vitals: false })).body.data.vitals_snippet, null);
});
