import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { DAY, formatDay } from '../../src/lib/time.ts';
import { writeZip } from '../exchange/reading/zips.ts';
import { comersAt, store } from '../mail/site.ts';
import { folder, NOON } from '../support/helpers.ts';
import { program } from '../support/program.ts';
import { serving, show } from './browser.ts';

const ago = (days: number): string => formatDay(NOON / 1000 - days * DAY);

test('a filter over days that only have totals shows no change, no value and the reason, and no line at zero', async (t) => {
  const { db, owner, signIn } = await serving(t);
  await store(db, comersAt(5, NOON / 1000));
  const file = join(folder(t), 'totals.zip');
  const rows = [7, 8, 9, 10, 11, 12, 13].map((days) => `${ago(days)},10,30,4,12,600\n`);
  const head = 'date,visitors,pageviews,bounces,visits,visit_duration\n';
  await writeZip(file, [{ name: 'imported_visitors_20250101_20261231.csv', text: [head, ...rows] }]);
  const path = db.all<{ file: string }>('PRAGMA database_list')[0]?.file ?? '';
  // In a process of its own, because the clock of a command here would be that of the browser's driver too.
  await program(t).print(['import', 'example.com', file, '--format', 'plausible', '--db', path]);

  const page = await signIn(owner, '/', { viewport: { width: 1280, height: 6000 } });
  const visitors = page.locator('.figure', { hasText: 'Visitors' });
  const values = async (column: number) =>
    await page.locator(`.point-table tbody td:nth-of-type(${column})`).allTextContents();

  await page.goto('/sites/example.com?range=7d&chart=table');
  await visitors.getByText('Down 92.9% from 70').waitFor({ state: 'attached' });

  await show(page, '?range=7d&chart=table&page=/');
  await visitors.getByText('Not compared, because only daily totals').waitFor({ state: 'attached' });
  await page.getByText('This report does not include').waitFor();
  assert.deepEqual(await values(2), ['–', '–', '–', '–', '–', '–', '–']);

  await show(page, `?range=${ago(13)}~${ago(7)}&chart=table&page=/`);
  await visitors.locator('.figure-value').getByText('–', { exact: true }).waitFor();
  assert.deepEqual(await values(1), ['–', '–', '–', '–', '–', '–', '–']);
});

test('rows have no share of visitors who came on other days than they are of', async (t) => {
  const { db, owner, signIn } = await serving(t);
  await store(db, comersAt(5, NOON / 1000));
  const path = db.all<{ file: string }>('PRAGMA database_list')[0]?.file ?? '';
  const bring = async (days: number, ...tables: [name: string, text: string][]) => {
    const file = join(folder(t), 'totals.zip');
    const totals = `date,visitors,pageviews,bounces,visits,visit_duration\n${ago(days)},10,30,4,12,600\n`;
    const all: [string, string][] = [['visitors', totals], ...tables];
    const files = all.map(([name, text]) => ({ name: `imported_${name}_20250101_20261231.csv`, text: [text] }));
    await writeZip(file, files);
    await program(t).print(['import', 'example.com', file, '--format', 'plausible', '--db', path]);
  };
  await bring(1, ['pages', `date,hostname,page,visits,visitors,pageviews\n${ago(1)},example.com,/,10,10,30\n`]);
  await bring(3);

  const page = await signIn(owner, '/', { viewport: { width: 1280, height: 6000 } });
  const pages = page.getByRole('region', { name: 'Pages' }).locator('.rows-line').first();
  const row = async (search: string) => {
    await page.goto(`/sites/example.com${search}`);
    await page.locator('.chart-body[aria-busy=false]').waitFor();
    return (await pages.innerText()).replaceAll(/\s+/g, ' ');
  };
  assert.match(await row(`?range=${ago(1)}~${ago(0)}`), /15 visitors 100\.0%$/);
  // From totals nothing can be set aside, and they count as before.
  await owner.ask('POST', '/sites/example.com/exclusions', { from: ago(9), filters: { country: 'FR' } });
  assert.match(await row(`?range=${ago(1)}~${ago(0)}`), /15 visitors 100\.0%$/);
  await page.getByText('No visits are excluded on these days, because only daily totals').first().waitFor();
  // The filter leaves the day with totals out of the visitors, and the panel of pages shows all pages.
  assert.match(await row(`?range=${ago(1)}~${ago(0)}&page=/`), /15 visitors ?$/);
  // Of the first of these days the pages are not known.
  assert.match(await row('?range=7d'), /15 visitors ?$/);
  await page.goto(`/sites/example.com?range=${ago(1)}~${ago(0)}&details=pages`);
  await page.getByRole('dialog').getByText('This report does not include').waitFor();
  assert.equal(await page.getByRole('dialog').locator('td').nth(1).innerText(), '');
});
