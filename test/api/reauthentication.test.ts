import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '../../src/api/routes.ts';
import { seconds } from '../../src/lib/time.ts';
import { addSession } from '../../src/store/people/sessions.ts';
import { textOf } from '../documents/documents.ts';
import { appCode, setUpApp } from '../forms/two-factors.ts';
import { startApp, type TestApp } from '../support/helpers.ts';
import { passwordOf } from '../support/people.ts';
import { form } from '../support/requests.ts';

const NEW_TOKEN = { name: 'New', abilities: ['read'] };

const makeToken = (app: TestApp, cookie: string) => app.ask('POST', '/api/v1/tokens', { cookie, body: NEW_TOKEN });

test('ten minutes after signing in, what makes or moves access is not done before somebody has shown who they are', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const { id } = (await app.owner.ask('GET', '/team')).body.data.members[0];
  app.clock.pass(599);
  assert.equal((await makeToken(app, cookie)).status, 201);
  app.clock.pass(1);
  const asked = [
    ['POST', '/tokens', NEW_TOKEN],
    ['POST', '/team', { email: 'new@example.com', role: 'viewer' }],
    ['PATCH', `/team/${id}`, { role: 'viewer' }],
    ['DELETE', `/team/${id}`, undefined],
    ['PATCH', `/sites/${app.siteId}`, { domain: 'renamed.example' }],
    ['POST', `/sites/${app.siteId}/deletions`, { from: '2026-03-01', to: '2026-03-02' }],
    ['DELETE', `/sites/${app.siteId}`, undefined],
  ] as const;
  for (const [method, path, body] of asked) {
    const { status, body: answer } = await app.ask(method, `/api/v1${path}`, { cookie, body });
    assert.deepEqual([status, answer.error.code], [403, 'reauthentication_required'], `${method} ${path}`);
  }
  assert.equal((await app.ask('GET', '/api/v1/tokens', { cookie })).status, 200);
  const site = await app.ask('PATCH', `/api/v1/sites/${app.siteId}`, { cookie, body: { weekly_report: true } });
  assert.equal(site.status, 200);
  // Removing access is harmless, and somebody that lost a token must not lose time.
  const tokenId = app.tokenOf(app.owner, ['read']).split('|')[0];
  assert.equal((await app.ask('DELETE', `/api/v1/tokens/${tokenId}`, { cookie })).status, 204);
  assert.equal((await app.owner.ask('POST', '/tokens', NEW_TOKEN)).status, 201, 'a token is not asked');

  const other = await app.signIn(app.owner);
  const prove = (body: object) => app.ask('POST', '/prove', { cookie, body });
  const wrong = await prove({ password: 'a wrong password' });
  assert.deepEqual([wrong.status, Object.keys(wrong.body.error.fields)], [422, ['password']]);
  assert.equal((await makeToken(app, cookie)).status, 403);
  assert.equal((await prove({ password: passwordOf(app.owner) })).status, 200);
  for (const [method, path, body] of asked)
    assert.ok((await app.ask(method, `/api/v1${path}`, { cookie, body })).status < 300, `${method} ${path}`);
  app.clock.pass(600);
  for (const stale of [cookie, other]) assert.equal((await makeToken(app, stale)).status, 403);
});

test('a code of a second factor is proof too, once', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const { secret } = await setUpApp(app, cookie);
  app.clock.pass(600);
  const code = appCode(secret, app.clock.now());
  assert.equal((await app.ask('POST', '/prove', { cookie, body: { code } })).status, 200);
  assert.equal((await makeToken(app, cookie)).status, 201);
  assert.equal((await app.ask('POST', '/prove', { cookie, body: { code } })).status, 422);
});

test('a page asks for it too, tries are limited, and only who is signed in is asked', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const page = await app.ask('GET', '/prove?next=/account/team', { cookie });
  assert.match(page.text, /autocomplete="current-password"/);
  const fields = { password: passwordOf(app.owner), next: '//evil.example/' };
  const shown = await app.ask('POST', '/prove', { cookie, ...form(fields) });
  assert.deepEqual([shown.status, shown.headers.get('Location')], [303, '/']);
  const guess = () => app.ask('POST', '/prove', { cookie, body: { password: 'a wrong password' } });
  for (let i = 0; i < 5; i++) assert.equal((await guess()).status, 422);
  assert.equal((await guess()).status, 429);
  assert.equal((await app.ask('POST', '/prove', { body: fields })).status, 401);
  assert.equal((await app.ask('POST', '/prove', { token: app.owner.token, body: fields })).status, 401);
});

test('a session without a password must be confirmed too, except that of the demo, which begins so for good', async (t) => {
  const app = await startApp(t);
  const { db, owner, clock } = app;
  const cookie = await app.signIn(owner);
  db.run('UPDATE user SET password = NULL WHERE id = ?', owner.id);
  clock.pass(600);
  assert.equal((await makeToken(app, cookie)).status, 403);
  const secret = 'a'.repeat(43);
  const reauthenticatedAt = Number.MAX_SAFE_INTEGER;
  db.write(() => addSession(db, { userId: owner.id, secret, browser: 'Test', now: seconds(clock), reauthenticatedAt }));
  clock.pass(3_600);
  assert.equal((await makeToken(app, `daybook=${secret}`)).status, 201);
});

test('the documents name each request that needs the password again', () => {
  const NAMED: Record<string, string> = {
    'POST /tokens': 'adding tokens',
    'POST /team': 'changing the team',
    'PATCH /team/{member}': 'changing the team',
    'DELETE /team/{member}': 'changing the team',
    'PATCH /sites/{site}': 'renaming or deleting a site',
    'DELETE /sites/{site}': 'renaming or deleting a site',
    'DELETE /sites/{site}/imports/{import_id}': 'removing an import',
    'POST /sites/{site}/deletions': 'deleting days',
    'POST /sql': '[SQL](sql.md)',
  };
  const asking = routes.filter(
    ({ reauthenticates, reauthenticatedFields }) => reauthenticates || reauthenticatedFields,
  );
  assert.deepEqual(asking.map(({ method, path }) => `${method} ${path}`).sort(), Object.keys(NAMED).sort());
  const page = textOf('docs/api.md').replaceAll(/\s+/g, ' ');
  for (const words of Object.values(NAMED)) assert.ok(page.includes(words), words);
});
