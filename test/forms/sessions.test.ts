import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashSecret } from '../../src/lib/secrets.ts';
import { DAY } from '../../src/lib/time.ts';
import { startApp } from '../support/helpers.ts';
import { cookieOf, form } from '../support/requests.ts';
import { isSignedIn, OWNER, RIGHT, send } from './signing-in.ts';

test('a cookie that somebody slipped in beforehand is worth nothing after signing in', async (t) => {
  const app = await startApp(t);
  const planted = `daybook=${'x'.repeat(43)}`;
  assert.ok(!(await isSignedIn(app, planted)));
  const { body, headers } = form(RIGHT);
  const answer = await app.ask('POST', '/sign-in', { body, headers: { ...headers, cookie: planted } });
  assert.equal(answer.status, 303);
  assert.notEqual(cookieOf(answer), planted);
  assert.ok(!(await isSignedIn(app, planted)));
  assert.ok(await isSignedIn(app, cookieOf(answer)));

  // Nor one of a session that somebody else has.
  const strangers = await app.signIn(app.stranger);
  const own = await app.ask('POST', '/sign-in', { body, headers: { ...headers, cookie: strangers } });
  const who = (cookie: string) => app.ask('GET', '/api/v1/account', { cookie });
  assert.equal((await who(strangers)).body.data.email, app.stranger.email);
  assert.equal((await who(cookieOf(own))).body.data.email, OWNER);
});

test('each time there is another secret, of which only the hash is kept', async (t) => {
  const app = await startApp(t);
  const cookies = [await app.signIn(app.owner), await app.signIn(app.owner)];
  const secrets = cookies.map((cookie) => cookie.replace('daybook=', ''));
  assert.equal(new Set(secrets).size, 2);
  for (const secret of secrets) assert.match(secret, /^[0-9A-Za-z]{43}$/);
  const hashes = app.db.all<{ hash: Buffer }>('SELECT hash FROM session ORDER BY id').map(({ hash }) => hash);
  assert.deepEqual(hashes, secrets.map(hashSecret));
});

test('signing out ends that session at the server and takes the cookie away', async (t) => {
  const app = await startApp(t);
  const [here, elsewhere] = [await app.signIn(app.owner), await app.signIn(app.owner)];
  const answer = await app.ask('POST', '/sign-out', { cookie: here });
  assert.deepEqual([answer.status, answer.headers.get('Location')], [303, '/sign-in']);
  assert.equal(answer.headers.get('Set-Cookie'), 'daybook=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
  // Somebody may have kept the cookie.
  assert.ok(!(await isSignedIn(app, here)));
  assert.ok(await isSignedIn(app, elsewhere));
  assert.equal(app.db.one<{ n: number }>('SELECT count(*) AS n FROM session')?.n, 1);
});

test('signing out without being signed in is no error, and a link cannot do it', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  for (const unknown of [undefined, 'daybook=x', `daybook=${'x'.repeat(43)}`]) {
    const asking = { headers: { 'sec-fetch-site': 'same-origin', ...(unknown ? { cookie: unknown } : {}) } };
    assert.equal((await app.ask('POST', '/sign-out', asking)).status, 303);
  }
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await app.ask(method, '/sign-out', { cookie });
    assert.deepEqual([status, headers.get('Allow')], [405, 'POST, OPTIONS']);
  }
  assert.ok(await isSignedIn(app, cookie));
});

test('a session ends a week after it was last used', async (t) => {
  const app = await startApp(t);
  const [used, idle] = [await app.signIn(app.owner), await app.signIn(app.owner)];
  app.clock.pass(7 * DAY - 60);
  assert.ok(await isSignedIn(app, used));
  app.clock.pass(60);
  assert.ok(!(await isSignedIn(app, idle)));
  assert.ok(await isSignedIn(app, used));
  app.clock.pass(7 * DAY - 1);
  assert.ok(await isSignedIn(app, used));
});

test('a session ends a month after it began, however often it is used, and so does its cookie', async (t) => {
  const app = await startApp(t);
  const answer = await send(app, RIGHT);
  const cookie = cookieOf(answer);
  const [, age] = /Max-Age=(\d+)/.exec(answer.headers.get('Set-Cookie') ?? '') ?? [];
  assert.equal(Number(age), 30 * DAY);
  for (let day = 1; day < 30; day++) {
    app.clock.pass(DAY);
    assert.ok(await isSignedIn(app, cookie), `day ${day}`);
  }
  app.clock.pass(DAY - 1);
  assert.ok(await isSignedIn(app, cookie));
  app.clock.pass(1);
  assert.ok(!(await isSignedIn(app, cookie)));
});

test('a session outlives a restart of the server, and not the user', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  await app.restart();
  assert.ok(await isSignedIn(app, cookie));
  app.db.run('DELETE FROM user WHERE id = ?', app.owner.id);
  assert.ok(!(await isSignedIn(app, cookie)));
});

test('rights are those of the moment, not those of when somebody signed in', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.viewer);
  const see = async () => (await app.ask('GET', `/api/v1/sites/${app.siteId}`, { cookie })).status;
  assert.equal(await see(), 200);
  const { members } = (await app.owner.ask('GET', '/team')).body.data;
  const { id } = members.find(({ email }: { email: string }) => email === app.viewer.email);
  assert.equal((await app.owner.ask('DELETE', `/team/${id}`)).status, 204);
  assert.equal(await see(), 404);
});
