/**
 * What every first-party set-up must do: a web server of a site forwards /linen/ to daybook. The visitors come from 127.0.0.2 and
 * 127.0.0.3, which are in Germany and in France for this test. Everything else is in New Zealand.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { openStore } from '../../src/store/file/open-file.ts';
import { furnish } from '../support/furnish.ts';
import { makeMmdbOf } from '../support/mmdb.ts';
import { program } from '../support/program.ts';

const [FIREFOX, IPHONE] = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:141.0) Gecko/20100101 Firefox/141.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
];
const VISITORS = [
  { address: '127.0.0.2', headers: { 'user-agent': FIREFOX, 'accept-language': 'de-DE,de;q=0.9' } },
  { address: '127.0.0.3', headers: { 'user-agent': IPHONE, 'accept-language': 'fr' } },
] as const;
const SEEN = [
  { country: 'DE', browser: 'Firefox', language: 'de' },
  { country: 'FR', browser: 'Safari', language: 'fr' },
];
const FORGED = '127.0.0.9';
const [TEXT_TYPE, JSON_TYPE] = ['text/plain;charset=UTF-8', 'application/json'];

/** Passes bytes on to daybook and keeps a copy, so that a test can see all headers that arrive. */
async function relay(t: TestContext, to: number): Promise<{ port: number; seen: () => string }> {
  let seen = '';
  const server = createServer((visitor) => {
    const daybook = connect(to, '127.0.0.1');
    visitor.on('data', (bytes) => (seen += bytes.toString('latin1')));
    visitor.pipe(daybook).pipe(visitor);
    for (const socket of [visitor, daybook]) socket.on('error', () => visitor.destroy(daybook.destroy() as never));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => void server.close());
  return { port: (server.address() as AddressInfo).port, seen: () => seen };
}

/** `port` is the one of daybook. The token is empty if the web server has none. */
export type Place = { folder: string; port: number; token: string };
/** Gives the port of the web server. */
export type SetUp = (place: Place) => Promise<number>;
type How = {
  /** The web server has a token. Without a token, daybook trusts its IP address. */
  hasToken?: boolean;
  /** The web server stands behind a proxy of its own, which adds the IP address of the visitor. */
  isBehindProxy?: boolean;
};

export async function checkFirstParty(t: TestContext, setUp: SetUp, how: How = {}): Promise<void> {
  const daybook = program(t);
  const token = await furnish(daybook.db);
  const countries = join(daybook.folder, 'countries.mmdb');
  const known = { '127.0.0.2': { country_code: 'DE' }, '127.0.0.3': { country_code: 'FR' } };
  writeFileSync(countries, makeMmdbOf(known, { country_code: 'NZ' }));
  const server = await daybook.serve([
    ...['--script', '/linen/ripple', '--geoip', countries],
    ...(how.hasToken ? [] : ['--trusted-proxies', '127.0.0.1']),
  ]);
  const between = await relay(t, server.port);
  const port = await setUp({ folder: daybook.folder, port: between.port, token: how.hasToken ? token : '' });

  const ask = visitorsAt(port, how);

  const [german, french] = VISITORS;
  const script = await ask('GET', '/linen/ripple.js', german);
  assert.equal(script.status, 200, script.text);
  assert.match(script.text, /currentScript/);
  assert.match(String(script.headers['content-type']), /^text\/javascript/);
  assert.equal(script.headers['cache-control'], 'public, max-age=86400');
  assert.equal(script.headers['set-cookie'], undefined);

  const message = JSON.stringify({ site: 'example.com', url: 'https://example.com/größe', width: 1440 });
  const url = '/linen/ripple';
  const answers = [
    await ask('POST', url, german, message),
    await ask('POST', url, french, message),
    await ask('POST', url, french, message, FORGED),
    await ask('GET', `${url}.gif?site=example.com&url=https%3A%2F%2Fexample.com%2Fpixel`, german),
  ];
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers['daybook-dropped']]),
    [...Array(3).fill([202, undefined]), [200, undefined]],
  );
  const unknown = await ask('POST', url, german, JSON.stringify({ site: 'nobody.example', url: 'https://x.example/' }));
  // With a token, daybook says that the token is not for this site.
  assert.deepEqual(
    [unknown.status, unknown.headers['daybook-dropped']],
    how.hasToken ? [404, undefined] : [202, 'unknown-site'],
  );
  assert.doesNotMatch((await ask('GET', '/readyz', german)).text, /"ready"/, 'only the folder is forwarded');
  await checkWaysUp(ask);

  assert.equal(await server.stop(), 0);
  const hits = hitsIn(daybook.db);
  assert.deepEqual(
    hits.map(({ visitor: _, ...hit }) => hit),
    [SEEN[0], SEEN[1], SEEN[1], SEEN[0]],
  );
  const [first, second, third, fourth] = hits.map(({ visitor }) => visitor);
  assert.notEqual(first, second);
  assert.deepEqual([third, fourth], [second, first]);
  assert.match(between.seen(), /POST \/linen\/ripple HTTP/);
  assert.doesNotMatch(between.seen(), /session=secret|c2VjcmV0/i, 'no cookie and no password arrives');
}

/** What the API answers to hits: accepted, without a token, with another token, or wrong. */
const OF_API = [202, 401, 403, 422];

/** Nobody gets from the folder to the API, where the token of the web server may send hits with any IP address. */
async function checkWaysUp(ask: ReturnType<typeof visitorsAt>): Promise<void> {
  const hits = JSON.stringify([{ url: 'https://example.com/', ip: FORGED, agent: FIREFOX }]);
  for (const up of ['..', '%2e%2e', '.%2E', '..\\..', '..%5c..', 'ripple/../..']) {
    const path = `/linen/${up}/api/v1/sites/example.com/hits`;
    const { status } = await ask('POST', path, VISITORS[1], hits, '', JSON_TYPE);
    assert.ok(!OF_API.includes(status ?? 0), `${path}: ${status}`);
  }
}

type Visitor = (typeof VISITORS)[number];

/** Makes a function with which a visitor sends a request to the web server, as a browser would, with a cookie. */
function visitorsAt(port: number, { isBehindProxy = false }: How) {
  return async function ask(method: string, path: string, from: Visitor, body = '', forged = '', type = TEXT_TYPE) {
    const hops = [forged, isBehindProxy ? from.address : ''].filter(Boolean).join(', ');
    const localAddress = isBehindProxy ? '127.0.0.1' : from.address;
    const headers = {
      ...from.headers,
      host: 'example.com',
      cookie: 'session=secret',
      authorization: 'Basic c2VjcmV0',
      // Some frameworks refuse a request of another website.
      ...(method === 'POST' && { origin: 'https://example.com' }),
      ...(isBehindProxy && { 'x-forwarded-proto': 'https' }),
      ...(hops && { 'x-forwarded-for': hops }),
      ...(forged && { 'cf-ipcountry': 'NZ' }),
      ...(method === 'POST' && {
        'content-type': type,
        'content-length': Buffer.byteLength(body),
      }),
    };
    const asking = request({ port, host: '127.0.0.1', localAddress, method, path, agent: false, headers }).end(body);
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
  };
}

type Row = { visitor: number; country: string; browser: string; language: string };

function hitsIn(path: string): Row[] {
  const { db, close } = openStore(path);
  const term = (name: string) =>
    `(SELECT text FROM term t WHERE t.site_id = h.site_id AND t.id = h.${name}) AS ${name}`;
  const names = ['country', 'browser', 'language'].map(term).join(', ');
  const rows = db.all<Row>(`SELECT h.visitor, ${names} FROM hit h ORDER BY h.id`);
  close();
  return rows;
}
