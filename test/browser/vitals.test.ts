import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { chromium } from 'playwright-core';
import { loadScript, loadVitalsScript } from '../../src/embedded/script.ts';
import { startApp } from '../support/helpers.ts';
import { until } from '../support/program.ts';
import { firefoxPage } from './firefox.ts';
import { serveSendingPages } from './sending-pages.ts';

const TAG = 'data-site="example.com" data-local></script>';
const PAGE = `<!doctype html><title>page</title><script defer src="/day.js" ${TAG}
<script defer src="/day-vitals.js" ${TAG}<h1>A large heading</h1><p>Some words.</p><button>press</button>`;

/** Hides the page as a browser does for another tab. */
const HIDE = `Object.defineProperty(document, 'hidden', { get: () => true });
  Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));`;

/** A site whose pages have both scripts. What these send reaches an app, as from the site's domain. */
async function siteOf(t: TestContext) {
  const app = await startApp(t, { flood: '0' });
  await app.owner.ask('PATCH', `/sites/${app.siteId}`, { track_vitals: true });
  const scripts: Record<string, string> = {
    '/day.js': (await loadScript()).text,
    '/day-vitals.js': (await loadVitalsScript()).text,
  };
  const kinds: string[] = [];
  const origin = await serveSendingPages(t, {
    ...{ page: PAGE, scripts, ask: app.ask },
    noteMessage(body, status) {
      kinds.push(`${'vitals' in body ? 'vitals' : 'engaged' in body ? 'heartbeat' : 'hit'} ${status}`);
    },
  });
  return {
    origin,
    arrived: (kind: string) => until(kind, () => kinds.includes(`${kind} 202`), 20_000),
    async report() {
      const { body } = await app.viewer.ask('GET', `/sites/${app.siteId}/stats/vitals?range=today&by=pages`);
      return body.data.rows;
    },
  };
}

test('in Chromium a page with both scripts tells its vitals when it is hidden, and the API shows them', async (t) => {
  const { origin, arrived, report } = await siteOf(t);
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  t.after(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`${origin}/shop?secret=1`);
  await arrived('hit');
  await page.click('button');
  await page.evaluate(HIDE);
  await arrived('vitals');
  const [row, ...others] = await report();
  assert.deepEqual([row.value, others], ['/shop', []]);
  for (const vital of ['lcp', 'fcp', 'ttfb', 'cls']) assert.equal(row[vital].count, 1, vital);
});

test('in Firefox a page with both scripts tells its vitals when it is hidden, and the API shows them', async (t) => {
  const { origin, arrived, report } = await siteOf(t);
  const page = await firefoxPage(t);
  await page.goto(`${origin}/shop`);
  await arrived('hit');
  await page.evaluate(`new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))`);
  await page.evaluate(HIDE);
  await arrived('vitals');
  const [row] = await report();
  assert.equal(row.value, '/shop');
  // What else Firefox measures depends on its version.
  assert.equal(row.ttfb.count, 1);
});
