import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BROWSER, CHROME } from '../test/collect/stage.ts';
import type { Server } from '../test/support/program.ts';
import { type Client, clientOf, quantile } from './clients.ts';
import { scaled } from './scale.ts';
import { serving } from './serving.ts';
import { impatient } from './watch.ts';

const STALL_MS = 50;

const PAGE = { site: 'example.com', url: 'https://example.com/' };
const HIT = { url: PAGE.url, ip: '85.214.1.1', agent: CHROME };

const keys = (count: number): string =>
  `{${Array.from({ length: count }, (_, n) => `"${n.toString(36)}":0`).join(',')}}`;
const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const long = (length: number): string => 'x'.repeat(length);

/** By what it is: bytes, and the status from where at most 8 KiB go in, 64 KiB (a token and a funnel), and a list of 1 MiB. */
type Body = [what: string, text: string, day: number, object: number, list: number];
const BODIES: Body[] = [
  ['100,000 deep', deep(100_000), 413, 413, 422],
  ['as deep as goes in', deep(4_000), 422, 422, 422],
  ['a million keys', keys(1_000_000), 413, 413, 413],
  ['as many keys as go into a list', `[${keys(115_000)}]`, 413, 413, 422],
  ['a list of 340,000 empty objects', `[${'{},'.repeat(340_000)}{}]`, 413, 413, 422],
  ['a list of 500,000 nothings', `[${'0,'.repeat(500_000)}0]`, 413, 413, 422],
  ['a list within, of steps', `{"name":"x","steps":[${'{},'.repeat(21_000)}{}]}`, 413, 422, 422],
  ['a list within, of abilities', `{"name":"x","abilities":[${'0,'.repeat(32_000)}0]}`, 413, 422, 422],
  ['a text of 1 MB', JSON.stringify({ ...PAGE, event: long(1_000_000) }), 413, 413, 422],
  ['a list with a text of 1 MB', JSON.stringify([{ ...HIT, label: long(1_000_000) }]), 413, 413, 422],
  ['__proto__', `[${'{"__proto__":{"isAdmin":true},"url":"https://example.com/"},'.repeat(50)}{}]`, 422, 422, 422],
  ['constructor', '{"constructor":{"prototype":{"isAdmin":true}}}', 422, 422, 422],
  ['toString', '{"toString":1,"valueOf":2,"hasOwnProperty":3}', 422, 422, 422],
  ['own __proto__', '{"site":"example.com","url":"https://example.com/","__proto__":{"isAdmin":true}}', 422, 422, 422],
  ['half a surrogate', JSON.stringify({ ...PAGE, event: '\ud800' }), 422, 422, 422],
  ['the other half', JSON.stringify([{ ...HIT, event: 'a\udc00b' }]), 422, 422, 422],
  ['numbers that are none', '{"site":1e999,"url":-0,"engaged":1e999}', 422, 422, 422],
  ['nothing but white space', ' '.repeat(8_000), 422, 422, 422],
];

/** The longest that somebody else had to wait for a trifle while it went on. */
async function stall(server: Server, work: () => Promise<unknown>): Promise<number> {
  let isOver = false;
  const done = work().finally(() => {
    isOver = true;
  });
  const [took] = await Promise.all([impatient(server, () => isOver), done]);
  return quantile(took, 1);
}

function readable(text: string): boolean {
  try {
    return Boolean(JSON.parse(text));
  } catch {
    return false;
  }
}

function timeOf(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Names that look odd and are right. */
const ODD = [
  '\u202eevil\u202c',
  'שלום עולם',
  '👨‍👩‍👧‍👦🏴‍☠️',
  'e\u0301\u0301\u0301',
  '\u0000\u0001\u007f',
  '__proto__',
  'constructor',
  'toString',
];

/** Such names go in and out as they were. */
async function assertKept(client: Client, api: Record<string, string>): Promise<void> {
  for (const event of ODD) {
    const answer = await client.ask('POST', '/day', {
      headers: BROWSER,
      body: JSON.stringify({ ...PAGE, event, label: event }),
    });
    assert.deepEqual([answer.status, answer.headers['daybook-dropped']], [202, undefined], event);
  }
  const report = await client.ask('GET', '/api/v1/sites/example.com/stats/breakdown/events?limit=100', {
    headers: api,
  });
  const { rows } = JSON.parse(report.text).data;
  assert.deepEqual(rows.map(({ value }: { value: string }) => value).sort(), ODD.toSorted());
  for (const event of ODD) {
    const query = new URLSearchParams({ event, range: 'today' });
    const labels = await client.ask('GET', `/api/v1/sites/example.com/stats/breakdown/event_labels?${query}`, {
      headers: api,
    });
    assert.deepEqual(JSON.parse(labels.text).data.rows, [{ value: event, visitors: 1 }], event);
  }
  const account = await client.ask('GET', '/api/v1/account', { headers: api });
  assert.deepEqual(Object.keys(JSON.parse(account.text).data), [
    'id',
    'email',
    'plan',
    'events_used',
    'events_included',
    'limits',
    'abilities',
  ]);
  assert.equal(JSON.parse(account.text).data.events_used, ODD.length);
}

test('H5 bodies of every odd kind are refused, stall nobody and pollute nothing', async (t) => {
  const { server, token } = await serving(t, { flags: ['--rate-limit', '0', '--flood', '0'] });
  const client = clientOf(server.port);
  const api = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const ask = (path: string, headers: Record<string, string>, body: string) =>
    client.ask('POST', path, { headers, body });
  let worst = 0;
  for (const [what, body, day, object, list] of BODIES) {
    const send = async () => {
      const got = [
        await ask('/day', BROWSER, body),
        await ask('/api/v1/tokens', api, body),
        await ask('/api/v1/sites/example.com/funnels', api, body),
        await ask('/api/v1/sites/example.com/hits', api, body),
      ];
      for (const [n, { status, text }] of got.entries()) {
        const wanted = [day, object, object, list][n];
        // Who is still sending when the server has seen enough may not get to read why.
        if (wanted === 413 && status === 0) continue;
        assert.equal(status, wanted, what);
        assert.match(text, /^\{"error":\{"code":"(invalid_request|payload_too_large)"/, what);
      }
    };
    // Another program on this machine may hold up one of them, and not all.
    const stalls = [];
    for (let n = 0; n < scaled(3, 10); n++) stalls.push(await stall(server, send));
    const least = Math.min(...stalls);
    worst = Math.max(worst, least);
    // What it takes to read JSON of that size nobody can save.
    const reading = Math.min(...[0, 1, 2].map(() => timeOf(() => readable(body))));
    assert.ok(least < STALL_MS + 2 * reading, `${what}: ${least} ms, of which ${reading} to read it`);
  }
  t.diagnostic(`others waited at most ${worst.toFixed(1)} ms`);
  await assertKept(client, api);
  client.close();
  assert.deepEqual(server.stderr, []);
});

test('H6 headers of 20 KB, 3,000 of them, and a URL of 20 KB are answered in the shape of the API', async (t) => {
  const { server } = await serving(t, {});
  const client = clientOf(server.port);
  const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`a${n}`, 'b']));
  for (const [path, headers] of [
    ['/', { a: long(20_000) }],
    ['/', many],
    [`/${long(20_000)}`, {}],
    [`/api/v1/sites?${long(20_000)}`, {}],
  ] as [string, Record<string, string>][]) {
    const { status, text } = await client.ask('GET', path, { headers });
    assert.deepEqual([status, JSON.parse(text).error.code], [431, 'headers_too_large']);
  }
  client.close();
});
