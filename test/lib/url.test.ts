import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUrl } from '../../src/lib/url.ts';

const LONG = 'x'.repeat(600);

test('url: a URL is read as by Node', () => {
  const urls = [
    ...[
      'https://example.com/a',
      'https:example.com',
      'https:\\\\example.com\\a',
      ' https://b\u00fccher.example ',
      '/a',
    ],
    ...[
      'https://user:word@example.com:8080/?a#b',
      'android-app://com.example',
      'mailto:ann@example.com',
      '',
      'x',
      '//',
    ],
    ...[`https://example.com/${LONG}/${LONG}`, `https://example.com?${LONG}`, `https://example.com#${LONG}`],
    ...[`https://${LONG}.example/`, `https://${'\u00fc'.repeat(250)}.example/`],
  ];
  for (const url of urls) assert.equal(parseUrl(url)?.href, URL.parse(url)?.href, url);
  assert.equal(parseUrl('/a?b', 'https://example.com/c')?.href, 'https://example.com/a?b');
});

test('url: a URL with a host that is longer than any and not in ASCII is none, also in spellings that only browsers read', () => {
  const starts = [
    'https://',
    'https:',
    'https:/',
    'HTTP:\\\\',
    'https:////',
    '\thttps:/\n/\r',
    'ht\ntps://user@',
    'ftp://',
  ];
  for (const host of ['\u00fc'.repeat(600), encodeURIComponent('\u00fc'.repeat(100))]) {
    for (const start of starts) {
      assert.notEqual(URL.parse(start + host), null, start);
      assert.equal(parseUrl(start + host), null, start);
      assert.equal(parseUrl(`${start}${host}/a`), null, start);
    }
    assert.equal(parseUrl(`//${host}/`, 'https://example.com'), null);
  }
});
