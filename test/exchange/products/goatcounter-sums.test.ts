import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { readGoatcounter } from '../../../src/exchange/products/goatcounter-sums.ts';
import type { DaySums, ImportedSums } from '../../../src/exchange/products/sum-days.ts';
import { formatDay } from '../../../src/lib/time.ts';
import { folder } from '../../support/helpers.ts';
import { SITE } from '../sites.ts';
import { INFO, type Row, writeExport } from './goatcounter-export.ts';

const DAY = 86_400;
const TODAY = Date.parse('2026-03-06') / 86_400_000;

type Files = Parameters<typeof writeExport>[1];

async function read(
  t: TestContext,
  files: Files = {},
  site: Partial<typeof SITE> = {},
  limits = {},
): Promise<ImportedSums> {
  const path = join(folder(t), 'export.zip');
  await writeExport(path, files);
  return readGoatcounter(path, TODAY, { ...SITE, ...site }, limits);
}

const nameDay = ({ day }: DaySums): string => formatDay(day * DAY);

/** The counts of a day by breakdown: value and visitors, and hits where there are any. */
const listCounts = ({ counts }: DaySums) =>
  Object.fromEntries(
    [...counts].map(([name, values]) => [
      name,
      Object.fromEntries(
        [...values.values()].map(({ value, visitors, hits }) => [value, hits ? [visitors, hits] : visitors]),
      ),
    ]),
  );

/** Totals of days that have neither bounces nor the seconds of visits. */
const totals = (visits: number, events = 0) => ({
  ...{ visitors: visits, visits, pageviews: visits, events },
  ...{ bounces: 0, seconds: 0 },
});

test('each statistic of GoatCounter gives its sums by day, under the names of live visits', async (t) => {
  const { days, skipped, accepted } = await read(t);
  assert.deepEqual(
    days.map((day) => [nameDay(day), day.totals]),
    [['2026-03-01', totals(10, 2)]],
  );
  const [first] = days;
  assert.ok(first);
  assert.deepEqual(listCounts(first), {
    pages: { '/': [7, 7], '/api': [3, 3] },
    events: { 'click-banana': [2, 2] },
    // A page of the site itself is no source, and a campaign has no source.
    referrers: { '': 7, 'google.com': 2, 'x.org': 1 },
    utm_source: { spring: 1 },
    browsers: { Chrome: 6, Firefox: 3 },
    browser_versions: { 'Chrome 141': 6, 'Firefox 83': 3 },
    operating_systems: { Windows: 6, Linux: 3 },
    os_versions: { 'Windows 10': 6, '': 3 },
    countries: { DE: 7, '': 2 },
    regions: { 'DE-BW': 6, '': 3 },
    screens: { Wide: 9 },
    languages: { de: 6, en: 2, '': 1 },
  });
  assert.deepEqual(
    [...first.known].filter((name) => name === 'bounces' || name === 'seconds'),
    [],
  );
  assert.deepEqual(skipped, [
    ['rows of events in the statistics of browsers, systems, countries, languages and screens', 1],
    ['rows of days without hits', 4],
  ]);
  assert.deepEqual(
    accepted.map(([name, rows]) => [name.split('/').at(-1), rows]),
    [
      ['hit_stats.jsonl', 7],
      ['browser_stats.jsonl', 2],
      ['system_stats.jsonl', 2],
      ['location_stats.jsonl', 3],
      ['size_stats.jsonl', 1],
      ['language_stats.jsonl', 3],
    ],
  );
});

test('hours of GoatCounter go to days in the time zone of the site, and other statistics stay on days in UTC', async (t) => {
  const { days, notes } = await read(t, {}, { timeZone: 'Europe/Berlin' });
  assert.deepEqual(
    days.map((day) => [nameDay(day), day.totals.visits, listCounts(day).countries]),
    [
      ['2026-03-01', 9, { DE: 7, '': 2 }],
      ['2026-03-02', 1, { US: 1 }],
    ],
  );
  assert.deepEqual(notes, [
    'GoatCounter shows these days as 12 visits, or 10 without events. It counts a person once for each page, and does not export the number of persons',
    'browsers, systems, countries, languages and screens: by days in UTC, as GoatCounter counts them. All else is by days in Europe/Berlin',
  ]);
});

test('an hour that crosses midnight in the time zone of the site counts for the day on which it began', async (t) => {
  const hit = (hour: string) => ({ hour, path_id: 211, ref_id: 1, count: 1 });
  const hits = ['2026-03-01T17:00:00Z', '2026-03-01T18:00:00Z', '2026-03-01T19:00:00Z'].map(hit);
  const { days } = await read(t, { 'hit_stats.jsonl': hits }, { timeZone: 'Asia/Kolkata' });
  assert.deepEqual(
    days.map((day) => [nameDay(day), day.totals.visits]),
    [
      ['2026-03-01', 2],
      ['2026-03-02', 1],
    ],
  );
});

test('the day on which GoatCounter wrote the export was not over, so it is skipped, and so is today', async (t) => {
  const hit = (day: string) => ({ hour: `${day}T07:00:00Z`, path_id: 211, ref_id: 1, count: 1 });
  const days = ['2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07'];
  const files = (createdAt: string): Files => ({
    'info.json': JSON.stringify({ ...INFO, created_at: createdAt }),
    'hit_stats.jsonl': days.map(hit),
    'browser_stats.jsonl': days.map((day) => ({ day, path_id: 211, browser_id: 1, count: 1 })),
  });
  for (const [createdAt, kept] of [
    ['2026-03-05T08:49:27Z', ['2026-03-04']],
    ['2026-03-20T08:49:27Z', ['2026-03-04', '2026-03-05']],
  ] as const) {
    const sums = await read(t, files(createdAt));
    assert.deepEqual(sums.days.map(nameDay), kept);
    assert.deepEqual(sums.skipped[0], ['rows of days that were not over', (days.length - kept.length) * 2]);
  }
});

test('statistics that an export of GoatCounter lacks are not known, and unknown files are named', async (t) => {
  const { days, inFile, skipped } = await read(t, {
    'language_stats.jsonl': undefined,
    'browser_stats.jsonl': undefined,
    'browsers.jsonl': undefined,
    'campaign_stats.jsonl': [{ day: '2026-03-01' }],
  });
  const names = ['languages', 'browsers', 'browser_versions'];
  assert.deepEqual(
    names.filter((name) => inFile.has(name) || days[0]?.known.has(name)),
    [],
  );
  assert.equal(skipped.at(-1)?.[0].split('/').at(-1), 'campaign_stats.jsonl');
});

test('names in an export of GoatCounter are read with the rules for live hits', async (t) => {
  const [long, mail] = ['x'.repeat(3_000), 'owner@example.com'];
  const { days } = await read(
    t,
    {
      'paths.jsonl': [
        { id: 1, path: `/${long}`, title: '' },
        { id: 2, path: `/users/${mail}?a=b#c`, title: '' },
        { id: 3, path: '/users/2/', title: '' },
        { id: 4, path: long, title: '', event: true },
      ],
      'refs.jsonl': [
        { id: 1, ref: mail, ref_scheme: 'c' },
        { id: 2, ref: long, ref_scheme: 'c' },
        { id: 3, ref: `${long}.org/a`, ref_scheme: 'h' },
        { id: 4, ref: '', ref_scheme: '' },
      ],
      'browser_stats.jsonl': [],
      'system_stats.jsonl': [],
      'size_stats.jsonl': [],
      'language_stats.jsonl': ['xx', 'und', '-', 'aaa'].map((language) => ({
        day: '2026-03-01',
        path_id: 1,
        language,
        count: 1,
      })),
      'location_stats.jsonl': ['Germany', 'de', 'D', 'FR-'].map((location) => ({
        day: '2026-03-01',
        path_id: 1,
        location,
        count: 1,
      })),
      'hit_stats.jsonl': [1, 2, 3, 4].map((id) => ({
        hour: '2026-03-01T00:00:00Z',
        path_id: id,
        ref_id: id,
        count: 1,
      })),
    },
    { privatePaths: '/users/*' },
  );
  const [day] = days;
  assert.ok(day);
  const { pages = {}, events = {}, utm_source = {}, languages, countries } = listCounts(day);
  assert.deepEqual(
    Object.keys(pages).map((page) => [page.slice(0, 10), page.length]),
    [
      ['/xxxxxxxxx', 1_024],
      ['/users/:id', 10],
    ],
  );
  assert.deepEqual(Object.keys(events), ['x'.repeat(120)]);
  assert.deepEqual(Object.keys(utm_source), ['x'.repeat(200)]);
  assert.deepEqual(
    [languages, countries],
    [
      { '': 3, aaa: 1 },
      { '': 3, FR: 1 },
    ],
  );
});

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'];
const FIRST = Date.parse('2025-10-20') / 1000;
const COUNTRIES = ['', 'DE', 'DE-BW', 'US'];

/** Hits of GoatCounter, of which its statistics are the sums. */
const hits = fc.array(
  fc.record({
    second: fc.integer({ min: FIRST, max: FIRST + 12 * DAY }),
    path: fc.constantFrom(211, 215, 1442298),
    ref: fc.constantFrom(1, 2, 3, 4, 5),
    country: fc.constantFrom(...COUNTRIES),
  }),
  { minLength: 1, maxLength: 40 },
);

type Hit = { second: number; path: number; ref: number; country: string };

/** The sums of a statistic, in the order of their times. */
function sum(all: readonly Hit[], find: (hit: Hit) => Row): Row[] {
  const counts = new Map<string, number>();
  for (const hit of all.toSorted((one, other) => one.second - other.second)) {
    const key = JSON.stringify(find(hit));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => ({ ...JSON.parse(key), count }));
}

const writeTime = (second: number): string => new Date(second * 1000).toISOString();

function countNaively(all: readonly Hit[], find: (hit: Hit) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const hit of all) counts[find(hit)] = (counts[find(hit)] ?? 0) + 1;
  return counts;
}

test('whatever GoatCounter counted, each day has the sums of its hits', async (t) => {
  const property = fc.asyncProperty(hits, fc.constantFrom(...ZONES), async (all, timeZone) => {
    const { days, notes } = await read(
      t,
      {
        'hit_stats.jsonl': sum(all, ({ second, path, ref }) => ({
          hour: `${writeTime(second).slice(0, 13)}:00:00Z`,
          path_id: path,
          ref_id: ref,
        })),
        'location_stats.jsonl': sum(all, ({ second, path, country }) => ({
          day: writeTime(second).slice(0, 10),
          path_id: path,
          location: country,
        })),
      },
      { timeZone },
    );
    const local = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' });
    const dayOf = ({ second }: Hit): string => local.format((second - (second % 3_600)) * 1000);
    const isPage = ({ path }: Hit): boolean => path !== 1442298;
    assert.deepEqual(days.map(nameDay), [...new Set(all.map(dayOf))].sort());
    for (const day of days) {
      const own = all.filter((hit) => dayOf(hit) === nameDay(day));
      const pages = own.filter(isPage);
      assert.deepEqual(day.totals, totals(pages.length, own.length - pages.length));
      const { pages: counted = {}, referrers = {}, countries = {} } = listCounts(day);
      const byPage = countNaively(pages, ({ path }) => (path === 211 ? '/' : '/api'));
      assert.deepEqual(
        counted,
        Object.fromEntries(Object.entries(byPage).map(([page, count]) => [page, [count, count]])),
      );
      const sources = ['', '', 'google.com', 'x.org', '', ''];
      assert.deepEqual(
        referrers,
        countNaively(pages, ({ ref }) => sources[ref] ?? ''),
      );
      const ofDay = all.filter((hit) => isPage(hit) && writeTime(hit.second).startsWith(nameDay(day)));
      assert.deepEqual(
        countries,
        countNaively(ofDay, ({ country }) => country.slice(0, 2)),
      );
    }
    assert.match(
      notes?.[0] ?? '',
      new RegExp(`as ${all.length} visits, or ${all.filter(isPage).length} without events`),
    );
  });
  await fc.assert(property, { numRuns: 60 });
});

test('more values or names than fit in memory are refused with the line of GoatCounter’s file', async (t) => {
  for (const [limits, message] of [
    [
      { values: 3 },
      /hit_stats\.jsonl: line 3: with this line there are more than 3 different values\. Leave older rows/,
    ],
    [{ names: 4 }, /refs\.jsonl: line 2: with this line there are more than 4 names\. Leave older rows/],
    [{ bytes: 200 }, /refs\.jsonl: with this file the lists of names have more than 200 bytes\. Leave older rows/],
  ] as const) {
    await assert.rejects(read(t, {}, {}, limits), { message });
  }
});
