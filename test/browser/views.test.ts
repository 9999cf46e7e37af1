import assert from 'node:assert/strict';
import { test } from 'node:test';
import { look, searchIs, serving } from './browser.ts';

test('a view is saved under a name, opened by it, seen by others of the account and removed', async (t) => {
  const stage = await serving(t);
  await look(stage, { '/a': 2, '/b': 1 });
  const page = await stage.signIn(stage.owner, '/sites/example.com?range=7d&page=%2Fa');
  await page.getByRole('button', { name: 'Saved views' }).click();
  const dialog = page.getByRole('dialog', { name: 'Saved views' });
  await dialog.getByText('No saved views yet.').waitFor();
  // People come for the list, and so the focus is there, and not in the field for a new view.
  await dialog.locator('[data-focus]:focus', { hasText: 'No saved views yet.' }).waitFor();
  await dialog.getByLabel('Save this view as').fill('Page a');
  await page.keyboard.press('Enter');
  await dialog.getByRole('link', { name: 'Page a', exact: true }).waitFor();

  await page.goto('/sites/example.com');
  await page.getByRole('button', { name: /^Visitors 3/ }).waitFor();
  await page.getByRole('button', { name: 'Saved views' }).click();
  await dialog.getByRole('link', { name: 'Page a' }).click();
  await page.getByRole('button', { name: /^Visitors 2/ }).waitFor();
  await searchIs(page, '?range=7d&page=%2Fa');

  const viewer = await stage.signIn(stage.viewer, '/sites/example.com');
  await viewer.getByRole('button', { name: 'Saved views' }).click();
  await viewer.getByRole('link', { name: 'Page a' }).waitFor();
  assert.equal(await viewer.getByRole('dialog').getByRole('button').count(), 0);

  if (!(await dialog.isVisible())) await page.getByRole('button', { name: 'Saved views' }).click();
  await dialog.getByRole('button', { name: 'Remove the view Page a' }).click();
  await dialog.getByText('No saved views yet.').waitFor();
});
