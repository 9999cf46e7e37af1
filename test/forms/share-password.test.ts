import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/helpers.ts';
import { cookieOf, form } from '../support/requests.ts';
import { answersIn, bootIn, policyOf } from './boot.ts';

const PASSWORD = 'a password of the link';

async function start(t: Parameters<typeof startApp>[0], more: object = { password: PASSWORD }) {
  const app = await startApp(t);
  const { body } = await app.owner.ask('POST', `/sites/${app.siteId}/shares`, { name: 'Secret customer', ...more });
  return { app, path: new URL(body.data.url).pathname };
}

test('the password of a share link: a page asks for it, and then the reports open', async (t) => {
  const { app, path } = await start(t);
  const asked = await app.ask('GET', path);
  assert.deepEqual([asked.status, asked.headers.get('Location')], [303, `${path}/password`]);
  const page = await app.ask('GET', `${path}/password`);
  assert.equal(page.status, 200);
  assert.match(page.text, /<h1>This link needs a password<\/h1>/);
  assert.ok(!/example\.com|Secret customer/.test(page.text), 'the page does not name the site or the link');
  const wrong = await app.ask('POST', `${path}/password`, form({ password: 'a wrong password' }));
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /This is not the password of this link\./);
  assert.equal(wrong.headers.get('Set-Cookie'), null);
  const right = await app.ask('POST', `${path}/password`, form({ password: PASSWORD }));
  assert.deepEqual([right.status, right.headers.get('Location')], [303, path]);
  assert.match(right.headers.get('Set-Cookie') ?? '', /; HttpOnly; SameSite=Lax; Max-Age=2592000/);
  const cookie = cookieOf(right);
  const seen = await app.ask('GET', path, { cookie });
  assert.equal(seen.status, 200);
  assert.match(JSON.stringify(bootIn(seen.text)), /"domain":"example\.com"/);
  assert.ok(!seen.text.includes('Secret customer'));
  assert.deepEqual(answersIn(seen.text), {
    '/api/v1/sites/example.com/goals': [],
    '/api/v1/sites/example.com/notes': [],
  });
  assert.equal((await app.ask('GET', `${path}/password`, { cookie })).status, 303);
});

test('the password of a share link: guesses are limited, and another website cannot send them', async (t) => {
  const { app, path } = await start(t);
  const send = (password: string, headers = {}) => app.ask('POST', `${path}/password`, { body: { password }, headers });
  assert.equal((await send(PASSWORD, { 'sec-fetch-site': 'cross-site' })).status, 403);
  for (let n = 0; n < 5; n++) assert.equal((await send('a wrong password')).status, 422);
  const refused = await send(PASSWORD);
  assert.equal(refused.status, 429);
  assert.ok(refused.headers.get('Retry-After'));
  app.clock.pass(2);
  assert.equal((await send(PASSWORD)).status, 204);
});

test('the password of a share link: a link without one has no such page', async (t) => {
  const { app, path } = await start(t, {});
  assert.equal((await app.ask('GET', path)).status, 200);
  assert.equal((await app.ask('GET', `${path}/password`)).headers.get('Location'), path);
  assert.equal((await app.ask('GET', '/share/none/password')).status, 404);
});

test('each share link has its own websites that may show it in a frame', async (t) => {
  const { app, path } = await start(t, { origins: ['https://blog.example.com'] });
  await app.owner.ask('POST', `/sites/${app.siteId}/embeds`, { origin: 'https://www.example.com' });
  const bare = await app.share(app.owner, app.siteId);
  const framedBy = async (at: string) => policyOf(await app.ask('GET', at))['frame-ancestors'];
  assert.equal(await framedBy(path), 'https://blog.example.com');
  assert.equal(await framedBy(`/share/${bare}`), 'https://www.example.com');
});
