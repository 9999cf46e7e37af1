import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serving } from './browser.ts';

test('a manager switches properties off, their tabs are gone, and a viewer only sees the boxes', async (t) => {
  const stage = await serving(t);
  const page = await stage.signIn(stage.manager, '/sites/example.com/settings/collection');
  const form = page.getByRole('form', { name: 'Stored dimensions' });
  await form.getByLabel('Browser', { exact: true }).uncheck();
  // A version names its browser.
  const version = form.getByLabel('Browser version');
  assert.deepEqual([await version.isChecked(), await version.isDisabled()], [false, true]);
  await form.getByLabel('Country').uncheck();
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Saved', { exact: true }).waitFor();
  const { body } = await stage.owner.ask('GET', '/sites/example.com');
  assert.deepEqual(body.data.dimensions_off, ['country', 'region', 'city', 'browser', 'browser_version']);

  const guest = await stage.signIn(stage.viewer, '/sites/example.com/settings/collection');
  const shown = guest.getByRole('form', { name: 'Stored dimensions' });
  assert.equal(await shown.getByLabel('Country').isDisabled(), true);
  assert.equal(await shown.getByLabel('Language').isDisabled(), true);
  assert.equal(await shown.getByRole('button', { name: 'Save' }).count(), 0);
});
