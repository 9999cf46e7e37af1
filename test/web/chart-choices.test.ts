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
  await page.getByRole('table', { name: 'Visitors per day' }).waitFor();

  await page.getByLabel('Points of the chart').selectOption('hour');
  const table = page.getByRole('table', { name: 'Visitors per hour' });
  await table.waitFor();
  assert.equal(await table.getByRole('row').count(), 25);
  await table.getByRole('columnheader', { name: 'Before' }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get('interval'), 'hour');

  await page.getByLabel('Compare with').selectOption('off');
  await table.getByRole('columnheader', { name: 'Before' }).waitFor({ state: 'detached' });
  await trend.getByText(/Nothing to compare with/).waitFor({ state: 'detached' });
});
