import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { until } from '../support/program.ts';
import { look, searchIs, serving } from './browser.ts';

test('properties: the panel shows names, then the values of one, and a value filters the report', async (t) => {
  const stage = await serving(t);
  await look(stage, { '/': 1 });
  const page = await stage.signIn(stage.owner, '/sites/example.com');
  await page.getByText('To see figures by plan or author, send properties with your hits.').waitFor();
  assert.equal(await page.getByRole('region', { name: 'Properties' }).count(), 0);

  await look(stage, { '/a': 3 }, { props: { plan: 'pro', trial: true } });
  await look(stage, { '/bb': 1 }, { props: { plan: 'free' } });
  await page.reload();
  const panel = page.getByRole('region', { name: 'Properties' });
  await panel.getByRole('button', { name: 'plan', exact: true }).click();
  await searchIs(page, '?property=plan');
  const rows = panel.locator('.rows-line');
  await until('the values are shown', async () => /^pro.*3/.test((await rows.first().textContent()) ?? ''));
  assert.equal(await rows.count(), 2);
  await page.waitForFunction('document.activeElement.textContent.includes("All properties")');

  await panel.getByRole('button', { name: 'pro', exact: true }).click();
  await searchIs(page, /property=plan&property:plan=pro$/);
  await page.getByRole('list', { name: 'Filters' }).getByText('Property plan is').waitFor();
  await until('only these visitors count', async () =>
    /Visitors\s*3/.test((await page.locator('main').innerText()).replaceAll('\n', ' ')),
  );

  await panel.getByRole('button', { name: 'Details of Property plan' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('2 rows', { exact: true }).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download Property plan as CSV' }).click(),
  ]);
  assert.match(
    readFileSync(await file.path(), 'utf8'),
    /Value,Visitors,Share \(percent\),Occurrences\r\npro,3,[^\n]*,3\r\n/,
  );
  await page.keyboard.press('Escape');
  await panel.getByRole('button', { name: 'All properties' }).click();
  await panel.getByRole('button', { name: 'trial', exact: true }).waitFor();
  // The changes of rows wait until nothing is loading.
  const loading = page.locator('main [aria-busy="true"]');
  await until('nothing is loading', async () => (await loading.count()) === 0);

  await page.getByRole('button', { name: 'Add a filter' }).click();
  await page.getByLabel('Filter by').selectOption('property:trial');
  await page.getByLabel('Condition').selectOption('not');
  await page.getByRole('option', { name: 'true' }).click();
  await searchIs(page, /property:trial\.not=true/);
});

test('properties: a goal and a funnel step can have one, and reports name it', async (t) => {
  const stage = await serving(t);
  await look(stage, { '/a': 2 }, { event: 'signup', props: { plan: 'pro' } });
  await look(stage, { '/bb': 1 }, { event: 'signup', props: { plan: 'free' } });
  const page = await stage.signIn(stage.owner, '/sites/example.com/settings/goals');
  const form = page.getByRole('form', { name: 'Add goal' });
  await form.getByLabel('Type').selectOption('event');
  await form.getByLabel('Name').fill('signup');
  await form.getByRole('button', { name: 'Add a property' }).click();
  await form.getByLabel('Property').fill('No!');
  await form.getByLabel('Value').fill('pr*');
  await form.getByRole('button', { name: 'Add goal' }).click();
  await form.getByText('The name of a property must begin with a letter').waitFor();
  await form.getByLabel('Property').fill('plan');
  await form.getByRole('button', { name: 'Add goal' }).click();
  await page.getByText('signup with plan = pr*').waitFor();

  await page.getByRole('button', { name: 'Edit Event signup with plan = pr*' }).click();
  const change = page.getByRole('form', { name: 'Save' });
  assert.equal(await change.getByLabel('Value').inputValue(), 'pr*');
  await change.getByLabel('Value').fill('pro');
  await change.getByRole('button', { name: 'Save' }).click();
  await page.getByText('signup with plan = pro').first().waitFor();

  await page.goto('/sites/example.com/settings/funnels');
  const funnel = page.getByRole('form', { name: 'Add funnel' });
  await funnel.getByLabel('Name').first().fill('Plans');
  const [first, second] = [1, 2].map((number) => funnel.getByRole('group', { name: `Step ${number}` }));
  for (const [step, value] of [
    [first, 'free'],
    [second, 'pro'],
  ] as const) {
    await step?.getByLabel('Type').selectOption('event');
    await step?.getByLabel('Name').fill('signup');
    await step?.getByRole('button', { name: 'Add a property' }).click();
    await step?.getByLabel('Property').fill('plan');
    await step?.getByLabel('Value').fill(value);
  }
  await funnel.getByRole('button', { name: 'Add funnel' }).click();
  await page.getByText('signup with plan = free').waitFor();

  await page.goto('/sites/example.com');
  const goals = page.getByRole('region', { name: 'Goals' });
  await goals.getByRole('button', { name: 'signup with plan = pro' }).click();
  await page.getByRole('list', { name: 'Filters' }).getByText('signup with plan = pro').waitFor();
  assert.match((await goals.locator('.rows-line').textContent()) ?? '', /2 visitors.*2 conversions/);
  await page.getByRole('region', { name: 'Funnels' }).getByText('signup with plan = free').waitFor();
});
