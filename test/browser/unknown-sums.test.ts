import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DAY, formatDay } from '../../src/lib/time.ts';
import { comersAt, store } from '../mail/site.ts';
import { folder, NOON } from '../support/helpers.ts';
import { program } from '../support/program.ts';
import { serving, show } from './browser.ts';

const ago = (days: number): string => formatDay(NOON / 1000 - days * DAY);

test('what an import did not have is a dash with its reason, and no list says that nobody came', async (t) => {
  const { db, owner, signIn } = await serving(t);
  await store(db, comersAt(5, NOON / 1000));
  const file = join(folder(t), 'ga4.csv');
  const rows = [1, 2, 3].map((days) => `${ago(days).replaceAll('-', '')},10,12,30\n`);
  writeFileSync(file, `Date,Active users,Sessions,Views\n${rows.join('')}`);
  const path = db.all<{ file: string }>('PRAGMA database_list')[0]?.file ?? '';
  // In a process of its own, because the clock of a command here would be that of the browser's driver too.
  await program(t).print(['import', 'example.com', file, '--db', path]);

  const page = await signIn(owner, '/', { viewport: { width: 1280, height: 6000 } });
  const figure = (name: string) => page.locator('.figure', { hasText: name });
  const value = (name: string) => figure(name).locator('.figure-value');
  await page.goto(`/sites/example.com?range=${ago(3)}~${ago(1)}&chart=table&show=bounce_rate`);
  for (const name of ['Bounce rate', 'Visit duration']) await value(name).getByText('–', { exact: true }).waitFor();
  await value('Visitors').getByText('30', { exact: true }).waitFor();
  await figure('Bounce rate')
    .getByText('Not compared, because an import does not include')
    .waitFor({ state: 'attached' });
  await page.getByText('The bounce rate is unknown').waitFor();
  const values = await page.locator('.point-table tbody td:nth-of-type(1)').allTextContents();
  assert.deepEqual(values, ['–', '–', '–']);
  await page.locator('.panel', { hasText: 'Pages' }).getByText('Not available for these days').first().waitFor();
  await page.getByText('because the import did not contain this data').first().waitFor();
  assert.equal(await page.getByText('No visitors on these days').count(), 0);
  await page
    .locator('.panel', { hasText: 'Visitors from AI assistants' })
    .getByText('Not available for these days')
    .waitFor();

  await show(page, '?range=today&compare=none');
  await value('Bounce rate').getByText('100.0%', { exact: true }).waitFor();
});
