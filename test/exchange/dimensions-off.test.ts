import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hereOn } from '../cli/here.ts';
import { folder, startApp } from '../support/helpers.ts';
import { writeZip } from './reading/zips.ts';

const OFF = ['source', 'country', 'os'];
const NOT_STORED =
  ", which the site does not store. To import them, first change this in the site's settings, under Collection";

test('an import of hits leaves out the texts that the site does not store, and says so', async (t) => {
  const app = await startApp(t);
  const file = join(folder(t), 'hits.ndjson');
  const line = { at: '2026-03-05T10:00:00Z', url: 'https://example.com/a?gclid', visitor: 'ann' };
  const texts = { referrer: 'https://x.org/', country: 'DE', os: 'macOS', os_version: 'macOS 15', browser: 'Firefox' };
  writeFileSync(file, `${JSON.stringify({ ...line, ...texts })}\n`);
  await app.owner.ask('PATCH', `/sites/${app.siteId}`, { dimensions_off: OFF });
  const { printed } = await hereOn(app, 'import', 'example.com', file, '--format', 'ndjson');
  assert.ok(
    printed.includes(`skipped: sources, countries, operating systems, os versions${NOT_STORED}`),
    printed.join('\n'),
  );
  await hereOn(app, 'export', 'example.com', '--format', 'ndjson', '--out', `${file}.out`);
  const exported = readFileSync(`${file}.out`, 'utf8');
  assert.match(exported, /"browser":"Firefox"/);
  assert.doesNotMatch(exported, /x\.org|DE|macOS|gclid/);
});

test('an import of daily totals leaves out the breakdowns that the site does not store, which are then unknown', async (t) => {
  const app = await startApp(t);
  const file = join(folder(t), 'sums.zip');
  const table = (name: string, head: string, row: string) => ({
    name: `imported_${name}_20260301_20260301.csv`,
    text: [`${head}\n${row}\n`],
  });
  await writeZip(file, [
    table('visitors', 'date,visitors,pageviews,bounces,visits,visit_duration', '2026-03-01,5,9,2,5,50'),
    table('locations', 'date,country,visitors', '2026-03-01,DE,5'),
    table('browsers', 'date,browser,browser_version,visitors', '2026-03-01,Firefox,140,5'),
  ]);
  await app.owner.ask('PATCH', `/sites/${app.siteId}`, { dimensions_off: OFF });
  const { printed } = await hereOn(app, 'import', 'example.com', file, '--format', 'plausible');
  assert.ok(printed.includes(`skipped: countries${NOT_STORED}`), printed.join('\n'));
  const report = async (name: string) =>
    (await app.viewer.ask('GET', `/sites/${app.siteId}/stats/breakdown/${name}?range=2026-03-01~2026-03-01`)).body.data;
  assert.deepEqual((await report('browsers')).rows, [{ value: 'Firefox', visitors: 5 }]);
  const countries = await report('countries');
  assert.deepEqual(countries.rows, []);
  assert.equal(countries.notice_codes.length, 1);
});
