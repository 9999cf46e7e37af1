import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { mock, type TestContext, test } from 'node:test';
import { type Context, Hono } from 'hono';
import { receiver } from '../mail/receiver.ts';
import { furnish } from '../support/furnish.ts';
import { NOON } from '../support/helpers.ts';
import { DEADLINE_MS, program, until } from '../support/program.ts';
import { listenHere } from '../support/web-servers.ts';
import { type Counts, CRAWLER_AGENTS, crawledNow, PEOPLE, visit } from './crawled.ts';

type Crawls = {
  record(url: string, agent?: string, status?: number | null): void;
  flush(): Promise<void>;
  express(request: IncomingMessage, response: ServerResponse, next: () => void): void;
  hono(c: Context, next: () => Promise<void>): Promise<void>;
};
type Options = { server: string; site: string; token: string; everyMs?: number };

const MODULE = new URL('../../integrations/node.mjs', import.meta.url).href;
const { crawls } = (await import(MODULE)) as { crawls(options: Options): Crawls };

/** What is recorded says when, which must not be to come for the server. */
mock.timers.enable({ apis: ['Date'], now: NOON });

const LATER = 3_600_000;

/** A server with a site, and a sender for it. */
async function sending(t: TestContext, everyMs = LATER) {
  const daybook = program(t);
  const token = await furnish(daybook.db);
  const { url } = await daybook.serve();
  const crawlers = crawls({ server: url, site: 'example.com', token, everyMs });
  return { crawlers, counts: () => crawledNow(daybook.db) };
}

/** Something in the place of daybook that only keeps what is sent to it. */
async function receiving(t: TestContext, status = 202) {
  const { url, received, state } = await receiver(t, '');
  state.status = status;
  const crawlers = crawls({ server: url, site: 'example.com', token: 'x', everyMs: LATER });
  return {
    received,
    crawlers,
    sent: () => received.flatMap(({ body }) => JSON.parse(body) as { url: string; agent: string }[]),
  };
}

test('as middleware of Express and the like it reports each crawler, with what is not there, and no browser', async (t) => {
  const { crawlers, counts } = await sending(t);
  const port = await listenHere(t, (request, response) =>
    crawlers.express(request, response, () => response.writeHead(request.url === '/missing' ? 404 : 200).end('page')),
  );
  const expected: Counts = { 'gptbot /missing': 1, 'gptbot /robots.txt': 1, 'gptbot //stranger.example/x': 1 };
  for (const { id, agent } of CRAWLER_AGENTS) {
    assert.equal(await visit(port, '/page/?q=1', agent), 200);
    expected[`${id} /page`] = 1;
  }
  for (const agent of PEOPLE) await visit(port, '/page', agent);
  assert.equal(await visit(port, '/missing', 'GPTBot/1.2'), 404);
  for (const path of ['/robots.txt', '/style.css', '//stranger.example/x']) await visit(port, path, 'GPTBot/1.2');
  await crawlers.flush();
  assert.deepEqual(counts(), expected);
});

test('it takes the whole path where Express has cut off the front of it', async (t) => {
  const { crawlers, sent } = await receiving(t);
  const port = await listenHere(t, (request, response) => {
    const routed = Object.assign(request, { originalUrl: request.url ?? '', url: '/inner' });
    crawlers.express(routed, response, () => response.end());
  });
  await visit(port, '/outer/inner', 'GPTBot');
  await crawlers.flush();
  assert.deepEqual(
    sent().map(({ url }) => url),
    ['https://example.com/outer/inner'],
  );
});

test('as middleware of Hono it reports a crawler with the status of the answer, also where a handler fails', async (t) => {
  const { crawlers, counts } = await sending(t);
  const app = new Hono();
  app.use(crawlers.hono);
  app.get('/page', (c) => c.text('page'));
  app.get('/broken', () => {
    throw new Error('broken');
  });
  t.mock.method(console, 'error', () => {});
  const headers = { 'User-Agent': 'ClaudeBot/1.0' };
  const statuses = [];
  for (const path of ['/page', '/broken', '/missing']) statuses.push((await app.request(path, { headers })).status);
  assert.deepEqual(statuses, [200, 500, 404]);
  await app.request('/page', { headers: { 'User-Agent': PEOPLE[0] ?? '' } });
  await crawlers.flush();
  assert.deepEqual(counts(), { 'claudebot /page': 1, 'claudebot /broken': 1, 'claudebot /missing': 1 });
});

test('what is recorded is sent after a while by itself', async (t) => {
  const { crawlers, counts } = await sending(t, 10);
  for (const page of ['/one', '/two']) {
    crawlers.record(page, 'GPTBot/1.2', 200);
    await until(`${page} is counted`, () => counts()[`gptbot ${page}`] === 1);
  }
});

test('nothing that is recorded makes the server refuse the others', async (t) => {
  const { crawlers, counts } = await sending(t);
  crawlers.record('ftp://example.com/x', 'GPTBot', 200);
  crawlers.record('no url', 'GPTBot', 200);
  crawlers.record('http://[', 'GPTBot', 200);
  crawlers.record('/one', 'GPTBot \ud800', 200);
  crawlers.record('/two', `GPTBot${'\u20ac'.repeat(2_000)}`, null);
  crawlers.record(`/${'x'.repeat(100_000)}`, 'GPTBot', 1.5);
  crawlers.record('https://www.example.com/three', 'GPTBot');
  await crawlers.flush();
  const long = `gptbot /${'x'.repeat(1_023)}`;
  assert.deepEqual(counts(), { 'gptbot /one': 1, 'gptbot /two': 1, 'gptbot /three': 1, [long]: 1 });
});

test('many go in batches that the server takes, in order and without gaps', async (t) => {
  const { received, crawlers, sent } = await receiving(t);
  const paths = Array.from({ length: 2_500 }, (_, i) => `/${i}`);
  for (const path of paths) crawlers.record(path, 'GPTBot');
  const long = Array.from({ length: 1_000 }, (_, i) => `/${i}/${'x'.repeat(1_800)}`);
  for (const path of long) crawlers.record(path, `GPTBot${'"'.repeat(400)}`);
  await crawlers.flush();
  assert.deepEqual(
    sent().map(({ url }) => url),
    [...paths, ...long].map((path) => `https://example.com${path}`),
  );
  assert.ok(received.length >= 5);
  for (const { body } of received) {
    assert.ok(Buffer.byteLength(body) <= 1_048_576, `${Buffer.byteLength(body)} bytes`);
    assert.ok((JSON.parse(body) as unknown[]).length <= 1_000);
  }
});

test('while the server is down nothing fails and nothing piles up, and then it goes on', async (t) => {
  let isDown = true;
  const urls: string[] = [];
  const port = await listenHere(t, async (request, response) => {
    if (isDown) return response.destroy();
    for (const { url } of JSON.parse(await text(request)) as { url: string }[]) urls.push(url);
    return response.writeHead(202).end();
  });
  const crawlers = crawls({ server: `http://127.0.0.1:${port}`, site: 'example.com', token: 'x', everyMs: LATER });
  for (let i = 0; i < 50_000; i++) crawlers.record(`/${i}`, 'GPTBot');
  await crawlers.flush();
  isDown = false;
  await crawlers.flush();
  assert.ok(urls.length > 0 && urls.length < 10_000, `${urls.length} were kept`);
  crawlers.record('/after', 'GPTBot');
  await crawlers.flush();
  assert.equal(urls.at(-1), 'https://example.com/after');
});

test('a token that is refused is said once', async (t) => {
  const warn = t.mock.method(console, 'warn', () => {});
  const { crawlers, received } = await receiving(t, 401);
  for (let i = 0; i < 3; i++) {
    crawlers.record('/page', 'GPTBot');
    await crawlers.flush();
  }
  assert.equal(received.length, 3);
  assert.deepEqual(
    warn.mock.calls.map(({ arguments: said }) => said),
    [['daybook rejects crawler requests for example.com: HTTP 401']],
  );
});

test('a program that has something to send may end', () => {
  const code = `
    import { crawls } from ${JSON.stringify(MODULE)};
    crawls({ server: 'http://127.0.0.1:9', site: 'example.com', token: 'x', everyMs: ${LATER} }).record('/', 'GPTBot');`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', code], { timeout: DEADLINE_MS });
});
