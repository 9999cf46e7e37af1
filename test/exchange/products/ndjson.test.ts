import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readPage } from '../../../src/classify/page.ts';
import { TEXT_FIELDS } from '../../../src/stats/dimensions.ts';
import { HIT, hitOf, PASSED, read, refusalOn, wordsOf } from '../reading.ts';

test('a line with everything gives a hit with all its words', () => {
  const hit = hitOf({
    at: '2026-01-05T10:00:07Z',
    url: 'https://example.com/a/?utm_source=n&utm_medium=mail&utm_campaign=spring&utm_term=red&utm_content=logo&gclid=1#x',
    referrer: 'https://www.X.org/path',
    event: 'signup',
    label: 'pro',
    props: { Plan: 'pro', seats: 3 },
    revenue: { amount: '19.9', currency: 'eur' },
    visitor: 'v1',
    ip: '192.0.2.1',
    agent: 'anything',
    country: 'de',
    region: 'de-be',
    city: 'DE-BE Berlin',
    device: 'Tablet',
    browser: 'Brave',
    browser_version: 'Brave 1',
    os: 'Haiku',
    os_version: 'Haiku 2',
    screen: 'Wide',
    language: 'de',
  });
  assert.equal(hit.day, Date.UTC(2026, 0, 5) / 86_400_000);
  assert.equal(hit.second, 36_007);
  assert.deepEqual(Object.fromEntries(TEXT_FIELDS.map((word, i) => [word, hit.texts[i]])), {
    page: '/a',
    hostname: 'example.com',
    event: 'signup',
    label: 'pro',
    source: 'x.org',
    utm_source: 'n',
    utm_medium: 'mail',
    utm_campaign: 'spring',
    utm_term: 'red',
    utm_content: 'logo',
    country: 'DE',
    region: 'DE-BE',
    city: 'DE-BE Berlin',
    device: 'Tablet',
    browser: 'Brave',
    browser_version: 'Brave 1',
    os: 'Haiku',
    os_version: 'Haiku 2',
    screen: 'Wide',
    language: 'de',
    ad: 'google',
    properties: '{"plan":"pro","seats":"3"}',
    revenue: 'EUR 1990',
  });
});

test('limits count characters, and what is just as long is taken', () => {
  const fields = {
    ...HIT,
    event: '😀'.repeat(120),
    label: '😀'.repeat(200),
    browser: '😀'.repeat(200),
    os: '😀'.repeat(200),
  };
  const { event, label, browser, os } = wordsOf(fields);
  assert.deepEqual({ ...HIT, event, label, browser, os }, fields);
});

test('a blank line is no hit, and white space around one does not matter', () => {
  for (const line of ['', ' ', '\t', '\r', ' \t\r']) assert.equal(read(line, 1), undefined, JSON.stringify(line));
  assert.deepEqual(read(` ${JSON.stringify(HIT)} \r`, 1), hitOf(HIT));
});

test('with engaged a line is a message of that many seconds, as a number or as text', () => {
  assert.equal(hitOf(HIT).engaged, undefined);
  for (const [engaged, seconds] of [
    [0, 0],
    [25, 25],
    ['25', 25],
  ]) {
    assert.equal(hitOf({ ...HIT, engaged }).engaged, seconds);
  }
  for (const engaged of [-1, 1.5, 100_000, 'x']) {
    const message = refusalOn(JSON.stringify({ ...HIT, engaged }));
    assert.match(message, /^line 17: engaged: must be whole seconds, with at most five digits, not "/);
  }
  assert.match(refusalOn(JSON.stringify({ ...HIT, engaged: null })), /^line 17: engaged: must be text, not null$/);
});

test('a line with engaged may say how much of the page was seen, in whole percent', () => {
  for (const scroll of [0, 7, 99, 100, '40'])
    assert.equal(hitOf({ ...HIT, engaged: 3, scroll } as never).scroll, Number(scroll));
  assert.equal(hitOf({ ...HIT, engaged: '3' }).scroll, undefined);
  for (const scroll of [-1, 1.5, 101, 'x']) {
    const message = refusalOn(JSON.stringify({ ...HIT, engaged: 3, scroll }));
    assert.match(message, /^line 17: scroll: must be a whole number from 0 to 100, not "/);
  }
  assert.match(refusalOn(JSON.stringify({ ...HIT, scroll: 5 })), /^line 17: scroll: needs engaged beside it/);
});

test('empty texts count as absent', () => {
  const empty = { referrer: '', event: '', label: '', ip: '', agent: '', country: '', device: '', browser: '', os: '' };
  assert.deepEqual(hitOf({ ...HIT, ...empty }), hitOf(HIT));
  assert.deepEqual(hitOf({ ...PASSED, visitor: '' }), hitOf(PASSED));
  assert.deepEqual(wordsOf({ ...HIT, ...empty }), { page: '/', hostname: 'example.com' });
});

test('a label without an event is dropped', () => {
  assert.deepEqual(wordsOf({ ...HIT, label: 'pro' }), { page: '/', hostname: 'example.com' });
  assert.deepEqual(wordsOf({ ...HIT, event: 'buy' }), { page: '/', hostname: 'example.com', event: 'buy' });
});

test('the page is that of any host, with a route, and without query and trailing slashes', () => {
  for (const [url, page] of [
    ['https://elsewhere.test/a/b/', '/a/b'],
    ['HTTP://user:pass@EXAMPLE.com:8080/A//b//', '/A//b'],
    ['https://example.com', '/'],
    ['https://example.com?a=/b', '/'],
    ['https://example.com#/c?d', '/#/c'],
    ['https://example.com/a/?b#!/c/', '/a#!/c'],
    ['https://example.com/é?x#y', '/%C3%A9'],
    ['https://example.com/a/../b#?utm_source=no', '/b'],
    ['  https://example.com/\ta\n?utm_source=', '/a'],
    [`https://example.com/${'x'.repeat(2_000)}`, `/${'x'.repeat(1_023)}`],
  ] as const) {
    const hostname = url.includes('elsewhere') ? 'elsewhere.test' : 'example.com';
    assert.deepEqual(wordsOf({ ...HIT, url }), { page, hostname }, url);
  }
});

test('page and tags are what the whole address gives, whatever stands in front of or behind its query', () => {
  const sign = fc.constantFrom(
    '?',
    '#',
    '/',
    '&',
    '=',
    '\\',
    '%3F',
    ' ',
    'utm_source',
    'utm_medium',
    'ref',
    'source',
    'a',
  );
  const tail = fc.array(sign, { maxLength: 8 }).map((signs) => signs.join(''));
  fc.assert(
    fc.property(
      fc.constantFrom('https://example.com', 'http://[::1]:80/x', 'https:', 'https://a'),
      tail,
      (head, more) => {
        const url = URL.parse(head + more);
        if (!url) return assert.match(refusalOn(JSON.stringify({ ...HIT, url: head + more })), /^line 17: url: /);
        const { page, utm_source = '', utm_medium = '' } = wordsOf({ ...HIT, url: url.href });
        assert.deepEqual(wordsOf({ ...HIT, url: head + more }), wordsOf({ ...HIT, url: url.href }));
        const { searchParams: tags } = url;
        const of = (name: string): string => tags.get(name)?.trim() ?? '';
        assert.equal(page, readPage(url.pathname + url.hash));
        assert.equal(utm_source, of('utm_source') || of('source') || of('ref'));
        assert.equal(utm_medium, of('utm_medium'));
      },
    ),
    { numRuns: 1_000 },
  );
});

test('the site itself and what is no web address are no source', () => {
  for (const referrer of [
    'https://example.com/',
    'https://www.example.com/a',
    'https://shop.example.com/',
    'no url',
    'http://10.0.0.1/',
  ]) {
    assert.deepEqual(wordsOf({ ...HIT, referrer }), { page: '/', hostname: 'example.com' }, referrer);
  }
  assert.equal(wordsOf({ ...HIT, referrer: 'https://news.example.org/x?y' }).source, 'news.example.org');
});

test('CRLF ends a line too', () => {
  for (const fields of [HIT, { ...HIT, event: 'ü' }]) {
    assert.deepEqual(read(`${JSON.stringify(fields)}\r`, 1), hitOf(fields));
  }
  assert.equal(read('\r', 1), undefined);
});
