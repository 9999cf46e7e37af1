import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CRAWLERS } from '../../src/classify/crawlers.ts';
import { FORMAT_NAMES, FORMATS, findFormat } from '../../src/logs/formats.ts';
import { readCrawl } from '../../src/logs/requests.ts';
import { makeLogScan } from '../../src/logs/scan.ts';
import { anyText } from '../support/text.ts';
import { CHROME, caddy, cloudfront, combined, json, NOON, SITE } from './samples.ts';

const TODAY = Math.floor(NOON / 86_400);

/** Page and day of the crawl in a line, by the format that the line shows. */
function crawled(line: string): [page: string, day: number] | undefined {
  const format = findFormat(line);
  assert.ok(format, `no format for ${line}`);
  const entry = FORMATS[format].parse(line);
  assert.ok(entry);
  const crawl = readCrawl(SITE, entry);
  return crawl && [crawl.page, crawl.day];
}

test('a line of each format is known by its looks', () => {
  assert.equal(findFormat(combined({})), 'combined');
  assert.equal(findFormat(combined({ host: 'example.com:443' })), 'combined');
  assert.equal(findFormat(combined({ more: ' "192.0.2.7" rt=0.003' })), 'combined');
  assert.equal(findFormat(json()), 'json');
  assert.equal(findFormat(caddy()), 'caddy');
  assert.equal(findFormat(cloudfront()), 'cloudfront');
  for (const line of ['', '-', 'nonsense', '{}', '[]', 'null', '{"a":', '#Fields: date time']) {
    assert.equal(findFormat(line), undefined, line);
  }
});

test('a line with a time that does not exist cannot be read, in each format', () => {
  const times = ['31/Feb/2026:12:00:00 +0000', '10/Mar/2026:99:00:00 +0000', '10/Mar/2026:12:60:00 +0000'];
  for (const time of [...times, '00/Mar/2026:12:00:00 +0000', '10/Mar/2026:12:00:00 +9999']) {
    assert.equal(FORMATS.combined.parse(combined({ time })), undefined, time);
  }
  assert.equal(FORMATS.combined.parse(combined({ time: '29/Feb/2028:23:59:59 -1400' }))?.agent, 'GPTBot/1.2');
  for (const at of ['2026-02-30T12:00:00Z', '2026-03-10T25:00:00Z', '2026-03-10T12:00:00+99:99']) {
    assert.equal(FORMATS.json.parse(json({ at })), undefined, at);
    assert.equal(FORMATS.caddy.parse(caddy({ ts: at })), undefined, at);
  }
  assert.equal(FORMATS.cloudfront.parse(cloudfront().replace('2026-03-10', '2026-02-30')), undefined);
});

test('the common format is refused with the reason, because it has no agents', () => {
  for (const sender of ['192.0.2.1 - - ', 'example.com:443 192.0.2.1 - ann ']) {
    for (const end of ['200 1234', '304 -', '200 0\r']) {
      const line = `${sender}[10/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" ${end}`;
      assert.throws(() => findFormat(line), /common format, without user agents.*write the combined format/, line);
    }
  }
});

test("a line of CloudFront's is decoded, by the name that the visitor asked for, and its head is no request", () => {
  const agent = 'Mozilla/5.0%20(compatible;%20Kangaroo%20Bot/1.0)';
  const entry = FORMATS.cloudfront.parse(cloudfront({ agent, referrer: 'https://example.org/%2520a', query: 'ref=x' }));
  assert.deepEqual(entry, {
    agent: 'Mozilla/5.0 (compatible; Kangaroo Bot/1.0)',
    target: '/page?ref=x',
    host: 'example.com',
    second: NOON,
    ip: '192.0.2.1',
    method: 'GET',
    status: 200,
    referrer: 'https://example.org/ a',
  });
  assert.equal(FORMATS.cloudfront.parse(cloudfront({ agent: '%E0%A4%A' }))?.agent, '%E0%A4%A');
  const head = ['#Version: 1.0', '#Fields: date time x-edge-location sc-bytes c-ip'];
  const scan = makeLogScan(SITE);
  scan
    .reader({ offset: 0, lines: 0 })
    .feed(Buffer.from(`${[...head, cloudfront({ agent }), cloudfront()].join('\n')}\n`));
  assert.deepEqual([scan.total.lines, scan.total.unreadable], [4, 0]);
  assert.deepEqual([...scan.total.requests.keys()], ['kangaroobot', 'gptbot']);
});

test('the same request is the same crawl in each format', () => {
  for (const line of [combined({}), combined({ host: 'example.com:443' }), json(), caddy(), cloudfront()]) {
    assert.deepEqual(crawled(line), ['/page', TODAY], line);
  }
});

test('the day is that of the line in UTC, whatever its offset', () => {
  const days: [line: string, day: number][] = [
    [combined({ time: '11/Mar/2026:00:59:59 +0100' }), TODAY],
    [combined({ time: '11/Mar/2026:01:00:00 +0100' }), TODAY + 1],
    [combined({ time: '10/Mar/2026:18:29:59 -0530' }), TODAY],
    [combined({ time: '10/Mar/2026:18:30:00 -0530' }), TODAY + 1],
    [json({ at: '2026-03-11T00:59:59+01:00' }), TODAY],
    [json({ at: '2026-03-11T01:00:00+01:00' }), TODAY + 1],
    [json({ at: '2026-03-10T23:59:59.999Z' }), TODAY],
    [json({ at: NOON + 86_400 }), TODAY + 1],
    [caddy({ ts: Date.parse('2026-03-10T23:59:59.999Z') / 1000 }), TODAY],
    [caddy({ ts: '2026-03-11T00:59:59.999+0100' }), TODAY],
  ];
  for (const [line, day] of days) assert.deepEqual(crawled(line), ['/page', day], line);
});

test('access log: a time without a zone is read as UTC, in whatever zone this machine is', () => {
  const zone = process.env.TZ;
  try {
    for (const machine of ['America/New_York', 'Asia/Kolkata', 'UTC']) {
      process.env.TZ = machine;
      for (const ts of ['2026/03/10 23:30:00', '2026/03/10 23:30:00.250', '2026-03-10T23:30:00', '2026-03-10 23:30']) {
        assert.deepEqual(crawled(caddy({ ts })), ['/page', TODAY], `${ts} in ${machine}`);
        assert.deepEqual(crawled(json({ at: ts })), ['/page', TODAY], `${ts} in ${machine}`);
      }
      assert.equal(FORMATS.caddy.parse(caddy({ ts: '2026/02/30 12:00:00' })), undefined);
    }
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test('the page is what a browser would write, without query', () => {
  const pages: [target: string, page: string][] = [
    ['/', '/'],
    ['/a/?utm_source=x', '/a'],
    ['/a/../b', '/b'],
    ['/caf%C3%A9', '/caf%C3%A9'],
    ['//a', '//a'],
    ['https://example.com/whole?x=1', '/whole'],
    ['https://www.example.com:8443/whole', '/whole'],
  ];
  for (const [target, page] of pages) {
    assert.deepEqual(crawled(combined({ request: `GET ${target} HTTP/1.1` })), [page, TODAY], target);
    assert.deepEqual(crawled(caddy({ request: { uri: target } })), [page, TODAY], target);
    assert.deepEqual(crawled(json({ url: target })), [page, TODAY], target);
  }
  assert.deepEqual(crawled(combined({ request: 'GET /old' })), ['/old', TODAY]);
  assert.deepEqual(crawled(combined({ request: 'HEAD /a b HTTP/2.0' })), ['/a%20b', TODAY]);
});

test('what nginx and Apache escape is read as it was', () => {
  assert.deepEqual(crawled(combined({ request: 'GET /caf\\xC3\\xA9 HTTP/1.1' })), ['/caf%C3%A9', TODAY]);
  assert.deepEqual(crawled(combined({ request: 'GET /a\\x22b HTTP/1.1' })), ['/a%22b', TODAY]);
  assert.deepEqual(crawled(combined({ request: 'GET /a\\"b HTTP/1.1' })), ['/a%22b', TODAY]);
  assert.deepEqual(crawled(combined({ agent: 'a \\"quoted\\" \\\\ \\x22 GPTBot' })), ['/page', TODAY]);
});

test('what asks for no page is no crawl, and no fault', () => {
  for (const request of ['-', '', 'OPTIONS * HTTP/1.1', 'CONNECT example.com:443 HTTP/1.1', '\\x16\\x03\\x01', 'GET']) {
    assert.equal(crawled(combined({ request })), undefined, request);
  }
});

test('what pages are made of does not count; texts, data, feeds, sitemaps and archives do', () => {
  const assets = [
    'css',
    'js',
    'mjs',
    'map',
    'png',
    'jpg',
    'jpeg',
    'JPG',
    'svg',
    'webp',
    'ico',
    'woff',
    'woff2',
    'mp4',
    'webm',
  ];
  for (const name of assets) assert.equal(crawled(json({ url: `https://example.com/a.${name}?v=1` })), undefined, name);
  const pages = [
    ...[
      '/robots.txt',
      '/llms.txt',
      '/sitemap.xml',
      '/sitemap.xml.gz',
      '/a.html',
      '/a.php',
      '/a.pdf',
      '/a.json',
      '/a.md',
    ],
    ...['/css', '/a.css/', '/a.css/b', '/ajs'],
  ];
  for (const page of pages) {
    const found = crawled(json({ url: `https://example.com${page}` }));
    // Without its slash /a.css/ is a file's name, and so it is taken for one.
    assert.equal(found?.[0], page === '/a.css/' ? undefined : page);
  }
});

test('only the site and its subdomains count where a line names the host', () => {
  const hosts: [host: string, counts: boolean][] = [
    ['example.com', true],
    ['EXAMPLE.com', true],
    ['www.example.com', true],
    ['example.com:8080', true],
    ['example.org', false],
    ['notexample.com', false],
    ['example.com.evil.example', false],
    ['192.0.2.80', false],
  ];
  for (const [host, counts] of hosts) {
    assert.equal(crawled(combined({ host })) !== undefined, counts, host);
    assert.equal(crawled(caddy({ request: { host } })) !== undefined, counts, host);
    assert.equal(crawled(json({ url: `https://${host}/page` })) !== undefined, counts, host);
  }
});

test('addresses that a proxy has put together are no host', () => {
  const line = `192.0.2.9, 192.0.2.8 - - ${combined({}).slice('192.0.2.1 - - '.length)}`;
  assert.deepEqual(crawled(line), ['/page', TODAY]);
});

test('each crawler is known in each format, and a browser in none', () => {
  for (const { token } of CRAWLERS) {
    const agent = `${CHROME} ${token}1.0`;
    for (const line of [
      combined({ agent }),
      json({ agent }),
      caddy({ request: { headers: { 'User-Agent': [agent] } } }),
    ]) {
      assert.ok(crawled(line), line);
    }
  }
  assert.equal(crawled(combined({ agent: CHROME })), undefined);
  assert.equal(crawled(json({ agent: CHROME })), undefined);
  for (const headers of [{ 'User-Agent': [CHROME] }, {}, undefined]) {
    assert.equal(crawled(caddy({ request: { headers } })), undefined);
  }
});

test('what else Caddy writes into its log is no crawl and no fault', () => {
  assert.equal(crawled(caddy({ logger: 'http.log.error.log0' })), undefined);
  assert.equal(crawled('{"level":"info","ts":1,"logger":"tls.cache.maintenance","msg":"started"}'), undefined);
});

test('a line that is cut off or lacks something cannot be read', () => {
  const lines = [combined({}), json(), caddy()];
  for (const line of lines) {
    const format = findFormat(line);
    assert.ok(format);
    for (let length = 0; length < line.length; length++) {
      assert.equal(FORMATS[format].parse(line.slice(0, length)), undefined, line.slice(0, length));
    }
  }
  for (const time of ['10/Mrz/2026:12:00:00 +0000', '2026-03-10T12:00:00Z', '10/Mar/2026 12:00:00']) {
    assert.equal(FORMATS.combined.parse(combined({ time })), undefined, time);
  }
  for (const more of [{ at: 'yesterday' }, { at: undefined }, { agent: 1 }, { url: null }]) {
    assert.equal(FORMATS.json.parse(json(more)), undefined, JSON.stringify(more));
  }
  for (const more of [{ ts: 'noon' }, { request: { uri: 1 } }, { request: { host: undefined } }]) {
    assert.equal(FORMATS.caddy.parse(caddy(more)), undefined, JSON.stringify(more));
  }
});

test('whatever a line says, reading it is no accident', () => {
  const piece = fc.constantFrom(
    '"',
    '\\',
    '[',
    ']',
    '\\x',
    '{',
    '}',
    ' ',
    '10/Mar/2026:12:00:00 +0000',
    'GPTBot',
    '] "',
  );
  const line = fc.array(fc.oneof(piece, anyText({ maxLength: 20 }))).map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      fc.oneof(
        line,
        fc.json(),
        line.map((agent) => combined({ agent })),
      ),
      (text) => {
        for (const name of FORMAT_NAMES) {
          const entry = FORMATS[name].parse(text);
          if (entry) readCrawl(SITE, entry);
        }
      },
    ),
  );
});
