import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { loadScript } from '../../src/embedded/script.ts';
import { until } from '../support/program.ts';
import { drawn, type Stage, searchIs, serving } from './browser.ts';
import { serveSendingPages } from './sending-pages.ts';

const PAGE = `<!doctype html><title>shop</title><script defer src="/day.js" data-site="example.com" data-local></script>
<button onclick="daybook('order', { revenue: { amount: 19.99, currency: 'EUR' } })">Order</button>`;

/** A shop whose pages have the script. What the script sends reaches the app, as from the site's domain. */
async function openShop(t: TestContext, { ask, open }: Stage): Promise<{ order(): Promise<unknown> }> {
  const script = (await loadScript()).text;
  let hits = 0;
  const origin = await serveSendingPages(t, {
    ...{ page: PAGE, scripts: { '/day.js': script }, ask },
    noteMessage(body, status) {
      if (status === 202 && !('engaged' in body)) hits += 1;
    },
  });
  const page = await open({}, { isElsewhere: true });
  await page.goto(`${origin}/cart`);
  await until('the pageview has arrived', () => hits === 1);
  return {
    async order() {
      const before = hits;
      await page.getByRole('button', { name: 'Order' }).click();
      await until('the order has arrived', () => hits === before + 1);
    },
  };
}

const figure = (page: Page, amount: string) =>
  page.getByRole('button', { name: new RegExp(`^Revenue ${amount.replaceAll(/[.$]/g, '\\$&')} `) });

test('revenue: orders that the script sends are above the chart, in it, and beside goals and funnels', async (t) => {
  const stage = await serving(t);
  const { owner, siteId, signIn, share, open } = stage;
  for (const part of ['', '/settings']) {
    const page = await signIn(owner, `/sites/example.com${part}`);
    await page.locator('body:not([aria-busy])').waitFor();
    await drawn(page);
    assert.equal(await page.getByRole('button', { name: /^Revenue/ }).count(), 0);
  }
  await owner.ask('POST', '/sites/example.com/goals', { type: 'event', value: 'order' });
  await owner.ask('POST', '/sites/example.com/funnels', {
    name: 'Checkout',
    steps: [
      { type: 'page', value: '/cart' },
      { type: 'event', value: 'order' },
    ],
  });
  const shop = await openShop(t, stage);
  await shop.order();
  await shop.order();

  const page = await signIn(owner, '/sites/example.com?range=7d', { viewport: { width: 1400, height: 900 } });
  await figure(page, '€39.98').click();
  await searchIs(page, /show=revenue/);
  await page.getByRole('heading', { name: 'Revenue per day' }).waitFor();
  await drawn(page);
  assert.match((await page.getByRole('slider').getAttribute('aria-valuetext')) ?? '', /so far: Revenue €39\.98/);
  assert.equal(
    await page.getByRole('button', { name: 'Hours' }).getAttribute('title'),
    'Revenue is not available by hour.',
  );
  const goals = page.getByRole('region', { name: 'Goals' });
  assert.match((await goals.locator('.rows-line').textContent()) ?? '', /2 conversions.*€39\.98$/);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    goals.getByRole('button', { name: 'Download Goals as CSV' }).click(),
  ]);
  assert.match(readFileSync(await file.path(), 'utf8'), /Conversion rate,Revenue \(EUR\)\r\n.*,39\.98\r\n/);
  const funnel = page.getByRole('region', { name: 'Funnels' });
  // The funnel was completed once, so only the first order counts.
  assert.match((await funnel.textContent()) ?? '', /Revenue of the last step: €19\.99\./);

  const details = await signIn(owner, '/sites/example.com?range=7d&details=countries');
  await details.getByRole('dialog').getByRole('columnheader', { name: 'Revenue per visitor' }).waitFor();

  const all = await signIn(owner, '/all-sites?range=7d&show=revenue');
  await figure(all, '€39.98').waitFor();
  await all.getByRole('heading', { name: 'Revenue per day' }).waitFor();

  const shared = await open();
  await shared.goto(`/share/${await share(owner, siteId)}?range=7d&show=revenue`);
  await figure(shared, '€39.98').waitFor();
  await shared.getByRole('heading', { name: 'Revenue per day' }).waitFor();
});

test('revenue: the owner chooses the currency, and a viewer sees the figure and no form', async (t) => {
  const stage = await serving(t);
  const { owner, viewer, signIn } = stage;
  const shop = await openShop(t, stage);
  const settings = await signIn(owner, '/sites/example.com/settings');
  const block = settings.getByRole('region', { name: 'Revenue' });
  await block.getByText("daybook('order', { revenue: { amount: 19.99, currency: 'EUR' } })").waitFor();
  assert.equal(await block.getByLabel('Currency').inputValue(), '');
  await block.getByLabel('Currency').selectOption('USD');
  await block.getByText('Saved').waitFor();
  await shop.order();

  const page = await signIn(viewer, '/sites/example.com?range=7d');
  await figure(page, 'US$0.00').waitFor();
  await page.getByText('Revenue in EUR is not included, because this report is in USD.').waitFor();
  await block.getByLabel('Currency').selectOption('EUR');
  await block.getByText('Saved').waitFor();
  await page.reload();
  await figure(page, '€19.99').waitFor();

  await page.goto('/sites/example.com/settings');
  const seen = page.getByRole('region', { name: 'Revenue' });
  await seen.getByText('Currency: EUR – Euro').waitFor();
  assert.equal(await seen.getByRole('combobox').count(), 0);
});

test('revenue: until the amounts have come, the chart shows visitors as visitors', async (t) => {
  const stage = await serving(t);
  const shop = await openShop(t, stage);
  await shop.order();
  const page = await stage.signIn(stage.owner, '/sites/example.com?range=7d');
  await drawn(page);
  const gate = Promise.withResolvers<void>();
  let waiting = 0;
  await page.route(/timeseries.*revenue/, async (route) => {
    waiting++;
    await gate.promise;
    await route.continue();
  });
  await figure(page, '€19.99').click();
  await until('the amounts are asked for', () => waiting > 0);
  await page.locator('.chart-body.is-stale').waitFor();
  const read = async () => [
    await page.locator('#chart').textContent(),
    await page.getByRole('slider').getAttribute('aria-valuetext'),
    await page.locator('.plot-counts').textContent(),
  ];
  const [heading = '', ...shown] = await read();
  assert.equal(heading, 'Visitors per day');
  assert.match(shown.join(' '), /so far: 1 visitor/);
  assert.doesNotMatch(shown.join(' '), /€|Revenue/);
  gate.resolve();
  await page.getByRole('heading', { name: 'Revenue per day' }).waitFor();
  assert.match((await read()).join(' '), /so far: Revenue €19\.99/);
});
