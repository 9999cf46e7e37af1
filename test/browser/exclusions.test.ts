import assert from 'node:assert/strict';
import { test } from 'node:test';
import { look, serving } from './browser.ts';

test('visits are excluded after their preview was seen, and count again', async (t) => {
  const stage = await serving(t);
  const { signIn, manager } = stage;
  await look(stage, { '/': 2, '/wp-login': 3 });
  const visits = async () => (await manager.ask('GET', '/sites/example.com/stats/overview')).body.data.visits;
  const page = await signIn(manager, '/sites/example.com/settings/exclusions');
  await page.getByText('No exclusions yet').waitFor();

  const form = page.getByRole('form', { name: 'New exclusion' });
  await form.getByLabel('Filter by').selectOption('Entry page');
  await form.getByRole('combobox', { name: 'Condition' }).selectOption('contains');
  await form.getByLabel('Value').fill(' wp- ');
  await form.getByRole('button', { name: 'Add a condition' }).click();
  await form.getByLabel('Filter by').nth(1).selectOption('Pages per visit');
  await form.getByLabel('Value').nth(1).fill('1');
  await form.getByLabel('Note').fill('A wave');
  await form.getByRole('button', { name: 'Preview' }).click();
  await form.getByRole('img', { name: /^Visits per day. Highest: 3 on / }).waitFor();
  assert.equal(await visits(), 5, 'nothing has changed');
  await form.getByRole('button', { name: 'Exclude 3 visits' }).click();
  await form.getByText('3 visits excluded.').waitFor();

  const list = page.getByRole('group', { name: 'Excluded visits' });
  await list.getByText('Entry page contains wp-').waitFor();
  await list.getByText('Pages per visit is 1').waitFor();
  await list.getByText('A wave').waitFor();
  assert.equal(await visits(), 2);
  // Nothing is lost, so the button is not red.
  await list.locator('button:not(.danger)', { hasText: 'Undo' }).waitFor();
  await list.getByRole('button', { name: 'Undo Entry page contains wp-' }).click();
  await list.getByText('3 visits will count again, exactly as before.').waitFor();
  await list.getByRole('button', { name: 'Undo Entry page contains wp-' }).click();
  await page.getByText('No exclusions yet').waitFor();
  assert.equal(await visits(), 5);
});

test('a viewer sees what is excluded, and can change nothing', async (t) => {
  const { signIn, manager, viewer } = await serving(t);
  const body = { from: '2026-03-01', filters: { source: 'spam.example' } };
  assert.equal((await manager.ask('POST', '/sites/example.com/exclusions', body)).status, 201);
  const page = await signIn(viewer, '/sites/example.com/settings/exclusions');
  await page.getByText('Source is spam.example').waitFor();
  assert.equal(await page.getByRole('button', { name: /Undo|Preview/ }).count(), 0);
});
