import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from './axe.ts';
import { serving } from './browser.ts';

const PATH = '/sites/example.com/settings/blocks';

test('blocks: a manager leaves own visits out, and blocks a page with a note', async (t) => {
  const stage = await serving(t);
  const page = await stage.signIn(stage.manager, PATH);
  const own = page.getByLabel('Leave my visits out');
  await own.check();
  await page.getByText('your IP address', { exact: true }).waitFor();
  const form = page.getByRole('form', { name: 'Block' });
  await form.getByLabel('Kind').selectOption('page');
  await form.getByLabel('Value').fill('/internal/*');
  await form.getByLabel('Note (optional)').fill('Staff');
  await form.getByRole('button', { name: 'Block' }).click();
  await page.getByText('Staff · 0 hits dropped in the last 30 days').waitFor();
  assert.deepEqual(await faults(page), []);
  const { body } = await stage.owner.ask('GET', '/sites/example.com/blocks');
  assert.deepEqual(
    body.data.map(({ kind, value }: Record<string, unknown>) => [kind, value]),
    [
      ['address', null],
      ['page', '/internal/*'],
    ],
  );
  await own.uncheck();
  await page.getByText('your IP address', { exact: true }).waitFor({ state: 'detached' });
});

test('blocks: an error stands at its field, and a viewer sees the list without the form', async (t) => {
  const stage = await serving(t);
  await stage.owner.ask('POST', '/sites/example.com/blocks', { kind: 'country', value: 'DE' });
  const page = await stage.signIn(stage.owner, PATH);
  const form = page.getByRole('form', { name: 'Block' });
  await form.getByLabel('Value').fill('here');
  await form.getByRole('button', { name: 'Block' }).click();
  await form.getByText('Must be an IP address, such as 192.0.2.7.').waitFor();
  const guest = await stage.signIn(stage.viewer, PATH);
  await guest.getByText('DE', { exact: true }).waitFor();
  assert.equal(await guest.getByLabel('Leave my visits out').isDisabled(), true);
  assert.equal(await guest.getByRole('form', { name: 'Block' }).count(), 0);
});
