import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAddressList } from '../../../src/lib/http/address.ts';
import { CHROME } from '../../integrations/crawled.ts';
import { readFile, refusal, told } from '../files.ts';

const NOON = '05/Jan/2026:12:00:00 +0200';

const combined = ({
  request = 'GET /a?utm_source=n HTTP/1.1',
  status = 200,
  referrer = '-',
  agent = CHROME,
  host = '',
  ip = '192.0.2.1',
}) => `${host}${ip} - - [${NOON}] "${request}" ${status} 1234 "${referrer}" "${agent}"\n`;

const VERSIONS = { browser_version: 'Chrome 140', os_version: 'Linux' };
const words = {
  at: '2026-01-05T10:00:00Z',
  page: '/a',
  hostname: 'example.com',
  device: 'Desktop',
  browser: 'Chrome',
  os: 'Linux',
  ...VERSIONS,
};

test('a page that somebody asked for is a pageview, in each format', () => {
  const caddy = JSON.stringify({
    logger: 'http.log.access',
    ts: Date.parse('2026-01-05T10:00:00Z') / 1000,
    status: 200,
    request: {
      remote_ip: '10.0.0.1',
      client_ip: '192.0.2.1',
      method: 'GET',
      host: 'example.com',
      uri: '/a/',
      headers: { 'User-Agent': [CHROME], Referer: ['https://x.org/'] },
    },
  });
  const json = JSON.stringify({
    url: 'https://example.com/a',
    agent: CHROME,
    at: '2026-01-05T10:00:00Z',
    ip: '192.0.2.1',
    referrer: 'https://x.org/',
  });
  for (const [text, more] of [
    [combined({ referrer: 'https://www.x.org/p' }), { source: 'x.org', utm_source: 'n' }],
    [combined({ host: 'www.example.com:443 ' }), { utm_source: 'n' }],
    [`${caddy}\n`, { source: 'x.org' }],
    [`${json}\n`, { source: 'x.org' }],
  ] as const) {
    const { hits, left } = readFile('log', text);
    assert.deepEqual([hits.map(told), left], [[{ ...words, ...more }], []], text);
    // The same visitor in each of them, by address and agent.
    assert.equal(hits[0]?.visitor, readFile('log', combined({})).hits[0]?.visitor);
  }
});

test('files that programs ask for are no pages, whoever asks', () => {
  const text = [
    '/robots.txt',
    '/favicon.ico',
    '/.well-known/security.txt',
    '/sitemap.xml',
    '/robots.txt.html',
    '/a/robots.txt',
  ]
    .map((path) => combined({ request: `GET ${path} HTTP/1.1` }))
    .join('');
  const { hits, left } = readFile('log', text);
  assert.deepEqual(
    hits.map((hit) => told(hit).page),
    ['/robots.txt.html', '/a/robots.txt'],
  );
  assert.deepEqual(left, [
    ['files for programs', 1],
    ['files that pages load', 2],
    ['files for programs', 3],
    ['files for programs', 4],
  ]);
});

test('a request from an excluded address is left where it would have been a pageview', () => {
  const text = [
    combined({}),
    combined({ ip: '203.0.113.7' }),
    combined({ ip: '::ffff:203.0.113.7' }),
    combined({ ip: '203.0.113.7', status: 404 }),
    combined({ ip: '203.0.113.8' }),
  ].join('');
  const { hits, left } = readFile('log', text, readAddressList('203.0.113.7'));
  assert.equal(hits.length, 2);
  assert.deepEqual(left, [
    ['excluded IP addresses', 2],
    ['excluded IP addresses', 3],
    ['answers other than 2xx and 304', 4],
  ]);
});

test('what no person looked at is left, each with its reason', () => {
  const { hits, left } = readFile(
    'log',
    [
      combined({}),
      combined({ request: 'POST /a HTTP/1.1' }),
      combined({ status: 404 }),
      combined({ status: 301 }),
      combined({ status: 304 }),
      combined({ request: 'GET /a/style.css?v=1 HTTP/1.1' }),
      combined({ agent: 'GPTBot/1.2' }),
      combined({ agent: 'curl/8.0' }),
      combined({ host: 'other.example ' }),
      combined({ request: '\\x16\\x03\\x01' }),
      combined({ referrer: 'https://semalt.com/' }),
      '\n',
      'something else\n',
    ].join(''),
  );
  assert.equal(hits.length, 2);
  assert.deepEqual(left, [
    ['methods other than GET', 2],
    ['answers other than 2xx and 304', 3],
    ['answers other than 2xx and 304', 4],
    ['files that pages load', 6],
    ['bots', 7],
    ['bots', 8],
    ['another host', 9],
    ['requests without a page', 10],
    ['referrer spam', 11],
    ['lines that cannot be read', 13],
  ]);
});

test('a line without the IP address of a visitor is left, whatever a client made a proxy write there', () => {
  const ips = ['unknown,', 'unknown, 192.0.2.1', 'host.example', '192.0.2.1, 198.51.100.1', '2001:db8::1'];
  const { hits, left } = readFile('log', ips.map((ip) => combined({ ip })).join(''));
  assert.equal(hits.length, 2);
  assert.deepEqual(left, [
    ['no IP address', 1],
    ['no IP address', 2],
    ['no IP address', 3],
  ]);
});

test('no stranger can make a log one that cannot be read, by a long request or by bytes that are no text', () => {
  const long = '\\xFF'.repeat(8_000);
  const lines = combined({}) + combined({ request: `GET /${long} HTTP/1.1`, referrer: long });
  const { hits, left } = readFile('log', Buffer.from(lines + combined({ referrer: '\xff' }), 'latin1'));
  assert.deepEqual([hits.length, left], [3, []]);
});

test('a status in quotes counts as a number would', () => {
  const line = (status: unknown) =>
    JSON.stringify({ url: '/a', agent: CHROME, at: 1767607200, ip: '192.0.2.1', status });
  const { hits, left } = readFile('log', ['200', '404', 404, 200, undefined].map((one) => `${line(one)}\n`).join(''));
  assert.equal(hits.length, 3);
  assert.deepEqual(left, [
    ['answers other than 2xx and 304', 2],
    ['answers other than 2xx and 304', 3],
  ]);
});

test('what is no access log is refused, and so is one without addresses', () => {
  assert.match(refusal('log', 'hello\n'), /^this is no access log in the formats combined, caddy, json or cloudfront/);
  assert.match(refusal('log', 'hello\n'.repeat(100)), /^this is no access log/);
  const json = JSON.stringify({ url: '/a', agent: CHROME, at: '2026-01-05T10:00:00Z' });
  assert.match(refusal('log', json), /^line 1: ip: is required where there are not both ip and agent$/);
});
