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
  await guest.getByText('Only some of the visits').waitFor();
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

test('share links: a manager changes the name, view, password, end and websites of a link', async (t) => {
  const stage = await serving(t);
  const { owner } = stage;
  const path = '/sites/example.com/shares';
  await owner.ask('POST', '/sites/example.com/views', { name: 'Orders', query: 'page=%2Forder' });
  await owner.ask('POST', path, { name: 'Agency', password: PASSWORD, expires_at: '2999-12-31T18:00:00Z' });
  const share = async () => (await owner.ask('GET', path)).body.data[0];
  const before = await share();
  const page = await stage.signIn(stage.manager, PATH);
  const list = page.getByRole('group', { name: 'More share links' });
  const edit = () => list.getByRole('button', { name: /^Edit / }).click();
  const save = () => list.getByRole('button', { name: 'Save' }).click();
  await edit();
  assert.deepEqual(await faults(page), []);
  await list.getByLabel('Name').fill('Customer');
  await list.getByLabel('Shows').selectOption('Orders');
  await save();
  await list.getByText(/^Orders · with a password · ends on /).waitFor();
  // What was not touched stays, and the end too, which is no midnight.
  const { view_id: view, name, ...rest } = await share();
  assert.deepEqual([name, view > 0, { ...rest, name: 'Agency', view_id: null }], ['Customer', true, before]);

  await edit();
  await list.getByLabel('Websites that may embed').fill('https://www.example.com/page\nhttps://blog.example.com');
  await save();
  await list.getByText('Remove the password or the websites.').waitFor();
  await list.getByRole('checkbox', { name: 'Remove the password' }).check();
  await list.getByLabel('Last day (optional)').fill('');
  await list.getByLabel('Shows').selectOption('All reports');
  await save();
  await list.getByText('https://www.example.com, https://blog.example.com may embed this link').waitFor();
  assert.deepEqual(
    [await share()].map(({ password, expires_at, view_id, origins }) => [password, expires_at, view_id, origins]),
    [[false, null, null, ['https://www.example.com', 'https://blog.example.com']]],
  );
  const code = (await list.getByText(/<iframe/).textContent()) ?? '';
  assert.ok(code.includes(`src="${before.url}"`), code);

  await edit();
  await list.getByLabel('Websites that may embed').fill('');
  await list.getByLabel('Password (optional)').fill('another password');
  await save();
  await list.getByText('All reports · with a password').waitFor();
});
