import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findSource, normalizeHost } from '../../src/classify/source.ts';
import { anyText } from '../support/text.ts';

const EXAMPLE = { domain: 'example.com' };

const RUNS = { numRuns: 2_000 };

/** Referrers on the site example.com, with the source that each is. */
function sources(pairs: [referrer: string, source: string][]): void {
  for (const [referrer, source] of pairs) assert.equal(findSource(referrer, EXAMPLE), source, referrer);
}

test('a source is the host of the referrer, in lower case, without www, port and the rest', () => {
  sources([
    ['https://duckduckgo.com/', 'duckduckgo.com'],
    ['https://www.google.com/search?q=a', 'google.com'],
    ['http://News.Example.ORG:8080/a/b?c=d#e', 'news.example.org'],
    ['https://user:password@blog.example.org/', 'blog.example.org'],
    ['https://www2.example.org/', 'www2.example.org'],
    ['https://www.www.example.org/', 'example.org'],
    ['https://example.org./', 'example.org'],
    ['https://under_score.example.org/', 'under_score.example.org'],
    ['https://intranet/', 'intranet'],
    ['  https://example.org/  ', 'example.org'],
  ]);
});

test('an app on Android is a source by its name', () => {
  sources([
    ['android-app://com.google.android.gm/', 'com.google.android.gm'],
    ['android-app://com.google.android.gm', 'com.google.android.gm'],
    ['android-app://Com.Slack/https/app.slack.com', 'com.slack'],
  ]);
});

test('a name in another script is written in ASCII', () => {
  sources([
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['https://www.BÜCHER.example/', 'xn--bcher-kva.example'],
  ]);
});

test('nobody, the site itself and its subdomains are no source', () => {
  assert.equal(findSource(undefined, EXAMPLE), '');
  sources([
    ['', ''],
    ['https://example.com/a', ''],
    ['http://EXAMPLE.com:3000/', ''],
    ['https://www.example.com/', ''],
    ['https://shop.example.com/', ''],
    ['https://www.a.b.example.com./', ''],
    ['android-app://example.com/', ''],
  ]);
});

test('a host that only looks like the site is a source', () => {
  sources([
    ['https://notexample.com/', 'notexample.com'],
    ['https://example.com.evil.example/', 'example.com.evil.example'],
    ['https://example.co/', 'example.co'],
    ['https://com/', 'com'],
  ]);
});

test('a site that was added with www is itself with and without it', () => {
  for (const referrer of ['https://www.example.com/', 'https://example.com/', 'https://a.www.example.com/']) {
    assert.equal(findSource(referrer, { domain: 'www.example.com' }), '', referrer);
  }
  assert.equal(findSource('https://shop.example.com/', { domain: 'www.example.com' }), 'shop.example.com');
});

test('addresses and localhost are no source', () => {
  sources([
    ['http://127.0.0.1/', ''],
    ['http://192.0.2.7:8080/a', ''],
    ['http://2130706433/', ''],
    ['http://0x7f.1/', ''],
    ['http://[::1]/', ''],
    ['http://[2001:db8::1]:8080/', ''],
    ['android-app://192.0.2.7/', ''],
    ['android-app://[::1]/', ''],
    ['android-app://0x7f.1/', ''],
    ['android-app://www.1/', ''],
    ['http://localhost:3000/', ''],
    ['http://www.localhost/', ''],
    ['http://app.localhost/', ''],
    ['http://LOCALHOST./', ''],
  ]);
});

test('other schemes and what is no address are no source', () => {
  sources([
    ['file:///home/a.html', ''],
    ['about:blank', ''],
    ['chrome-extension://aapocclcgogkmnckokdopfmhonfmgoek/', ''],
    ['ftp://example.org/', ''],
    ['ios-app://123456/', ''],
    ['mailto:a@example.org', ''],
    ['javascript:alert(1)', ''],
    ['android-app:com.slack', ''],
    ['example.org', ''],
    ['//example.org/', ''],
    ['https://', ''],
    ['https://exa mple.org/', ''],
    ['null', ''],
    ['\ud800', ''],
  ]);
});

test('a source has at most 253 characters', () => {
  assert.equal(findSource(`https://${'a.'.repeat(400)}example.org/`, EXAMPLE), `${'a.'.repeat(126)}a`);
  assert.equal(findSource(`android-app://${'a'.repeat(400)}/`, EXAMPLE), 'a'.repeat(253));
});

test('a host in a filter is written like a source', () => {
  const hosts: [typed: string, host: string | undefined][] = [
    ['Google.com', 'google.com'],
    ['www.google.com', 'google.com'],
    ['google.com.', 'google.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['com.google.android.gm', 'com.google.android.gm'],
    ['(other)', '(other)'],
    ['', ''],
    ['a?b', 'a?b'],
    ['A#b', 'a#b'],
    ['https://google.com', undefined],
    ['google.com/a', undefined],
    ['google.com:80', undefined],
    ['::1', undefined],
    ['google .com', undefined],
    [' google.com', undefined],
    ['google.com\n', undefined],
    ['google\u00a0.com', undefined],
  ];
  for (const [typed, host] of hosts) assert.equal(normalizeHost(typed), host, typed);
});

const label = fc.oneof(
  fc.constantFrom('www', 'com', 'WWW', 'xn--', 'xn--bcher-kva', 'ü', '1', '0x7f', '', 'localhost', 'a_b'),
  fc.string({ maxLength: 6 }),
  anyText({ maxLength: 3 }),
);

const host = fc.array(label, { maxLength: 6 }).map((labels) => labels.join('.'));

const referrer = fc.oneof(
  fc
    .tuple(fc.constantFrom('http', 'https', 'android-app', 'HTTPS', 'ftp'), host)
    .map(([scheme, to]) => `${scheme}://${to}/a`),
  fc.domain().map((to) => `https://${to}/a`),
  fc.string(),
);

test('a filter finds every source, because a source is written so already', () => {
  fc.assert(
    fc.property(referrer, (from) => {
      const source = findSource(from, EXAMPLE);
      assert.equal(normalizeHost(source), source);
    }),
    RUNS,
  );
});

test('no referrer makes it throw, and a source is short printable ASCII', () => {
  fc.assert(
    fc.property(referrer, fc.domain(), (from, domain) => {
      assert.match(findSource(from, { domain }), /^[!-~]{0,253}$/);
    }),
    RUNS,
  );
});
