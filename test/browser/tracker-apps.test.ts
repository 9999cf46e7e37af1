/**
 * The apps of client/README.md, packed by esbuild and by Vite, in Chromium. React, Vue and Vite are packages of their own:
 *
 *     npm ci --ignore-scripts --prefix test/first-party
 */
import assert from 'node:assert/strict';
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { blockOf, ROOT } from '../documents/documents.ts';
import { folder } from '../support/helpers.ts';
import { until } from '../support/program.ts';

const FOLDER = join(ROOT, 'test/first-party');
const TRACKER = join(ROOT, 'client/src/tracker.ts');
const skip = existsSync(join(FOLDER, 'node_modules/vite'))
  ? false
  : 'the head of this file says how to fetch the packages';
const OURS = 'https://stats.example.com/day.js';

const appOf = (section: string, language: string): string => {
  const block = blockOf('client/README.md', section, language);
  assert.ok(block.includes(OURS));
  return block.replace(OURS, '/linen/ripple.js');
};

async function packByEsbuild(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: FOLDER, loader: 'jsx' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    alias: { 'daybook-client/tracker': TRACKER },
  });
  return outputFiles[0]?.text ?? '';
}

/** The part of Vite that this file calls. */
type Vite = { build(config: object): Promise<{ output: { code?: string }[] }> };

async function packByVite(t: TestContext, contents: string): Promise<string> {
  const place = folder(t);
  writeFileSync(join(place, 'main.jsx'), contents);
  symlinkSync(join(FOLDER, 'node_modules'), join(place, 'node_modules'));
  const entry = createRequire(join(FOLDER, 'package.json')).resolve('vite/package.json');
  const { build }: Vite = await import(pathToFileURL(join(dirname(entry), 'dist/node/index.js')).href);
  const { output } = await build({
    root: place,
    logLevel: 'error',
    configFile: false,
    esbuild: { jsx: 'automatic' },
    resolve: { alias: { 'daybook-client/tracker': TRACKER } },
    build: { write: false, rollupOptions: { input: join(place, 'main.jsx') } },
  });
  return output.find(({ code }) => code !== undefined)?.code ?? '';
}

/** Opens the app, follows its link, presses its button, and gives what the tracker sent. */
async function use(t: TestContext, code: string): Promise<Record<string, unknown>[]> {
  const messages: Record<string, unknown>[] = [];
  const server = createServer(async (request, answer) => {
    if (request.method === 'POST') {
      messages.push({ ...JSON.parse(await text(request)), path: request.url });
      return answer.writeHead(202).end();
    }
    if (request.url === '/app.js') return answer.setHeader('Content-Type', 'text/javascript').end(code);
    const page = `<!doctype html><title>app</title><div id="app"></div>
      <script>Object.defineProperty(navigator, 'webdriver', { value: false })</script><script type="module" src="/app.js"></script>`;
    return answer.setHeader('Content-Type', 'text/html').end(page);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const browser: Browser = await chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP example.com 127.0.0.1'],
  });
  t.after(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://example.com:${(server.address() as AddressInfo).port}`;
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(`${origin}/`);
  await page.getByText('Pricing').click();
  await page.getByText('Sign up').click();
  await until('the event arrives', () => messages.some(({ event }) => event === 'signup'));
  assert.deepEqual(errors, []);
  return messages.map(({ path, url, event, label }) => {
    assert.equal(path, '/linen/ripple');
    return { url: String(url).replace(origin, ''), ...(event === undefined ? {} : { event, label }) };
  });
}

const EXPECTED = [
  { url: '/' },
  { url: '/pricing?utm_source=home' },
  { url: '/pricing?utm_source=home', event: 'signup', label: 'pro' },
];

for (const [section, language] of [
  ['React Router', 'jsx'],
  ['Vue Router', 'js'],
] as const) {
  test(`tracker: an app with ${section} counts its pages and its event, packed by esbuild`, { skip }, async (t) => {
    assert.deepEqual(await use(t, await packByEsbuild(appOf(section, language))), EXPECTED);
  });

  test(`tracker: an app with ${section} counts its pages and its event, packed by Vite`, { skip }, async (t) => {
    assert.deepEqual(await use(t, await packByVite(t, appOf(section, language))), EXPECTED);
  });
}

test('tracker: a bundler leaves out what an app does not use', async () => {
  assert.equal(await packByEsbuild("import { daybook, start } from 'daybook-client/tracker';"), '');
  const eventsOnly = await packByEsbuild("import { daybook } from 'daybook-client/tracker'; daybook('x');");
  assert.doesNotMatch(eventsOnly, /engaged/, 'events alone do not bring in the script');
  const whole = await packByEsbuild(
    "import { start } from 'daybook-client/tracker'; start({ src: '/x.js', site: 'example.com' });",
  );
  assert.match(whole, /engaged/);
  const small = brotliCompressSync(whole).length;
  assert.ok(whole.length < 3_000 && small < 1_450, `${whole.length} bytes, ${small} after compression`);
});
