import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { until } from '../support/program.ts';
import { look, searchIs, serving } from './browser.ts';

test('all rows of a panel are shown with all their figures, sorted, searched and page by page', async (t) => {
  const stage = await serving(t);
  const { signIn, owner } = stage;
  const many = Array.from({ length: 101 }, (_, n) => [`/page/${n}`, 1]);
  await look(stage, { '/': 3, '/prices': 2, ...Object.fromEntries(many) });
  await look(stage, { '/thanks': 1 }, { referrer: 'https://www.google.com/' });
  await owner.ask('POST', '/sites/example.com/goals', { type: 'page', value: '/thanks' });
  const page = await signIn(owner, '/sites/example.com');
  const dialog = page.getByRole('dialog');
  const rows = dialog.locator('tbody tr');

  await page.getByRole('button', { name: 'Details of Pages: All' }).click();
  await dialog.getByText('100 rows are shown. There are more.').waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download Pages: All as CSV' }).click(),
  ]);
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n');
  assert.equal(lines.length, 1 + 104, 'all rows, not only those that are shown');
  assert.match(
    lines[0] ?? '',
    /Page,Visitors,Share \(percent\),Visits,Pageviews,Time on page \(seconds\),Scroll depth \(percent\)$/,
  );
  assert.match(lines[1] ?? '', /^\/,3,\d/);
  assert.equal(new Set(lines).size, lines.length);
  await searchIs(page, '?details=pages');
  await dialog.getByRole('button', { name: 'More', exact: true }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByText('104 rows', { exact: true }).waitFor();
  assert.equal(await rows.count(), 104);
  await page.waitForFunction("document.activeElement.className === 'details-rows'");

  await dialog.getByRole('searchbox').fill('PRI');
  await dialog.getByText('1 row', { exact: true }).waitFor();
  assert.match((await rows.textContent()) ?? '', /^\/prices.*2/);
  await dialog.getByRole('searchbox').fill('nowhere');
  await dialog.getByText('No results for “nowhere”').waitFor();
  await dialog.getByRole('searchbox').fill('');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await searchIs(page, '');

  await page.goto('/sites/example.com?details=referrers');
  await rows.nth(1).waitFor();
  assert.match((await rows.first().textContent()) ?? '', /^Direct/);
  await dialog.getByRole('button', { name: 'Conversion rate' }).click();
  await until('the one with the conversion is first', async () =>
    /^google\.com/.test((await rows.first().textContent()) ?? ''),
  );
  await searchIs(page, '?details=referrers&sort=conversion_rate');
  await rows.first().getByRole('button', { name: 'google.com' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Visitors 1\b/ }).waitFor();
  await searchIs(page, '?source=google.com');
});

test('countries are found by the names that are shown, and several are chosen without closing', async (t) => {
  const stage = await serving(t);
  const { signIn, owner } = stage;
  await look(stage, { '/': 2 });
  const page = await signIn(owner, '/sites/example.com?details=operating_systems');
  const dialog = page.getByRole('dialog');
  await dialog
    .locator('tbody button')
    .first()
    .click({ modifiers: ['Shift'] });
  await until('it is chosen', async () => (await dialog.locator('button[aria-pressed="true"]').count()) === 1);
  await page.goto('/sites/example.com?details=countries');
  await dialog.getByRole('searchbox').fill('unkn');
  await dialog.getByRole('button', { name: 'Unknown' }).waitFor();
  await dialog.getByRole('searchbox').fill('Germ');
  await dialog.getByText('No results for “Germ”').waitFor();
});

test('a second click on the head of a column turns the order, and the address keeps it', async (t) => {
  const stage = await serving(t);
  await look(stage, { '/': 3, '/a': 2, '/b': 1 });
  const page = await stage.signIn(stage.owner, '/sites/example.com?details=pages');
  const rows = page.getByRole('dialog').locator('tbody tr');
  const isFirst = (path: string) =>
    until(`${path} is first`, async () => (await rows.first().locator('.panel-value').textContent()) === path);
  await isFirst('/');
  const head = (name: string) => page.getByRole('dialog').getByRole('columnheader', { name });
  await head('Visitors').getByRole('button').click();
  await isFirst('/b');
  assert.equal(await head('Visitors').getAttribute('aria-sort'), 'ascending');
  await searchIs(page, '?details=pages&order=asc');
  await head('Pageviews').getByRole('button').click();
  await isFirst('/');
  assert.equal(await head('Pageviews').getAttribute('aria-sort'), 'descending');
  await head('Pageviews').getByRole('button').click();
  await searchIs(page, '?details=pages&sort=pageviews&order=asc');
  await isFirst('/b');
});
