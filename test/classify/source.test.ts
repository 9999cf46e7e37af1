import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { knownSource, normalizedHost, SOURCES, sourceOf, tagsOf } from '../../src/classify/source.ts';

const RUNS = { numRuns: 2_000 };

/** Referrers on the site example.com, with the source that each is. */
function sources(pairs: [referrer: string, source: string][]): void {
  for (const [referrer, source] of pairs) assert.equal(sourceOf(referrer, 'example.com'), source, referrer);
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
  assert.equal(sourceOf(undefined, 'example.com'), '');
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
    assert.equal(sourceOf(referrer, 'www.example.com'), '', referrer);
  }
  assert.equal(sourceOf('https://shop.example.com/', 'www.example.com'), 'shop.example.com');
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
  assert.equal(sourceOf(`https://${'a.'.repeat(400)}example.org/`, 'example.com'), `${'a.'.repeat(126)}a`);
  assert.equal(sourceOf(`android-app://${'a'.repeat(400)}/`, 'example.com'), 'a'.repeat(253));
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
  for (const [typed, host] of hosts) assert.equal(normalizedHost(typed), host, typed);
});

const label = fc.oneof(
  fc.constantFrom('www', 'com', 'WWW', 'xn--', 'xn--bcher-kva', 'ü', '1', '0x7f', '', 'localhost', 'a_b'),
  fc.string({ maxLength: 6 }),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const host = fc.array(label, { maxLength: 6 }).map((labels) => labels.join('.'));
const referrer = fc.oneof(
  fc
    .tuple(fc.constantFrom('http', 'https', 'android-app', 'HTTPS', 'ftp'), host)
    .map(([scheme, to]) => `${scheme}://${to}/a`),
  fc.webUrl(),
  fc.string(),
);

test('a filter finds every source, because a source is written so already', () => {
  fc.assert(
    fc.property(referrer, (from) => {
      const source = sourceOf(from, 'example.com');
      assert.equal(normalizedHost(source), source);
    }),
    RUNS,
  );
});

test('no referrer makes it throw, and a source is short printable ASCII', () => {
  fc.assert(
    fc.property(referrer, fc.domain(), (from, domain) => {
      assert.match(sourceOf(from, domain), /^[!-~]{0,253}$/);
    }),
    RUNS,
  );
});

const tagsAt = (query: string) => tagsOf(new URL(`https://example.com/a${query}`));

test('tags are those of the address', () => {
  assert.deepEqual(tagsAt('?utm_source=news&utm_medium=email&utm_campaign=may+day&utm_term=x&gclid=1'), {
    source: 'news',
    medium: 'email',
    campaign: 'may day',
  });
  assert.deepEqual(tagsAt(''), { source: '', medium: '', campaign: '' });
  assert.deepEqual(tagsAt('?a=b#utm_source=c'), { source: '', medium: '', campaign: '' });
});

test('source, then ref, stand for utm_source where it is absent or blank', () => {
  const found: [query: string, source: string][] = [
    ['?ref=c', 'c'],
    ['?ref=c&source=b', 'b'],
    ['?ref=c&source=b&utm_source=a', 'a'],
    ['?utm_source=&source=b', 'b'],
    ['?utm_source=%20%09+&source=%20&ref=c', 'c'],
    ['?utm_source', ''],
    ['?UTM_SOURCE=a', ''],
  ];
  for (const [query, source] of found) assert.equal(tagsAt(query).source, source, query);
});

test('of repeated tags the first counts, even where it is blank', () => {
  assert.equal(tagsAt('?utm_source=a&utm_source=b').source, 'a');
  assert.equal(tagsAt('?utm_medium=&utm_medium=b').medium, '');
});

test('tags are trimmed and keep their case', () => {
  assert.deepEqual(tagsAt('?utm_source=%20News%0A&utm_medium=%E2%80%83E-Mail&utm_campaign=A+%26+B%20'), {
    source: 'News',
    medium: 'E-Mail',
    campaign: 'A & B',
  });
});

test('a tag has at most 200 characters, none of them half', () => {
  const cuts: [tag: string, kept: string][] = [
    ['a'.repeat(200), 'a'.repeat(200)],
    ['a'.repeat(201), 'a'.repeat(200)],
    ['😀'.repeat(201), '😀'.repeat(200)],
    [`${'a'.repeat(199)}😀😀`, `${'a'.repeat(199)}😀`],
    [`${'a'.repeat(199)} b`, 'a'.repeat(199)],
    ['\ud83d', '\ufffd'],
  ];
  for (const [tag, kept] of cuts) assert.equal(tagsAt(`?utm_campaign=${tag}`).campaign, kept);
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (tag) => {
      const { source } = tagsAt(`?utm_source=${encodeURIComponent(tag)}`);
      assert.equal(source, [...tag.trim()].slice(0, 200).join('').trim());
      assert.ok(source.isWellFormed());
    }),
    RUNS,
  );
});

test('the table has about a hundred sources of every kind, each once and written like a source', () => {
  assert.ok(SOURCES.length >= 100);
  assert.deepEqual(new Set(SOURCES.map(({ kind }) => kind)), new Set(['search', 'social', 'assistant']));
  assert.equal(new Set(SOURCES.map(({ host: of }) => of)).size, SOURCES.length);
  for (const { host: of, name } of SOURCES) {
    assert.match(of, /^[a-z0-9-]+(\.[a-z0-9-]+)+$|^[a-z0-9.-]+\.\*$/);
    assert.notEqual(name, '');
    const example = of.replace('*', 'com');
    assert.equal(normalizedHost(example), example);
    assert.equal(knownSource(example)?.name, name);
  }
});

test('a source has the kind of its row, or of the nearest above it', () => {
  const kinds: [source: string, name: string | undefined, kind?: string][] = [
    ['google.com', 'Google', 'search'],
    ['google.de', 'Google', 'search'],
    ['google.co.uk', 'Google', 'search'],
    ['google.com.br', 'Google', 'search'],
    ['images.google.fr', 'Google Images', 'search'],
    ['yandex.ru', 'Yandex', 'search'],
    ['yandex.com.tr', 'Yandex', 'search'],
    ['cn.bing.com', 'Bing', 'search'],
    ['uk.search.yahoo.com', 'Yahoo', 'search'],
    ['html.duckduckgo.com', 'DuckDuckGo', 'search'],
    ['l.facebook.com', 'Facebook', 'social'],
    ['t.co', 'X', 'social'],
    ['lnkd.in', 'LinkedIn', 'social'],
    ['out.reddit.com', 'Reddit', 'social'],
    ['away.vk.com', 'VK', 'social'],
    ['pinterest.co.uk', 'Pinterest', 'social'],
    ['br.pinterest.com', 'Pinterest', 'social'],
    ['com.linkedin.android', 'LinkedIn', 'social'],
    ['chatgpt.com', 'ChatGPT', 'assistant'],
    ['gemini.google.com', 'Gemini', 'assistant'],
    ['edgeservices.bing.com', 'Copilot', 'assistant'],
    ['claude.ai', 'Claude', 'assistant'],
  ];
  for (const [source, name, kind] of kinds) {
    assert.equal(knownSource(source)?.name, name, source);
    assert.equal(knownSource(source)?.kind, kind, source);
  }
});

test('what is no search, and what only looks like a row, has no kind', () => {
  for (const source of [
    '',
    '(other)',
    'com',
    'example.org',
    'mail.google.com',
    'docs.google.com',
    'google.evil.example',
    'google.example.com',
    'notgoogle.com',
    'notfacebook.com',
    'yahoo.com',
    'com.google.android.gm',
    'google',
    'google.*.com',
  ]) {
    assert.equal(knownSource(source), undefined, source);
  }
});
