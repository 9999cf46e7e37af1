import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIREFOX, startApp } from '../support/helpers.ts';
import { type Answer, dataOf } from '../support/requests.ts';

type App = Awaited<ReturnType<typeof startApp>>;

const DAY = 86_400;

let comers = 0;

/** Somebody new comes from somewhere to a page, or is taken for somebody who does not count. */
const hit = (more: Record<string, string> = {}) => {
  comers++;
  const ip = `198.51.${Math.floor(comers / 256)}.${comers % 256}`;
  return { url: 'https://example.com/', ip, agent: FIREFOX, ...more };
};

async function pass(app: App, hits: object[]): Promise<void> {
  assert.equal((await app.owner.ask('POST', `/sites/${app.siteId}/hits`, hits)).status, 202);
}

async function ask(app: App, report: string, query = ''): Promise<Answer['body']> {
  const path = `/sites/${app.siteId}/stats/${report}`;
  return dataOf(await app.owner.ask('GET', `${path}${query}`), 'GET', path);
}

const robot = () => hit({ agent: 'curl/8.0' });
const foreign = () => hit({ url: 'https://elsewhere.example/' });

test('what was not counted is listed by its reason, the most frequent first', async (t) => {
  const app = await startApp(t);
  const span = { from: '2026-02-09T00:00:00Z', to: '2026-03-10T23:59:59Z' };
  assert.deepEqual(await ask(app, 'drops'), { ...span, drops: [] });
  await pass(app, [robot(), foreign(), foreign(), hit()]);
  await pass(app, [foreign(), hit({ at: '2026-03-09T23:59:59Z' })]);
  assert.deepEqual(await ask(app, 'drops'), {
    ...span,
    drops: [
      { reason: 'foreign-host', hits: 3 },
      { reason: 'bot', hits: 1 },
      { reason: 'too-late', hits: 1 },
    ],
  });
  assert.equal((await ask(app, 'overview')).visitors, 1);
});

test('it is that of the days asked for, both ends included, and of that site', async (t) => {
  const app = await startApp(t);
  for (let day = 0; day < 3; day++) {
    await pass(app, Array.from({ length: day + 1 }, robot));
    app.clock.pass(DAY);
  }
  const counted = async (range: string) => (await ask(app, 'drops', `?range=${range}`)).drops;
  assert.deepEqual(await counted('today'), []);
  assert.deepEqual(await counted('2026-03-10~2026-03-10'), [{ reason: 'bot', hits: 1 }]);
  assert.deepEqual(await counted('2026-03-11~2026-03-12'), [{ reason: 'bot', hits: 5 }]);
  assert.deepEqual(await counted('7d'), [{ reason: 'bot', hits: 6 }]);
  const path = `/sites/${app.strangerSiteId}/stats/drops`;
  assert.deepEqual(dataOf(await app.stranger.ask('GET', path), 'GET', path).drops, []);
  // Sealing a day takes nothing away from it.
  await app.seal();
  assert.deepEqual(await counted('7d'), [{ reason: 'bot', hits: 6 }]);
});

test('filters do not apply to what was not counted, and are checked like everywhere', async (t) => {
  const app = await startApp(t);
  await pass(app, [robot()]);
  const plain = await ask(app, 'drops');
  assert.deepEqual(await ask(app, 'drops', '?filters[page]=/nowhere&filters[country]=DE'), plain);
  const refused = async (query: string) =>
    (await app.owner.ask('GET', `/sites/${app.siteId}/stats/drops?${query}`)).status;
  assert.equal(await refused('filters[goal]=9999'), 404);
  for (const query of ['range=tomorrow', 'filters[page]=a', 'limit=5', 'range=7d&range=7d']) {
    assert.equal(await refused(query), 422, query);
  }
});

const from = (host: string) => hit({ referrer: `https://${host}/c/abc` });

test('of all sources those that are AI assistants are listed with their names, by visitors', async (t) => {
  const app = await startApp(t);
  await pass(app, [
    from('chatgpt.com'),
    from('claude.ai'),
    from('claude.ai'),
    from('www.perplexity.ai'),
    from('gemini.google.com'),
    from('www.google.com'),
    from('blog.example.org'),
    from('chatgpt.com.evil.example'),
    from('notchatgpt.com'),
    hit(),
  ]);
  const expected = {
    from: '2026-02-09T00:00:00Z',
    to: '2026-03-10T23:59:59Z',
    filters: {},
    rows: [
      { value: 'claude.ai', name: 'Claude', visitors: 2 },
      { value: 'chatgpt.com', name: 'ChatGPT', visitors: 1 },
      { value: 'gemini.google.com', name: 'Gemini', visitors: 1 },
      { value: 'perplexity.ai', name: 'Perplexity', visitors: 1 },
    ],
  };
  assert.deepEqual(await ask(app, 'assistants'), expected);
  // A sealed day says the same as an open one.
  app.clock.pass(DAY);
  assert.ok((await app.seal()) > 0);
  assert.deepEqual((await ask(app, 'assistants', '?range=7d')).rows, expected.rows);
});

test('no assistant is lost behind however many other sources', async (t) => {
  const app = await startApp(t);
  const others = Array.from({ length: 300 }, (_, i) => [from(`site${i}.example.org`), from(`site${i}.example.org`)]);
  await pass(app, [...others.flat(), from('claude.ai')]);
  assert.deepEqual((await ask(app, 'assistants')).rows, [{ value: 'claude.ai', name: 'Claude', visitors: 1 }]);
});

test('filters apply to assistants, and are repeated as they were understood', async (t) => {
  const app = await startApp(t);
  await pass(app, [{ ...from('claude.ai'), url: 'https://example.com/a' }, from('claude.ai'), from('chatgpt.com')]);
  const onPage = await ask(app, 'assistants', '?filters[page]=/a/');
  assert.deepEqual(onPage.filters, { page: '/a' });
  assert.deepEqual(onPage.rows, [{ value: 'claude.ai', name: 'Claude', visitors: 1 }]);
  const bySource = await ask(app, 'assistants', '?filters[source]=chatgpt.com');
  assert.deepEqual(bySource.rows, [{ value: 'chatgpt.com', name: 'ChatGPT', visitors: 1 }]);
  assert.deepEqual((await ask(app, 'assistants', '?range=2026-03-01~2026-03-02')).rows, []);
  const { status } = await app.owner.ask('GET', `/sites/${app.siteId}/stats/assistants?limit=5`);
  assert.equal(status, 422);
});
