import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { buildSite } from '../../site/build.ts';
import { once } from '../../src/lib/once.ts';
import { faults } from './axe.ts';
import { assertFits, quietPage } from './browser.ts';

const FOLDER = fileURLToPath(new URL('../../dist/site', import.meta.url));
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
};
const built = once(buildSite);

/** A server of files, such as any that a website has. It counts what it sent. */
async function serve(t: TestContext) {
  await built();
  const sent = new Map<string, number>();
  const server = createServer(({ url = '/' }, answer) => {
    const path = url === '/' ? '/index.html' : url;
    const type = TYPES[extname(path)] ?? 'text/plain';
    const plain = readFileSync(join(FOLDER, path));
    const bytes = /text|json|svg/.test(type) ? gzipSync(plain) : plain;
    sent.set(path, bytes.length);
    answer
      .writeHead(200, { 'content-type': type, ...(bytes === plain ? {} : { 'content-encoding': 'gzip' }) })
      .end(bytes);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => void server.close());
  const address = server.address();
  assert.ok(typeof address === 'object' && address);
  return { origin: `http://127.0.0.1:${address.port}`, sent };
}

async function openPage(t: TestContext, origin: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await quietPage(t, origin, options, {});
  t.after(() => page.context().close());
  return page;
}

const PAGES = ['/', '/docs/operate.html', '/docs/compare.html', '/docs/how/day.html'];
const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

test('website: axe finds nothing wrong, in light and dark, on a desk and a phone', async (t) => {
  const { origin } = await serve(t);
  for (const look of LOOKS) {
    const page = await openPage(t, origin, look);
    for (const path of PAGES) {
      await page.goto(path);
      assert.deepEqual(await faults(page), [], path);
      await assertFits(page, [look.viewport.width]);
    }
  }
});

test('website: the first page needs at most 100 kB, all from its own server', async (t) => {
  for (const look of LOOKS) {
    const { origin, sent } = await serve(t);
    const page = await openPage(t, origin, look);
    await page.goto('/', { waitUntil: 'networkidle' });
    assert.ok(sent.has('/index.html') && sent.has('/style.css'));
    const sum = [...sent.values()].reduce((all, one) => all + one, 0);
    assert.ok(sum <= 100_000, JSON.stringify([...sent]));
  }
});

test('website: the search finds a page in the browser, by keyboard too', async (t) => {
  const { origin, sent } = await serve(t);
  const page = await openPage(t, origin);
  await page.goto('/docs/how/day.html');
  assert.ok(!sent.has('/search.json'));
  await page.keyboard.press('/');
  await page.keyboard.type('restore backup');
  const found = page.getByRole('option');
  await found.first().waitFor();
  assert.ok(sent.has('/search.json'), 'the index is read when somebody types');
  assert.match(await found.first().innerText(), /Operate: Back up and restore/);
  assert.deepEqual(await faults(page, { within: 'header' }), []);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/operate.html#back-up-and-restore');
  await page.getByRole('combobox').fill('nosuchword');
  await page.getByText('Nothing found').waitFor();
});
