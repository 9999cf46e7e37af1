import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startApp } from '../support/helpers.ts';
import { dataOf } from '../support/requests.ts';
import { anyText } from '../support/text.ts';

test('an origin is added once, listed and removed', async (t) => {
  const { manager, siteId } = await startApp(t);
  const path = `/sites/${siteId}/embeds`;
  const answer = await manager.ask('POST', path, { origin: 'https://www.example.com' });
  assert.equal(answer.status, 201);
  const embed = dataOf(answer, 'POST', path);
  assert.deepEqual(embed, { id: 1, origin: 'https://www.example.com', created_at: '2026-03-10T12:00:00Z' });
  assert.equal(answer.headers.get('Location'), `/api/v1${path}/1`);
  const again = dataOf(await manager.ask('POST', path, { origin: 'HTTPS://WWW.example.com:443/' }), 'POST', path);
  assert.deepEqual(again, embed);
  const other = dataOf(await manager.ask('POST', path, { origin: 'http://www.example.com' }), 'POST', path);
  assert.deepEqual(dataOf(await manager.ask('GET', path), 'GET', path), [embed, other]);
  assert.equal((await manager.ask('DELETE', `${path}/${embed.id}`)).status, 204);
  assert.deepEqual(dataOf(await manager.ask('GET', path), 'GET', path), [other]);
  assert.equal((await manager.ask('DELETE', `${path}/${embed.id}`)).status, 404);
});

test('each site has its own', async (t) => {
  const { owner, stranger, siteId, strangerSiteId } = await startApp(t);
  const origin = 'https://www.example.com';
  const [one, other] = [
    await owner.ask('POST', `/sites/${siteId}/embeds`, { origin }),
    await stranger.ask('POST', `/sites/${strangerSiteId}/embeds`, { origin }),
  ];
  assert.notEqual(one.body.data.id, other.body.data.id);
  assert.equal((await owner.ask('DELETE', `/sites/${siteId}/embeds/${other.body.data.id}`)).status, 404);
  assert.equal((await stranger.ask('GET', `/sites/${strangerSiteId}/embeds`)).body.data.length, 1);
});

test('an origin is kept as browsers write it', async (t) => {
  const { owner, siteId } = await startApp(t);
  for (const [typed, origin] of [
    ['https://Example.COM/', 'https://example.com'],
    ['https://example.com:8443', 'https://example.com:8443'],
    ['http://example.com:80', 'http://example.com'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://192.168.1.5', 'http://192.168.1.5'],
    [' https://example.org ', 'https://example.org'],
  ] as const) {
    const { status, body } = await owner.ask('POST', `/sites/${siteId}/embeds`, { origin: typed });
    assert.deepEqual([status, body.data?.origin], [201, origin], typed);
  }
});

/** The last five are origins that a Content-Security-Policy cannot say, so that browsers would ignore them. */
const WRONG = [
  '',
  'example.com',
  '//example.com',
  'https://',
  'https://example.com/a',
  'https://example.com/?a',
  'https://example.com?',
  'https://example.com/#a',
  'https://example.com#',
  'https://user@example.com',
  'https://user:password@example.com',
  'ftp://example.com',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,x',
  'blob:https://example.com/x',
  'null',
  '*',
  'https://*',
  'https://*.example.com',
  "'self'",
  "https://'self'",
  'https:',
  // What would begin another rule, or another policy, in the header.
  'https://a;sandbox',
  'https://a; script-src *',
  'https://a,default-src',
  'https://a.example https://b.example',
  'https://a.example\r\nSet-Cookie: x=1',
  `https://${'a'.repeat(63)}.${'b.'.repeat(200)}example`,
  'https://[::1]',
  'http://[::1]:8080',
  'https://a_b.com',
  'https://a..b',
  'https://example.com.',
];

test('what is no origin, or could mean more than one in a header, is refused', async (t) => {
  const app = await startApp(t);
  const path = `/sites/${app.siteId}/embeds`;
  for (const origin of [...WRONG, 1, null, undefined, ['https://example.com']]) {
    const { status, body } = await app.owner.ask('POST', path, { origin });
    assert.deepEqual([status, Object.keys(body.error?.fields ?? {})], [422, ['origin']], JSON.stringify(origin));
  }
  assert.deepEqual((await app.owner.ask('GET', path)).body.data, []);
});

test('whatever is taken, the policy of the page has one rule more in it and no other', async (t) => {
  const app = await startApp(t);
  const slug = await app.share(app.owner, app.siteId);
  const path = `/sites/${app.siteId}/embeds`;
  const piece = fc.oneof(
    anyText({ maxLength: 3 }),
    fc.constantFrom(
      'https://',
      'a.example',
      ':8080',
      '/',
      ';',
      ',',
      ' ',
      '*',
      "'",
      '"',
      '\t',
      '\n',
      '@',
      '[::1]',
      '%',
      'ü',
    ),
  );
  const rules = async () =>
    ((await app.ask('GET', `/share/${slug}`)).headers.get('Content-Security-Policy') ?? '').split(/[;,]\s*/);
  const before = await rules();
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 5 }), async (pieces) => {
      const { status, body } = await app.owner.ask('POST', path, { origin: `https://${pieces.join('')}` });
      if (status === 422) return;
      assert.equal(status, 201);
      const expected = before.map((rule) => (rule.startsWith('frame-') ? `frame-ancestors ${body.data.origin}` : rule));
      assert.deepEqual(await rules(), expected);
      assert.match(body.data.origin, /^https:\/\/[\w.:[\]-]+$/);
      await app.owner.ask('DELETE', `${path}/${body.data.id}`);
    }),
    { numRuns: 500, examples: [[['a.example']], [['[::1]', ':8080']]] },
  );
});

test('a site has twenty of them, so that proxies let their header through', async (t) => {
  const { owner, siteId } = await startApp(t);
  const path = `/sites/${siteId}/embeds`;
  const add = (i: number) => owner.ask('POST', path, { origin: `https://site${i}.example` });
  const answers = await Promise.all(Array.from({ length: 25 }, (_, i) => add(i)));
  assert.equal(answers.filter(({ status }) => status === 201).length, 20);
  const refused = await owner.ask('POST', path, {});
  assert.deepEqual([refused.status, refused.body.error.code], [402, 'limit_reached']);
  assert.equal((await owner.ask('DELETE', `${path}/1`)).status, 204);
  assert.equal((await add(99)).status, 201);
});

test('they go with their site', async (t) => {
  const { owner, siteId, db } = await startApp(t);
  await owner.ask('POST', `/sites/${siteId}/embeds`, { origin: 'https://example.com' });
  assert.equal((await owner.ask('DELETE', `/sites/${siteId}`)).status, 204);
  assert.equal(db.one<{ n: number }>('SELECT count(*) AS n FROM embed')?.n, 0);
});
