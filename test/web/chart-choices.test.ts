import assert from 'node:assert/strict';
import { test } from 'node:test';
import { look, serving } from './browser.ts';

test('the chart shows hours where they are chosen, and the figures stand alone where they are compared with nothing', async (t) => {
  const stage = await serving(t);
  const { signIn, owner } = stage;
  await look(stage, { '/': 3 });
  const page = await signIn(owner);
  await page.goto('/sites/example.com?range=today&chart=table');
  const trend = page.locator('.figure', { hasText: 'Visitors' }).locator('.figure-trend');
  await trend.getByText(/Nothing to compare with/).waitFor();
  const table = page.getByRole('table', { name: 'Visitors per hour' });
  await table.waitFor();
  assert.equal(await table.getByRole('row').count(), 25);
  await table.getByRole('columnheader', { name: 'Before' }).waitFor();

  await page.getByRole('button', { name: 'Days', exact: true }).click();
  await page.getByRole('table', { name: 'Visitors per day' }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get('interval'), 'day');
  await page.getByRole('button', { name: 'Hours' }).click();

  const compare = async (name: string) => {
    await page.getByRole('button', { name: /^(Compared with|Not compared)/ }).click();
    await page.getByRole('dialog').getByRole('button', { name }).click();
  };
  await compare('Same weekdays a year before');
  await page.getByRole('button', { name: 'Compared with 11 Mar 2025' }).waitFor();
  await compare('No comparison');
  await table.getByRole('columnheader', { name: 'Before' }).waitFor({ state: 'detached' });
  await trend.getByText(/Nothing to compare with/).waitFor({ state: 'detached' });
});
