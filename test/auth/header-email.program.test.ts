import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { blockOf } from '../documents/documents.ts';
import { openBrowser } from '../forms/provider.ts';
import { freePort, start, untilListening } from '../integrations/crawled.ts';
import { folder, startApp } from '../support/helpers.ts';
import { listening } from '../support/streams.ts';
import { listenHere, missing, nginxCommand, replaceIn } from '../support/web-servers.ts';

const skip = missing('nginx', '-v');

/** An app behind nginx, as the documents have it. The portal knows a person by a cookie, as Authelia does. */
async function stage(t: TestContext) {
  const app = await startApp(t, {
    'auth-header': 'Remote-Email',
    'trusted-proxies': '127.0.0.2',
    'base-url': 'http://127.0.0.1',
  });
  const { port } = await listening(t, app);
  const portal = await listenHere(t, ({ headers }, response) => {
    const [, person] = /portal=(\w+)/.exec(headers.cookie ?? '') ?? [];
    if (person) response.setHeader('Remote-Email', `${person}@example.com`);
    response.writeHead(person ? 200 : 401).end();
  });
  const [place, own] = [folder(t), await freePort()];
  const server = replaceIn(blockOf('docs/sign-in.md', 'A header from your proxy', 'nginx'), {
    'listen 443 ssl;': `listen 127.0.0.1:${own};`,
    'http://127.0.0.1:9091': `http://127.0.0.1:${portal}`,
    'http://127.0.0.1:8377;': `http://127.0.0.1:${port}; proxy_bind 127.0.0.2;`,
  });
  start(t, nginxCommand(place, `access_log off; ${server}`), place);
  await untilListening(own);
  return { app, port, own };
}

test('header: behind nginx with a portal as the documents have it, nobody can be somebody else', {
  skip,
}, async (t) => {
  const { app, port, own } = await stage(t);
  const ask = (at: number, headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${at}/sign-in`, { redirect: 'manual', headers: { accept: 'text/html', ...headers } });
  assert.equal((await ask(own, {})).status, 401, 'without the portal, nginx lets nobody in');
  const forged = { 'Remote-Email': app.owner.email, Remote_Email: app.owner.email, 'remote-email': app.owner.email };
  for (const more of [{}, forged]) {
    const answer = await ask(own, { cookie: 'portal=viewer', ...more });
    assert.equal(answer.status, 303);
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const { body } = await app.ask('GET', '/api/v1/account', { cookie });
    assert.equal(body.data.email, app.viewer.email);
  }
  assert.equal((await ask(own, { cookie: 'portal=unknown', ...forged })).status, 403);
  const direct = await ask(port, forged);
  assert.deepEqual([direct.status, direct.headers.getSetCookie()], [200, []], 'past nginx the header is nothing');
  assert.equal((await openBrowser().go(`http://127.0.0.1:${port}/account`)).url.pathname, '/sign-in');
});

test('header: paths that the documents leave open need no portal, and all others do', { skip }, async (t) => {
  const { app, own } = await stage(t);
  const slug = await app.share(app.owner, app.siteId);
  await app.owner.ask('PATCH', `/sites/${app.siteId}`, { public_live: true });
  const ask = (path: string, asked: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${own}${path}`, { redirect: 'manual', ...asked });
  const statusOf = async (path: string, asked: RequestInit = {}) => {
    const answer = await ask(path, asked);
    await answer.arrayBuffer();
    return answer.status;
  };
  const hit = JSON.stringify({ site: 'example.com', url: 'https://example.com/' });
  assert.equal(await statusOf('/day', { method: 'POST', body: hit }), 202);
  const assets = (await (await ask(`/share/${slug}`)).text()).match(/\/assets\/[^"]+\.js/g) ?? [];
  assert.ok(assets.length > 0);
  for (const path of [
    ...[
      '/day.js',
      '/day-vitals.js',
      '/day.gif?site=example.com&url=https://example.com/x',
      '/privacy',
      '/verify.html',
      ...assets,
    ],
    ...['/live/example.com.json', '/.well-known/daybook-key', `/sites/example.com/glance?share=${slug}`],
  ])
    assert.equal(await statusOf(path), path === '/privacy' ? 303 : 200, path);
  const stats = '/api/v1/sites/example.com/stats/overview?range=7d';
  assert.equal(await statusOf(stats, { headers: { authorization: `Share ${slug}` } }), 200);
  assert.equal(await statusOf(stats, { headers: { authorization: `Bearer ${app.owner.token}` } }), 200);
  assert.equal(await statusOf(stats), 401);
  for (const path of ['/', '/account', '/sites/example.com', '/sign-in', '/password/x', '/days', '/apix'])
    assert.equal(await statusOf(path, { headers: { authorization: `Bearer ${app.owner.token}` } }), 401, path);
  assert.equal((await ask('/days')).headers.get('Content-Security-Policy'), null, 'nginx answers itself');

  const { headers } = await ask('/sign-in', { headers: { cookie: 'portal=viewer' } });
  const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
  app.clock.pass(3_600);
  const addToken = (more: Record<string, string>) =>
    statusOf('/api/v1/tokens', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'http://127.0.0.1', ...more },
      body: JSON.stringify({ name: 'x', abilities: ['read'] }),
    });
  assert.equal(await addToken({ cookie: `${cookie}; portal=viewer` }), 201, 'the portal knows the person');
  assert.equal(await addToken({ cookie, 'Remote-Email': app.viewer.email }), 403, 'a visitor wrote the header');
});
