import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { appendTo, pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { folder } from '../support/helpers.ts';
import { faults } from './axe.ts';
import { type Stage, serving } from './browser.ts';

const PATH = '/sites/example.com/settings/data';

const file = (text: string, name = 'hits.ndjson') => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

const line = (day: number, visitor: number): string =>
  `${JSON.stringify({ at: `${date(day)}T00:00:00.000Z`, url: 'https://example.com/a', visitor: String(visitor) })}\n`;

/** A file with so many visitors a day, by how many days ago. */
const visitors = (counts: Record<number, number>): string =>
  Object.entries(counts)
    .flatMap(([back, count]) => Array.from({ length: count }, (_, n) => line(TODAY - Number(back), n)))
    .join('');

async function countVisitors({ owner }: Stage): Promise<number> {
  const range = `${date(TODAY - 9)}~${date(TODAY)}`;
  return (await owner.ask('GET', `/sites/example.com/stats/overview?range=${range}`)).body.data.visitors;
}

test('data: a manager uploads a file, sees what is in it, imports it, and undoes the import', async (t) => {
  const stage = await serving(t);
  const page = await stage.signIn(stage.manager, PATH);
  const form = page.getByRole('form', { name: 'Import' });
  assert.equal(await form.getByRole('button', { name: 'Upload' }).isDisabled(), true);
  await page.locator('input[type=file]').setInputFiles(file(visitors({ 3: 2, 2: 5 })));
  await form.getByRole('button', { name: 'Upload' }).click();
  await page.getByText('7 records read: 7 accepted, 0 skipped').waitFor();
  assert.deepEqual(await faults(page), []);
  assert.equal(await countVisitors(stage), 0);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('hits.ndjson was imported. Reports show its days now.').waitFor();
  assert.equal(await countVisitors(stage), 7);
  const list = page.getByRole('group', { name: 'Imports' });
  await list.getByText('2 days · 7 hits', { exact: false }).waitFor();
  assert.deepEqual(await faults(page), []);

  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await list.getByText('No imports yet').waitFor();
  await page.getByRole('form', { name: 'Import' }).waitFor();
  assert.equal(await countVisitors(stage), 0);
});

test('data: a wrong file says why, and an upload can be cancelled', async (t) => {
  const stage = await serving(t);
  const page = await stage.signIn(stage.manager, PATH);
  const send = async (text: string, name?: string) => {
    await page.locator('input[type=file]').setInputFiles(file(text, name));
    await page.getByRole('button', { name: 'Upload' }).click();
  };
  await send('hello', 'letter.txt');
  const alert = page.getByRole('alert');
  await alert.getByText('letter.txt was not imported. The format of this file is not known.').waitFor();
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await page.getByText('More options').click();
  await page.getByLabel('Skip lines that cannot be read').check();
  await send(`${visitors({ 2: 1 })}no line\n`);
  await page.getByText('2 records read: 1 accepted, 1 skipped', { exact: false }).waitFor();
  // The upload lives on the server, so another page shows it too.
  await page.reload();
  await page.getByText('2 records read', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('form', { name: 'Import' }).waitFor();
  assert.equal(await countVisitors(stage), 0);
});

test('data: only the owner replaces hits of the site, after a warning', async (t) => {
  const stage = await serving(t);
  const { siteId, engine } = stage;
  await appendTo(engine, [pageview({ siteId, day: TODAY - 2, visitor: 9 })]);
  const page = await stage.signIn(stage.manager, PATH);
  await page.locator('input[type=file]').setInputFiles(file(visitors({ 2: 3 })));
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByText('The site already has hits on 1 day of the file.', { exact: false }).waitFor();
  await page.getByText('Only the owner of the site can replace them.', { exact: false }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Replace these days and import' }).count(), 0);

  const own = await stage.signIn(stage.owner, PATH);
  await own.getByRole('button', { name: 'Replace these days and import' }).click();
  await own.getByText('The present hits of these days will be deleted permanently.').waitFor();
  await own.getByRole('button', { name: 'Replace these days and import' }).click();
  await own.getByText('was imported', { exact: false }).waitFor();
  assert.equal(await countVisitors(stage), 3);
});

test('data: an export is saved as a file, and days without hits are an error at the field', async (t) => {
  const stage = await serving(t);
  const { siteId, engine } = stage;
  await appendTo(engine, [pageview({ siteId, day: TODAY, page: '/saved' })]);
  const page = await stage.signIn(stage.manager, PATH);
  const form = page.getByRole('form', { name: 'Export' });
  await form.getByLabel('Format').selectOption('csv');
  const saving = page.waitForEvent('download');
  await form.getByRole('button', { name: 'Download' }).click();
  const saved = await saving;
  assert.equal(saved.suggestedFilename(), `example.com-csv-${date(TODAY)}-${date(TODAY)}.csv`);
  const path = join(folder(t), 'saved.csv');
  await saved.saveAs(path);
  assert.match(readFileSync(path, 'utf8'), /\/saved/);
  await form.getByText('The download has begun.', { exact: false }).waitFor();

  await form.getByLabel('Days').selectOption('custom');
  await form.getByLabel('First day').fill('2025-01-01');
  await form.getByLabel('Last day').fill('2025-01-02');
  await form.getByRole('button', { name: 'Download' }).click();
  await form.getByText('There are no hits on these days.').waitFor();
  assert.deepEqual(await faults(page), []);
});

test('data: an export that fails shows why, whatever failed', async (t) => {
  const stage = await serving(t);
  const { siteId, engine } = stage;
  await appendTo(engine, [pageview({ siteId, day: TODAY })]);
  const page = await stage.signIn(stage.manager, PATH);
  const form = page.getByRole('form', { name: 'Export' });
  const assertShown = async (sentence: string) => {
    await form.getByRole('button', { name: 'Download' }).click();
    await form.getByRole('alert').getByText(sentence, { exact: false }).waitFor();
    assert.equal(await form.getByText('The download has begun.', { exact: false }).count(), 0);
  };
  await page.route('**/export?*', (route) => route.fulfill({ status: 404, body: '<html>' }), { times: 2 });
  await assertShown('The server did not answer correctly (status 404).');
  // Only the first request fails, because the server was starting.
  await page.route('**/export?*', (route) => route.fulfill({ status: 502 }), { times: 1 });
  await assertShown('The server did not answer correctly (status 502).');
});

test('data: a viewer sees the imports, and can neither export nor import', async (t) => {
  const stage = await serving(t);
  const page = await stage.signIn(stage.viewer, PATH);
  await page.getByText('No imports yet').waitFor();
  assert.equal(await page.getByRole('form').count(), 0);
});

test('data: the owner deletes days after a preview and with the domain typed, and nobody else can', async (t) => {
  const stage = await serving(t);
  const { siteId, engine, owner, manager } = stage;
  await appendTo(
    engine,
    [5, 4, 3].map((back) => pageview({ siteId, day: TODAY - back, visitor: back })),
  );
  await engine.upkeep.seal();
  await appendTo(engine, [pageview({ siteId, day: TODAY, visitor: 9 })]);
  const page = await stage.signIn(owner, PATH);
  const form = page.getByRole('form', { name: 'Delete days' });
  const choose = async (from: number, to: number) => {
    await form.getByLabel('First day').fill(date(TODAY - from));
    await form.getByLabel('Last day').fill(date(TODAY - to));
    await form.getByRole('button', { name: 'Preview' }).click();
  };
  await choose(4, 0);
  await form.getByText('Must be a day before today (UTC).').waitFor();
  await choose(30, 20);
  await form.getByText('Nothing is stored for 8 – 18 Feb 2026.').waitFor();
  await choose(4, 1);
  await form.getByText('This will be deleted for 6 – 9 Mar 2026:').waitFor();
  await form.getByText('2 visitors, 2 visits, 2 pageviews, 0 events').waitFor();
  const typed = form.getByLabel('Type example.com to confirm');
  await typed.and(page.locator(':focus')).waitFor();
  const remove = form.getByRole('button', { name: 'Delete 4 days' });
  assert.ok(await remove.isDisabled());
  await form.getByLabel('Type example.com to confirm').fill('example.org');
  assert.ok(await remove.isDisabled());
  assert.deepEqual(await faults(page), []);
  await form.getByLabel('Type example.com to confirm').fill('Example.com ');
  await remove.click();
  await form.getByText('6 – 9 Mar 2026 deleted.').waitFor();
  assert.equal(await countVisitors(stage), 2);

  // A change of the days takes the preview away.
  await choose(5, 5);
  await form.getByLabel('Type example.com to confirm').waitFor();
  await form.getByLabel('Last day').fill(date(TODAY - 3));
  await form.getByRole('button', { name: 'Preview' }).waitFor();
  assert.equal(await form.getByLabel('Type example.com to confirm').count(), 0);
  // A late hit opens the day again.
  await appendTo(engine, [pageview({ siteId, day: TODAY - 5, visitor: 10 })]);
  await form.getByRole('button', { name: 'Preview' }).click();
  await form.getByText('Hits may still come for 5 Mar 2026.').waitFor();
  await form.getByRole('button', { name: 'Preview' }).waitFor();

  const other = await stage.signIn(manager, PATH);
  await other.getByRole('form', { name: 'Import' }).waitFor();
  assert.equal(await other.getByRole('form', { name: 'Delete days' }).count(), 0);
});

test('data: searches of the Search Console are uploaded too, without an undo', async (t) => {
  const stage = await serving(t);
  const page = await stage.signIn(stage.manager, PATH);
  const text = `Date,Query,Clicks,Impressions,CTR,Position\n${date(TODAY - 2)},shoes,8,100,8%,1.25\n`;
  const send = async () => {
    await page.locator('input[type=file]').setInputFiles(file(text, 'searches.csv'));
    await page.getByRole('button', { name: 'Upload' }).click();
  };
  await send();
  await page.getByText('1 row of queries, from Sun, 8 Mar 2026 to Sun, 8 Mar 2026').waitFor();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('searches.csv was imported.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
  await page.getByRole('button', { name: 'Import another file' }).click();
  await send();
  const alert = page.getByRole('alert').filter({ hasText: 'The site already has searches on 1 day of the file.' });
  await alert.getByText('Only the owner of the site can replace them.').waitFor();
  assert.deepEqual(await faults(page), []);
});
