import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readSums } from '../../../src/exchange/products/plausible-import.ts';
import type { ImportedSums } from '../../../src/exchange/products/sum-days.ts';
import { folder } from '../../support/helpers.ts';
import { writeZip } from '../reading/zips.ts';
import { SITE } from '../sites.ts';

const TODAY = Date.parse('2026-03-05') / 86_400_000;

/** The columns as Plausible documents them. */
const HEADS: Record<string, string> = {
  visitors: 'date,visitors,pageviews,bounces,visits,visit_duration',
  sources:
    'date,source,referrer,utm_source,utm_medium,utm_campaign,utm_content,utm_term,pageviews,visitors,visits,visit_duration,bounces',
  pages: 'date,hostname,page,visits,visitors,pageviews,total_scroll_depth,total_scroll_depth_visits',
  entry_pages: 'date,entry_page,visitors,entrances,visit_duration,bounces,pageviews',
  exit_pages: 'date,exit_page,visitors,visit_duration,exits,bounces,pageviews',
  locations: 'date,country,region,city,visitors,visits,visit_duration,bounces,pageviews',
  devices: 'date,device,visitors,visits,visit_duration,bounces,pageviews',
  browsers: 'date,browser,browser_version,visitors,visits,visit_duration,bounces,pageviews',
  operating_systems: 'date,operating_system,operating_system_version,visitors,visits,visit_duration,bounces,pageviews',
  custom_events: 'date,name,link_url,path,visitors,events',
};

async function read(t: TestContext, tables: Record<string, string[]>, most?: number): Promise<ImportedSums> {
  const files = Object.entries(tables).map(([name, rows]) => {
    const isTable = name in HEADS;
    const text = [isTable ? (HEADS[name] ?? '') : '', ...rows].map((line) => `${line}\n`);
    return { name: isTable ? `imported_${name}_20260101_20260305.csv` : name, text };
  });
  const path = join(folder(t), 'export.zip');
  await writeZip(path, files);
  return readSums(path, TODAY, SITE, most);
}

const VISITORS = ['2026-01-01,10,30,4,12,600', '2026-01-02,5,5,5,5,0'];

/** What is counted on the first day, by breakdown: value, visitors, and hits where there are any. */
function counts({ days: [first] }: ImportedSums): Record<string, (string | number)[][]> {
  const found = [...(first?.counts ?? [])].map(([name, values]) => [
    name,
    [...values.values()].map(({ event, value, visitors, hits }) => [
      ...(event ? [event] : []),
      value,
      visitors,
      ...(hits ? [hits] : []),
    ]),
  ]);
  return Object.fromEntries(found);
}

/** Something of each table on one day, as people meet it. */
const ONE_DAY = {
  pages: [
    '2026-01-01,example.com,/a/,5,4,20,1,1',
    '2026-01-01,www.example.com,/a?x=1,5,4,5,1,1',
    '2026-01-01,,/,2,2,5,,',
  ],
  visitors: VISITORS,
  sources: [
    '2026-01-01,Google,google.com,,,,,,1,4,1,1,1',
    '2026-01-01,Hacker News,news.ycombinator.com/item,,,,,,1,2,1,1,1',
    '2026-01-01,Bing,,,,,,,1,1,1,1,1',
    '2026-01-01,x.org,,,,,,,1,1,1,1,1',
    '2026-01-01,newsletter,,newsletter,mail,spring,logo,red shoes,1,1,1,1,1',
    '2026-01-01,,,,,,,,1,1,1,1,1',
  ],
  entry_pages: ['2026-01-01,/a,9,10,1,1,1'],
  exit_pages: ['2026-01-01,/b,9,1,10,1,1'],
  locations: ['2026-01-01,DE,DE-BE,2950159,4,1,1,1,1', '2026-01-01,DE,,0,2,1,1,1,1', '2026-01-01,,,0,1,1,1,1,1'],
  devices: ['2026-01-01,Laptop,3,1,1,1,1', '2026-01-01,Desktop,3,1,1,1,1', '2026-01-01,Mobile,1,1,1,1,1'],
  browsers: ['2026-01-01,Microsoft Edge,138.0,3,1,1,1,1', '2026-01-01,(not set),,1,1,1,1,1'],
  operating_systems: ['2026-01-01,Mac,15,3,1,1,1,1', '2026-01-01,GNU/Linux,,1,1,1,1,1'],
  custom_events: [
    '2026-01-01,Outbound Link: Click,https://x.org/,,3,4',
    '2026-01-01,404,,/lost,1,2',
    '2026-01-01,Signup,,,1,1',
  ],
};

/** What is counted on this day. */
const COUNTED = {
  pages: [
    ['/a', 8, 25],
    ['/', 2, 5],
  ],
  referrers: [
    ['google.com', 4],
    ['news.ycombinator.com', 2],
    ['bing.com', 1],
    ['x.org', 1],
    ['', 2],
  ],
  utm_source: [['newsletter', 1]],
  utm_medium: [['mail', 1]],
  utm_campaign: [['spring', 1]],
  utm_term: [['red shoes', 1]],
  utm_content: [['logo', 1]],
  entry_pages: [['/a', 9]],
  exit_pages: [['/b', 9]],
  countries: [
    ['DE', 6],
    ['', 1],
  ],
  regions: [
    ['DE-BE', 4],
    ['', 3],
  ],
  devices: [
    ['Desktop', 6],
    ['Mobile', 1],
  ],
  browsers: [
    ['Edge', 3],
    ['', 1],
  ],
  browser_versions: [
    ['Edge 138', 3],
    ['', 1],
  ],
  operating_systems: [
    ['macOS', 3],
    ['Linux', 1],
  ],
  os_versions: [
    ['macOS 15', 3],
    ['', 1],
  ],
  events: [
    ['Outbound Link: Click', 3, 4],
    ['404', 1, 2],
    ['Signup', 1, 1],
  ],
  channels: [
    ['Organic Search', 5],
    ['Organic Social', 2],
    ['Referral', 1],
    ['Email', 1],
    ['Direct', 1],
  ],
  event_labels: [
    ['Outbound Link: Click', 'https://x.org/', 3, 4],
    ['404', '/lost', 1, 2],
  ],
};

test('each table gives its sums by day, in our words', async (t) => {
  const sums = await read(t, ONE_DAY);
  assert.deepEqual(
    sums.days.map(({ day, totals }) => [day - Date.parse('2026-01-01') / 86_400_000, totals]),
    [
      [0, { visitors: 10, visits: 12, pageviews: 30, events: 7, bounces: 4, seconds: 600 }],
      [1, { visitors: 5, visits: 5, pageviews: 5, events: 0, bounces: 5, seconds: 0 }],
    ],
  );
  assert.deepEqual(counts(sums), COUNTED);
  assert.deepEqual(sums.skipped, []);
  assert.deepEqual(sums.accepted.slice(0, 2), [
    ['imported_visitors_20260101_20260305.csv', 2],
    ['imported_pages_20260101_20260305.csv', 3],
  ]);
});

test('pages and sources beyond the limits of a day are neither a page of the site nor direct visits', async (t) => {
  const sums = await read(t, {
    visitors: VISITORS,
    sources: ['2026-01-01,(other),(other),,,,,,3,2,2,0,0'],
    pages: ['2026-01-01,example.com,(other),2,2,3,0,0'],
    entry_pages: ['2026-01-01,(other),2,2,0,0,3'],
  });
  const { referrers, pages, entry_pages } = counts(sums);
  assert.deepEqual([referrers, pages, entry_pages], [[['(other)', 2]], [['(other)', 2, 3]], [['(other)', 2]]]);
});

test('channels are not known from a table of sources without mediums', async (t) => {
  const path = join(folder(t), 'export.zip');
  await writeZip(path, [
    { name: 'imported_visitors.csv', text: [HEADS.visitors, ...VISITORS].map((line) => `${line}\n`) },
    { name: 'imported_sources.csv', text: ['date,source,visitors\n', '2026-01-01,Google,5\n'] },
  ]);
  const [first] = (await readSums(path, TODAY, SITE)).days;
  assert.deepEqual([first?.known.has('referrers'), first?.known.has('channels')], [true, false]);
});

test('what is not over, has no totals or is no known table is skipped', async (t) => {
  const { days, skipped } = await read(t, {
    visitors: [...VISITORS, '2026-03-05,1,1,1,1,1'],
    devices: ['2026-03-05,Mobile,1,1,1,1,1', '2026-01-09,Mobile,1,1,1,1,1'],
    'imported_custom_props_20260101_20260305.csv': ['x'],
    'README.txt': [],
  });
  assert.equal(days.length, 2);
  assert.deepEqual(skipped, [
    ['rows of days that are not over', 2],
    ['rows of days that are not in imported_visitors', 1],
    ['file that is not a known table: imported_custom_props_20260101_20260305.csv', 1],
    ['file that is not a known table: README.txt', 1],
  ]);
});

test('of many files that are no tables only some are named', async (t) => {
  const names = Array.from({ length: 30 }, (_, i) => `${i}.txt`);
  const { skipped } = await read(t, { ...Object.fromEntries(names.map((name) => [name, []])), visitors: VISITORS });
  assert.deepEqual(skipped, [
    ...names.slice(0, 20).map((name) => [`file that is not a known table: ${name}`, 1]),
    ['other files', 10],
  ]);
});

test('a table that cannot be unpacked is refused by its name', async (t) => {
  const path = join(folder(t), 'export.zip');
  await writeZip(path, [{ name: 'imported_visitors.csv', text: ['date'] }]);
  const zip = readFileSync(path);
  zip.writeUInt16LE(0x0809, zip.indexOf('PK\x01\x02') + 8);
  writeFileSync(path, zip);
  await assert.rejects(readSums(path, TODAY, SITE), {
    message: 'imported_visitors.csv: it has a password. Unpack the zip and pack it again without one',
  });
});

test('a day that two files of a table have is refused, because it would count double', async (t) => {
  const path = join(folder(t), 'export.zip');
  const file = (name: string) => ({ name, text: [`${HEADS.visitors}\n`, `${VISITORS[0]}\n`] });
  const [one, other] = ['imported_visitors_20260101_20260131.csv', 'imported_visitors_20260101_20260228.csv'];
  await writeZip(path, [file(one), file(other)]);
  const message = `${other}: 2026-01-01 is in ${one} too. Leave out one of the files`;
  await assert.rejects(readSums(path, TODAY, SITE), { message });
});

test('an empty cell is no zero: the figure is not known, or the file is refused', async (t) => {
  const { days } = await read(t, { visitors: ['2026-01-01,10,30,,12,'] });
  assert.deepEqual([...(days[0]?.known ?? [])], ['visitors', 'visits', 'pageviews']);
  await assert.rejects(read(t, { visitors: ['2026-01-01,,30,4,12,600'] }), {
    message: 'imported_visitors_20260101_20260305.csv: line 2: visitors: must be a whole number, not ""',
  });
});

test('what is wrong is said with its file, line, column and what would be right', async (t) => {
  const of = (name: string): string => `imported_${name}_20260101_20260305.csv: `;
  for (const [tables, message] of [
    [
      { visitors: ['1.1.2026,1,1,1,1,1'] },
      `${of('visitors')}line 2: date: must be a day such as 2026-01-31, not "1.1.2026"`,
    ],
    [{ visitors: ['0001-01-01,1,1,1,1,1'] }, `${of('visitors')}line 2: date: must be from 1970 on, not "0001-01-01"`],
    [
      { visitors: ['2026-01-01,many,1,1,1,1'] },
      `${of('visitors')}line 2: visitors: must be a whole number, not "many"`,
    ],
    [
      { visitors: VISITORS, pages: ['2026-01-01,,/,1,1,-1,,'] },
      `${of('pages')}line 2: pageviews: must be a whole number, not "-1"`,
    ],
    [{ visitors: ['1'] }, `${of('visitors')}line 2: must have 6 fields, as the first line has, not 1`],
    [{ pages: [] }, 'the zip has no table imported_visitors. Export it from the settings of the site in Plausible'],
  ] as const) {
    await assert.rejects(read(t, tables as unknown as Record<string, string[]>), { message });
  }
});

test('more values than fit in memory are refused, and a row more of one that is known is none', async (t) => {
  const rows = ['/a', '/b', '/a', '/b', '/a'].map((page) => `2026-01-01,example.com,${page},1,1,1,,`);
  assert.deepEqual(counts(await read(t, { visitors: VISITORS, pages: rows }, 2)).pages?.length, 2);
  await assert.rejects(read(t, { visitors: VISITORS, pages: rows }, 1), {
    message: /pages_.*line 3: with this line there are more than 1 different values. Leave older rows out/,
  });
});

test('names are cut as in files of hits, so that long ones fill no memory', async (t) => {
  const long = 'x'.repeat(100_000);
  const sums = await read(t, {
    visitors: VISITORS,
    browsers: [`2026-01-01,${long},1,1,1,1,1,1`],
    custom_events: [`2026-01-01,${long},https://x.org/${long},,1,1`],
  });
  const lengths = Object.values(counts(sums)).map((values) => values.flat().map((one) => `${one}`.length));
  assert.deepEqual(lengths, [
    [200, 1],
    [200, 1],
    [120, 1, 1],
    [120, 200, 1, 1],
  ]);
});
