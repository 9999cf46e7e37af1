import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '../forms/provider.ts';
import { freePort, start, untilListening } from '../integrations/crawled.ts';
import { folder, startApp } from '../support/helpers.ts';
import { listening } from '../support/streams.ts';

const skip = spawnSync('nginx', ['-v']).error ? 'nginx is not installed: apt-get install nginx' : false;

/** The configuration in docs/sign-in.md. */
function documented(replacements: Record<string, string>): string {
  const text = readFileSync(fileURLToPath(new URL('../../docs/sign-in.md', import.meta.url)), 'utf8');
  const [, config = ''] = /```nginx\n([^`]+)```/.exec(text) ?? [];
  return Object.entries(replacements).reduce((all, [from, to]) => {
    assert.ok(all.includes(from), from);
    return all.replaceAll(from, to);
  }, config);
}

test('header: behind nginx with a portal as the documents have it, nobody can be somebody else', {
  skip,
}, async (t) => {
  const app = await startApp(t, {
    'auth-header': 'Remote-Email',
    'trusted-proxies': '127.0.0.2',
    'base-url': 'http://127.0.0.1',
  });
  const { port } = await listening(t, app);
  // The portal knows the person by a cookie, as Authelia does.
  const portal = createServer(({ headers }, response) => {
    const [, person] = /portal=(\w+)/.exec(headers.cookie ?? '') ?? [];
    if (person) response.setHeader('Remote-Email', `${person}@example.com`);
    response.writeHead(person ? 200 : 401).end();
  }).listen(0, '127.0.0.1');
  await once(portal, 'listening');
  t.after(() => portal.close());
  const [place, own] = [folder(t), await freePort()];
  const server = documented({
    'listen 443 ssl;': `listen 127.0.0.1:${own};`,
    'http://127.0.0.1:9091': `http://127.0.0.1:${(portal.address() as AddressInfo).port}`,
    'http://127.0.0.1:8377;': `http://127.0.0.1:${port}; proxy_bind 127.0.0.2;`,
  });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${place}/${name};`,
  );
  const file = join(place, 'nginx.conf');
  const main = `daemon off; master_process off; pid ${place}/pid; error_log stderr; events {}`;
  writeFileSync(file, `${main} http { access_log off; ${temporary.join(' ')} ${server} }`);
  start(t, ['nginx', '-e', 'stderr', '-c', file], place);
  await untilListening(own);

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
