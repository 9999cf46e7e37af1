import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../src/lib/time.ts';
import { comersAt, store } from '../mail/site.ts';
import { NOON } from '../support/helpers.ts';
import { look, searchIs, serving } from './browser.ts';

test('the chart shows hours where they are chosen, and the figures stand alone where they are compared with nothing', async (t) => {
  const stage = await serving(t);
  const { signIn, owner } = stage;
  await look(stage, { '/': 3 });
  const page = await signIn(owner, '/sites/example.com?range=today&chart=table');
  const trend = page.locator('.figure', { hasText: 'Visitors' }).locator('.figure-trend');
  await trend.getByText(/The change cannot be calculated/).waitFor();
  const table = page.getByRole('table', { name: 'Visitors per hour' });
  await table.waitFor();
  assert.equal(await table.getByRole('row').count(), 25);
  await table.getByRole('columnheader', { name: 'Comparison period' }).waitFor();

  await page.getByRole('button', { name: 'Days', exact: true }).click();
  await page.getByRole('table', { name: 'Visitors per day' }).waitFor();
  await searchIs(page, /\binterval=day\b/);
  await page.getByRole('button', { name: 'Hours' }).click();

  const compare = async (name: string) => {
    await page.getByRole('button', { name: /^(Compared with|Not compared)/ }).click();
    await page.getByRole('dialog').getByRole('button', { name }).click();
  };
  await compare('Same weekdays one year earlier');
  await page.getByRole('button', { name: 'Compared with 11 Mar 2025' }).waitFor();
  await compare('No comparison');
  await table.getByRole('columnheader', { name: 'Comparison period' }).waitFor({ state: 'detached' });
  await trend.getByText(/The change cannot be calculated/).waitFor({ state: 'detached' });
});

test('all time begins with the first day that has visitors', async (t) => {
  const { db, owner, signIn } = await serving(t);
  await store(db, comersAt(2, NOON / 1000 - 100 * DAY));
  const page = await signIn(owner, '/sites/example.com?range=7d');
  await page.locator('.range-picker-days > button').click();
  await page.getByRole('button', { name: 'All time' }).click();
  await searchIs(page, '?range=all');
  // The chart begins with the month of the first visitor, 100 days ago.
  await page.getByRole('button', { name: 'Table' }).click();
  await page.getByRole('rowheader').last().getByText('November 2025').waitFor();
  await page.getByRole('button', { name: 'Not compared' }).waitFor();
  await page.locator('.range-picker-days > button').click();
  await page.getByRole('button', { name: /^All time ?at most two years$/, pressed: true }).waitFor();
  await page.locator('.figure', { hasText: 'Visitors' }).getByText('2', { exact: true }).waitFor();
});

test('figures and chart are compared with days of their own', async (t) => {
  const { db, owner, signIn } = await serving(t);
  // Before the time of now, up to which the last day is compared.
  await store(db, [...comersAt(2, NOON / 1000 - 100 * DAY - 60), ...comersAt(3, NOON / 1000)]);
  const page = await signIn(owner, '/sites/example.com?range=7d&chart=table');
  await page.getByRole('button', { name: /^Compared with/ }).click();
  for (let back = 0; back < 4; back++) await page.getByRole('button', { name: 'Previous month' }).click();
  await page.getByRole('button', { name: 'Sat, 29 Nov 2025' }).click();
  await page.getByRole('button', { name: 'Sun, 30 Nov 2025' }).click();
  await page.getByRole('button', { name: /^Compared with 29.*30 Nov 2025/ }).waitFor();
  await page.getByText('Up 50.0% from 2').first().waitFor({ state: 'attached' });
  await searchIs(page, /\bcompare=2025-11-29~2025-11-30\b/);
  const before = page.locator('.point-table tbody tr').nth(-2).locator('td').last();
  await before.getByText('2', { exact: true }).waitFor();
});
