import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { dashboard } from '../../src/assets/dashboard.ts';
import { linkSecret } from '../../src/lib/secrets.ts';
import { seconds } from '../../src/lib/time.ts';
import { addSession } from '../../src/store/sessions.ts';
import { addUser } from '../../src/store/users.ts';
import { emptyApp, startApp, type TestApp } from '../helpers.ts';
import type { Answer } from '../requests.ts';

const PLACES = [
  '/',
  '/sites/example.com',
  '/sites/example.com/settings',
  '/sites/example.com/settings/goals',
  '/account',
  '/account/tokens',
  '/server',
];

/** What the page says to its script, which is all between the tags of that element. */
function bootIn(text: string): unknown {
  const [, data, ...more] = text.split(
    /<script type="application\/json" id="boot">|<\/script><noscript>|<\/script>\n<noscript>/,
  );
  assert.equal(more.length, 1);
  return JSON.parse(data ?? '');
}

const policyOf = ({ headers }: Answer): Record<string, string> =>
  Object.fromEntries(
    (headers.get('Content-Security-Policy') ?? '').split('; ').map((rule) => {
      const [name = '', ...values] = rule.split(' ');
      return [name, values.join(' ')];
    }),
  );

const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
};

test('the bare address of a new server says where the link for setting it up is, and does not give it away', async (t) => {
  const app = await emptyApp(t);
  for (const place of PLACES) {
    const { status, headers, text } = await app.ask('GET', place);
    assert.equal(status, 200, place);
    assert.equal(headers.get('Content-Type'), 'text/html; charset=utf-8');
    assert.match(text, /Nobody has set it up yet\. The terminal in which it was started shows the link/);
    assert.ok(!text.includes(app.setupSecret));
    assert.ok(!text.includes('/setup/'));
  }
});

test('whoever is not signed in is sent to sign in, and from there to where they wanted to go', async (t) => {
  const app = await startApp(t);
  const bare = await app.ask('GET', '/');
  assert.deepEqual([bare.status, bare.headers.get('Location'), bare.text], [303, '/sign-in', '']);
  assert.equal(bare.headers.get('Cache-Control'), 'no-store');
  const query = '?range=7d&filters%5Bpage%5D=%2Fa%26b';
  for (const place of PLACES.slice(1)) {
    const answer = await app.ask('GET', place + query);
    assert.equal(answer.status, 303, place);
    const location = new URL(answer.headers.get('Location') ?? '', 'http://localhost');
    assert.deepEqual([location.pathname, [...location.searchParams.keys()]], ['/sign-in', ['next']]);
    assert.equal(location.searchParams.get('next'), place + query);
    const form = await app.ask('GET', location.pathname + location.search);
    assert.ok(
      form.text.includes(`<input name="next" type="hidden" value="${(place + query).replaceAll('&', '&amp;')}">`),
    );
  }
});

test('whoever is signed in gets the page of the dashboard, wherever in it they go', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const texts = new Set<string>();
  for (const place of [...PLACES, '/sites/nobodys.example']) {
    const answer = await app.ask('GET', place, { cookie });
    assert.equal(answer.status, 200, place);
    assert.deepEqual(bootIn(answer.text), { share: null, email: 'owner@example.com', server: true, mails: false });
    assert.deepEqual(policyOf(answer), POLICY, place);
    const { headers } = answer;
    assert.equal(headers.get('Cache-Control'), 'no-store');
    assert.equal(headers.get('X-Content-Type-Options'), 'nosniff');
    assert.equal(headers.get('Cross-Origin-Opener-Policy'), 'same-origin');
    assert.equal(headers.get('Referrer-Policy'), 'same-origin');
    assert.equal(headers.get('X-Robots-Tag'), 'noindex');
    assert.equal(headers.get('Set-Cookie'), null);
    texts.add(answer.text);
  }
  // So it says nothing of which sites there are.
  assert.equal(texts.size, 1);
});

test('only whoever set the server up is told of the page about it, and everybody whether mails are sent', async (t) => {
  const mail = { 'smtp-url': 'smtp://127.0.0.1:9', 'mail-from': 'daybook@example.com' };
  for (const [settings, mails] of [
    [{}, false],
    [mail, true],
  ] as const) {
    const app = await startApp(t, settings);
    for (const person of [app.owner, app.manager, app.viewer, app.stranger]) {
      const { text } = await app.ask('GET', '/', { cookie: await app.signIn(person) });
      assert.deepEqual(bootIn(text), { share: null, email: person.email, server: person === app.owner, mails });
    }
  }
});

test('the page runs no script but its own file, which the policy would not let it anyway', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const slug = await app.share(app.owner, app.siteId);
  for (const { text } of [await app.ask('GET', '/', { cookie }), await app.ask('GET', `/share/${slug}`)]) {
    const scripts = [...text.matchAll(/<script\b([^>]*)>([^<]*)/g)].map(([, attributes = '', inside = '']) => [
      attributes.replace(/-\w+\.js/, ''),
      inside === '' ? '' : 'data',
    ]);
    assert.deepEqual(scripts, [
      [' type="module" src="/assets/main"', ''],
      [' type="application/json" id="boot"', 'data'],
    ]);
    assert.doesNotMatch(text, /\son\w+=|\sstyle=|<style|<iframe|<base|javascript:/i);
    for (const [, target = ''] of text.matchAll(/\s(?:href|src)="([^"]*)"/g))
      assert.match(target, /^(?:\/assets\/|data:)/);
  }
});

test('what the page says to its script cannot end the element that it stands in', async (t) => {
  const app = await emptyApp(t);
  const odd = `</script><script>alert(1)</script><!--<script>'"&\u2028@example.com`;
  const secret = linkSecret(randomBytes);
  const userId = app.db.write(() => {
    const { id } = addUser(app.db, { email: odd, password: null, now: 0 });
    addSession(app.db, { userId: id, secret, browser: 'Test', now: seconds(app.clock) });
    return id;
  });
  const { text } = await app.ask('GET', '/', { cookie: `daybook=${secret}` });
  assert.deepEqual(bootIn(text), { share: null, email: odd, server: true, mails: false });
  assert.equal(text.match(/<script/g)?.length, 2);
  assert.equal(text.match(/<!--/g), null);

  const domain = `</title></script><script>alert(1)</script>.example`;
  const account = app.db.one<{ id: number }>('SELECT id FROM account WHERE user_id = ?', userId);
  const siteId = app.site({ id: userId, email: odd, password: null, accountId: account?.id ?? 0 }, domain);
  app.db.run(`UPDATE site SET share_slug = 'slug' WHERE id = ?`, siteId);
  const shared = await app.ask('GET', '/share/slug');
  assert.deepEqual(bootIn(shared.text), { share: { slug: 'slug', domain }, email: null, server: false, mails: false });
  assert.equal(shared.text.match(/<script/g)?.length, 2);
  assert.match(shared.text, /<title>&lt;\/title&gt;&lt;\/script&gt;.* · daybook<\/title>/);
});

test('a share link shows its site to everybody, and says nothing of who is signed in', async (t) => {
  const app = await startApp(t);
  const slug = await app.share(app.owner, app.siteId);
  assert.match(slug, /^[0-9A-Za-z]{22}$/);
  const seen = await app.ask('GET', `/share/${slug}`);
  assert.equal(seen.status, 200);
  const share = { slug, domain: 'example.com' };
  assert.deepEqual(bootIn(seen.text), { share, email: null, server: false, mails: false });
  assert.match(seen.text, /<title>example\.com · daybook<\/title>/);
  assert.equal(seen.headers.get('X-Robots-Tag'), 'noindex');
  assert.equal(seen.headers.get('Cache-Control'), 'no-store');
  const cookie = await app.signIn(app.owner);
  assert.equal((await app.ask('GET', `/share/${slug}`, { cookie })).text, seen.text);
});

test('a share link that has ended, was made anew or never was is not found', async (t) => {
  const app = await startApp(t);
  const old = await app.share(app.owner, app.siteId);
  await app.owner.ask('PATCH', `/sites/${app.siteId}`, { shared: false });
  assert.equal((await app.ask('GET', `/share/${old}`)).status, 404);
  const renewed = await app.share(app.owner, app.siteId);
  assert.notEqual(renewed, old);
  assert.equal((await app.ask('GET', `/share/${renewed}`)).status, 200);
  for (const slug of [
    old,
    'x',
    `${renewed}x`,
    renewed.slice(1),
    renewed.toLowerCase(),
    '%00',
    '%',
    'null',
    `${renewed}%20`,
  ]) {
    const { status, headers, text } = await app.ask('GET', `/share/${slug}`);
    assert.equal(status, 404, slug);
    assert.match(text, /<h1>This link does not work<\/h1>\n<p>Its owner has ended it, or made a new one\.<\/p>/, slug);
    assert.equal(headers.get('X-Robots-Tag'), 'noindex');
  }
  assert.equal((await app.ask('GET', '/share/')).status, 404);
  await app.owner.ask('DELETE', `/sites/${app.siteId}`);
  assert.equal((await app.ask('GET', `/share/${renewed}`)).status, 404);
});

test('the page of a share link may be framed by the origins of that site, and nothing else may be framed at all', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const slug = await app.share(app.owner, app.siteId);
  const strangers = await app.share(app.stranger, app.strangerSiteId);
  const framedBy = async (path: string) => policyOf(await app.ask('GET', path, { cookie }))['frame-ancestors'];
  const add = async (origin: string) =>
    (await app.owner.ask('POST', `/sites/${app.siteId}/embeds`, { origin })).body.data.id;
  assert.equal(await framedBy(`/share/${slug}`), "'none'");
  const first = await add('https://www.example.com');
  await add('http://localhost:3000');
  const { 'frame-ancestors': _, ...rest } = POLICY;
  const framed = await app.ask('GET', `/share/${slug}`);
  assert.deepEqual(policyOf(framed), { ...rest, 'frame-ancestors': 'https://www.example.com http://localhost:3000' });
  assert.equal(framed.headers.get('X-Frame-Options'), null);
  for (const path of [...PLACES, `/share/${strangers}`, '/share/ended', '/forgot', '/password']) {
    const headers = { accept: 'text/html' };
    const answer = await app.ask('GET', path, { cookie, headers });
    assert.equal(policyOf(answer)['frame-ancestors'], "'none'", path);
  }
  await app.owner.ask('DELETE', `/sites/${app.siteId}/embeds/${first}`);
  assert.equal(await framedBy(`/share/${slug}`), 'http://localhost:3000');
});

/** The bytes of an answer as they go over the wire. */
async function bytesOf(
  { app }: TestApp,
  name: string,
  encodings?: string,
): Promise<{ headers: Headers; bytes: Buffer }> {
  const headers: Record<string, string> = encodings === undefined ? {} : { 'accept-encoding': encodings };
  const incoming = { headers, socket: { remoteAddress: '192.0.2.1' } };
  const response = await app.hono.request(`/assets/${name}`, { headers }, { incoming } as never);
  assert.equal(response.status, 200);
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

test('what the page loads is the same in every encoding, and is kept for good under its name', async (t) => {
  const app = await startApp(t);
  const { assets, scripts, style } = await dashboard();
  const [script = '', ...ahead] = scripts;
  const cookie = await app.signIn(app.owner);
  const { text } = await app.ask('GET', '/', { cookie });
  assert.ok(text.includes(`src="/assets/${script}"`) && text.includes(`href="/assets/${style}"`));
  for (const name of ahead) assert.ok(text.includes(`<link rel="modulepreload" href="/assets/${name}">`), name);
  assert.match(script, /^main-[0-9A-Z]{8}\.js$/);
  assert.match(style, /^style-[0-9A-Z]{8}\.css$/);
  for (const name of assets.keys()) {
    const plain = await bytesOf(app, name);
    const brotli = await bytesOf(app, name, 'gzip, deflate, br, zstd');
    const gzip = await bytesOf(app, name, 'gzip, deflate');
    assert.deepEqual(
      [plain, brotli, gzip].map(({ headers }) => headers.get('Content-Encoding')),
      [null, 'br', 'gzip'],
    );
    assert.ok(plain.bytes.length > 0, name);
    assert.ok(plain.bytes.equals(brotliDecompressSync(brotli.bytes)), name);
    assert.ok(plain.bytes.equals(gunzipSync(gzip.bytes)), name);
    for (const { headers, bytes } of [plain, brotli, gzip]) {
      assert.equal(headers.get('Content-Length'), String(bytes.length));
      assert.equal(headers.get('Cache-Control'), 'public, max-age=31536000, immutable');
      assert.equal(headers.get('Vary'), 'Accept-Encoding');
      assert.equal(headers.get('X-Content-Type-Options'), 'nosniff');
      assert.match(headers.get('Content-Type') ?? '', /^text\/(?:javascript|css); charset=utf-8$/);
    }
  }
  const head = await app.ask('HEAD', `/assets/${script}`);
  assert.deepEqual([head.status, head.text], [200, '']);
});

test('a name that is none of the files is not found', async (t) => {
  const app = await startApp(t);
  const [script = ''] = (await dashboard()).scripts;
  const names = [
    'main.js',
    'main-.js',
    script.toLowerCase(),
    `${script}.map`,
    `${script}%00`,
    '__proto__',
    'constructor',
    'toString',
    '..%2f..%2fpackage.json',
    '%2e%2e%2fschema.sql',
    'main.tsx',
    '',
  ];
  for (const name of names) {
    const { status, body } = await app.ask('GET', `/assets/${name}`);
    assert.deepEqual([status, body.error.code], [404, 'not_found'], name);
  }
});

test('what is no place of the dashboard is not found, signed in or not', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  for (const path of [
    '/sites',
    '/sites/',
    '/sites/example.com/other',
    '/account/a/b',
    '/accounts',
    '/index.html',
    '/live',
    '/share',
  ]) {
    for (const asking of [{}, { cookie }]) assert.equal((await app.ask('GET', path, asking)).status, 404, path);
  }
});

test('every place takes GET, HEAD and OPTIONS, and nothing else', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const seen = await app.ask('GET', '/', { cookie });
  const head = await app.ask('HEAD', '/', { cookie });
  assert.deepEqual([head.status, head.text], [200, '']);
  assert.equal(head.headers.get('Content-Length'), seen.headers.get('Content-Length'));
  for (const path of [...PLACES, '/share/x', '/assets/x']) {
    assert.equal((await app.ask('OPTIONS', path)).headers.get('Allow'), 'GET, HEAD, OPTIONS', path);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, body } = await app.ask(method, path, { cookie, body: {} });
      assert.deepEqual([status, body.error.code], [405, 'method_not_allowed'], `${method} ${path}`);
    }
  }
});

test('what the first view loads is at most 60 kB', async () => {
  const { assets, scripts, style } = await dashboard();
  const sizes = [...scripts, style].map((name) => {
    const { brotli = Buffer.alloc(0) } = assets.get(name) ?? {};
    return brotliCompressSync(brotliDecompressSync(brotli)).length;
  });
  const sum = sizes.reduce((all, one) => all + one, 0);
  assert.ok(sizes.length >= 3 && sum > 20_000 && sum <= 60_000, `${sum} bytes: ${sizes.join(', ')}`);
});
