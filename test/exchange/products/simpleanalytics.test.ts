import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFile, refusal, told } from '../files.ts';

const COLUMNS =
  'added_iso,added_unix,hostname,path,query,is_unique,is_robot,document_referrer,utm_source,utm_medium,utm_campaign,utm_content,utm_term,country_code,session_id,uuid,datapoint,user_agent,device_type,browser_name,browser_version,os_name,os_version,lang_language,duration_seconds'.split(
    ',',
  );

const BASE: Record<string, string> = {
  added_iso: '2026-01-05T10:00:00.123Z',
  hostname: 'example.com',
  path: '/',
  is_robot: 'false',
  country_code: 'DE',
  session_id: 's1',
  device_type: 'desktop',
  browser_name: 'Chrome',
  os_name: 'macOS',
};

const file = (...records: Record<string, string>[]): string =>
  [COLUMNS, ...records.map((one) => COLUMNS.map((name) => ({ ...BASE, ...one })[name] ?? ''))]
    .map((cells) => `${cells.join(',')}\n`)
    .join('');

const base = {
  at: '2026-01-05T10:00:00Z',
  page: '/',
  hostname: 'example.com',
  country: 'DE',
  device: 'Desktop',
  browser: 'Chrome',
  os: 'macOS',
};

test('pageviews and events come with all their words', () => {
  const { hits, left } = readFile(
    'simpleanalytics',
    file(
      { path: '/a', query: 'ref=y', utm_source: 'n', utm_medium: 'mail', document_referrer: 'https://www.x.org/p' },
      { browser_version: '141.0', os_version: '15.6', lang_language: 'de', utm_content: 'logo', utm_term: 'red shoes' },
      { datapoint: 'pageview', document_referrer: 'x.org', device_type: 'tablet' },
      { datapoint: 'sign_up', session_id: 's2' },
    ),
  );
  assert.deepEqual(hits.map(told), [
    { ...base, page: '/a', hostname: 'example.com', source: 'x.org', utm_source: 'n', utm_medium: 'mail' },
    {
      ...base,
      utm_term: 'red shoes',
      utm_content: 'logo',
      browser_version: 'Chrome 141',
      os_version: 'macOS 15',
      language: 'de',
    },
    { ...base, source: 'x.org', device: 'Tablet' },
    { ...base, event: 'sign_up' },
  ]);
  assert.deepEqual(left, []);
});

test('robots and other hosts are left', () => {
  const { hits, left } = readFile('simpleanalytics', file({ is_robot: 'true' }, { hostname: 'x.org' }, {}));
  assert.equal(hits.length, 1);
  assert.deepEqual(left, [
    ['bots', 2],
    ['another host', 3],
  ]);
});

test('a file without hosts is of the site, and what has no column is not known', () => {
  const text = 'added_iso,path,session_id,country_code\n2026-01-05T10:00:00Z,/a,s1,DE\n';
  const { hits, left, lacking } = readFile('simpleanalytics', text);
  assert.deepEqual(hits.map(told), [{ at: base.at, page: '/a', hostname: 'example.com', country: 'DE' }]);
  const tags = ['utm source', 'utm medium', 'utm campaign', 'utm term', 'utm content'];
  const systems = ['browsers', 'browser versions', 'operating systems', 'os versions'];
  const rest = [
    'regions',
    'cities',
    'devices',
    ...systems,
    'screens',
    'languages',
    'events',
    'event labels',
    'time on page',
  ];
  assert.deepEqual([left, lacking], [[], ['sources', ...tags, ...rest]]);
});

test('columns of Simple Analytics that daybook does not store are named, and the host of a referrer is read', () => {
  const { lacking, leftOut } = readFile('simpleanalytics', file({}));
  assert.deepEqual(lacking, ['regions', 'cities', 'screens', 'event labels', 'time on page']);
  assert.deepEqual(leftOut, ['columns that are not imported: added_unix, is_unique, uuid, duration_seconds']);
  const text = 'added_iso,path,session_id,referrer_hostname\n2026-01-05T10:00:00Z,/a,s1,x.org\n';
  assert.deepEqual(readFile('simpleanalytics', text).hits.map(told), [
    { at: base.at, page: '/a', hostname: 'example.com', source: 'x.org' },
  ]);
});

test('what is wrong is said with its line, column and what would be right', () => {
  assert.match(refusal('simpleanalytics', file({}, { added_iso: 'x' })), /^line 3: added_iso: must be a time such as/);
  assert.match(refusal('simpleanalytics', file({ session_id: '' })), /^line 2: session_id: is required/);
  assert.match(refusal('simpleanalytics', 'added_iso,path\n'), /^line 1: session_id: this column is missing/);
});

test('a fragment in the path takes no campaign away', () => {
  const paths = ['/a#b', '/a#/b'];
  const { hits } = readFile('simpleanalytics', file(...paths.map((path) => ({ path, utm_source: 'n' }))));
  assert.deepEqual(
    hits.map(told).map(({ page, utm_source }) => [page, utm_source]),
    ['/a', '/a#/b'].map((page) => [page, 'n']),
  );
});

test('the name of an event is cut', () => {
  const { hits } = readFile('simpleanalytics', file({ datapoint: 'x'.repeat(200) }));
  assert.deepEqual(
    hits.map(told).map(({ event }) => event),
    ['x'.repeat(120)],
  );
});
