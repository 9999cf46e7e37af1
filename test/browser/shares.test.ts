import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from './axe.ts';
import { look, serving } from './browser.ts';

const PATH = '/sites/example.com/settings/sharing';
const PASSWORD = 'a password of the link';

test('share links: a manager adds one for a saved view with a password, and it opens with the password', async (t) => {
  const stage = await serving(t);
  await look(stage, { '/': 2, '/order': 1 });
  await stage.owner.ask('POST', '/sites/example.com/views', { name: 'Orders', query: 'range=7d&page=%2Forder' });
  const page = await stage.signIn(stage.manager, PATH);
  const form = page.getByRole('form', { name: 'Add link' });
  await form.getByLabel('Name').fill('Agency');
  await form.getByLabel('Shows').selectOption('Orders');
  await form.getByLabel('Password (optional)').fill('short');
  await form.getByRole('button', { name: 'Add link' }).click();
  await form.getByText('Must have at least 10 characters.').waitFor();
  await form.getByLabel('Password (optional)').fill(PASSWORD);
  await form.getByLabel('Last day (optional)').fill('2999-12-31');
  await form.getByRole('button', { name: 'Add link' }).click();
  await page.getByText(/^Orders · with a password · ends on .*3000/).waitFor();
  assert.deepEqual(await faults(page), []);

  const { body } = await stage.owner.ask('GET', '/sites/example.com/shares');
  const guest = await stage.open();
  await guest.goto(new URL(body.data[0].url).pathname);
  await guest.getByRole('heading', { name: 'This link needs a password' }).waitFor();
  await guest.getByLabel('Password').fill('a wrong password');
  await guest.getByRole('button', { name: 'Continue' }).click();
  await guest.getByText('This is not the password of this link.').waitFor();
  await guest.getByLabel('Password').fill(PASSWORD);
  await guest.getByRole('button', { name: 'Continue' }).click();
  await guest.getByText('A part of the visits').waitFor();
  await guest.getByRole('region', { name: 'Pages' }).getByRole('button', { name: '/order', exact: true }).waitFor();
  assert.match(guest.url(), /\?range=7d$/);
  assert.equal(await guest.getByRole('region', { name: 'Pages' }).getByText('/', { exact: true }).count(), 0);
  assert.deepEqual(await faults(guest), []);

  await page.getByRole('button', { name: 'Remove Agency' }).click();
  await page.getByRole('button', { name: 'Remove Agency' }).click();
  await page.getByText('No more links yet').waitFor();
  await guest.reload();
  await guest.getByRole('heading', { name: 'This link does not work' }).waitFor();
});

test('share links: a viewer sees the list without the form', async (t) => {
  const stage = await serving(t);
  await stage.owner.ask('POST', '/sites/example.com/shares', { name: 'Agency' });
  const page = await stage.signIn(stage.viewer, PATH);
  await page.getByText('Agency', { exact: true }).waitFor();
  assert.equal(await page.getByRole('form', { name: 'Add link' }).count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Remove Agency' }).count(), 0);
});
