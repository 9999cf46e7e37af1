import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertNotForeign, assertSameOrigin, readSecret, writeSessionCookie } from '../../src/auth/session.ts';
import { Problem } from '../../src/lib/errors.ts';
import { startApp } from '../support/helpers.ts';
import { form } from '../support/requests.ts';

const HTTPS = 'https://stats.example.com';
const HTTP = 'http://192.0.2.7:8377';
const SECRET = 'aB3'.repeat(14).slice(0, 42).concat('z');

test('over https the cookie is bound to the very host and the whole of it, and no script reads it', () => {
  const [named, ...attributes] = writeSessionCookie(HTTPS, SECRET).split('; ');
  assert.equal(named, `__Host-daybook=${SECRET}`);
  assert.deepEqual(attributes.sort(), ['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax', 'Secure']);
});

test('over http the cookie has all but what a browser would then refuse', () => {
  const [named, ...attributes] = writeSessionCookie(HTTP, SECRET).split('; ');
  assert.equal(named, `daybook=${SECRET}`);
  assert.deepEqual(attributes.sort(), ['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax']);
});

test('an empty secret takes the cookie away, by the same name, path and protection', () => {
  for (const baseUrl of [HTTPS, HTTP]) {
    const set = writeSessionCookie(baseUrl, SECRET);
    assert.equal(writeSessionCookie(baseUrl, ''), set.replace(SECRET, '').replace('Max-Age=2592000', 'Max-Age=0'));
  }
});

test('the secret is found among the cookies of others, and only where it can be one of ours', () => {
  for (const [baseUrl, name] of [
    [HTTPS, '__Host-daybook'],
    [HTTP, 'daybook'],
  ] as const) {
    assert.equal(readSecret(`${name}=${SECRET}`, baseUrl), SECRET);
    assert.equal(readSecret(`theme=dark; ${name}=${SECRET}; x=1`, baseUrl), SECRET);
    // An older cookie of the same name stands first in what a browser sends; a newer one does not get past it.
    assert.equal(readSecret(`${name}=${SECRET}; ${name}=${'x'.repeat(43)}`, baseUrl), SECRET);
    for (const cookies of [
      undefined,
      '',
      name,
      `${name}=`,
      `${name}=${SECRET}x`,
      `${name}=${SECRET.slice(1)}`,
      `${name}="${SECRET}"`,
      `${name}=${SECRET.slice(1)}%`,
      `x${name}=${SECRET}`,
      `${name}x=${SECRET}`,
      `x=${name}=${SECRET}`,
      `${name.toUpperCase()}=${SECRET}`,
    ]) {
      assert.equal(readSecret(cookies, baseUrl), undefined, cookies);
    }
  }
  // What a page without https could set does not count with it.
  assert.equal(readSecret(`daybook=${SECRET}`, HTTPS), undefined);
  assert.equal(readSecret(`__Host-daybook=${SECRET}`, HTTP), undefined);
});

test('whatever a browser sends as cookies, what is found has the shape of a secret', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('daybook=', '; ', SECRET))), (parts) => {
      const found = readSecret(parts.join(''), HTTP);
      assert.ok(found === undefined || /^[0-9A-Za-z]{43}$/.test(found));
    }),
    { numRuns: 1_000 },
  );
});

/** Who says what about where a request comes from. */
const SITES = ['same-origin', 'same-site', 'cross-site', 'none', 'Same-Origin', '', undefined];

type Place = { baseUrl: string; host: string; own: string[]; foreign: string[] };
const PLACES: Place[] = [
  {
    baseUrl: HTTPS,
    host: 'stats.example.com',
    own: [HTTPS],
    foreign: [
      'http://stats.example.com',
      'https://stats.example.com:8443',
      'https://example.com',
      'https://evil.stats.example.com',
      'https://stats.example.com.evil.example',
      'https://evil.example',
      'https://stats.example.com/',
      'HTTPS://STATS.EXAMPLE.COM',
      '',
    ],
  },
  {
    // A proxy that puts its own name for us in Host.
    baseUrl: HTTPS,
    host: '127.0.0.1:8377',
    own: [HTTPS],
    foreign: ['http://127.0.0.1:8377', 'http://127.0.0.1', 'http://stats.example.com'],
  },
  {
    // Reached by a name that nobody told us, as in a house without https.
    baseUrl: 'http://127.0.0.1:8377',
    host: 'nas.local:8377',
    own: ['http://127.0.0.1:8377', 'http://nas.local:8377'],
    foreign: [
      'http://nas.local',
      'http://nas.local:80',
      'http://nas.local:9000',
      'https://nas.local:8377',
      'http://sub.nas.local:8377',
      'http://evil.example',
    ],
  },
];

const passes = (check: typeof assertSameOrigin, headers: Record<string, string | undefined>, baseUrl: string) => {
  try {
    check(headers, baseUrl);
    return true;
  } catch (error) {
    assert.ok(error instanceof Problem);
    assert.deepEqual([error.status, error.code], [403, 'foreign_origin']);
    return false;
  }
};

test('a page is our own by the word of the browser; only where that says nothing, by the origin', () => {
  for (const { baseUrl, host, own, foreign } of PLACES) {
    for (const site of SITES) {
      for (const origin of [...own, ...foreign, 'null', undefined]) {
        const headers = {
          host,
          ...(site === undefined ? {} : { 'sec-fetch-site': site }),
          ...(origin === undefined ? {} : { origin }),
        };
        const isOwn = site === undefined ? own.includes(origin ?? '') : site === 'same-origin';
        const isUnsaid = site === undefined && (origin === undefined || origin === 'null');
        const what = `${baseUrl} ${JSON.stringify(headers)}`;
        assert.equal(passes(assertSameOrigin, headers, baseUrl), isOwn, what);
        assert.equal(passes(assertNotForeign, headers, baseUrl), isOwn || isUnsaid, what);
      }
    }
  }
});

test('a cookie changes nothing from elsewhere, whatever the method, and reads from anywhere', async (t) => {
  const app = await startApp(t, { 'base-url': HTTPS });
  const cookie = await app.signIn(app.owner);
  const { id } = (await app.owner.ask('POST', `/sites/${app.siteId}/goals`, { type: 'page', value: '/a' })).body.data;
  const site = `/api/v1/sites/${app.siteId}`;
  const requests: [method: string, path: string, body?: unknown][] = [
    ['POST', `${site}/goals`, { type: 'page', value: '/b' }],
    ['POST', `${site}/hits`, [{ url: 'https://example.com/', ip: '192.0.2.7', agent: 'a browser of somebody' }]],
    ['PATCH', site, { shared: true }],
    ['DELETE', `${site}/goals/${id}`],
    ['DELETE', site],
    ['POST', '/api/v1/tokens', { name: 'x', abilities: ['write'] }],
    ['POST', '/sign-out'],
  ];
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site', origin: HTTPS },
    { 'sec-fetch-site': 'same-site', origin: 'https://evil.example.com' },
    { 'sec-fetch-site': 'none' },
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { origin: 'http://stats.example.com' },
    {},
  ];
  const changes = () => app.db.one('SELECT total_changes() AS n');
  const before = changes();
  for (const headers of foreign) {
    for (const [method, path, body] of requests) {
      const { status, body: answer } = await app.ask(method, path, { body, headers: { ...headers, cookie } });
      assert.deepEqual(
        [status, answer.error.code],
        [403, 'foreign_origin'],
        `${method} ${path} ${JSON.stringify(headers)}`,
      );
    }
    assert.equal((await app.ask('GET', site, { headers: { ...headers, cookie } })).status, 200);
    assert.equal((await app.ask('HEAD', site, { headers: { ...headers, cookie } })).status, 200);
  }
  assert.deepEqual(changes(), before);

  // From a page of our own all of it happens.
  const statuses: number[] = [];
  for (const [method, path, body] of requests) {
    const own = method === 'PATCH' ? { origin: HTTPS } : { 'sec-fetch-site': 'same-origin' };
    statuses.push((await app.ask(method, path, { body, headers: { ...own, cookie } })).status);
  }
  assert.deepEqual(statuses, [201, 202, 200, 204, 204, 201, 303]);
});

test('a foreign form signs nobody in, out or another password in', async (t) => {
  const app = await startApp(t, { 'base-url': HTTPS });
  const cookie = await app.signIn(app.owner);
  const forms: [path: string, fields: Record<string, string>][] = [
    ['/sign-in', { email: app.owner.email, password: `password of ${app.owner.email}` }],
    ['/forgot', { email: app.owner.email }],
    ['/password', { current: `password of ${app.owner.email}`, password: 'another password' }],
  ];
  for (const [path, fields] of forms) {
    for (const site of ['cross-site', 'same-site', 'none']) {
      const { body, headers } = form(fields, { 'sec-fetch-site': site });
      const answer = await app.ask('POST', path, { body, headers: { ...headers, cookie } });
      assert.deepEqual([answer.status, answer.headers.get('Set-Cookie')], [403, null], `${path} ${site}`);
    }
  }
  assert.equal(app.passwords.runs, 1);
  assert.equal((await app.ask('GET', '/api/v1/account', { cookie })).status, 200);
});

test('other pages may read the API with a token, and never with a cookie', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const origin = 'https://evil.example';
  for (const answer of [
    await app.ask('GET', '/api/v1/account', { cookie, headers: { origin } }),
    await app.ask('OPTIONS', '/api/v1/account', { headers: { origin, 'access-control-request-method': 'PATCH' } }),
    await app.ask('OPTIONS', '/sign-in', { headers: { origin } }),
  ]) {
    // With these two a browser does not let a page read what came with a cookie.
    assert.equal(answer.headers.get('Access-Control-Allow-Origin'), '*');
    assert.equal(answer.headers.get('Access-Control-Allow-Credentials'), null);
  }
});

test('whoever shows a token or a share link is not known by a cookie besides', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const ask = (authorization: string) =>
    app.ask('GET', '/api/v1/account', { headers: { authorization, cookie, 'sec-fetch-site': 'same-origin' } });
  for (const bad of ['Bearer', 'Bearer x', 'bearer 1|dbk_', 'Share', 'Share x', 'SHARE  x y']) {
    assert.equal((await ask(bad)).status, 401, bad);
  }
  assert.equal((await ask(`Bearer ${app.stranger.token}`)).body.data.email, app.stranger.email);
  // What a browser says to a proxy in front of the server is not for us.
  for (const other of ['Basic YTpi', 'Bearers x', 'Negotiate x', '']) {
    assert.equal((await ask(other)).body.data?.email, app.owner.email, other);
  }
});
