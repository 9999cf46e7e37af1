import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setPasswordLink } from '../../src/store/people/users.ts';
import { mailServer, readMail } from '../mail/server.ts';
import { startApp } from '../support/helpers.ts';
import { passwordOf } from '../support/people.ts';
import { OWNER } from './signing-in.ts';
import { appCode, setUpApp } from './two-factors.ts';

const HEADERS = { 'sec-fetch-site': 'same-origin' };
const BASE = 'https://stats.example.com';

async function stage(t: TestContext) {
  const server = await mailServer(t);
  const app = await startApp(t, { ...server.settings, 'base-url': BASE });
  const cookie = await app.signIn(app.owner);
  const post = (path: string, body: object) => app.ask('POST', path, { cookie, body, headers: HEADERS });
  /** What the next mail says that was changed, and to whom it went. */
  async function told(): Promise<string[]> {
    const { to, source } = await server.next();
    const text = source.replaceAll('=\r\n', '').replaceAll('\r\n', '\n');
    return [...to, text.split('\n\n')[2] ?? ''];
  }
  return { app, server, cookie, post, told };
}

test('notices: the owner gets a mail when the password is changed, in the account or by a link', async (t) => {
  const { app, server, post, told } = await stage(t);
  const password = 'another password';
  await post('/password', { current: 'wrong', password });
  assert.equal((await post('/password', { current: passwordOf(app.owner), password })).status, 200);
  assert.deepEqual(await told(), [OWNER, 'Your password was changed.']);
  app.db.write(() => setPasswordLink(app.db, app.owner.id, 'a-secret', app.clock.now() / 1000 + 60));
  assert.equal((await app.ask('POST', '/password/a-secret', { body: { password } })).status, 200);
  assert.deepEqual(await told(), [OWNER, 'Your password was changed.']);
  assert.equal(server.mails.length, 2);
  assert.match(server.mails[0]?.source ?? '', /https:\/\/stats\.example\.com\/forgot/);
});

test('notices: a first password, set by the link of the operator, is no change', async (t) => {
  const { app, server } = await stage(t);
  app.db.run('UPDATE user SET password = NULL WHERE id = ?', app.owner.id);
  app.db.write(() => setPasswordLink(app.db, app.owner.id, 'a-secret', app.clock.now() / 1000 + 60));
  const set = await app.ask('POST', '/password/a-secret', { body: { password: 'a first password' } });
  assert.equal(set.status, 200);
  await app.post.settle();
  assert.equal(server.mails.length, 0);
});

test('notices: after a change of the e-mail the old one is told', async (t) => {
  const { app, server, post, told } = await stage(t);
  await post('/email', { email: 'new@example.com', current: passwordOf(app.owner) });
  const { source } = await server.next();
  const [path = ''] = /\/email\/\S+/.exec(source.replaceAll('=\r\n', '').replaceAll('=3D', '=')) ?? [];
  assert.equal((await app.ask('POST', path, { body: { current: passwordOf(app.owner) } })).status, 200);
  const sentence = 'Your e-mail address was changed. You can no longer sign in with this one.';
  assert.deepEqual(await told(), [OWNER, sentence]);
});

test('notices: a change that is stored is answered and told, even if its mail cannot be counted', async (t) => {
  const { app, cookie, post, told } = await stage(t);
  await setUpApp(app, cookie);
  await told();
  // Like a disk that is full after the change itself.
  app.db.run(`CREATE TRIGGER full BEFORE INSERT ON mail_count BEGIN SELECT RAISE(ABORT, 'full'); END`);
  const token = await post('/api/v1/tokens', { name: 'New', abilities: ['read'] });
  assert.equal(token.status, 201);
  assert.deepEqual(await told(), [OWNER, 'An access token was created.']);
  const codes = await post('/factors', { codes: 'new' });
  assert.deepEqual([codes.status, codes.body.data.recovery_codes.length], [200, 10]);
  assert.equal((await told())[0], OWNER);
});

test('notices: the owner gets a mail when second factors, recovery codes or tokens change', async (t) => {
  const { app, cookie, post, told, server } = await stage(t);
  await setUpApp(app, cookie);
  assert.deepEqual(await told(), [OWNER, 'A second factor was added.']);
  await post('/factors', { codes: 'new' });
  assert.deepEqual(await told(), [OWNER, 'Your recovery codes were replaced.']);
  const factor = app.db.one<{ id: number }>('SELECT id FROM factor')?.id;
  await post('/factors', { remove: 12_345 });
  await post('/factors', { remove: factor });
  assert.deepEqual(await told(), [OWNER, 'Two-factor authentication was turned off.']);
  const made = await post('/api/v1/tokens', { name: 'New', abilities: ['read'] });
  assert.deepEqual(await told(), [OWNER, 'An access token was created.']);
  await app.ask('DELETE', `/api/v1/tokens/${made.body.data.id}`, { cookie, headers: HEADERS });
  assert.deepEqual(await told(), [OWNER, 'An access token was revoked.']);
  assert.equal(server.mails.length, 5);
});

test('notices: the owner gets a mail when one of two factors is removed, or a recovery code is used', async (t) => {
  const { app, cookie, post, told, server } = await stage(t);
  const { recovery, secret } = await setUpApp(app, cookie);
  await told();
  const other = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  assert.equal((await post('/factors/app', { secret: other, code: appCode(other, app.clock.now()) })).status, 200);
  await told();
  const factor = app.db.one<{ id: number }>('SELECT max(id) AS id FROM factor')?.id;
  await post('/factors', { remove: factor });
  assert.deepEqual(await told(), [OWNER, 'A second factor was removed.']);
  app.clock.pass(600);
  assert.equal((await post('/prove', { code: recovery[0] })).status, 200);
  assert.deepEqual(await told(), [OWNER, 'A recovery code was used.']);
  app.clock.pass(600);
  assert.equal((await post('/prove', { code: recovery[0] })).status, 422);
  assert.equal((await post('/prove', { code: appCode(secret, app.clock.now()) })).status, 200);
  await app.post.settle();
  assert.equal(server.mails.length, 4, 'no mail about other codes');
});

test('notices: they are in the language of the account, and 20 a day', async (t) => {
  const { app, server, told } = await stage(t);
  await app.owner.ask('PATCH', '/account/language', { language: 'de' });
  for (let n = 0; n < 24; n++) await app.owner.ask('POST', '/tokens', { name: `Number ${n}`, abilities: ['read'] });
  await app.post.settle();
  assert.equal(server.mails.length, 20);
  assert.match(readMail(await server.next()).headers.subject ?? '', /Dein_daybook-Konto_wurde/);
  assert.deepEqual(await told(), [OWNER, 'Ein Zugriffstoken wurde erstellt.']);
});
