import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readGoogle } from '../../../src/exchange/products/google.ts';
import type { ImportedSums } from '../../../src/exchange/products/sum-days.ts';
import { folder } from '../../support/helpers.ts';
import { SITE } from '../sites.ts';
import { exploration, report, reportCsv } from './google.ts';

const TODAY = Date.parse('2026-03-05') / 86_400_000;
const FIRST = Date.parse('2026-01-01') / 86_400_000;

function read(t: TestContext, text: string | Buffer): Promise<ImportedSums> {
  const path = join(folder(t), 'export');
  writeFileSync(path, text);
  return readGoogle(path, TODAY, SITE);
}

const totalsOf = ({ days }: ImportedSums) => days.map(({ day, totals }) => [day - FIRST, totals]);

/** What is counted on the first day, by breakdown: value, visitors and hits. */
const countsOf = ({ days: [first] }: ImportedSums) =>
  Object.fromEntries(
    [...(first?.counts ?? [])].map(([name, values]) => [
      name,
      [...values.values()].map(({ value, visitors, hits }) => [value, visitors, ...(hits ? [hits] : [])]),
    ]),
  );

const TOTALS = exploration(
  'Date,Active users,Sessions,Views,Engaged sessions,Average session duration,Event count',
  ',15,17,35,8,40.5,90',
  '20260102,5,5,5,0,0,10',
  '20260101,10,12,30,8,50.04,80',
);

const SUMS = [
  [0, { visitors: 10, visits: 12, pageviews: 30, events: 0, bounces: 4, seconds: 600 }],
  [1, { visitors: 5, visits: 5, pageviews: 5, events: 0, bounces: 5, seconds: 0 }],
];

test('an exploration by date becomes the totals of its days, without its grand total', async (t) => {
  const sums = await read(t, TOTALS);
  assert.deepEqual(totalsOf(sums), SUMS);
  assert.deepEqual(sums.skipped, []);
  const long = Array.from({ length: 200_000 }, (_, i) => `# remark ${i}\n`).join('');
  for (const text of [gzipSync(TOTALS), long + TOTALS, gzipSync(TOTALS + long)]) {
    assert.deepEqual(await read(t, text), sums);
  }
  const missing = join(folder(t), 'none');
  await assert.rejects(readGoogle(missing, TODAY, SITE), { message: `${missing}: there is no such file` });
});

test('a row that begins with a hashtag is no comment', async (t) => {
  const campaigns = exploration(
    'Session manual campaign name,Date,Active users,Sessions,Views',
    ',,5,5,5',
    'sale,20260101,2,2,2',
    '#spring,20260101,3,3,3',
    '#,20260102,1,1,1',
  );
  const sums = await read(
    t,
    `${TOTALS}${campaigns}${exploration('Date,Browser,Active users', ',,1', '20260101,Edge,1')}`,
  );
  assert.deepEqual(countsOf(sums), {
    utm_campaign: [
      ['sale', 2],
      ['#spring', 3],
    ],
    browsers: [['Edge', 1]],
  });
  assert.deepEqual(sums.skipped, []);
});

test('a report that counts its days from the first becomes the same, and tables that are not by day are named', async (t) => {
  const sums = await read(
    t,
    reportCsv(
      '20260101',
      ['Nth day,Active users,New users', '0000,10,9', '0001,5,5'],
      ['Nth day,Sessions,Engaged sessions,Average session duration', '0000,12,8,50.04', '0001,5,0,0'],
      ['Nth day,Views', '0000,30', '0001,5'],
      ['City,Active users', 'Berlin,9', '"Paris, Texas",1'],
      ['Nth day,City,Browser,Active users', '0000,Berlin,Chrome,1', '0000,Paris,Chrome,1'],
    ),
  );
  assert.deepEqual(totalsOf(sums), SUMS);
  assert.deepEqual(sums.skipped, [
    ['column that is not imported: New users', 1],
    ['rows of a table that is not by day: City, Active users', 2],
    ['rows of a table with a second dimension, Browser: Nth day, City, Browser, Active users', 2],
  ]);
});

const API = report(
  ['date'],
  ['activeUsers', 'sessions', 'screenPageViews', 'engagedSessions', 'averageSessionDuration'],
  [
    ['20260101', 10, 12, 30, 8, 50.04],
    ['20260102', 5, 5, 5, 0, 0],
  ],
);

test('answers of runReport and batchRunReports become the same', async (t) => {
  assert.deepEqual(totalsOf(await read(t, JSON.stringify(API, null, 2))), SUMS);
  assert.deepEqual(
    totalsOf(await read(t, JSON.stringify({ reports: [API], kind: 'analyticsData#batchRunReports' }))),
    SUMS,
  );
});

test('one dimension by date becomes what is counted of it, in our words', async (t) => {
  const by = (dimension: string, ...rows: (string | number)[][]) =>
    report(
      ['date', dimension],
      ['activeUsers', 'screenPageViews'],
      rows.map((row) => ['20260101', ...row]),
    );
  const events = report(
    ['date', 'eventName'],
    ['activeUsers', 'eventCount'],
    [
      ['20260101', 'page_view', 10, 30],
      ['20260101', 'sign_up', 2, 3],
    ],
  );
  const reports = [
    by('pagePath', ['/a/', 8, 20], ['/a', 1, 5], ['(not set)', 1, 1]),
    by('landingPage', ['/a', 9, 0]),
    by('sessionSource', ['google', 4, 0], ['(direct)', 3, 0], ['news.example', 2, 0]),
    by('sessionManualCampaignName', ['spring', 2, 0], ['(not set)', 8, 0]),
    by('countryId', ['DE', 6, 0], ['(not set)', 1, 0]),
    by('deviceCategory', ['desktop', 6, 0], ['smart tv', 1, 0], ['mobile', 3, 0]),
    by('browser', ['Chrome', 9, 0]),
    by('operatingSystem', ['Macintosh', 6, 0], ['Android', 3, 0]),
    events,
  ];
  const sums = await read(t, [...reports, API].map((one) => JSON.stringify(one)).join('\n'));
  assert.deepEqual(countsOf(sums), {
    pages: [['/a', 9, 25]],
    entry_pages: [['/a', 9]],
    referrers: [
      ['google.com', 4],
      ['', 3],
      ['news.example', 2],
    ],
    utm_campaign: [['spring', 2]],
    countries: [
      ['DE', 6],
      ['', 1],
    ],
    devices: [
      ['Desktop', 7],
      ['Mobile', 3],
    ],
    browsers: [['Chrome', 9]],
    operating_systems: [
      ['macOS', 6],
      ['Android', 3],
    ],
    events: [['sign_up', 2, 3]],
  });
  assert.equal(sums.days[0]?.totals.events, 3);
  assert.deepEqual(sums.skipped, [
    ['rows without a page', 1],
    ['rows of automatic events, such as page_view', 1],
  ]);
});

const visitorsBy = (dimension: string, ...rows: (string | number)[][]) =>
  report(
    ['date', dimension],
    ['activeUsers'],
    rows.map((row) => ['20260101', ...row]),
  );
const joinReports = (...reports: object[]): string => [...reports, API].map((one) => JSON.stringify(one)).join('\n');
const SOURCE_MEDIA = visitorsBy(
  'sessionSourceMedium',
  ['google / organic', 4],
  ['google / cpc', 2],
  ['(direct) / (none)', 3],
  ['news.example / referral', 1],
  ['newsletter / email', 1],
);
const LANGUAGES = visitorsBy('language', ['German', 6], ['Lao', 1], ['(not set)', 1]);

test('languages, versions of systems and screens become those of our hits', async (t) => {
  const versions = visitorsBy(
    'operatingSystemWithVersion',
    ['Macintosh Intel 10.15', 2],
    ['Android 14', 3],
    ['Windows 11', 1],
    ['Chrome OS', 1],
  );
  const screens = visitorsBy('screenResolution', ['1920x1080', 5], ['390x844', 4]);
  assert.deepEqual(countsOf(await read(t, joinReports(versions, LANGUAGES, screens))), {
    os_versions: [
      ['macOS 10', 2],
      ['Android 14', 3],
      ['Windows 11', 1],
      ['', 1],
    ],
    languages: [
      ['de', 6],
      ['lo', 1],
      ['', 1],
    ],
    screens: [
      ['Wide', 5],
      ['Mobile', 4],
    ],
  });
});

test('host names count with their views', async (t) => {
  const hosts = report(
    ['date', 'hostName'],
    ['activeUsers', 'screenPageViews'],
    [
      ['20260101', 'Shop.example.com', 4, 9],
      ['20260101', '(not set)', 1, 1],
    ],
  );
  assert.deepEqual(countsOf(await read(t, joinReports(hosts))), {
    hostnames: [
      ['shop.example.com', 4, 9],
      ['', 1, 1],
    ],
  });
});

test('channels are worked out from source and medium, and a note says that this is not exact', async (t) => {
  const sums = await read(t, joinReports(SOURCE_MEDIA));
  assert.deepEqual(countsOf(sums), {
    channels: [
      ['Organic Search', 4],
      ['Paid Search', 2],
      ['Direct', 3],
      ['Referral', 1],
      ['Email', 1],
    ],
  });
  assert.match(`${sums.notes}`, /^channels: worked out from source and medium/);
});

test('of two tables with the same counts, such as languages and their codes, one is read', async (t) => {
  const groups = visitorsBy(
    'sessionDefaultChannelGroup',
    ['Organic Search', 4],
    ['Mobile Push Notifications', 1],
    ['Cross-network', 2],
    ['Unassigned', 1],
  );
  const codes = visitorsBy('languageCode', ['de-at', 4], ['de', 2], ['', 1]);
  const sums = await read(t, joinReports(SOURCE_MEDIA, LANGUAGES, codes, groups));
  assert.deepEqual(countsOf(sums), {
    languages: [
      ['de', 6],
      ['', 1],
    ],
    channels: [
      ['Organic Search', 4],
      ['Mobile Push', 1],
      ['Other', 3],
    ],
  });
  assert.deepEqual(sums.skipped, [
    ['rows of a table whose counts another table has too: date, sessionSourceMedium, activeUsers', 5],
    ['rows of a table whose counts another table has too: date, language, activeUsers', 3],
  ]);
  assert.deepEqual(sums.notes, []);
});

test('exports may follow one another in one file, and what is not over or has no totals is left', async (t) => {
  const pages = exploration(
    'Date,Page path and screen class,Active users,Views',
    ',,9,20',
    '20260101,"/a,b",8,20',
    '20260109,/a,1,1',
    '20260305,/a,1,1',
  );
  const sums = await read(t, TOTALS + pages);
  assert.deepEqual(countsOf(sums), { pages: [['/a,b', 8, 20]] });
  assert.deepEqual(sums.skipped, [
    ['rows of days without totals', 1],
    ['rows of days that are not over', 1],
  ]);
});

test('an empty cell is no zero', async (t) => {
  const head = 'Date,Active users,Sessions,Views,Engaged sessions,Average session duration';
  const pages = 'Date,Page path,Active users,Views\n20260102,/a,,3\n20260102,/b,2,2\n';
  const sums = await read(t, `${head}\n20260101,5,5, ,1,1\n20260102,5,5,5,,\n\n${pages}`);
  assert.deepEqual(
    sums.days.map(({ day, known }) => [day - FIRST, [...known]]),
    [[1, ['visitors', 'visits', 'pageviews', 'pages']]],
  );
  assert.deepEqual(sums.skipped, [
    ['days without Views', 1],
    ['rows without Active users', 1],
  ]);
});

test('days before 1970 are refused, and those to come are left', async (t) => {
  const counted = (start: string, day: string) =>
    reportCsv(start, ['Nth day,Active users,Sessions,Views', `${day},1,1,1`]);
  const early = (name: string, value: string) => ({ message: `line ${name}: must be from 1970 on, not "${value}"` });
  await assert.rejects(read(t, counted('20260101', '-99999999999')), early('12: Nth day', '-99999999999'));
  await assert.rejects(read(t, counted('20260101', '-2000000')), early('12: Nth day', '-2000000'));
  await assert.rejects(read(t, TOTALS.replace('20260102', '00010101')), early('9: Date', '00010101'));
  const later = await read(t, TOTALS + counted('20260101', '99999999999'));
  assert.deepEqual(later.skipped, [['rows of days that are not over', 1]]);
});

test('what is wrong is said with its line and what would be right', async (t) => {
  for (const [text, message] of [
    [TOTALS.replace('20260102', '2.1.2026'), 'line 9: Date: must be a day such as 20260131, not "2.1.2026"'],
    [TOTALS.replace('20260102,5', '20260102,many'), 'line 9: Active users: must be a whole number, not "many"'],
    [TOTALS + TOTALS, 'line 19: "Active users of 2026-01-02" is in the file twice. Leave out one of the exports'],
    [
      exploration('Date,Active users', ',1', '20260101,1'),
      'the file has no daily totals of Sessions, Views. Export them by Date',
    ],
    [JSON.stringify({ error: { code: 403 } }), 'line 1: Google answered with an error. Request the report again'],
    [
      JSON.stringify({ ...API, rowCount: 90 }),
      'line 1: lacks 88 of 90 rows. Request the rest with offset, or all with limit',
    ],
    [
      `${JSON.stringify({ ...API, rowCount: 3 })}\n${JSON.stringify({ ...API, rowCount: 4 })}`,
      'line 1: lacks 1 of 3 rows. Request the rest with offset, or all with limit',
    ],
    [
      `${JSON.stringify({ ...API, rowCount: 3 })}\n${JSON.stringify({ ...API, rowCount: 3 })}`,
      'line 2: lacks 2 of 3 rows. Request the rest with offset, or all with limit',
    ],
    [
      TOTALS +
        exploration('Date,Page path,Views,Active users', ',,9,9', '20260101,/a,9,9') +
        exploration('Date,Page path and screen class,Views,Active users', ',,9,9', '20260101,/a,9,9'),
      'line 28: "Page path and screen class /a of 2026-01-01" is in the file twice. Leave out one of the exports',
    ],
    [
      exploration('Date,Active users,Sessions,Views,Sessions', ',1,1,1,1', '20260101,1,1,1,1'),
      'line 9: Sessions: two columns have this name. Leave one of them out',
    ],
    [
      `# Start date: 20260101\n\nNth day,Active users,Sessions,Views\n,5,5,5\n`,
      'line 4: Nth day: needs "# Start date: 20260131" above, and a whole number, not ""',
    ],
    [JSON.stringify({ rows: [] }), 'line 1: dimensionHeaders: is missing. This is not an answer of runReport'],
    ['', 'the file has no daily totals of Active users, Sessions, Views. Export them by Date'],
    ['x,y\n"1', 'line 2: has a quote that is never closed. Perhaps the file is cut off'],
  ] as const) {
    await assert.rejects(read(t, text), { message });
  }
});
