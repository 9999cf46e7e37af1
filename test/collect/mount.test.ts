import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { listen } from '../../src/http/server.ts';
import { type Answer, answerOf } from '../support/requests.ts';
import { DROPPED, PAGE, PIXEL, reasonOf, stage } from './sending.ts';
import { BROWSER, CURL, GERMAN, GPTBOT, TODAY } from './stage.ts';

for (const type of ['text/plain', 'text/plain;charset=UTF-8', 'application/json', 'Application/JSON ; charset=utf-8']) {
  test(`a pageview and an event as ${type} are answered with 202 and nothing else once they are stored`, async (t) => {
    const { send, held } = await stage(t);
    const headers = { 'content-type': type };
    assert.equal(reasonOf(await send({ ...PAGE, referrer: 'https://x.org/' }, { headers })), null);
    assert.equal((await held.hits()).length, 1);
    const event = await send({ ...PAGE, event: 'signup', label: 'pro' }, { headers });
    assert.equal(reasonOf(event), null);
    assert.equal(event.headers.get('Cache-Control'), 'no-store');
    const [first, second] = await held.hits();
    assert.deepEqual([first?.event, first?.label, first?.source], ['', '', 'x.org']);
    assert.deepEqual([second?.event, second?.label, second?.source], ['signup', 'pro', '']);
  });
}

test('what is not counted is answered with 202 and the reason, and counted by site, day and reason', async (t) => {
  const { send, held, clock, siteId, strangerSiteId } = await stage(t, { flood: '0' });
  for (const [reason, message, headers = {}] of DROPPED) {
    assert.equal(reasonOf(await send(message, { headers })), reason, JSON.stringify([message, headers]));
  }
  assert.equal((await held.hits()).length, 0);
  // Whatever was dropped is written with the next hit.
  const other = { site: 'stranger.example', url: 'https://stranger.example/' };
  assert.equal(reasonOf(await send(other)), null);
  const first = { 'foreign-host': 2, bot: 4, crawler: 1, spam: 1, prefetch: 2 };
  assert.deepEqual(await held.drops(siteId), first);
  assert.deepEqual(await held.drops(strangerSiteId), {});
  assert.equal((await held.hits()).length, 1);

  clock.pass(86_400);
  await send(PAGE, { headers: { 'user-agent': CURL } });
  await send(other);
  assert.deepEqual(await held.drops(siteId, TODAY), first);
  assert.deepEqual(await held.drops(siteId, TODAY + 1), { bot: 1 });
});

test('hits of the machine of a developer are left out, and no report counts them', async (t) => {
  const { send, held, siteId } = await stage(t, { flood: '0' });
  const own = ['localhost', 'localhost:3000', 'a.localhost', '127.0.0.1:8080', '[::1]', 'printer.local'];
  for (const host of own) {
    const page = { site: 'example.com', url: `http://${host}/` };
    assert.equal(reasonOf(await send(page)), 'foreign-host', host);
    assert.equal(reasonOf(await send({ ...page, engaged: 2_000 })), 'foreign-host', host);
  }
  for (const host of ['localhost.example', 'local.example', '127.example'])
    assert.equal(reasonOf(await send({ site: 'example.com', url: `http://${host}/` })), 'foreign-host', host);
  await send(PAGE);
  assert.equal((await held.hits()).length, 1);
  assert.deepEqual(await held.drops(siteId), { 'foreign-host': 3 });
});

test('a browser may send the width of its window, and a click id without its value', async (t) => {
  const { send, held } = await stage(t, { flood: '0' });
  const page = { ...PAGE, url: `${PAGE.url}?gclid=&utm_source=x` };
  assert.equal(reasonOf(await send({ ...page, width: 1_440 })), null);
  assert.equal(reasonOf(await send({ ...page, width: 'wide' })), null);
  assert.deepEqual(
    (await held.hits()).map(({ screen, ad }) => [screen, ad]),
    [
      ['Desktop', 'google'],
      ['', 'google'],
    ],
  );
});

test('what an address sends too much is not counted, whatever it is, and what others send is', async (t) => {
  const { send, look, held, clock, siteId } = await stage(t, { flood: '1' });
  const [page, event] = [PAGE, { ...PAGE, event: 'x' }];
  for (const message of [page, event, { ...PAGE, engaged: 100 }]) assert.equal(reasonOf(await send(message)), null);
  assert.equal((await held.hits()).length, 3);
  for (const message of [page, event, { ...PAGE, engaged: 100 }]) assert.equal(reasonOf(await send(message)), null);
  assert.equal((await look(PIXEL)).headers.get('Daybook-Dropped'), null);
  assert.equal((await held.hits()).length, 3);
  assert.equal(reasonOf(await send(page, { address: GERMAN })), null);
  clock.pass(1);
  assert.equal(reasonOf(await send(page)), null);
  assert.equal((await held.hits()).length, 5);
  assert.deepEqual(await held.drops(siteId), { flood: 4 });
});

test('over a socket a message is answered as without, by the short way and by the long one', async (t) => {
  const { app, clock, config, send, held } = await stage(t, { flood: '0' });
  const listening = await listen(
    { host: '127.0.0.1', port: 0, trust: config.trust },
    { random: randomBytes, clock, log: () => {} },
    () => app,
  );
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
  const [first, ...others] = (await held.hits()).map(({ visitor }) => visitor);
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
  const { send, held, site, owner } = await stage(t);
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
  assert.equal((await held.hits()).length, own.length);
});

test('with --script the snippet has the first path, and each path works, also /day', async (t) => {
  const { ask, owner, siteId, held } = await stage(t, { script: '/x/y,/former', flood: '0' });
  await owner.ask('PATCH', `/sites/${siteId}`, { track_vitals: true });
  const paths = ['/x/y', '/former', '/day'];
  for (const path of paths) {
    assert.equal(reasonOf(await ask('POST', path, { headers: BROWSER, body: PAGE })), null);
    assert.equal((await ask('GET', `${path}.gif${PIXEL}`, { headers: BROWSER })).status, 200);
    assert.match((await ask('GET', `${path}.js`)).text, /currentScript/);
    assert.match((await ask('GET', `${path}-vitals.js`)).text, /vitals/);
  }
  assert.equal((await held.hits()).length, 2 * paths.length);
  const { snippet, vitals_snippet: vitals } = (await owner.ask('GET', `/sites/${siteId}`)).body.data;
  assert.equal(snippet, '<script defer src="http://127.0.0.1:8377/x/y.js" data-site="example.com"></script>');
  assert.match(vitals, /"http:\/\/127\.0\.0\.1:8377\/x\/y-vitals\.js"/);
});
