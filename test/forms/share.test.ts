import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/helpers.ts';
import { bootIn, PLACES, POLICY, policyOf } from './boot.ts';

test('a share link shows its site to everybody, and says nothing of who is signed in', async (t) => {
  const app = await startApp(t);
  const slug = await app.share(app.owner, app.siteId);
  assert.match(slug, /^[0-9A-Za-z]{22}$/);
  const seen = await app.ask('GET', `/share/${slug}`);
  assert.equal(seen.status, 200);
  const share = {
    slug,
    domain: 'example.com',
    timeZone: 'UTC',
    mainGoal: null,
    currency: null,
    dimensionsOff: ['region', 'city'],
    hasSearches: false,
  };
  assert.deepEqual(bootIn(seen.text), {
    share,
    email: null,
    server: false,
    cluster: false,
    factors: false,
    hasPassword: false,
    provider: null,
    mails: false,
    isPublicDemo: false,
    language: 'en',
  });
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
    assert.match(
      text,
      /<h1>This link does not work<\/h1>\n<p>The owner of the site has turned this link off, or replaced it\.<\/p>/,
      slug,
    );
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
