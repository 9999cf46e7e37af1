import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CRAWLERS } from '../../src/classify/crawlers.ts';
import { crawlIn, FORMAT_NAMES, FORMATS, formatOf } from '../../src/logs/lines.ts';
import { logScan } from '../../src/logs/scan.ts';

const SITE = { id: 1, domain: 'example.com', tracksCrawlers: true };
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const NOON = Date.parse('2026-03-10T12:00:00Z') / 1000;
const TODAY = Math.floor(NOON / 86_400);

type Combined = { host?: string; time?: string; request?: string; agent?: string; more?: string };

const combined = ({ host, time = '10/Mar/2026:12:00:00 +0000', request, agent = 'GPTBot/1.2', more = '' }: Combined) =>
  `${host ? `${host} ` : ''}192.0.2.1 - - [${time}] "${request ?? 'GET /page HTTP/1.1'}" 200 1234 "-" "${agent}"${more}`;

const json = (more: object = {}) =>
  JSON.stringify({
    url: 'https://example.com/page',
    agent: 'GPTBot',
    status: 200,
    at: '2026-03-10T12:00:00Z',
    ...more,
  });

const caddy = ({ request = {}, ...more }: { request?: object } & Record<string, unknown> = {}) =>
  JSON.stringify({
    level: 'info',
    ts: NOON + 0.25,
    logger: 'http.log.access.log0',
    msg: 'handled request',
    request: {
      remote_ip: '192.0.2.1',
      method: 'GET',
      host: 'example.com',
      uri: '/page',
      headers: { 'User-Agent': ['GPTBot'] },
      ...request,
    },
    status: 200,
    ...more,
  });

/** Page and day of the crawl that a line tells of, in the format that it shows. */
function crawled(line: string): [page: string, day: number] | undefined {
  const format = formatOf(line);
  assert.ok(format, `no format for ${line}`);
  const logged = FORMATS[format].parse(line);
  assert.ok(logged);
  const crawl = crawlIn(SITE, logged);
  return crawl && [crawl.page, crawl.day];
}

test('a line of each format is known by its looks', () => {
  assert.equal(formatOf(combined({})), 'combined');
  assert.equal(formatOf(combined({ host: 'example.com:443' })), 'combined');
  assert.equal(formatOf(combined({ more: ' "192.0.2.7" rt=0.003' })), 'combined');
  assert.equal(formatOf(json()), 'json');
  assert.equal(formatOf(caddy()), 'caddy');
  const common = '192.0.2.1 - - [10/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 1234';
  for (const line of ['', '-', 'nonsense', '{}', '[]', 'null', '{"a":', '#Fields: date time', common]) {
    assert.equal(formatOf(line), undefined, line);
  }
});

test('the same request is the same crawl in each format', () => {
  for (const line of [combined({}), combined({ host: 'example.com:443' }), json(), caddy()]) {
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
    const format = formatOf(line);
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
  const line = fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 20 }))).map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      fc.oneof(
        line,
        fc.json(),
        line.map((agent) => combined({ agent })),
      ),
      (text) => {
        for (const name of FORMAT_NAMES) {
          const logged = FORMATS[name].parse(text);
          if (logged) crawlIn(SITE, logged);
        }
      },
    ),
  );
});

/** All that is counted in a text that comes in pieces of these lengths, the last of them to its end. */
function scanned(bytes: Buffer, lengths: number[]) {
  const scan = logScan(SITE);
  const reading = scan.reading({ offset: 0, lines: 0 });
  const batch = [];
  let from = 0;
  // The same memory each time, as when a file is read.
  const memory = Buffer.alloc(bytes.length);
  for (const length of [...lengths, bytes.length]) {
    const size = bytes.copy(memory, 0, from, from + length);
    reading.take(memory.subarray(0, size));
    memory.fill(0);
    from += size;
  }
  reading.end(true);
  batch.push(...scan.takeBatch());
  return { total: scan.total, position: reading.position(), batch };
}

test('in whatever pieces a log comes in, it says the same', () => {
  const lines = [
    combined({}),
    combined({ agent: CHROME }),
    combined({ agent: CHROME, request: 'GET /gptbot HTTP/1.1' }),
    combined({ request: 'GET /caf\u00e9 HTTP/1.1' }),
    'nonsense about ClaudeBot',
    'nonsense',
    '',
    combined({ agent: 'ClaudeBot' }),
  ];
  const bytes = Buffer.from(lines.join('\n'));
  const whole = scanned(bytes, []);
  assert.deepEqual(whole.total, {
    lines: 7,
    unreadable: 2,
    firstUnreadable: 5,
    requests: new Map([
      ['gptbot', 2],
      ['claudebot', 1],
    ]),
  });
  assert.deepEqual(
    whole.batch.map(({ crawler, page, requests }) => [crawler, page, requests]),
    [
      ['gptbot', '/page', 1],
      ['gptbot', '/caf%C3%A9', 1],
      ['claudebot', '/page', 1],
    ],
  );
  assert.deepEqual(whole.position, { offset: bytes.length, lines: 7 });
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 300 })), (lengths) => {
      assert.deepEqual(scanned(bytes, lengths), whole);
    }),
  );
});

test('no crawler is overlooked among the lines of browsers, in any format and case', () => {
  const agents = CRAWLERS.flatMap(({ token }) => [`${CHROME} ${token}1.0`, token.toUpperCase() + 1, CHROME]);
  const formats = [
    (agent: string) => combined({ agent }),
    (agent: string) => json({ agent }),
    // As PHP writes it.
    (agent: string) => json({ agent }).replaceAll('/', '\\/'),
    (agent: string) => caddy({ request: { headers: { 'User-Agent': [agent] } } }),
  ];
  for (const format of formats) {
    const { total } = scanned(Buffer.from(agents.map(format).join('\n')), []);
    assert.equal(total.lines, agents.length);
    assert.deepEqual(total.requests, new Map(CRAWLERS.map(({ id }) => [id, 2])));
  }
});

test('lines of a browser cost no parsing, and still one that is none is noticed', () => {
  const text = `${combined({ agent: CHROME })}\n192.0.2.1 something else\n${json({ agent: CHROME })}\n`;
  const { total } = scanned(Buffer.from(text.repeat(3)), []);
  assert.equal(total.lines, 9);
  assert.equal(total.unreadable, 6);
  assert.equal(total.firstUnreadable, 2);
});

test('a line without end is passed over as one that cannot be read, and takes no memory', () => {
  const long = Buffer.from(`${combined({})}\n${'GPTBot '.repeat(100_000)}\n${combined({})}\n`);
  const { total, position } = scanned(long, Array(40).fill(20_000));
  assert.equal(total.lines, 3);
  assert.equal(total.unreadable, 1);
  assert.equal(total.firstUnreadable, 2);
  assert.equal(total.requests.get('gptbot'), 2);
  assert.deepEqual(position, { offset: long.length, lines: 3 });
});

test('a line from before 1970 or after 2328 cannot be read', () => {
  for (const year of ['1969', '2329', '9999']) {
    const { total } = scanned(
      Buffer.from(`${combined({})}\n${combined({ time: `10/Mar/${year}:12:00:00 +0000` })}\n`),
      [],
    );
    assert.equal(total.unreadable, 1, year);
    assert.equal(total.requests.get('gptbot'), 1, year);
  }
});

test('what is no access log is refused after a few lines', () => {
  assert.throws(() => scanned(Buffer.from('nonsense\n'.repeat(20)), []), /this is no access log/);
});
