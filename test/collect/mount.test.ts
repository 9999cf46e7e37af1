import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { listen } from '../../src/server.ts';
import { changePlan } from '../../src/store/accounts.ts';
import { startApp } from '../helpers.ts';
import { type Answer, type Asking, answerOf } from '../requests.ts';
import {
  AMERICAN,
  BROWSER,
  CHROME,
  CURL,
  GERMAN,
  GPTBOT,
  IPHONE,
  NOWHERE,
  storedCrawls,
  storedDrops,
  storedHits,
  storedUsage,
  TODAY,
} from './stage.ts';

const PAGE = { site: 'example.com', url: 'https://example.com/' };

/** An application, and a browser that sends it messages and looks at its pictures. */
async function stage(t: TestContext, settings: Parameters<typeof startApp>[1] = {}) {
  const app = await startApp(t, settings);
  const as = (asking: Asking): Asking => ({ ...asking, headers: { ...BROWSER, ...asking.headers } });
  const send = (message: unknown, asking: Asking = {}): Promise<Answer> =>
    app.ask('POST', app.config.script, as({ body: message, ...asking }));
  const look = (query: string, asking: Asking = {}): Promise<Answer> =>
    app.ask('GET', `${app.config.script}.gif${query}`, as(asking));
  return { ...app, send, look, as };
}

const reasonOf = ({ status, headers, text }: Answer): string | null => {
  assert.deepEqual([status, text], [202, '']);
  return headers.get('Daybook-Dropped');
};

const PIXEL = `?site=example.com&url=${encodeURIComponent('https://example.com/pixel?utm_source=mail')}`;

for (const type of ['text/plain', 'text/plain;charset=UTF-8', 'application/json', 'Application/JSON ; charset=utf-8']) {
  test(`a pageview and an event as ${type} are answered with 202 and nothing else once they are stored`, async (t) => {
    const { send, db } = await stage(t);
    const headers = { 'content-type': type };
    assert.equal(reasonOf(await send({ ...PAGE, referrer: 'https://x.org/' }, { headers })), null);
    assert.equal(storedHits(db).length, 1);
    const event = await send({ ...PAGE, event: 'signup', label: 'pro' }, { headers });
    assert.equal(reasonOf(event), null);
    assert.equal(event.headers.get('Cache-Control'), 'no-store');
    const [first, second] = storedHits(db);
    assert.deepEqual([first?.event, first?.label, first?.source], ['', '', 'x.org']);
    assert.deepEqual([second?.event, second?.label, second?.source], ['signup', 'pro', '']);
  });
}

/** A message as node hands it over, whose body comes in pieces. */
async function sendPieces({ app }: Awaited<ReturnType<typeof stage>>, pieces: Readable): Promise<Answer> {
  const incoming = Object.assign(pieces, { headers: BROWSER, socket: { remoteAddress: NOWHERE } });
  return await answerOf(await app.hono.request('/day', { method: 'POST' }, { incoming } as never));
}

test('a message without a type is read as text, however it is cut into pieces', async (t) => {
  const staged = await stage(t);
  const bytes = Buffer.from(JSON.stringify({ ...PAGE, event: 'größe 😀' }));
  assert.equal(reasonOf(await sendPieces(staged, Readable.from([bytes]))), null);
  assert.equal(reasonOf(await sendPieces(staged, Readable.from([...bytes].map((byte) => Buffer.from([byte]))))), null);
  assert.deepEqual(
    storedHits(staged.db).map(({ event }) => event),
    ['größe 😀', 'größe 😀'],
  );
});

/** Why something is not counted, and a message that is not counted for it. */
const DROPPED: [reason: string, message: object, headers?: Record<string, string>][] = [
  ['unknown-site', { ...PAGE, site: 'nobody.example' }],
  ['unknown-site', { ...PAGE, site: 'www.example.com' }],
  ['unknown-site', { ...PAGE, site: 'nobody.example', engaged: 1000 }],
  ['foreign-host', { ...PAGE, url: 'https://example.org/' }],
  ['foreign-host', { ...PAGE, url: 'https://example.org/', engaged: 1000 }],
  ['bot', PAGE, { 'user-agent': CURL }],
  ['bot', PAGE, { 'user-agent': '' }],
  ['bot', PAGE, { 'accept-language': '' }],
  ['bot', PAGE, { 'sec-ch-ua': '"HeadlessChrome";v="141"' }],
  ['crawler', PAGE, { 'user-agent': GPTBOT }],
  ['spam', { ...PAGE, referrer: 'https://www.semalt.com/x' }],
  ['prefetch', PAGE, { 'sec-purpose': 'prefetch;prerender' }],
  ['prefetch', PAGE, { 'x-moz': 'prefetch' }],
];

test('what is not counted is answered with 202 and the reason, and counted by site, day and reason', async (t) => {
  const { send, db, clock, siteId, strangerSiteId } = await stage(t, { flood: '0' });
  for (const [reason, message, headers = {}] of DROPPED) {
    assert.equal(reasonOf(await send(message, { headers })), reason, JSON.stringify([message, headers]));
  }
  assert.equal(storedHits(db).length, 0);
  // Whatever was dropped is written with the next hit.
  const other = { site: 'stranger.example', url: 'https://stranger.example/' };
  assert.equal(reasonOf(await send(other)), null);
  const first = { 'foreign-host': 2, bot: 4, crawler: 1, spam: 1, prefetch: 2 };
  assert.deepEqual(storedDrops(db, siteId), first);
  assert.deepEqual(storedDrops(db, strangerSiteId), {});
  assert.equal(storedHits(db).length, 1);

  clock.pass(86_400);
  await send(PAGE, { headers: { 'user-agent': CURL } });
  await send(other);
  assert.deepEqual(storedDrops(db, siteId, TODAY), first);
  assert.deepEqual(storedDrops(db, siteId, TODAY + 1), { bot: 1 });
});

test('what an address sends too much is not counted, whatever it is, and what others send is', async (t) => {
  const { send, look, db, clock, siteId } = await stage(t, { flood: '1' });
  const [page, event] = [PAGE, { ...PAGE, event: 'x' }];
  for (const message of [page, event, { ...PAGE, engaged: 100 }]) assert.equal(reasonOf(await send(message)), null);
  assert.equal(storedHits(db).length, 3);
  for (const message of [page, event, { ...PAGE, engaged: 100 }]) assert.equal(reasonOf(await send(message)), null);
  assert.equal((await look(PIXEL)).headers.get('Daybook-Dropped'), null);
  assert.equal(storedHits(db).length, 3);
  assert.equal(reasonOf(await send(page, { address: GERMAN })), null);
  clock.pass(1);
  assert.equal(reasonOf(await send(page)), null);
  assert.equal(storedHits(db).length, 5);
  assert.deepEqual(storedDrops(db, siteId), { flood: 4 });
});

test('a message that is malformed is refused with the name of what is wrong, and not stored', async (t) => {
  const { send, db } = await stage(t);
  const { site, url } = PAGE;
  const malformed: [message: unknown, ...fields: string[]][] = [
    [{ url }, 'site'],
    [{ site }, 'url'],
    [{}, 'site', 'url'],
    [{ site: 7, url }, 'site'],
    [{ site: null, url }, 'site'],
    [{ site, url: '/relative' }, 'url'],
    [{ site, url: '' }, 'url'],
    [{ site, url: 'example.com/' }, 'url'],
    [{ site, url: 'https://' }, 'url'],
    [{ site, url: 'ftp://example.com/' }, 'url'],
    [{ site, url: 'javascript:alert(1)' }, 'url'],
    [{ site, url: ['https://example.com/'] }, 'url'],
    [{ ...PAGE, referrer: 7 }, 'referrer'],
    [{ ...PAGE, referrer: null }, 'referrer'],
    [{ ...PAGE, event: '' }, 'event'],
    [{ ...PAGE, event: '😀'.repeat(121) }, 'event'],
    [{ ...PAGE, event: true }, 'event'],
    [{ ...PAGE, event: '\ud83d' }, 'event'],
    [{ ...PAGE, event: 'x', label: 'a'.repeat(201) }, 'label'],
    [{ ...PAGE, label: 200 }, 'label'],
    [{ ...PAGE, event: 'x', label: '\udc00' }, 'label'],
    [{ ...PAGE, visitor: 'me' }, 'visitor'],
    [{ ...PAGE, toString: 1 }, 'toString'],
    [`{"site":"${site}","url":"${url}","__proto__":1}`, '__proto__'],
    [{ ...PAGE, engaged: '1000' }, 'engaged'],
    [{ ...PAGE, engaged: null }, 'engaged'],
    [{ ...PAGE, engaged: -1 }, 'engaged'],
    [`{"site":"${site}","url":"${url}","engaged":1e999}`, 'engaged'],
    [{ ...PAGE, engaged: 1000, event: 'x' }, 'event'],
    [{ engaged: 1000 }, 'site', 'url'],
    [[], 'body'],
    [[PAGE], 'body'],
    ['', 'body'],
    ['null', 'body'],
    ['"text"', 'body'],
    ['7', 'body'],
    ['{"site":', 'body'],
    [`${JSON.stringify(PAGE)}x`, 'body'],
    ['site=example.com', 'body'],
  ];
  for (const [message, ...fields] of malformed) {
    const { status, body } = await send(message);
    assert.deepEqual([status, body.error?.code], [422, 'invalid_request'], JSON.stringify(message));
    assert.deepEqual(Object.keys(body.error.fields), fields, JSON.stringify(message));
  }
  for (const type of ['application/x-www-form-urlencoded', 'text/html', 'text/plainer', 'multipart/form-data', '']) {
    const { status, body } = await send(PAGE, { headers: { 'content-type': type } });
    assert.deepEqual([status, Object.keys(body.error?.fields ?? {})], [422, ['body']], type);
  }
  assert.equal(storedHits(db).length, 0);
});

test('what is just not too long or too odd is taken', async (t) => {
  const { send, db } = await stage(t);
  const names = ['😀'.repeat(120), 'a', ' ', 'a\u0000b', 'ü'.normalize('NFD'), '(other)'];
  for (const event of names) assert.equal(reasonOf(await send({ ...PAGE, event, label: '😀'.repeat(200) })), null);
  for (const label of ['', 'x']) assert.equal(reasonOf(await send({ ...PAGE, event: 'labelled', label })), null);
  for (const referrer of ['', 'nonsense', 'about:blank'])
    assert.equal(reasonOf(await send({ ...PAGE, referrer })), null);
  const stored = storedHits(db);
  assert.deepEqual(
    stored.slice(0, names.length).map(({ event, label }) => [event, label]),
    names.map((event) => [event, '😀'.repeat(200)]),
  );
  assert.equal(stored.length, names.length + 5);
});

test('a message of 8 KiB is read and one byte more is not, whether its length is announced or not', async (t) => {
  const { send, db } = await stage(t);
  const padded = (bytes: number): string => JSON.stringify(PAGE).padEnd(bytes);
  const announced = (bytes: number) => ({ headers: { 'content-length': String(bytes) } });
  for (const asking of [{}, announced(8_192)]) assert.equal(reasonOf(await send(padded(8_192), asking)), null);
  // Two bytes a letter.
  const wide = JSON.stringify({ ...PAGE, referrer: `https://x.org/${'ü'.repeat(4_096)}` });
  for (const [body, asking] of [
    [padded(8_193), {}],
    [padded(8_193), announced(8_193)],
    [wide, {}],
    ['x'.repeat(20_000), {}],
  ] as const) {
    const answer = await send(body, asking);
    assert.deepEqual([answer.status, answer.body.error.code], [413, 'payload_too_large']);
  }
  assert.equal(storedHits(db).length, 2);
});

test('a message that does not end is refused as soon as it is too large', async (t) => {
  const endless = new Readable({ read() {} });
  endless.push(Buffer.alloc(8_193, ' '));
  const answer = sendPieces(await stage(t), endless);
  await turn();
  // Too late to make a difference.
  endless.destroy(new Error('gone'));
  assert.equal((await answer).status, 413);
});

test('a message that is cut off is refused', async (t) => {
  const staged = await stage(t);
  const cut = new Readable({ read() {} });
  cut.push(JSON.stringify(PAGE));
  setImmediate(() => cut.destroy(new Error('gone')));
  assert.equal((await sendPieces(staged, cut)).status, 400);
  assert.equal(storedHits(staged.db).length, 0);
});

test('a message that is not UTF-8 is refused', async (t) => {
  const latin = Buffer.from('{"site":"example.com","url":"https://example.com/\xff"}', 'latin1');
  const { status, body } = await sendPieces(await stage(t), Readable.from([latin]));
  assert.deepEqual([status, Object.keys(body.error.fields)], [422, ['body']]);
});

test('over a socket a message is answered as without, by the short way and by the long one', async (t) => {
  const { app, send, db } = await stage(t, { flood: '0' });
  const listening = await listen({ host: '127.0.0.1', port: 0 }, randomBytes, () => app);
  t.after(() => listening.stop());
  const visible = ({ status, text, headers }: Answer) => {
    const hidden = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding', 'x-request-id'];
    return { status, text, headers: Object.fromEntries([...headers].filter(([name]) => !hidden.includes(name))) };
  };
  const messages: [message: unknown, headers?: Record<string, string>][] = [
    [PAGE],
    [{ ...PAGE, event: 'größe 😀', label: 'x' }],
    [{ ...PAGE, engaged: 1_000 }],
    [{ ...PAGE, url: 'https://example.org/' }],
    [PAGE, { 'user-agent': GPTBOT }],
    [PAGE, { 'user-agent': CURL }],
    [{ ...PAGE, visitor: 'me' }],
    ['{'],
    [''],
    [PAGE, { 'content-type': 'text/html' }],
    [' '.repeat(8_193)],
  ];
  for (const [message, headers = {}] of messages) {
    const address = '127.0.0.1';
    const wanted = visible(await send(message, { headers, address }));
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    const sent = { ...BROWSER, 'content-type': 'text/plain', ...headers };
    for (const path of ['/day', '/day?long']) {
      const url = `http://127.0.0.1:${listening.port}${path}`;
      const answer = await answerOf(await fetch(url, { method: 'POST', headers: sent, body }));
      assert.match(answer.headers.get('X-Request-Id') ?? '', /^\w+-\w+$/);
      assert.deepEqual(visible(answer), wanted, `${path} ${body.slice(0, 80)}`);
    }
  }
  const [first, ...others] = storedHits(db).map(({ visitor }) => visitor);
  assert.deepEqual(others, Array(8).fill(first));
});

test('another method is answered with those that there are', async (t) => {
  const { ask } = await stage(t);
  const allowed = { '/day': 'POST, OPTIONS', '/day.gif': 'GET, HEAD, OPTIONS', '/day.js': 'GET, HEAD, OPTIONS' };
  for (const [path, allow] of Object.entries(allowed)) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'].filter((one) => !allow.includes(one))) {
      const answer = await ask(method, path, { headers: BROWSER });
      assert.deepEqual([answer.status, answer.body.error.code], [405, 'method_not_allowed'], `${method} ${path}`);
      assert.equal(answer.headers.get('Allow'), allow);
    }
  }
  for (const path of ['/day/', '/days', '/day.png', '/Day']) assert.equal((await ask('POST', path)).status, 404, path);
});

test('every origin may send and read, without cookies and without asking first', async (t) => {
  const { ask, send, look, as } = await stage(t);
  const foreign = { headers: { origin: 'https://example.com', cookie: 'a=b', 'sec-fetch-site': 'cross-site' } };
  const answers: [number, Answer][] = [
    [202, await send(PAGE, foreign)],
    [202, await send({ ...PAGE, site: 'nobody.example' }, foreign)],
    [422, await send({}, foreign)],
    [413, await send('x'.repeat(9_000), foreign)],
    [405, await ask('PUT', '/day', as(foreign))],
    [200, await look(PIXEL, foreign)],
    [200, await ask('GET', '/day.js', as(foreign))],
    [204, await ask('OPTIONS', '/day', as(foreign))],
  ];
  for (const [status, answer] of answers) {
    assert.equal(answer.status, status);
    assert.equal(answer.headers.get('Access-Control-Allow-Origin'), '*');
    assert.equal(answer.headers.get('Access-Control-Allow-Credentials'), null);
    assert.equal(answer.headers.get('Set-Cookie'), null);
    assert.equal(answer.headers.get('X-Content-Type-Options'), 'nosniff');
  }
  for (const [, { headers }] of answers.slice(0, 2)) {
    assert.match(headers.get('Access-Control-Expose-Headers') ?? '', /\bDaybook-Dropped\b/);
  }
  // Only who sends application/json from a browser is asked first.
  const preflight = answers.at(-1)?.[1].headers;
  assert.match(preflight?.get('Access-Control-Allow-Methods') ?? '', /\bPOST\b/);
  assert.match(preflight?.get('Access-Control-Allow-Headers') ?? '', /\bContent-Type\b/i);
});

test('hits of the domain and its subdomains count, whatever the port and the case', async (t) => {
  const { send, db, site, owner } = await stage(t);
  site(owner, 'xn--mnchen-3ya.example');
  const own: [site: string, origin: string][] = [
    ['example.com', 'https://example.com'],
    ['example.com', 'http://example.com:8080'],
    ['example.com', 'https://www.example.com'],
    ['example.com', 'https://a.b.example.com:444'],
    ['example.com', 'https://EXAMPLE.com'],
    ['Example.COM', 'https://example.com'],
    ['example.com', 'https://ann:secret@example.com'],
    ['xn--mnchen-3ya.example', 'https://münchen.example'],
  ];
  for (const [site, origin] of own) assert.equal(reasonOf(await send({ site, url: `${origin}/` })), null, origin);
  const foreign = [
    'https://evil-example.com',
    'https://example.com.evil.org',
    'https://example.com@evil.org',
    'https://xample.com',
    'https://com',
    'https://example.org',
    'https://192.0.2.7',
    'https://[::1]',
    'https://localhost',
    'https://stranger.example',
  ];
  for (const origin of foreign) {
    assert.equal(reasonOf(await send({ site: 'example.com', url: `${origin}/` })), 'foreign-host', origin);
  }
  assert.equal(storedHits(db).length, own.length);
});

test('hits of a blocked account are still counted, and used', async (t) => {
  const { send, look, owner, db } = await stage(t);
  changePlan(db, owner.id, null);
  assert.equal((await owner.ask('GET', '/sites')).status, 402);
  assert.equal(reasonOf(await send(PAGE)), null);
  assert.equal((await look(PIXEL)).headers.get('Daybook-Dropped'), null);
  assert.equal(storedHits(db).length, 2);
  assert.equal((await owner.ask('GET', '/account')).body.data.events_used, 2);
});

test('pageviews and events are used up, and nothing else is', async (t) => {
  const { send, look, ask, owner, stranger, db, tokenOf, siteId, clock } = await stage(t, { flood: '0' });
  const token = tokenOf(owner, ['collect']);
  await send(PAGE);
  await send({ ...PAGE, event: 'x' });
  await look(PIXEL);
  const passed = { url: PAGE.url, ip: GERMAN, agent: IPHONE };
  await ask('POST', `/api/v1/sites/${siteId}/hits`, { token, body: [passed, passed, { ...passed, agent: GPTBOT }] });
  assert.equal(storedUsage(db, owner.accountId), 5);

  clock.pass(60);
  assert.equal(reasonOf(await send({ ...PAGE, engaged: 5_000 })), null);
  for (const [, message, headers = {}] of DROPPED) await send(message, { headers });
  await ask('POST', `/api/v1/sites/${siteId}/crawls`, { token, body: [{ url: PAGE.url, agent: GPTBOT }] });
  assert.equal(storedCrawls(db, siteId)['gptbot /'], 3);
  const used = async (person: typeof owner) => (await person.ask('GET', '/account')).body.data.events_used;
  assert.equal(await used(owner), 5);
  assert.equal(await used(stranger), 0);

  // A month counts for itself.
  clock.pass(31 * 86_400);
  assert.equal(await used(owner), 0);
  await send(PAGE);
  assert.equal(await used(owner), 1);
});

test('the picture counts a pageview without a script, and is never kept by the browser', async (t) => {
  const { look, db, siteId } = await stage(t);
  const referrer = encodeURIComponent('https://www.x.org/page');
  const answer = await look(`${PIXEL}&referrer=${referrer}`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('Content-Type'), 'image/gif');
  assert.equal(answer.headers.get('Cache-Control'), 'no-store');
  assert.match(answer.text, /^GIF89a/);
  const [hit] = storedHits(db);
  assert.deepEqual(
    [hit?.page, hit?.event, hit?.source, hit?.utm_source, hit?.siteId],
    ['/pixel', '', 'x.org', 'mail', siteId],
  );

  const bot = await look(PIXEL, { headers: { 'user-agent': CURL } });
  assert.deepEqual([bot.status, bot.headers.get('Daybook-Dropped')], [200, 'bot']);
  assert.equal(bot.text, answer.text);
  const ahead = await look(PIXEL, { headers: { 'sec-purpose': 'prefetch' } });
  assert.equal(ahead.headers.get('Daybook-Dropped'), 'prefetch');
  assert.equal(storedHits(db).length, 1);
});

test('asking what the picture would be like counts nothing', async (t) => {
  const { look, ask, as, db, siteId, config } = await stage(t, { flood: '1' });
  const path = `${config.script}.gif`;
  const seen = await look(PIXEL);
  for (let n = 0; n < 10; n++) {
    const head = await ask('HEAD', path + PIXEL, as({}));
    assert.deepEqual([head.status, head.text, [...head.headers]], [200, '', [...seen.headers]]);
  }
  const curl = as({ headers: { 'user-agent': CURL } });
  assert.equal((await ask('HEAD', path + PIXEL, curl)).status, 200);
  assert.equal((await look(PIXEL)).headers.get('Daybook-Dropped'), null);
  assert.equal(storedHits(db).length, 2);
  assert.deepEqual(storedDrops(db, siteId), {});
});

test('a picture that says too little or too much is refused', async (t) => {
  const { look, db } = await stage(t);
  const malformed: [query: string, ...fields: string[]][] = [
    ['', 'site', 'url'],
    ['?', 'site', 'url'],
    ['?site=example.com', 'url'],
    ['?url=https://example.com/', 'site'],
    ['?site=example.com&url=/page', 'url'],
    [`${PIXEL}&event=x`, 'event'],
    [`${PIXEL}&engaged=1000`, 'engaged'],
    [`${PIXEL}&site=example.com`, 'site'],
    ['?site=example.com&url=https://example.com/%zz', 'url'],
  ];
  for (const [query, ...fields] of malformed) {
    const { status, body } = await look(query);
    assert.deepEqual([status, Object.keys(body?.error.fields ?? {})], [422, fields], query);
  }
  assert.equal(storedHits(db).length, 0);
});

test('the script is sent as it is best read, and may be kept for a day', async (t) => {
  const { app, ask } = await stage(t);
  const plain = await ask('GET', '/day.js');
  assert.equal(plain.status, 200);
  assert.equal(plain.headers.get('Content-Type'), 'text/javascript; charset=utf-8');
  assert.equal(plain.headers.get('Cache-Control'), 'public, max-age=86400');
  assert.equal(plain.headers.get('Vary'), 'Accept-Encoding');
  assert.equal(plain.headers.get('Content-Encoding'), null);
  assert.equal(plain.headers.get('Cross-Origin-Resource-Policy'), 'cross-origin');
  assert.match(plain.text, /currentScript/);
  assert.ok(Buffer.byteLength(plain.text) < 4_096);

  const unpack: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };
  const encodings: [accepted: string, encoding: string | null][] = [
    ['gzip, deflate, br, zstd', 'br'],
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=1.0, br;q=0.5', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0, gzip', 'gzip'],
    ['gzip, br;q=0.0', 'gzip'],
    ['br;q=0.001', 'br'],
    ['gzip;q=0', null],
    ['identity', null],
    ['deflate', null],
    ['brotli', null],
    ['', null],
  ];
  for (const [accepted, encoding] of encodings) {
    const incoming = { headers: { 'accept-encoding': accepted }, socket: {} };
    const answer = await app.hono.request('/day.js', {}, { incoming } as never);
    assert.equal(answer.headers.get('Content-Encoding'), encoding, accepted);
    assert.equal(answer.headers.get('ETag'), plain.headers.get('ETag'));
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.equal((unpack[encoding ?? ''] ?? ((same) => same))(bytes).toString(), plain.text);
  }
});

test('a browser that has the script already is told so', async (t) => {
  const { ask } = await stage(t);
  const tag = (await ask('GET', '/day.js')).headers.get('ETag') ?? '';
  assert.match(tag, /^W\/"[\w-]{16}"$/);
  for (const known of [tag, `"other", ${tag}`, `${tag},"other"`]) {
    const answer = await ask('GET', '/day.js', { headers: { 'if-none-match': known, 'accept-encoding': 'br' } });
    assert.deepEqual([answer.status, answer.text], [304, '']);
    assert.equal(answer.headers.get('ETag'), tag);
    assert.equal(answer.headers.get('Cache-Control'), 'public, max-age=86400');
  }
  assert.equal((await ask('GET', '/day.js', { headers: { 'if-none-match': '"other"' } })).status, 200);
  const head = await ask('HEAD', '/day.js');
  assert.deepEqual([head.status, head.text, head.headers.get('ETag')], [200, '', tag]);
});

test('with --script everything moves, and nothing is left where it was', async (t) => {
  const { send, look, ask, owner, siteId, db } = await stage(t, { script: '/x/y' });
  assert.equal(reasonOf(await send(PAGE)), null);
  assert.equal((await look(PIXEL)).status, 200);
  assert.equal((await ask('GET', '/x/y.js')).status, 200);
  assert.equal(storedHits(db).length, 2);
  const { snippet } = (await owner.ask('GET', `/sites/${siteId}`)).body.data;
  assert.equal(snippet, '<script defer src="http://127.0.0.1:8377/x/y.js" data-site="example.com"></script>');
  for (const [method, path] of [
    ['POST', '/day'],
    ['GET', '/day.gif'],
    ['GET', '/day.js'],
  ] as const) {
    assert.equal((await ask(method, path, { headers: BROWSER })).status, 404);
  }
});

/** The country under which a pageview with these headers is stored. */
async function countryOf({ send, db }: Awaited<ReturnType<typeof stage>>, asking: Asking): Promise<string | undefined> {
  assert.equal(reasonOf(await send(PAGE, asking)), null);
  return storedHits(db).at(-1)?.country;
}

test('X-Forwarded-For is believed from trusted proxies only', async (t) => {
  const forwarded = { headers: { 'x-forwarded-for': `${AMERICAN}, ${GERMAN}` } };
  assert.equal(await countryOf(await stage(t), forwarded), '');

  const trusting = await stage(t, { 'trusted-proxies': '192.0.2.0/24', flood: '1' });
  assert.equal(await countryOf(trusting, forwarded), 'DE');
  assert.equal(await countryOf(trusting, { ...forwarded, address: '::ffff:192.0.2.7' }), 'DE');
  assert.equal(await countryOf(trusting, { ...forwarded, address: AMERICAN }), 'US');
  // One visitor by two proxies, and another who came directly.
  const [first, second, third] = storedHits(trusting.db).map(({ visitor }) => visitor);
  assert.equal(first, second);
  assert.notEqual(first, third);
  // What is limited is whoever stands behind the proxy.
  const isStored = async (asking: Asking) => {
    const before = storedHits(trusting.db).length;
    assert.equal(reasonOf(await trusting.send(PAGE, asking)), null);
    return storedHits(trusting.db).length > before;
  };
  assert.equal(await isStored(forwarded), true);
  assert.equal(await isStored(forwarded), false);
  assert.equal(await isStored({ headers: { 'x-forwarded-for': AMERICAN } }), true);
});

test('the header with the country is believed from trusted proxies only', async (t) => {
  const french = { headers: { 'CF-IPCountry': 'FR' } };
  assert.equal(await countryOf(await stage(t), french), '');
  assert.equal(await countryOf(await stage(t, { 'country-header': 'CF-IPCountry' }), french), '');
  assert.equal(await countryOf(await stage(t, { 'trusted-proxies': NOWHERE }), french), '');

  const both = await stage(t, { 'trusted-proxies': NOWHERE, 'country-header': 'CF-IPCountry' });
  const behind = (country: string): Asking => ({ headers: { 'cf-ipcountry': country, 'x-forwarded-for': GERMAN } });
  assert.equal(await countryOf(both, behind('FR')), 'FR');
  assert.equal(await countryOf(both, behind('fr')), 'FR');
  assert.equal(await countryOf(both, { ...behind('FR'), address: AMERICAN }), 'US');
  // T1 is Tor and XX is nowhere, in the words of who sends this header.
  for (const none of ['T1', 'XX', '', 'FRA', 'F', 'F R', '--'])
    assert.equal(await countryOf(both, behind(none)), 'DE', none);
});

test('a visitor is known by address and agent, and the hints of a browser make no other one', async (t) => {
  const { send, db } = await stage(t);
  await send(PAGE);
  await send(PAGE, { headers: { 'sec-ch-ua-platform': '"Windows"', 'accept-language': 'en' } });
  await send(PAGE, { headers: { 'user-agent': `${CHROME} ` } });
  await send(PAGE, { headers: { 'user-agent': IPHONE } });
  const visitors = storedHits(db).map(({ visitor }) => visitor);
  assert.equal(visitors[0], visitors[1]);
  assert.equal(new Set(visitors).size, 3);
});
