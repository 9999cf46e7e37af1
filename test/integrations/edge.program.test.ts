import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { proxy } from '../../integrations/next.ts';
import { furnish } from '../support/furnish.ts';
import { NOON } from '../support/helpers.ts';
import { program } from '../support/program.ts';
import { listenHere } from '../support/web-servers.ts';
import { type Counts, CRAWLER_AGENTS, crawledNow, PEOPLE } from './crawled.ts';

type Event = { waitUntil(work: Promise<unknown>): void; passThroughOnException(): void };
type Worker = { fetch(request: Request, env: Record<string, string>, event: Event): Promise<Response> };

const file = new URL('../../integrations/cloudflare-worker.js', import.meta.url).href;
const { default: worker } = (await import(file)) as { default: Worker };

/** A server with a site, what a platform gives its programs, and its clock, which a test moves on. */
async function platform(t: TestContext) {
  const daybook = program(t);
  const token = await furnish(daybook.db);
  const { url } = await daybook.serve();
  const env = { DAYBOOK_SERVER: url, DAYBOOK_SITE: 'example.com', DAYBOOK_TOKEN: token };
  const work: Promise<unknown>[] = [];
  const event: Event = { waitUntil: (promise) => work.push(promise), passThroughOnException: () => {} };
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: NOON });
  return {
    env,
    event,
    work,
    counts: () => crawledNow(daybook.db),
    async settle() {
      t.mock.timers.tick(5_000);
      await Promise.all(work.splice(0));
    },
  };
}

function variables(t: TestContext, values: Record<string, string>): void {
  Object.assign(process.env, values);
  t.after(() => {
    for (const name of Object.keys(values)) delete process.env[name];
  });
}

const PAGES = ['/page?q=1', '/robots.txt', '/style.css'];
const COUNTED = ['/page', '/robots.txt'];

/** Each crawler and some people on each page. */
async function everybody(visit: (path: string, agent: string) => Promise<void> | void): Promise<Counts> {
  const expected: Counts = {};
  for (const path of PAGES) {
    for (const { agent } of CRAWLER_AGENTS) await visit(path, agent);
    for (const agent of PEOPLE) await visit(path, agent);
  }
  for (const path of COUNTED) for (const { id } of CRAWLER_AGENTS) expected[`${id} ${path}`] = 1;
  return expected;
}

test('the proxy for Next.js reports each crawler and no browser, many in one request', async (t) => {
  const { env, event, work, counts, settle } = await platform(t);
  variables(t, env);
  const visit = (path: string, agent: string) =>
    proxy(new Request(`http://127.0.0.1:3000${path}`, { headers: { 'User-Agent': agent } }), event);
  const expected = await everybody(visit);
  assert.equal(work.length, 1);
  await settle();
  assert.deepEqual(counts(), expected);

  visit('/page', 'GPTBot');
  await settle();
  assert.deepEqual(counts(), { ...expected, 'gptbot /page': 2 });
});

test('the Worker passes every request on and reports each crawler and no browser, many in one request', async (t) => {
  const { env, event, work, counts, settle } = await platform(t);
  const port = await listenHere(t, (request, response) =>
    response.writeHead(request.url === '/missing' ? 404 : 200).end('page'),
  );
  const visit = async (path: string, agent: string) => {
    const request = new Request(`http://127.0.0.1:${port}${path}`, { headers: { 'User-Agent': agent } });
    const response = await worker.fetch(request, env, event);
    assert.equal(await response.text(), 'page');
    assert.equal(response.status, path === '/missing' ? 404 : 200);
  };
  const expected = await everybody(visit);
  await visit('/missing', 'GPTBot');
  assert.equal(work.length, 1);
  await settle();
  assert.deepEqual(counts(), { ...expected, 'gptbot /missing': 1 });
});

test('neither fails while the server is down', async (t) => {
  const { env, event, work, settle } = await platform(t);
  const down = { ...env, DAYBOOK_SERVER: 'http://127.0.0.1:9' };
  variables(t, down);
  proxy(new Request('http://127.0.0.1/', { headers: { 'User-Agent': 'GPTBot' } }), event);
  t.mock.method(globalThis, 'fetch', async () => new Response('page'), { times: 1 });
  await worker.fetch(new Request('http://127.0.0.1/', { headers: { 'User-Agent': 'GPTBot' } }), down, event);
  assert.equal(work.length, 2);
  await settle();
});
