import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { append, pageview } from '../collect/stage.ts';
import { drawn, type Stage, serving } from './browser.ts';

const DAY = 86_400;
const API = '**/api/v1/**';

const BAD_GATEWAY = { status: 502, contentType: 'text/html', body: '<!doctype html><h1>502 Bad Gateway</h1>' };

function hits({ db, siteId, clock }: Stage) {
  const day = Math.floor(clock.now() / 1000 / DAY);
  let visitor = 0;
  return (source: string, count: number) =>
    append(
      db,
      Array.from({ length: count }, () => pageview({ siteId, day, second: 1, visitor: ++visitor, source })),
    );
}

const figure = (page: Page, text: RegExp) => page.getByRole('button', { name: text }).waitFor();
const row = (page: Page, name: string, text: RegExp) =>
  page.locator('.rows-line', { hasText: name }).filter({ hasText: text }).waitFor();

test('figures and panels are refreshed together, and without an answer all stays as it was and says since when', async (t) => {
  const stage = await serving(t);
  const add = hits(stage);
  await add('x.org', 3);
  const page = await stage.signIn(stage.owner, '/sites/example.com');
  await figure(page, /^Visitors 3/);
  await drawn(page);
  await row(page, 'x.org', /3 visitors/);

  await add('x.org', 2);
  await page.clock.runFor(61_000);
  await figure(page, /^Visitors 5/);
  await row(page, 'x.org', /5 visitors/);

  await page.route('**/breakdown/referrers?**', (route) => route.fulfill(BAD_GATEWAY));
  await add('x.org', 1);
  await page.clock.runFor(61_000);
  await page.getByText(/^Not updated since \d/).waitFor();
  // One panel without an answer keeps the others at its moment.
  await figure(page, /^Visitors 5/);
  await row(page, 'x.org', /5 visitors/);
  assert.equal(await page.getByRole('alert').count(), 0);

  await page.unroute('**/breakdown/referrers?**');
  await page.clock.runFor(61_000);
  await figure(page, /^Visitors 6/);
  await row(page, 'x.org', /6 visitors/);
  assert.equal(await page.getByText('Not updated since').count(), 0);
});

test('a page that begins without a server says so plainly, and one click or a little time brings all of it', async (t) => {
  const stage = await serving(t);
  await hits(stage)('x.org', 3);
  const page = await stage.signIn(stage.owner);
  const isUp = { value: false };
  await page.route(API, (route) => (isUp.value ? route.continue() : route.fulfill(BAD_GATEWAY)));
  await page.goto('/sites/example.com');
  const failed = page.getByText('The server did not answer correctly (status 502). It may be restarting.');
  await failed.waitFor();
  await page.getByRole('region', { name: 'Pages' }).getByText('Not loaded').waitFor();
  assert.equal(await page.getByText('Unexpected token').count(), 0);
  // The page says it once, and not in each panel.
  assert.equal(await failed.count(), 1);
  isUp.value = true;
  await page.getByRole('button', { name: 'Try again' }).click();
  await figure(page, /^Visitors 3/);
  await page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' });

  isUp.value = false;
  await page.reload();
  await failed.waitFor();
  isUp.value = true;
  await page.clock.runFor(61_000);
  await figure(page, /^Visitors 3/);
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
});

test('a form whose answer is no JSON says so, and its button can be pressed again', async (t) => {
  const stage = await serving(t);
  const page = await stage.signIn(await stage.person('new@example.com'));
  await page.getByLabel('Domain').fill('first.example');
  await page.route('**/api/v1/sites', (route) => route.fulfill(BAD_GATEWAY));
  await page.getByRole('button', { name: 'Add site' }).click();
  await page.getByRole('alert').getByText('The server did not answer correctly (status 502)').waitFor();
  await page.unroute('**/api/v1/sites');
  await page.getByRole('button', { name: 'Add site' }).click();
  await page.waitForURL(`${stage.origin}/sites/first.example/settings/general`);
});

test('the cards of sites are refreshed too, and stay as they were where one of them has no answer', async (t) => {
  const stage = await serving(t);
  stage.site(stage.owner, 'second.example');
  const add = hits(stage);
  await add('x.org', 3);
  const page = await stage.signIn(stage.owner, '/');
  const card = (domain: string) => page.locator('.site-card', { has: page.getByRole('link', { name: domain }) });
  await card('example.com').getByText('3 visitors').waitFor();
  await card('second.example').waitFor();

  await add('x.org', 2);
  await page.clock.runFor(61_000);
  await card('example.com').getByText('5 visitors').waitFor();

  await page.route('**/sites/second.example/stats/overview?**', (route) => route.fulfill(BAD_GATEWAY));
  await add('x.org', 1);
  await page.clock.runFor(61_000);
  await page.getByText(/^Not updated since \d/).waitFor();
  await card('example.com').getByText('5 visitors').waitFor();
  await page.unroute('**/sites/second.example/stats/overview?**');
  await page.clock.runFor(61_000);
  await card('example.com').getByText('6 visitors').waitFor();
});
