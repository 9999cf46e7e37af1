import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import type { Page, Request } from 'playwright-core';
import { type DashboardMessage, dashboardTexts } from '../../src/lang/dashboard.ts';
import { LANGUAGES } from '../../src/lang/languages.ts';
import { sayIn } from '../../src/lang/messages.ts';
import { append, pageview, TODAY } from '../collect/stage.ts';
import { until } from '../support/program.ts';
import { drawn, searchIs, serving } from './browser.ts';

/** What the window shows is there: none of it waits for an answer. */
const IS_SEEN = `document.querySelector('main h1') !== null &&
  ![...document.querySelectorAll('.skeleton, [aria-busy="true"]')].some((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return top < innerHeight && bottom > 0;
  })`;

/** A page that never becomes idle, so that it loads only what the window shows. */
const NEVER_IDLE = "Object.defineProperty(document, 'hidden', { get: () => true })";

/** The bytes of a file in brotli, as the build packs it. A test packs files quickly, and so less well. */
async function sizeOf(request: Request): Promise<number> {
  const body = (await (await request.response())?.body()) ?? Buffer.alloc(0);
  return brotliCompressSync(body).length;
}

for (const language of LANGUAGES) {
  test(`first view: a site takes at most 12 requests, and 60 kB of page, script, style and texts, in ${language}`, async (t) => {
    const say = sayIn<DashboardMessage>(language, dashboardTexts(language));
    const { owner, db, siteId, signIn } = await serving(t);
    const goal = await owner.ask('POST', '/sites/example.com/goals', { type: 'page', value: '/order' });
    await owner.ask('PATCH', '/sites/example.com', { main_goal_id: goal.body.data.id });
    const pages = ['/', '/order'];
    await append(
      db,
      pages.flatMap((page, visitor) => [TODAY - 59, TODAY - 1].map((day) => pageview({ siteId, day, visitor, page }))),
    );
    const page = await signIn(owner, '/share/none', { locale: language, viewport: { width: 1440, height: 900 } });
    await page.addInitScript(NEVER_IDLE);
    const requests: Request[] = [];
    page.on('request', (request) => request.url().startsWith('data:') || requests.push(request));
    await page.goto('/sites/example.com');
    await until('what the window shows is there', () => page.evaluate(IS_SEEN) as Promise<boolean>);
    await page.getByRole('button', { name: new RegExp(`^${say.t('Conversion rate')}`) }).waitFor();
    await page
      .getByRole('region', { name: say.t('Pages') })
      .getByRole('button', { name: '/order', exact: true })
      .waitFor();
    const urls = requests.map((request) => request.url());
    assert.ok(urls.length >= 9 && urls.length <= 12, `${urls.length} requests: ${urls.join(' ')}`);
    const files = requests.filter((request) => !request.url().includes('/api/'));
    const sizes = await Promise.all(files.map(sizeOf));
    const sum = sizes.reduce((all, one) => all + one, 0);
    assert.ok(sizes.length === 4 && sum > 20_000 && sum <= 60_000, `${sum} bytes: ${sizes.join(', ')}`);
  });
}

const visitors = (page: Page, count: number) => page.getByRole('button', { name: new RegExp(`^Visitors ${count}`) });

test('first view: Back shows the figures at once, and then asks whether they have changed', async (t) => {
  const { owner, db, siteId, signIn } = await serving(t);
  const came = (visitor: number, day: number) => pageview({ siteId, day, visitor, page: '/' });
  await append(db, [came(1, TODAY - 1), came(2, TODAY - 1), came(3, TODAY)]);
  const page = await signIn(owner, '/sites/example.com');
  await visitors(page, 3).waitFor();
  await drawn(page);
  await page.getByRole('button', { name: 'Today', exact: true }).click();
  await searchIs(page, '?range=today');
  await visitors(page, 1).waitFor();
  await drawn(page);

  await append(db, [came(4, TODAY - 1)]);
  const held: (() => void)[] = [];
  let isHeld = true;
  await page.route('**/api/**', async (route) => {
    if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await page.goBack();
  await visitors(page, 3).waitFor();
  await page.getByRole('region', { name: 'Pages' }).getByRole('button', { name: '/', exact: true }).waitFor();
  assert.equal(await page.evaluate(IS_SEEN), true);

  isHeld = false;
  for (const release of held) release();
  await visitors(page, 4).waitFor();
});
