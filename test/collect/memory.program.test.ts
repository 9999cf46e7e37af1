/*
 * What the memory of a server holds of its visitors once their hits are answered. The heap of the built server is searched for
 * IP addresses, user agents and queries. Each has a mark that nothing else has:
 *
 *   203.81.x.y           an IPv4 address: as text, and as a number from 0xcb510000 to 0xcb51ffff
 *   2001:db8:e7e5:x::y   an IPv6 address: as text, and as a number from 0xe7e50000 to 0xe7e5ffff
 *   handset-mark17       a word in a user agent
 *   query-mark17         a word in the query of a page
 *
 * Text is in the snapshot of the heap. Numbers in Maps, Sets and arrays, and what Buffers hold, are not: the inspector lists these
 * objects. What node has freed in its pool of Buffers is nobody's. Planted ones show that the search finds what there is.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { DAYBOOK, PROGRAM, type Program, program, type Server, until } from '../support/program.ts';
import { BROWSER, CHROME, CURL, GPTBOT } from './stage.ts';

const SENT = 1_200;
const EXCLUDED = '203.81.7.0/24, 2001:db8:e7e5:7::/64';
/** The list of excluded IP addresses as it was given, and the numbers of its blocks. */
const OPERATORS = [EXCLUDED, String(0xcb510700 | 0), String(0xe7e50007 | 0)];

const OWN_TEXT = readFileSync(PROGRAM, 'utf8');

/** Each is in another kind of object. */
const PLANTED = [
  ...['203.81.1.1', '2001:db8:e7e5:2', '203.81.1.3', 'handset-mark4', 'handset-mark5'],
  ...[0xcb510006, 0xcb510007 | 0, 0xcb510008, 0xe7e50009 | 0, 0xe7e5000a].map(String),
];

/**
 * Runs in the server: on a signal it writes the snapshot, and what the inspector lists. What is planted is in both. In brackets the
 * marks do not find themselves.
 */
const searcherOf = (planted: string): string => `import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { setFlagsFromString, writeHeapSnapshot } from 'node:v8';
setFlagsFromString('--heap-snapshot-string-limit=1000000');
globalThis.planted = ${planted};
const session = new Session();
session.connect();
function post(method, params) {
  let result;
  session.post(method, params, (error, given) => { result = given; });
  return result;
}
const isMarked = (value) => typeof value === 'number' && [0xcb51, 0xe7e5].includes(value >>> 16) && Math.abs(value) < 2 ** 32;
const TEXT = /203[.]81[.]|2001:0?db8:e7e[5]|(?:handset|query)-mar[k]/i;
let found = [];
const look = (value) => { if (isMarked(value)) found.push(String(value)); };
const SEARCHES = [
  [Map.prototype, (one) => Map.prototype.forEach.call(one, (value, key) => { look(value); look(key); })],
  [Set.prototype, (one) => Set.prototype.forEach.call(one, look)],
  [Array.prototype, (one) => Array.prototype.forEach.call(one, look)],
  [Object.getPrototypeOf(Uint8Array.prototype), (one) => {
    if (one.byteLength === Buffer.poolSize && one.buffer === Buffer.from('x').buffer) return;
    Array.from(one).forEach(look);
    const text = Buffer.from(one.buffer, one.byteOffset, one.byteLength).toString('latin1');
    const at = text.search(TEXT);
    if (at >= 0) found.push(text.slice(at, at + 40));
  }],
];
function search([prototype, inside]) {
  globalThis.searched = { prototype, inside };
  const { result } = post('Runtime.evaluate', { expression: 'searched.prototype' });
  const { objects } = post('Runtime.queryObjects', { prototypeObjectId: result.objectId });
  const functionDeclaration = \`function () {
    let count = 0;
    for (const one of this) {
      try { searched.inside(one); count++; } catch {}
    }
    return count;
  }\`;
  return post('Runtime.callFunctionOn', { objectId: objects.objectId, functionDeclaration, returnByValue: true }).result.value;
}
process.on('SIGUSR2', () => {
  found = [];
  writeHeapSnapshot('heap', { exposeInternals: true, exposeNumericValues: true });
  const counts = SEARCHES.map(search);
  writeFileSync('found', JSON.stringify({ counts, found }));
  console.error('searched');
});`;

const programWith = (t: TestContext, planted: string): Program => {
  const hook = `data:text/javascript,${encodeURIComponent(searcherOf(planted))}`;
  return program(t, { command: [process.execPath, '--import', hook, ...DAYBOOK] });
};

type Found = { counts: number[]; found: string[] };

/** The marks that are in the heap of a server, but for those of its settings. */
async function marksIn({ folder }: Program, server: Server): Promise<string[]> {
  const before = server.stderr.length;
  server.kill('SIGUSR2');
  await until('the heap is searched', () => server.stderr.includes('searched', before));
  const { strings } = JSON.parse(readFileSync(join(folder, 'heap'), 'utf8')) as { strings: string[] };
  const { counts, found } = JSON.parse(readFileSync(join(folder, 'found'), 'utf8')) as Found;
  for (const count of counts) assert.ok(count > 0, 'every server has so many of each kind');
  const text = /203\.81\.|cb51[0-9a-f]{4}|cb51:|2001:0?db8:e7e5|e7e5[0-9a-f]{4}|(?:handset|query)-mark/gi;
  // `>>>` would take the low half of a visitor code, and one in 30,000 of them begins like an IP address.
  const isNumber = (one: string) =>
    /^-?\d+$/.test(one) && Math.abs(Number(one)) < 2 ** 32 && [0xcb51, 0xe7e5].includes(Number(one) >>> 16);
  // The hash in the name of an asset may look like an IP address by chance. The program's own text has it too.
  const isText = (one: string) => (one.match(text) ?? []).some((mark) => !OWN_TEXT.includes(mark));
  const marks = [...found, ...strings.filter((one) => isNumber(one) || isText(one))];
  return marks.filter((mark) => !OPERATORS.includes(mark));
}

test('memory: the search finds what is planted, as text and as numbers', async (t) => {
  // Made in the server, so that its own text has no mark.
  const planted = `(() => {
    const [four, six, agent] = [['203', '81', ''].join('.'), ['2001', 'db8', 'e7e5', ''].join(':'), ['handset', 'mark'].join('-')];
    const [high, low] = [0xcb50 + 1, 0xe7e4 + 1];
    return [
      new Map([[[four, '1.1'].join(''), [six, '2'].join('')]]), Buffer.from(four + '1.3'), ['x'.repeat(2_000), agent, '4'].join(''),
      [[agent, '5', 'y'.repeat(100)].join('').slice(50)], new Set([high * 65_536 + 6]), new Map([[(high << 16) | 7, 0]]), [high * 65_536 + 8],
      { number: (low << 16) | 9 }, new Float64Array([low * 65_536 + 10]),
    ];
  })()`;
  const place = programWith(t, planted);
  const found = (await marksIn(place, await place.serve())).join();
  for (const mark of PLANTED) assert.ok(found.includes(mark), `${mark} is found`);
});

test('memory: no IP address, no user agent and no query is there after the answer', async (t) => {
  const place = programWith(t, '[]');
  await place.print(['user', 'add', 'owner@example.com']);
  await place.print(['site', 'add', 'owner@example.com', 'a-long-domain.example']);
  const token = await place.print(['token', 'add', 'owner@example.com', '--name', 'hits', '--abilities', 'collect']);
  const server = await place.serve([
    ...['--exclude-addresses', EXCLUDED, '--trusted-proxies', '127.0.0.1, ::1', '--flood', '5'],
  ]);
  // A proxy keeps its connections; some visitors come without one.
  const proxy = new Agent({ keepAlive: true, maxSockets: 8 });
  t.after(() => proxy.destroy());
  const ask = async (method: string, path: string, asking: RequestOptions, body?: unknown): Promise<number> => {
    const sending = request({ agent: proxy, port: server.port, method, path, ...asking });
    sending.end(body === undefined ? undefined : JSON.stringify(body));
    const [answer] = await once(sending, 'response');
    await once(answer.resume(), 'end');
    return answer.statusCode;
  };
  const addressOf = (n: number) => (n % 2 ? `203.81.${n % 9}.${n % 200}` : `2001:db8:e7e5:${n % 9}::${n % 200}`);
  const agentOf = (n: number) => `${[CHROME, CHROME, CHROME, GPTBOT, CURL][n % 5]} handset-mark${n}`;
  const pageOf = (n: number) => ({
    site: 'a-long-domain.example',
    url: `https://a-long-domain.example/a-page-with-a-long-name/${n % 50}?token=query-mark${n}`,
    referrer: `https://a-source-with-a-long-name${n % 50}.example/?query-mark${n}`,
  });
  const sendAs = (n: number) => {
    const headers = { ...BROWSER, 'user-agent': agentOf(n) };
    const asking =
      n % 13 === 0
        ? { headers, agent: false, localAddress: `127.203.81.${n % 200}` }
        : { headers: { ...headers, 'x-forwarded-for': `203.81.99.1, ${addressOf(n)}` } };
    if (n % 7 === 0) return ask('GET', `/day.gif?${new URLSearchParams(pageOf(n))}`, asking);
    return ask(
      'POST',
      '/day',
      asking,
      n % 11 === 0 ? { ...pageOf(n), engaged: 1_000, referrer: undefined } : pageOf(n),
    );
  };
  for (let n = 0; n < SENT; n += 100) {
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => sendAs(n + i)));
    for (const status of answers) assert.ok(status === 202 || status === 200, String(status));
  }
  const passed = Array.from({ length: 100 }, (_, n) => ({ url: pageOf(n).url, ip: addressOf(n), agent: agentOf(n) }));
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  assert.equal(await ask('POST', '/api/v1/sites/a-long-domain.example/hits', { headers }, passed), 202);
  await Promise.all(Array.from({ length: 32 }, () => ask('GET', '/healthz', {})));
  // Names that were found in agents wait a second for the next hit.
  let left: string[] = [];
  await until('nothing is left', async () => {
    left = await marksIn(place, server);
    return left.length === 0;
  }).catch((error: Error) => assert.deepEqual(left, [], error.message));
});
