import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hereOn } from '../../cli/here.ts';
import { pageview, TODAY } from '../../collect/stage.ts';
import { date } from '../../stats/days.ts';
import { openSite } from '../../stats/stage.ts';
import { folder, startApp } from '../../support/helpers.ts';
import { INFO, type Row, writeExport } from './goatcounter-export.ts';

/** Hits of one day: 6 of the home page, 3 of another page, and 2 events. */
const hitsOf = (day: string): Row[] => [
  { hour: `${day}T09:00:00Z`, path_id: 211, ref_id: 1, count: 4 },
  { hour: `${day}T10:00:00Z`, path_id: 211, ref_id: 2, count: 2 },
  { hour: `${day}T10:00:00Z`, path_id: 215, ref_id: 3, count: 3 },
  { hour: `${day}T11:00:00Z`, path_id: 1442298, ref_id: 2, count: 2 },
];

const browsersOf = (day: string): Row[] => [
  { day, path_id: 211, browser_id: 1, count: 6 },
  { day, path_id: 215, browser_id: 2, count: 3 },
];

async function started(t: TestContext) {
  const app = await startApp(t);
  const site = await openSite(app, { goals: [{ type: 'event', value: 'click-banana' }] });
  const path = join(folder(t), 'goatcounter.zip');
  const { domain } = site.known;
  await writeExport(path, {
    'info.json': JSON.stringify({ ...INFO, created_at: `${date(TODAY)}T08:00:00Z` }),
    'hit_stats.jsonl': [-3, -1].flatMap((back) => hitsOf(date(TODAY + back))),
    'browser_stats.jsonl': [-3, -1].flatMap((back) => browsersOf(date(TODAY + back))),
    ...{ 'system_stats.jsonl': [], 'location_stats.jsonl': [], 'size_stats.jsonl': [], 'language_stats.jsonl': [] },
  });
  const run = (...words: string[]) => hereOn(app, ...words);
  const bring = async (...flags: string[]): Promise<string[]> => {
    const { printed, explained } = await run('import', domain, path, ...flags);
    return [...explained, ...printed];
  };
  const ask = (report: string, more: Record<string, string> = {}) =>
    site.ask({ path: report, query: { range: '7d', ...more } });
  return { ask, bring, domain, run, store: site.store };
}

const DAYS = [-3, -1].map((back) => date(TODAY + back));

const SHEET = [
  `accepted: 18 visitors, 18 visits, 18 pageviews, 4 events, ${DAYS[0]} to ${DAYS[1]}`,
  'accepted: 8 rows of goatcounter-export-stats-20260305T084927Z/hit_stats.jsonl',
  'accepted: 4 rows of goatcounter-export-stats-20260305T084927Z/browser_stats.jsonl',
  ...['system', 'location', 'size', 'language'].map(
    (name) => `accepted: 0 rows of goatcounter-export-stats-20260305T084927Z/${name}_stats.jsonl`,
  ),
  'GoatCounter shows these days as 22 visits, or 18 without events. It counts a person once for each page, and does not export the number of persons',
  'not in the file, so not known: bounce rate, visit duration, event labels, properties, property values, entry pages, exit pages, hostnames, channels, utm medium, utm campaign, utm term, utm content, countries, regions, cities, devices, operating systems, os versions, screens, languages',
  'skipped: page titles, which daybook does not store with daily totals',
];

test('the zip of GoatCounter is recognized, and each report shows what GoatCounter counted', async (t) => {
  const { ask, bring } = await started(t);
  assert.deepEqual(await bring(), [
    'read as goatcounter-json: its zip of JSON files, which has daily totals and no hits',
    'daily totals of 2 days imported (import 1)',
    ...SHEET,
  ]);
  const overview = await ask('overview', { compare: 'none' });
  assert.deepEqual(
    [overview.visitors, overview.visits, overview.pageviews, overview.bounce_rate, overview.visit_duration],
    [18, 18, 18, null, null],
  );
  const ofPages = `A person counts once for each page, because the import did not contain the number of persons: ${DAYS.join(', ')}.`;
  assert.deepEqual(overview.notices.at(-1), ofPages);
  const { points, notices } = await ask('timeseries', { interval: 'day' });
  assert.deepEqual(notices, [ofPages]);
  assert.deepEqual(
    points.map(({ visitors }: { visitors: number }) => visitors),
    [0, 0, 0, 9, 0, 9, 0],
  );
  const rows = async (name: string) =>
    (await ask(`breakdown/${name}`)).rows.map(({ value, visitors }: { value: string; visitors: number }) => [
      value,
      visitors,
    ]);
  assert.deepEqual(await rows('pages'), [
    ['/', 12],
    ['/api', 6],
  ]);
  assert.deepEqual(await rows('referrers'), [
    ['', 8],
    ['x.org', 6],
    ['google.com', 4],
  ]);
  assert.deepEqual(await rows('browser_versions'), [
    ['Chrome 141', 12],
    ['Firefox 83', 6],
  ]);
  assert.deepEqual(await rows('events'), [['click-banana', 4]]);
  assert.deepEqual(await rows('countries'), []);
  const { goals } = await ask('goals');
  assert.deepEqual([goals[0].visitors, goals[0].conversions], [4, 4]);
});

test('an export of GoatCounter is not counted twice, is replaced on demand, and is removed as a whole', async (t) => {
  const { ask, bring, domain, run, store } = await started(t);
  assert.deepEqual((await bring('--dry-run')).slice(1), [...SHEET, 'dry run: nothing was imported']);
  assert.equal((await ask('overview')).visitors, 0);
  await store([pageview({ day: TODAY - 3 })]);
  await assert.rejects(bring(), { message: new RegExp(`already has hits on ${DAYS[0]}\\. Nothing was imported`) });
  assert.equal((await ask('overview')).visitors, 1);
  await bring('--replace');
  assert.equal((await ask('overview')).visitors, 18);
  await assert.rejects(bring(), { message: new RegExp(`already has hits on ${DAYS.join(', ')}\\. Nothing`) });
  await bring('--replace', '--format', 'goatcounter-json');
  assert.equal((await ask('overview')).visitors, 18);
  await run('import', 'remove', domain, '2');
  assert.equal((await ask('overview')).visitors, 0);
});
