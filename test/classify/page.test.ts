import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readPage } from '../../src/classify/page.ts';
import { anyText } from '../support/text.ts';

const RUNS = { numRuns: 2_000 };

const piece = fc.oneof(
  fc.constantFrom(
    '/',
    '//',
    '.',
    '..',
    '%2e',
    '%2E%2e',
    '\\',
    '?',
    '#',
    '!',
    '%',
    '%C3%BC',
    'ü',
    '😀',
    ' ',
    '\t',
    '@',
    ':',
    'a',
  ),
  anyText({ maxLength: 5 }),
);
const path = fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join('')}`);
/** Long enough to be cut somewhere among its last pieces. */
const longPath = fc
  .tuple(fc.integer({ min: 1000, max: 1023 }), fc.array(piece, { minLength: 1, maxLength: 12 }))
  .map(([length, pieces]) => `/${'a'.repeat(length)}${pieces.join('')}`);

test('a page is written as the URL parser writes its path', () => {
  const pages: [string, string][] = [
    ['/', '/'],
    ['/about', '/about'],
    ['/ü', '/%C3%BC'],
    ['/%C3%BC', '/%C3%BC'],
    ['/%c3%bc', '/%c3%bc'],
    ['/a b', '/a%20b'],
    ['/😀', '/%F0%9F%98%80'],
    ['/A', '/A'],
    ['/100%', '/100%'],
    ['/a"b', '/a%22b'],
  ];
  for (const [typed, page] of pages) assert.equal(readPage(typed), page, typed);
});

test('dot segments are resolved, and none leads above the root', () => {
  const pages: [string, string][] = [
    ['/a/../b', '/b'],
    ['/a/./b', '/a/b'],
    ['/a/..', '/'],
    ['/..', '/'],
    ['/../../b', '/b'],
    ['/a/%2e%2E/b', '/b'],
    ['/a/b/..', '/a'],
    ['/...', '/...'],
  ];
  for (const [typed, page] of pages) assert.equal(readPage(typed), page, typed);
});

test('all trailing slashes are dropped but for the root, and those within are kept', () => {
  const pages: [string, string][] = [
    ['/a/', '/a'],
    ['/a//', '/a'],
    ['/a//b/', '/a//b'],
    ['//a', '//a'],
    ['//', '/'],
    ['///', '/'],
    ['/a\\b\\', '/a/b'],
  ];
  for (const [typed, page] of pages) assert.equal(readPage(typed), page, typed);
});

test('the query is dropped, and a fragment that is no route', () => {
  for (const more of [
    '?',
    '?a=b',
    '#',
    '#c',
    '?a=b#c',
    '#c?a=b',
    '/?a',
    '?/x/',
    '#/',
    '#!',
    '#!/',
    '#//?a',
    '#a/b',
    '#a=/b',
  ]) {
    assert.equal(readPage(`/a${more}`), '/a', more);
    assert.equal(readPage(`/${more.replace(/^\//, '')}`), '/', more);
  }
});

test('a route is a part of the page, as the URL parser writes it', () => {
  const pages: [string, string][] = [
    ['/a#/c', '/a#/c'],
    ['/a/#/c/', '/a#/c'],
    ['/?a=b#!/c?d', '/#!/c'],
    ['/a#!c', '/a#!c'],
    ['/a#/ü b/../c', '/a#/%C3%BC%20b/../c'],
    ['/a#/b#c', '/a#/b#c'],
  ];
  for (const [typed, page] of pages) assert.equal(readPage(typed), page, typed);
  assert.equal(readPage(`/a#/${'b'.repeat(2_000)}`), `/a#/${'b'.repeat(1_020)}`);
  for (const [length, route] of [
    [1_021, '#/b'],
    [1_022, ''],
    [1_023, ''],
    [1_024, ''],
  ] as const) {
    const path = `/${'a'.repeat(length - 1)}`;
    assert.equal(readPage(`${path}#/bc`), path + route);
  }
});

test('a text that does not begin with a slash is no page', () => {
  for (const typed of ['', 'a', '?a', '#', '.', '../a', ' /a', '\\a', 'https://example.com/a', '\t/a']) {
    assert.equal(readPage(typed), undefined, typed);
  }
});

test('a host or port in the text stays part of the path', () => {
  assert.equal(readPage('//evil.example/a'), '//evil.example/a');
  assert.equal(readPage('/@evil.example:80/a'), '/@evil.example:80/a');
});

test('a page has at most 1,024 characters', () => {
  assert.equal(readPage(`/${'a'.repeat(1023)}`), `/${'a'.repeat(1023)}`);
  assert.equal(readPage(`/${'a'.repeat(1024)}`), `/${'a'.repeat(1023)}`);
  assert.equal(readPage(`/${'a'.repeat(1022)}/b`), `/${'a'.repeat(1022)}`);
  assert.equal(readPage(`/${'a'.repeat(100_000)}`)?.length, 1024);
});

test('any path gives a page in printable ASCII without query, another fragment than a route, or trailing slash', () => {
  fc.assert(
    fc.property(fc.oneof(path, longPath), (typed) => {
      const page = readPage(typed) ?? '';
      assert.match(page, /^\/[!-~]*$/);
      assert.doesNotMatch(page, /\?|^[^#]*#(?![/!])/);
      assert.ok(page.length <= 1024);
      assert.ok(page === '/' || !page.endsWith('/'), page);
    }),
    RUNS,
  );
});

test('what begins with a slash is a page and nothing else is, and no text makes it throw', () => {
  fc.assert(
    fc.property(
      fc.oneof(path, fc.string({ unit: fc.oneof(fc.constant('\ud800'), fc.string({ maxLength: 1 })) })),
      (typed) => {
        assert.equal(readPage(typed) !== undefined, typed.startsWith('/'));
      },
    ),
    RUNS,
  );
});

test('the page of a page is itself', () => {
  fc.assert(
    fc.property(path, (typed) => {
      const page = readPage(typed) ?? '';
      assert.equal(readPage(page), page);
    }),
    RUNS,
  );
});

test('the page of a page that was cut is itself, wherever the cut fell', () => {
  // Cut behind "..", which the whole path had nowhere.
  for (const end of ['/..b', '/.b', '/%2e%2eb', '/.%2eb']) {
    const page = readPage(`/${'a'.repeat(1024 - end.length)}${end}`) ?? '';
    assert.ok(readPage(page) === page, end);
  }
  fc.assert(
    fc.property(longPath, (typed) => {
      const page = readPage(typed) ?? '';
      assert.equal(readPage(page), page);
    }),
    RUNS,
  );
});
