import assert from 'node:assert/strict';
import { test } from 'node:test';
import { look, serving } from './browser.ts';

test('a manager types patterns, sees what they would do, and saves them; a mistake names its line', async (t) => {
  const stage = await serving(t);
  await look(stage, { '/users/1': 2, '/users/2': 1, '/': 1 });
  const page = await stage.signIn(stage.manager, '/sites/example.com/settings/collection');
  const form = page.getByRole('form', { name: 'Private data in paths' });
  const field = page.getByLabel('Patterns');
  await page.getByText('None of the 3 pages from the last 30 days would change.').waitFor();
  await field.fill('user-*');
  await page.clock.runFor(500);
  await page.getByText('Line 1, "user-*": * matches only a whole segment').waitFor();
  assert.ok(await form.getByRole('button', { name: 'Save' }).isDisabled());
  await field.fill('users/*\n{number}');
  await page.clock.runFor(500);
  await page.getByText('Pages from the last 30 days that would change: 2 of 3').waitFor();
  await page.getByText('replaces /users/1, /users/2').waitFor();
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. This applies to new hits.').waitFor();
  const { body } = await stage.owner.ask('GET', '/sites/example.com');
  assert.deepEqual(body.data.private_paths, ['users/*', '{number}']);

  const guest = await stage.signIn(stage.viewer, '/sites/example.com/settings/collection');
  const shown = guest.getByLabel('Patterns');
  assert.equal(await shown.inputValue(), 'users/*\n{number}');
  assert.equal(await shown.getAttribute('readonly'), '');
  assert.equal(await guest.getByRole('button', { name: 'Save' }).count(), 0);
});
