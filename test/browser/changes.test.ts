import assert from 'node:assert/strict';
import { test } from 'node:test';
import { append, pageview, TODAY } from '../collect/stage.ts';
import { faults } from './axe.ts';
import { look, serving } from './browser.ts';

test('a goal is changed in its place, or left as it was', async (t) => {
  const { signIn, manager } = await serving(t);
  await manager.ask('POST', '/sites/example.com/goals', { type: 'page', value: '/thanks' });
  await manager.ask('POST', '/sites/example.com/goals', { type: 'event', value: 'buy' });
  const page = await signIn(manager, '/sites/example.com/settings/goals');
  const goals = page.getByRole('group', { name: 'Goals' });
  await goals.getByRole('button', { name: 'Edit Page /thanks' }).click();
  const form = page.getByRole('form', { name: 'Save' });
  assert.equal(await form.getByLabel('Path').inputValue(), '/thanks');
  await form.getByLabel('Path').fill('/other');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await goals.getByText('/thanks').waitFor();

  await goals.getByRole('button', { name: 'Edit Page /thanks' }).click();
  await form.getByLabel('Type').selectOption('Event');
  await form.getByLabel('Name').fill('buy');
  await page.keyboard.press('Enter');
  await form.getByText('The site already has this goal.').waitFor();
  await form.getByLabel('Name').fill('order');
  await form.getByRole('button', { name: 'Save' }).click();
  await goals.getByText('Goal changed to Event order.').waitFor({ state: 'attached' });
  await goals.getByText('order', { exact: true }).waitFor();
  const { data } = (await manager.ask('GET', '/sites/example.com/goals')).body;
  assert.deepEqual(
    data.map(({ id, type, value }: { id: number; type: string; value: string }) => [id, type, value]),
    [
      [1, 'event', 'order'],
      [2, 'event', 'buy'],
    ],
  );
});

test('a funnel is changed in its place: its name, and its steps and their order', async (t) => {
  const { signIn, manager } = await serving(t);
  const steps = ['/a', '/b', '/c'].map((value) => ({ type: 'page', value }));
  await manager.ask('POST', '/sites/example.com/funnels', { name: 'Order', steps });
  const page = await signIn(manager, '/sites/example.com/settings/funnels');
  await page.getByRole('button', { name: 'Edit Order' }).click();
  const form = page.getByRole('form', { name: 'Save' });
  await form.getByLabel('Name').first().fill('Orders');
  await form.getByRole('button', { name: 'Remove step 1' }).click();
  await form.getByRole('button', { name: 'Move step 2 up' }).click();
  await form.getByRole('button', { name: 'Add a step' }).click();
  await form.getByLabel('Path').nth(2).fill('/d');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Orders' }).waitFor();
  const [funnel] = (await manager.ask('GET', '/sites/example.com/funnels')).body.data;
  assert.deepEqual([funnel.id, funnel.steps.map(({ value }: { value: string }) => value)], [1, ['/c', '/b', '/d']]);
});

test('the owner renames a site after being told what follows, and lands at the new snippet', async (t) => {
  const stage = await serving(t);
  const { signIn, owner, manager, origin } = stage;
  await look(stage, { '/': 2 });
  const page = await signIn(owner, '/sites/example.com/settings/general');
  const form = page.getByRole('form', { name: 'Domain' });
  const button = form.getByRole('button', { name: 'Preview' });
  assert.ok(await button.isDisabled());
  await form.getByLabel('Site domain').fill('stranger.example');
  await button.click();
  await form.getByText('stranger.example is already a site on this server.').waitFor();
  await form.getByLabel('Site domain').fill('Neu.example');
  await button.click();
  await form.getByText('Your pages need the new snippet. The old one counts until Thu, 9 Apr 2026').waitFor();
  await form.getByText('data-site="neu.example"').waitFor();
  const rename = form.getByRole('button', { name: 'Rename to neu.example' });
  assert.ok(await rename.isDisabled());
  assert.deepEqual(await faults(page), []);
  await form.getByLabel('Type example.com to confirm').fill('example.com');
  await rename.click();
  await page.waitForURL(`${origin}/sites/neu.example/settings/general`);
  await page.locator('.copy code').getByText('data-site="neu.example"').first().waitFor();
  await page.getByRole('link', { name: 'Reports', exact: true }).click();
  await page.getByRole('button', { name: /^Visitors 2/ }).waitFor();

  const other = await signIn(manager, '/sites/neu.example/settings/general');
  await other.getByRole('heading', { name: 'Time zone' }).waitFor();
  assert.equal(await other.getByRole('form', { name: 'Domain' }).count(), 0);
});

test('a note is changed in its place, and its effect stands in the dialog of its day', async (t) => {
  const { signIn, manager, db, siteId } = await serving(t);
  await append(db, [pageview({ siteId, day: TODAY })]);
  await manager.ask('POST', '/sites/example.com/notes', { date: '2026-03-09', text: 'Relase' });
  const page = await signIn(manager, '/sites/example.com/settings/notes');
  await page.getByRole('button', { name: /^Edit .*Relase$/ }).click();
  const form = page.getByRole('form', { name: 'Save' });
  assert.equal(await form.getByLabel('What happened').inputValue(), 'Relase');
  await form.getByLabel('What happened').fill('Release');
  await form.getByLabel(/^Day/).fill('2026-03-10');
  await form.getByLabel('URL (optional)').fill('https://git.example.com/c/1f2e3d4');
  await form.getByRole('checkbox', { name: /^Send a message two weeks later/ }).check();
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Note changed.').waitFor({ state: 'attached' });
  const [note] = (await manager.ask('GET', '/sites/example.com/notes')).body.data;
  const { created_at: _, ...changed } = note;
  const url = 'https://git.example.com/c/1f2e3d4';
  assert.deepEqual(changed, { id: 1, date: '2026-03-10', text: 'Release', url, effect: true });

  await page.getByRole('link', { name: 'Reports', exact: true }).click();
  await page.getByRole('button', { name: 'Table' }).click();
  await page
    .locator('.point-table')
    .getByRole('button', { name: /10 Mar 2026/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  assert.equal(await dialog.getByRole('link', { name: 'Release', exact: true }).getAttribute('href'), url);
  await dialog.getByText('Compare the two weeks before and after the note').click();
  await dialog.getByText(/^Not enough comparable days/).waitFor();
});
