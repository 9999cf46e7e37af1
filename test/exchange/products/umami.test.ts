import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFile, refusal, told } from '../files.ts';

/** As Umami Cloud writes the table, but for columns that say nothing here. */
const HEAD =
  'website_id,session_id,visit_id,event_id,hostname,browser,os,device,screen,language,country,region,city,url_path,url_query,referrer_path,referrer_query,referrer_domain,page_title,event_type,event_name,tag,distinct_id,created_at';

type Record_ = Partial<Record<string, string>>;

const BASE: Record_ = {
  website_id: '5e1f',
  session_id: 's1',
  visit_id: 'v1',
  hostname: 'example.com',
  browser: 'chrome',
  os: 'Windows 10',
  device: 'laptop',
  language: 'de-DE',
  country: 'DE',
  url_path: '/',
  page_title: '"Welcome, ""you"""',
  event_type: '1',
  created_at: '2026-01-05 10:00:00',
};

const file = (...records: Record_[]): string =>
  [
    HEAD,
    ...records.map((one) =>
      HEAD.split(',')
        .map((name) => ({ ...BASE, ...one })[name] ?? '')
        .join(','),
    ),
  ]
    .map((line) => `${line}\n`)
    .join('');

test('pageviews and events come with all their words', () => {
  const { hits, left } = readFile(
    'umami',
    file(
      {
        url_path: '/a/',
        url_query: 'utm_source=n&utm_campaign=c',
        referrer_domain: 'www.x.org',
        browser: 'edge-chromium',
      },
      { created_at: '2026-01-05 10:00:09.482', event_type: '2', event_name: 'sign up', os: 'Mac OS', device: 'mobile' },
      { created_at: '2026-01-05 12:00:00+02', browser: 'crios', os: 'iOS', device: 'tablet', country: '' },
      {
        created_at: '2026-01-05T10:00:00Z',
        session_id: 's2',
        browser: 'constructor',
        os: 'Android OS',
        device: 'toString',
      },
    ),
  );
  const visit = {
    page: '/',
    hostname: 'example.com',
    country: 'DE',
    device: 'Desktop',
    browser: 'Chrome',
    os: 'Windows',
    language: 'de',
  };
  assert.deepEqual(hits.map(told), [
    {
      ...visit,
      at: '2026-01-05T10:00:00Z',
      page: '/a',
      hostname: 'example.com',
      source: 'x.org',
      utm_source: 'n',
      utm_campaign: 'c',
      browser: 'Edge',
      os_version: 'Windows 10',
    },
    { ...visit, at: '2026-01-05T10:00:09Z', event: 'sign up', device: 'Mobile', os: 'macOS' },
    {
      at: '2026-01-05T10:00:00Z',
      page: '/',
      hostname: 'example.com',
      device: 'Tablet',
      browser: 'Chrome',
      os: 'iOS',
      language: 'de',
    },
    {
      at: '2026-01-05T10:00:00Z',
      page: '/',
      hostname: 'example.com',
      country: 'DE',
      browser: 'constructor',
      os: 'Android',
      language: 'de',
    },
  ]);
  assert.deepEqual(left, []);
  const [one, two, three, other] = hits.map(({ visitor }) => visitor);
  assert.deepEqual([one, one], [two, three]);
  assert.notEqual(one, other);
});

test('the countries that Cloudflare gives to Tor and to the unknown are none', () => {
  const { hits } = readFile('umami', file({ country: 'T1' }, { country: 'XX' }, { country: 'de' }));
  assert.deepEqual(
    hits.map((hit) => told(hit).country),
    [undefined, undefined, 'DE'],
  );
});

test('regions and cities come with or without the country in front, and not without a country', () => {
  const { hits } = readFile(
    'umami',
    file(
      { region: 'DE-BE', city: 'Berlin' },
      { region: 'be', city: ' Berlin  Mitte ' },
      { region: '', city: 'Köln' },
      { region: 'Berlin', city: '' },
      { country: 'XX', region: 'BE', city: 'Berlin' },
      { country: 'AT', region: 'DE-BE', city: 'Wien' },
    ),
  );
  assert.deepEqual(
    hits.map((hit) => [told(hit).region, told(hit).city]),
    [
      ['DE-BE', 'DE-BE Berlin'],
      ['DE-BE', 'DE-BE Berlin Mitte'],
      [undefined, 'DE Köln'],
      [undefined, undefined],
      [undefined, undefined],
      [undefined, 'AT Wien'],
    ],
  );
});

test('the data of events, added by a query on the database, become properties', () => {
  const head = 'created_at,session_id,url_path,event_type,event_name,event_data';
  const row = (data: string) => `2026-01-05 10:00:00,s1,/a,2,signup,"${data.replaceAll('"', '""')}"\n`;
  const imported = (...data: string[]) => readFile('umami', `${head}\n${data.map(row).join('')}`);
  const { hits, lacking } = imported(
    '{"Plan": "pro", "seats": 3, "trial": true}',
    '{"cart.total": 9.5000, "first-name": "", "9lives": "x", "tags": ["a"], "mail": "ann@example.com"}',
    '',
    '{}',
  );
  assert.deepEqual(
    hits.map((hit) => told(hit).properties),
    ['{"plan":"pro","seats":"3","trial":"true"}', '{"cart_total":"9.5"}', undefined, undefined],
  );
  assert.ok(!lacking.includes('properties'));
  for (const data of ['plan=pro', '["pro"]', 'null'])
    assert.match(
      refusal('umami', `${head}\n${row('{}')}${row(data)}`),
      /^line 3: event_data: Must be an object/i,
      data,
    );
});

test('a name of an event that is too long is cut, as the script of a site cuts it', () => {
  const { hits } = readFile('umami', file({ event_type: '2', event_name: '😀'.repeat(121) }));
  assert.deepEqual(
    hits.map((hit) => told(hit).event),
    ['😀'.repeat(120)],
  );
});

test('what is of another site, or neither a pageview nor an event, is left', () => {
  const { hits, left } = readFile(
    'umami',
    file({ hostname: 'WWW.example.com' }, { hostname: 'other.example' }, { event_type: '5' }, {}, { hostname: '' }),
  );
  assert.equal(hits.length, 2);
  assert.deepEqual(left, [
    ['another host', 3],
    ['neither pageviews nor events', 4],
    ['no host', 6],
  ]);
});

test('the table of an older Umami has no hosts, and that of a database no browsers: hits are of the site', () => {
  const text = 'created_at,session_id,url_path,event_type,referrer_domain\n2026-01-05 10:00:00,s1,/a,1,x.org\n';
  const { hits, left, lacking } = readFile('umami', text);
  assert.deepEqual(hits.map(told), [
    { at: '2026-01-05T10:00:00Z', page: '/a', hostname: 'example.com', source: 'x.org' },
  ]);
  const tags = ['utm source', 'utm medium', 'utm campaign', 'utm term', 'utm content'];
  const systems = ['browsers', 'browser versions', 'operating systems', 'os versions'];
  const never = ['event labels', 'properties', 'time on page'];
  assert.deepEqual(left, []);
  assert.deepEqual(lacking, [
    ...tags,
    'countries',
    'regions',
    'cities',
    'devices',
    ...systems,
    'screens',
    'languages',
    ...never,
  ]);
  assert.deepEqual(readFile('umami', file({})).lacking, ['browser versions', ...never]);
});

test('columns of Umami that daybook does not store are named, and tags in columns of their own are read', () => {
  const { leftOut } = readFile('umami', file({}));
  assert.deepEqual(leftOut, [
    'columns that are not imported: website_id, visit_id, event_id, referrer_path, referrer_query, page_title, tag, distinct_id',
  ]);
  const head = 'created_at,session_id,url_path,event_type,url_query,utm_source,utm_term';
  const { hits, lacking } = readFile('umami', `${head}\n2026-01-05 10:00:00,s1,/a,1,a=b,n,red shoes\n`);
  assert.deepEqual(hits.map(told), [
    { at: '2026-01-05T10:00:00Z', page: '/a', hostname: 'example.com', utm_source: 'n', utm_term: 'red shoes' },
  ]);
  assert.deepEqual(
    lacking.filter((name) => name.startsWith('utm')),
    [],
  );
});

test('what is wrong is said with its line, column and what would be right', () => {
  for (const [records, message] of [
    [[{}, { created_at: '5.1.2026' }], /^line 3: created_at: must be a time such as .*, not "5\.1\.2026Z"$/],
    [[{ created_at: '' }], /^line 2: created_at: is required$/],
    [[{ session_id: '' }], /^line 2: session_id: is required/],
    [[{ country: 'Germany' }], /^line 2: country: must be two letters such as DE, not "Germany"$/],
  ] as const) {
    assert.match(refusal('umami', file(...records)), message);
  }
  assert.match(refusal('umami', 'x,y\npage,1\n'), /^line 1: created_at: this column is missing/);
});

test('a fragment, which Umami writes into the path, takes no campaign away', () => {
  const query = 'utm_source=n&utm_campaign=c';
  const paths = ['/docs', '/docs#prices', '/docs#', '/docs#/prices'];
  const { hits } = readFile('umami', file(...paths.map((url_path) => ({ url_path, url_query: query }))));
  assert.deepEqual(
    hits.map(told).map(({ page, utm_source, utm_campaign }) => [page, utm_source, utm_campaign]),
    ['/docs', '/docs', '/docs', '/docs#/prices'].map((page) => [page, 'n', 'c']),
  );
});

test('no path or host that a stranger has sent makes the file one that cannot be read', () => {
  const odd = [{ url_path: 'a:b' }, { url_path: '' }, { url_path: '//[' }, { hostname: 'a b.example.com' }];
  const { hits, left } = readFile('umami', file(...odd));
  assert.deepEqual(
    hits.map(told).map(({ page }) => page),
    ['/a:b', '/', '//[', '/'],
  );
  assert.deepEqual(left, []);
});

/** As the query of docs/move-from-umami.md writes rows on MariaDB 10.11: all fields in quotes, and JSON in one of them. */
const FROM_MYSQL = `session_id,created_at,event_type,event_name,hostname,url_path,url_query,referrer_domain,browser,os,device,country,region,city,language,screen,event_data
"s1","2026-01-03 10:03:05","1","","example.com","/","utm_source=news","www.google.com","chrome","Mac OS","laptop","FR","FR-IDF","Paris","fr-FR","1440x900",""
"s1","2026-01-03 10:03:37","2","sign up","example.com","/prices","","","chrome","Mac OS","laptop","FR","FR-IDF","Paris","fr-FR","1440x900","{""plan"":""pro \\""x\\"", y"", ""seats"":""3"", ""cart.total"":""1.5""}"
`;

test('umami: a file from MySQL has the hits with their words and properties', () => {
  const { hits, left } = readFile('umami', FROM_MYSQL);
  const [view, event] = hits.map(told);
  assert.deepEqual(left, []);
  assert.deepEqual(
    [view?.at, view?.page, view?.source, view?.utm_source, view?.region, view?.city, view?.language],
    ['2026-01-03T10:03:05Z', '/', 'google.com', 'news', 'FR-IDF', 'FR-IDF Paris', 'fr'],
  );
  assert.deepEqual([event?.event, event?.page], ['sign up', '/prices']);
  assert.deepEqual(JSON.parse(String(event?.properties)), { plan: 'pro "x", y', seats: '3', cart_total: '1.5' });
});
