import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { daybook, start } from '../../client/src/tracker.ts';
import { makeScriptChoice } from '../../src/collect/kept-parameters.ts';
import { loadScript } from '../../src/embedded/script.ts';

const SRC = 'http://stats.example/day.js';

/** A person before a page whose clock stands, and a list of what it sends. */
const STAGE = `
  let now = 5000, hidden = false;
  performance.now = () => now;
  Object.defineProperty(document, 'hidden', { get: () => hidden });
  Object.defineProperty(navigator, 'webdriver', { value: false });
  pass = (milliseconds, isHidden) => {
    now += milliseconds;
    hidden = isHidden;
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  };
  sent = [];
  fetch = async (url, how) => { sent.push([url, how]); return new Response(); };
  press = (id) => document.getElementById(id).click();
`;

const BODY = `
  <a id="out" href="http://elsewhere.example/x">out</a> <a id="file" href="/a.pdf">file</a>
  <button id="named" data-daybook-event="buy" data-daybook-label="large">buy</button>
  <script>document.querySelectorAll('a').forEach((link) => { link.onclick = () => false; });</script>
`;

/** What somebody does, and what the page itself calls. */
const DEEDS = `(async () => {
  daybook('late', { label: 'x', props: { plan: 'pro', seats: 3 } });
  history.pushState(null, '', '/two?utm_source=news&secret=1');
  pass(2500, true);
  pass(9000, false);
  for (const id of ['out', 'file', 'named']) press(id);
  location.hash = '#daybook-off';
  history.replaceState(null, '', '/three');
  history.replaceState(null, '', '/four#daybook-on');
  daybook();
  return sent;
})()`;

/** The page of an app that a bundler packed, which begins to count after its first event. */
async function bundled(options: string): Promise<string> {
  const tracker = fileURLToPath(new URL('../../client/src/tracker.ts', import.meta.url));
  const contents = `import { daybook, start } from ${JSON.stringify(tracker)};
    daybook('early', 'bird'); start(${options}); start(${options});`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2020',
  });
  return `<script type="module">${outputFiles[0]?.text}</script>`;
}

/** The same with the snippet. */
const pasted = async (attributes: string, query = ''): Promise<string> => `
  <script>window.daybook = window.daybook || function () { (daybook.q = daybook.q || []).push(arguments) }</script>
  <script>daybook('early', 'bird')</script>
  <script defer src="${SRC}${query}" data-site="example.com" ${attributes}></script>`;

async function browser(t: TestContext) {
  const choose = makeScriptChoice(await loadScript());
  let head = '';
  const server = createServer(({ url }, answer) => {
    const query = url?.replace(/^\/day\.js\??/, '') ?? '';
    if (query !== url) answer.setHeader('Content-Type', 'text/javascript').end(choose(query).text);
    else answer.setHeader('Content-Type', 'text/html').end(`<!doctype html><script>${STAGE}</script>${head}${BODY}`);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const chrome = await chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP *.example 127.0.0.1, MAP example.com 127.0.0.1'],
  });
  t.after(async () => {
    await chrome.close();
    server.close();
  });
  const { port } = server.address() as AddressInfo;

  /** What a page with this head sends while somebody uses it. */
  return async (next: string, host = 'example.com'): Promise<[string, { body: string }][]> => {
    head = next.replace(SRC, `http://stats.example:${port}/day.js`);
    const context = await chrome.newContext();
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(`http://${host}:${port}/one?q=1#top`);
    const sent = JSON.stringify(await page.evaluate(DEEDS)).replaceAll(`stats.example:${port}`, 'stats.example');
    await context.close();
    assert.deepEqual(errors, []);
    return JSON.parse(sent);
  };
}

test('a packed tracker sends what the snippet sends, message by message', async (t) => {
  const sentBy = await browser(t);
  const clicks = ['Outbound link', 'Download'];
  for (const [attributes, options, more] of [
    ['', '', []],
    ['data-outbound data-downloads data-hash', 'outbound: true, downloads: true, hash: true', clicks],
    ['', 'outbound: false, hash: undefined', []],
    ['data-prop-plan="pro" data-prop-plan_size="L"', "props: { plan: 'pro', plan_size: 'L' }", []],
  ] as const) {
    const expected = await sentBy(await pasted(attributes));
    const src = JSON.stringify(SRC);
    const sent = await sentBy(await bundled(`{ src: ${src}, site: 'example.com', ${options} }`));
    assert.deepEqual(sent, expected, attributes);
    assert.ok(sent.every(([url]) => url === 'http://stats.example/day'));
    const messages = sent.map(([, { body }]) => JSON.parse(body));
    assert.deepEqual(
      messages.flatMap(({ event }) => event ?? []),
      ['early', 'late', ...more, 'buy'],
    );
    assert.deepEqual(
      messages.flatMap(({ engaged }) => engaged ?? []),
      [2500],
    );
  }
});

test('a packed tracker keeps the page parameters that the snippet keeps', async (t) => {
  const sentBy = await browser(t);
  const expected = await sentBy(await pasted('', '?keep=q,f%5B1%5D'));
  const sent = await sentBy(
    await bundled(`{ src: ${JSON.stringify(SRC)}, site: 'example.com', pageParameters: ['q', 'f[1]'] }`),
  );
  assert.deepEqual(sent, expected);
  assert.match(JSON.parse(sent[0]?.[1].body ?? '').url, /\/one\?q=1$/);
});

test('where there is no page, as when a server renders, it does nothing', () => {
  daybook('signup', 'pro');
  start({ src: SRC, site: 'example.com' });
  assert.equal('daybook' in globalThis, false);
});
