import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keepPage, keepPath, readPage } from '../../src/classify/page.ts';
import { findListFault, hidePrivate, joinLines, keepLabel } from '../../src/classify/private.ts';
import { inEnglish } from '../../src/lang/sentences.ts';
import { anyText } from '../support/text.ts';

const UUID = '0b6e4f7a-6c1e-4b9e-9d4f-2f6d2c1a7b90';

const holds = (patterns: string, cases: Record<string, string>): void => {
  assert.equal(findListFault(patterns.split('\n')), undefined);
  for (const [path, kept] of Object.entries(cases)) assert.equal(hidePrivate(path, patterns), kept, path);
};

test('a * hides one segment, wherever the pattern fits, and what follows stays', () => {
  holds('users/*', {
    '/users/5': '/users/:id',
    '/users/5/orders/7': '/users/:id/orders/7',
    '/en/users/ann/': '/en/users/:id/',
    '/Users/5': '/Users/:id',
    '//users//5': '//users//:id',
    '/users': '/users',
    '/superusers/5': '/superusers/5',
    '/users/users/5': '/users/:id/:id',
    '/': '/',
  });
  holds('/users/*/orders/*', {
    '/users/5/orders/7': '/users/:id/orders/:id',
    '/users/5/orders': '/users/5/orders',
    '/en/users/5/orders/7': '/en/users/5/orders/7',
  });
});

test('a kind hides only segments of that kind', () => {
  holds('{number}', { '/a/12/b/3': '/a/:id/b/:id', '/a12/1.5': '/a12/1.5' });
  holds('orders/{uuid}', {
    [`/orders/${UUID}`]: '/orders/:id',
    [`/orders/${UUID.replaceAll('-', '').toUpperCase()}`]: '/orders/:id',
    '/orders/new': '/orders/new',
  });
  holds('{token}', {
    '/reset/9f86d081884c7d659a2feaa0c55ad015': '/reset/:id',
    '/reset/V1StGXR8Z5jdHi6BmyTa4': '/reset/:id',
    '/reset/eyJhbGciOiJI.eyJzdWIi.SflKxwRJSMeKK': '/reset/:id',
    [`/reset/${UUID}`]: '/reset/:id',
    '/wiki/2026_Winter_Olympics_Medal_Table': '/wiki/2026_Winter_Olympics_Medal_Table',
    '/blog/the-summer-sale-of-2026-in-berlin': '/blog/the-summer-sale-of-2026-in-berlin',
    '/feedfacedeadbeefcafe': '/feedfacedeadbeefcafe',
  });
});

test('several patterns hold together, and text is compared as browsers write it', () => {
  holds('users/*\n/größe/{number}', {
    '/users/5/gr%C3%B6%C3%9Fe/5': '/users/:id/gr%C3%B6%C3%9Fe/5',
    '/gr%c3%b6%c3%9fe/5/users/6': '/gr%c3%b6%c3%9fe/:id/users/:id',
  });
});

test('a segment with an e-mail address is hidden without any pattern, and what only resembles one is not', () => {
  holds('', {
    '/u/ann@example.com': '/u/:id',
    '/u/ann%40example.com/edit': '/u/:id/edit',
    '/u/ann%2540example.com': '/u/:id',
    '/u/ann＠example.com': '/u/:id',
    '/u/ann%40example%2Ecom': '/u/:id',
    '/u/ann@example%252ecom': '/u/:id',
    '/u/ann@example｡com': '/u/:id',
    '/u/ann%EF%BC%A0example.com/a': '/u/:id/a',
    '/u/ann%25ef%25b9%25abexample.com': '/u/:id',
    '/u/ａｎｎ＠ｅｘ．ｃｏｍ': '/u/:id',
    '/u/ann@ex%E3%80%82com': '/u/:id',
    '/u/mail=ann+tag@sub.example.co.uk;x': '/u/:id',
    '/u/m%C3%BCller@b%C3%BCcher.%D1%80%D1%84': '/u/:id',
    '/@ann': '/@ann',
    '/logo@2x.png': '/logo@2x.png',
    '/react@18.2.0/umd': '/react@18.2.0/umd',
    '/a@b': '/a@b',
    '/100%': '/100%',
  });
});

test('what is private is hidden before a page is cut', () => {
  const page = keepPath(`/${'a'.repeat(1010)}/ann@example.com`, { privatePaths: '', pageParameters: '' }) ?? '';
  assert.deepEqual([page.length, page.slice(-6)], [1015, 'aa/:id']);
});

test('hidden once is hidden for good, and a page without anything private is what it was', () => {
  const segment = fc.oneof(anyText({ maxLength: 8 }), fc.constantFrom('users', '5', UUID, 'ann@x.org', 'orders'));
  const path = fc.array(segment, { maxLength: 8 }).map((all) => `/${all.join('/')}`);
  const patterns = fc.constantFrom('', 'users/*', '/*/orders', '{number}\n{uuid}', 'users/*/orders/{token}\n*');
  fc.assert(
    fc.property(path, patterns, (typed, lines) => {
      const rules = { privatePaths: lines, pageParameters: '' };
      const page = keepPath(typed, rules) ?? '';
      assert.equal(keepPath(page, rules), page);
      assert.equal(keepPage(new URL(`https://example.com${typed}`), rules), page);
      if (lines === '' && !typed.includes('@')) assert.equal(page, readPage(typed));
      assert.ok(!page.includes('ann@x.org'), page);
    }),
    { numRuns: 2_000 },
  );
});

test('a label keeps as much of a path of the site as its pages do, and no e-mail address', () => {
  const site = { domain: 'example.com', privatePaths: 'users/*' };
  const labels: [label: string, kept: string][] = [
    ['/users/5/gone', '/users/:id/gone'],
    ['example.com/users/5/invoice.pdf', 'example.com/users/:id/invoice.pdf'],
    ['https://www.example.com/users/5', 'https://www.example.com/users/:id'],
    ['other.example/users/5', 'other.example/users/5'],
    ['other.example/ann@example.com', 'other.example/:id'],
    ['ann@example.com', ':id'],
    ['pro', 'pro'],
    ['users/5', 'users/5'],
    ['', ''],
  ];
  for (const [label, kept] of labels) assert.equal(keepLabel(site, label), kept, label);
});

test('a pattern that cannot be used is refused with its line and what to write', () => {
  const refused: [pattern: string, why: RegExp][] = [
    ['users', /hides nothing\. Replace the private segment with \*, \{number\}, \{uuid\} or \{token\}/],
    ['user-*', /\* matches only a whole segment\. Replace "user-\*" with \*/],
    ['**', /whole segment/],
    ['users/{name}', /"\{name\}" is unknown\. Known: \*, \{number\}/],
    ['users/{*}', /whole segment/],
    ['https://example.com/users/*', /must be a path, without https:/],
    ['users/*?tab=1', /must not contain \?, # or/],
    ['users//*', /empty or only dots/],
    ['//', /empty or only dots/],
    ['../*', /empty or only dots/],
    [`${'a/'.repeat(8)}*`, /at most 8 segments/],
    [`${'a'.repeat(99)}/*`, /at most 100 characters/],
    [' '.repeat(101), /at most 100 characters/],
    ['a\nb/*', /plain text, one pattern per line/],
    ['\ud800/*', /plain text/],
  ];
  for (const [pattern, why] of refused) {
    const found = findListFault(['users/*', '', pattern]);
    const fault = found ? inEnglish(found) : '';
    assert.match(fault, /^Line 3, "/, pattern);
    assert.match(fault, why, pattern);
  }
  assert.equal(findListFault(['', ' users/* ', '/users/*/', '*', '{number}']), undefined);
});

test('patterns are kept trimmed and once, without blank lines', () => {
  assert.equal(joinLines([' users/* ', '', 'a/*', 'users/*']), 'users/*\na/*');
});

test('no text makes it throw, and the longest path is cut to what can be kept', () => {
  assert.equal(hidePrivate('/a'.repeat(8_000), '*/*/{token}').split('/').length, 1025);
  fc.assert(
    fc.property(anyText({ maxLength: 200 }), (text) => {
      hidePrivate(text, 'users/*\n{token}');
      keepLabel({ domain: 'example.com', privatePaths: '*' }, text);
    }),
    { numRuns: 2_000 },
  );
});
