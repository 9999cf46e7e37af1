import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { serving } from './browser.ts';

/** A wrong field says what is wrong, is marked, and has the focus. The form says nothing else. */
async function assertWrong(field: Locator, text: RegExp): Promise<void> {
  await field.and(field.page().locator('[aria-invalid="true"]')).waitFor();
  assert.match((await field.locator('xpath=ancestor::label').innerText()).replaceAll('\n', ' '), text);
  assert.equal(await field.evaluate((element) => element.matches(':focus')), true);
  assert.equal(await field.locator('xpath=ancestor::form').getByRole('alert').count(), 0);
}

test('forms: an error of the server stands at its field in the language of the page, and the field has the focus', async (t) => {
  const { owner, signIn } = await serving(t);
  const page = await signIn(owner, '/sites/example.com/settings/exclusions', { locale: 'de-DE' });
  const exclusion = page.getByRole('form', { name: 'Neuer Ausschluss' });
  await exclusion.getByLabel('Filtern nach').selectOption('country');
  await exclusion.getByLabel('Wert').fill('Germany');
  await exclusion.getByRole('button', { name: 'Vorschau' }).click();
  await assertWrong(exclusion.getByLabel('Wert'), /zwei Buchstaben/);
  await exclusion.getByLabel('Wert').fill('DE');
  await exclusion.getByLabel('Erster Tag').fill('');
  await exclusion.getByRole('button', { name: 'Vorschau' }).click();
  await assertWrong(exclusion.getByLabel('Erster Tag'), /Erster Tag .+/);
  assert.equal(await exclusion.locator('[aria-invalid]').count(), 1);

  await page.goto('/sites/example.com/settings/funnels');
  const funnel = page.getByRole('form', { name: 'Trichter hinzufügen' });
  await funnel.getByLabel('Name').first().fill('Kauf');
  await funnel.getByRole('group', { name: 'Schritt 1' }).getByLabel('Pfad').fill('/');
  await funnel.getByRole('button', { name: 'Trichter hinzufügen' }).click();
  await assertWrong(funnel.getByRole('group', { name: 'Schritt 2' }).getByLabel('Pfad'), /Pfad .+/);
});

test('forms: what is wrong with no field stands at the top of the form', async (t) => {
  const { owner, signIn } = await serving(t);
  const page = await signIn(owner, '/sites/example.com/settings/goals');
  const form = page.getByRole('form', { name: 'Add goal' });
  const fields = { value: 'Wrong value.', other: 'Other is wrong.' };
  await page.route('**/goals', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fulfill({ status: 422, json: { error: { code: 'invalid_request', message: 'Invalid.', fields } } });
  });
  await form.getByLabel('Path').fill('/thanks');
  await form.getByRole('button', { name: 'Add goal' }).click();
  assert.equal(await form.getByRole('alert').innerText(), 'Other is wrong.');
  assert.match(await form.innerText(), /^Other is wrong\./);
  assert.equal(await form.getByText('Wrong value.').count(), 1);
});

test('goals: a depth that is no number shows an error, and the goal keeps its depth', async (t) => {
  const { owner, signIn } = await serving(t);
  await owner.ask('POST', '/sites/example.com/goals', { type: 'page', value: '/docs', scroll: 75 });
  const page = await signIn(owner, '/sites/example.com/settings/goals');
  await page.getByRole('button', { name: /^Edit Page \/docs/ }).click();
  const form = page.getByRole('form', { name: 'Save' });
  await form.getByLabel('Scrolled to (%)').fill('half');
  await form.getByRole('button', { name: 'Save' }).click();
  await assertWrong(form.getByLabel('Scrolled to (%)'), /whole number/);
  const { body } = await owner.ask('GET', '/sites/example.com/goals');
  assert.equal(body.data[0].scroll, 75);
});

test('forms: a field for a day is as high as the field beside it', async (t) => {
  const { owner, signIn } = await serving(t);
  const page = await signIn(owner, '/sites/example.com/settings/notes');
  const form = page.getByRole('form', { name: 'Add note' });
  const boxes = [form.getByLabel(/^Day/), form.getByLabel('What happened')].map((field) => field.boundingBox());
  const [day, text] = await Promise.all(boxes);
  assert.ok(day && text);
  assert.deepEqual([day.y, day.height], [text.y, text.height]);
});
