import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { until } from '../support/program.ts';
import { look, searchIs, serving } from './browser.ts';

test('properties: the panel shows names, then the values of one, and a value filters the report', async (t) => {
  const stage = await serving(t);
  await look(stage, { '/': 1 });
  const page = await stage.signIn(stage.owner, '/sites/example.com');
  await page.getByText('To count by plan, author and more, send properties with your hits.').waitFor();
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
  assert.match(readFileSync(await file.path(), 'utf8'), /Value,Visitors,Share \(percent\),Count\r\npro,3,[^\n]*,3\r\n/);
  await page.keyboard.press('Escape');
  await panel.getByRole('button', { name: 'All properties' }).click();
  await panel.getByRole('button', { name: 'trial', exact: true }).waitFor();

  await page.getByRole('button', { name: 'Add a filter' }).click();
  await page.getByLabel('Filter by').selectOption('property:trial');
  await page.getByLabel('Condition').selectOption('not');
  await page.getByRole('option', { name: 'true' }).click();
  await searchIs(page, /property:trial\.not=true/);
});
