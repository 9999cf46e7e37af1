import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { describeArrival } from '../../src/doctor/request.ts';
import { coded } from '../../src/lang/coded.ts';
import type { OptionName } from '../../src/options.ts';

type Given = { from?: string; settings?: Partial<Record<OptionName, string>>; headers?: Record<string, string> };

const PUBLIC = { 'base-url': 'https://stats.example.com' };
const VISITOR = '198.51.100.7';
/** A proxy of Cloudflare's. */
const EDGE = '203.0.113.9';

function arrival({ from = '127.0.0.1', settings = PUBLIC, headers = {} }: Given) {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const socket = { remoteAddress: from } as IncomingMessage['socket'];
  const seen = describeArrival({ headers: lower, socket }, readConfig(settings, {}));
  assert.equal(seen.remedy === undefined, seen.fine);
  return seen;
}

const trusting = (list: string) => ({ ...PUBLIC, 'trusted-proxies': list });
const forwarded = (list: string) => ({ 'X-Forwarded-For': list });

test('what a trusted proxy says is believed, however its address is written', () => {
  for (const from of ['127.0.0.1', '::ffff:127.0.0.1']) {
    assert.deepEqual(arrival({ from, settings: trusting('127.0.0.1'), headers: forwarded(VISITOR) }), {
      fine: true,
      says: `Your request came from ${VISITOR}, according to the trusted proxy 127.0.0.1`,
      says_codes: [coded('believed', { visitor: VISITOR, sender: '127.0.0.1' })],
      sender: '127.0.0.1',
      visitor: VISITOR,
      believed: true,
      headers: [{ name: 'X-Forwarded-For', value: VISITOR }],
    });
  }
});

test('whoever comes without anything in between is who they are', () => {
  const seen = arrival({ from: VISITOR });
  assert.deepEqual(seen, {
    fine: true,
    says: `Your request came from ${VISITOR}, without X-Forwarded-For`,
    says_codes: [coded('no_header', { visitor: VISITOR })],
    sender: VISITOR,
    visitor: VISITOR,
    believed: false,
    headers: [],
  });
  // On one's own machine, where nobody has said that the server is for others.
  for (const base of ['http://localhost:8377', 'http://192.168.1.5:8377', 'http://[::1]:8377']) {
    assert.ok(arrival({ settings: { 'base-url': base } }).fine, base);
  }
});

const CASES: [what: string, given: Given, visitor: string, remedy: RegExp][] = [
  [
    'a proxy that is not trusted',
    { headers: forwarded(VISITOR) },
    '127.0.0.1',
    /^If 127\.0\.0\.1 is your proxy, start the server with --trusted-proxies 127\.0\.0\.1$/,
  ],
  [
    'a proxy that is not among those that are trusted',
    { from: '10.0.0.2', settings: trusting('10.0.0.1'), headers: forwarded(VISITOR) },
    '10.0.0.2',
    /--trusted-proxies 10\.0\.0\.2$/,
  ],
  [
    'Cloudflare, not trusted',
    { from: EDGE, headers: { ...forwarded(VISITOR), 'CF-Connecting-IP': VISITOR } },
    EDGE,
    /^Start the server with --trusted-proxies and the IP address ranges of Cloudflare$/,
  ],
  [
    'Cloudflare before a trusted proxy',
    {
      settings: trusting('127.0.0.1'),
      headers: { ...forwarded(`${VISITOR}, ${EDGE}`), 'CF-Connecting-IP': VISITOR },
    },
    EDGE,
    /^Add the IP address ranges of Cloudflare to --trusted-proxies$/,
  ],
  [
    'a proxy that says it in another header',
    { settings: trusting('127.0.0.1'), headers: { Forwarded: `for=${VISITOR}` } },
    '127.0.0.1',
    /^Make the proxy send X-Forwarded-For$/,
  ],
  [
    'a proxy that says it in another header and is not trusted',
    { headers: { 'X-Real-IP': VISITOR } },
    '127.0.0.1',
    /^Make the proxy send X-Forwarded-For\. Then start the server with --trusted-proxies 127\.0\.0\.1$/,
  ],
  [
    'a proxy that says nothing',
    {},
    '127.0.0.1',
    /^If you are .*, ignore this\. Otherwise, make the proxy send X-Forwarded-For, and start the server/,
  ],
  [
    'a trusted proxy that names nobody',
    { settings: trusting('127.0.0.1'), headers: forwarded('unknown') },
    '127.0.0.1',
    /^If you are .*, ignore this\. Otherwise, make the proxy send X-Forwarded-For$/,
  ],
  [
    'a proxy before a trusted one',
    { settings: trusting('127.0.0.1'), headers: forwarded('172.18.0.1') },
    '172.18.0.1',
    /^If you are on the same network as the server, ignore this\. Otherwise, add 172\.18\.0\.1 to --trusted-proxies$/,
  ],
  [
    'https, of which the server does not know',
    {
      settings: { 'base-url': 'http://stats.example.com', 'trusted-proxies': '127.0.0.1' },
      headers: { ...forwarded(VISITOR), 'X-Forwarded-Proto': 'https' },
    },
    VISITOR,
    /^Start the server with --base-url and its public https URL/,
  ],
];

for (const [what, given, visitor, remedy] of CASES) {
  test(`${what} needs attention`, () => {
    const seen = arrival(given);
    assert.equal(seen.visitor, visitor);
    assert.equal(seen.believed, visitor !== seen.sender);
    assert.match(seen.remedy ?? '', remedy);
    assert.match(seen.says, new RegExp(`^Your request came from ${visitor.replaceAll('.', '\\.')}[,.] `));
  });
}

test('the headers of proxies are told as they came, cut, and no others', () => {
  const long = 'x'.repeat(300);
  const { headers } = arrival({
    settings: { ...PUBLIC, 'country-header': 'CF-IPCountry' },
    headers: {
      Cookie: 'daybook=secret',
      Authorization: 'Bearer 1|secret',
      'X-Real-IP': VISITOR,
      'CF-Connecting-IP': '<script>',
      Forwarded: long,
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-For': `${VISITOR}, ${EDGE}`,
      'CF-IPCountry': 'DE',
      'X-Forwarded-Host': 'stats.example.com',
    },
  });
  assert.deepEqual(headers, [
    { name: 'X-Forwarded-For', value: `${VISITOR}, ${EDGE}` },
    { name: 'X-Forwarded-Proto', value: 'https' },
    { name: 'Forwarded', value: 'x'.repeat(200) },
    { name: 'CF-Connecting-IP', value: '<script>' },
    { name: 'X-Real-IP', value: VISITOR },
    { name: 'cf-ipcountry', value: 'DE' },
  ]);
  assert.deepEqual(arrival({ headers: { 'CF-IPCountry': 'DE' } }).headers, []);
});
