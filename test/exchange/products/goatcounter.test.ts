import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFile, refusal, told } from '../files.ts';

const HEAD =
  '2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,Screen size,Location,FirstVisit,Date\n';

const line = (path: string, more: Partial<Record<string, string>> = {}): string => {
  const { event = 'false', agent = '', browser = 'Firefox 141', system = 'Windows 10', session = 's1' } = more;
  const { bot = '0', referrer = '', scheme = '', place = 'DE', at = '2026-01-05T10:00:00Z' } = more;
  return `${path},"A, title",${event},${agent},${browser},${system},${session},${bot},${referrer},${scheme},"1920,1080,1",${place},1,${at}\n`;
};

const base = {
  at: '2026-01-05T10:00:00Z',
  page: '/',
  hostname: 'example.com',
  country: 'DE',
  screen: 'Wide',
  browser: 'Firefox',
  os: 'Windows',
};
const versions = { browser_version: 'Firefox 141', os_version: 'Windows 10' };

test('pageviews and events come with all their words', () => {
  const { hits, left } = readFile(
    'goatcounter',
    HEAD +
      line('/a?utm_source=n', { referrer: 'www.x.org/some/page', scheme: 'h', place: 'US-TX' }) +
      line('click-me', { event: 'true', at: '2026-01-05T12:00:05+02:00' }) +
      line('/', { session: 's2', system: 'macOS', browser: 'Safari 18.5' }) +
      line('/', { session: 's3', system: 'Linux ', browser: 'Firefox ' }) +
      line('/', {
        agent: '"Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0"',
        browser: 'Wrong 1',
      }),
  );
  assert.deepEqual(hits.map(told), [
    {
      ...base,
      ...versions,
      page: '/a',
      hostname: 'example.com',
      utm_source: 'n',
      source: 'x.org',
      country: 'US',
      region: 'US-TX',
    },
    { ...base, ...versions, at: '2026-01-05T10:00:05Z', event: 'click-me' },
    { ...base, os: 'macOS', browser: 'Safari', browser_version: 'Safari 18' },
    { ...base, os: 'Linux' },
    { ...base, os: 'Linux', os_version: 'Linux', browser_version: 'Firefox 141', device: 'Desktop' },
  ]);
  assert.deepEqual(left, []);
  const [one, two, other] = hits.map(({ visitor }) => visitor);
  assert.equal(one, two);
  assert.notEqual(one, other);
});

test('a referrer is what its scheme says', () => {
  for (const [referrer, scheme, words] of [
    ['Hacker News', 'g', { source: 'news.ycombinator.com' }],
    ['Google', 'g', { source: 'google.com' }],
    ['Email', 'g', { source: 'email' }],
    ['RSS', 'g', { source: 'rss' }],
    ['Telegram Messenger', 'g', { source: 'telegram.org' }],
    ['Slack Chat', 'g', { source: 'slack.com' }],
    ['www.facebook.com', 'g', { source: 'facebook.com' }],
    ['www.reddit.com', 'g', { source: 'reddit.com' }],
    ['A friend', 'g', { utm_source: 'A friend' }],
    ['spring', 'c', { utm_source: 'spring' }],
    ['android-app://com.twitter.android', 'o', { source: 'com.twitter.android' }],
    ['com.example.app', 'o', { source: 'com.example.app' }],
    ['somebody', 'o', { utm_source: 'somebody' }],
    ['', '', {}],
  ] as const) {
    const [hit] = readFile('goatcounter', HEAD + line('/', { referrer, scheme })).hits;
    assert.ok(hit);
    assert.deepEqual(told(hit), { ...base, ...versions, ...words }, referrer);
  }
});

test('bots are left', () => {
  const { hits, left } = readFile('goatcounter', HEAD + line('/') + line('/b', { bot: '7' }));
  assert.equal(hits.length, 1);
  assert.deepEqual(left, [['bots', 3]]);
});

test('what is wrong is said with its line, column and what would be right', () => {
  assert.match(refusal('goatcounter', HEAD + line('/', { at: 'noon' })), /^line 2: Date: must be a time such as/);
  assert.match(refusal('goatcounter', HEAD + line('/', { session: '' })), /^line 2: Session: is required/);
  assert.match(refusal('goatcounter', HEAD + line('/', { place: '1-2' })), /^line 2: Location: must be two letters/);
  const later = HEAD.replace('2Path', '3Path') + line('/');
  assert.match(refusal('goatcounter', later), /^line 1: must begin with 1Path or 2Path, .* not "3Path"$/);
});

test('a fragment in the path takes no campaign away', () => {
  const paths = ['/a#b', '/a?x=1#/b'];
  const lines = paths.map((path) => line(path, { referrer: 'spring', scheme: 'c' }));
  const { hits } = readFile('goatcounter', HEAD + lines.join(''));
  assert.deepEqual(
    hits.map(told).map(({ page, utm_source }) => [page, utm_source]),
    ['/a', '/a#/b'].map((page) => [page, 'spring']),
  );
});

test('the name of an event is cut, such as the whole URL of a link', () => {
  const name = `ext-https://x.org/${'long/'.repeat(40)}`;
  const { hits } = readFile(
    'goatcounter',
    HEAD + line(name, { event: 'true' }) + line('😀'.repeat(130), { event: 'true' }),
  );
  assert.deepEqual(
    hits.map(told).map(({ event }) => event),
    [name.slice(0, 120), '😀'.repeat(120)],
  );
});

test('what no CSV of GoatCounter has is not known, and columns that daybook does not store are named', () => {
  const { lacking, leftOut } = readFile('goatcounter', HEAD + line('/'));
  const tags = ['utm medium', 'utm campaign', 'utm term', 'utm content'];
  assert.deepEqual(lacking, [...tags, 'cities', 'languages', 'event labels', 'time on page']);
  assert.deepEqual(leftOut, ['columns that are not imported: Title, FirstVisit']);
});

test('of a file with thousands of columns that are not imported, some are named', () => {
  const names = Array.from({ length: 2_000 }, (_, i) => `c${i}`);
  const { leftOut } = readFile('goatcounter', `${HEAD.trim()},${names.join(',')}\n`);
  assert.match(leftOut[0] ?? '', /: Title, FirstVisit, c0, .*, c27 and 1972 more$/);
});

test('the first version of the format has the user agent in the column Browser', () => {
  const head = '1Path,Title,Event,Bot,Session,FirstVisit,Referrer,Referrer scheme,Browser,Screen size,Location,Date';
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:78.0) Gecko/20100101 Firefox/78.0';
  const row = `/a,A,false,0,s1,true,Google,g,${agent},"1920,1080,1",DE,2020-07-05T10:00:00Z`;
  const { hits, lacking } = readFile('goatcounter', `${head}\n${row}\n`);
  const { browser, os, device } = told(hits[0] as (typeof hits)[number]);
  assert.deepEqual([browser, os, device], ['Firefox', 'Linux', 'Desktop']);
  assert.ok(!lacking.includes('devices'));
});
