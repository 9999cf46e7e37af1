import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUser } from '../../src/store/people/users.ts';
import { append, pageview } from '../collect/stage.ts';
import { type Mail, mailServer } from '../mail/server.ts';
import { startApp, type TestApp } from '../support/helpers.ts';
import { invited, seen } from './invited.ts';

const BASE = 'https://stats.example.com';
const [OLD, NEW] = ['manager@example.com', 'new@example.com'];
const CURRENT = `password of ${OLD}`;

async function stage(t: Parameters<typeof startApp>[0]) {
  const server = await mailServer(t);
  const app = await startApp(t, { ...server.settings, 'base-url': BASE });
  const cookie = await app.signIn(app.manager);
  const ask = (body: object, as = cookie) =>
    app.ask('POST', '/email', { body, headers: { 'sec-fetch-site': 'same-origin', cookie: as } });
  return { server, app, cookie, ask };
}

/** The path of the link in a mail. */
function linkIn({ source }: Mail): string {
  const text = source.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  const [, path] = /\nhttps:\/\/stats\.example\.com(\/email\/\S+)\r\n/.exec(text) ?? [];
  assert.ok(path, source);
  return path;
}

const use = (app: TestApp, path: string, current = CURRENT) => app.ask('POST', path, { body: { current } });

test('a new e-mail holds once the link that was mailed to it is used, which signs out everywhere', async (t) => {
  const { server, app, cookie, ask } = await stage(t);
  assert.equal((await ask({ email: NEW, current: CURRENT })).status, 202);
  const mail = await server.next();
  assert.deepEqual(mail.to, [NEW]);
  const path = linkIn(mail);
  assert.equal((await app.ask('GET', path)).status, 200);
  assert.ok(findUser(app.db, OLD), 'opening it changes nothing, because mail scanners open every link');

  assert.deepEqual((await use(app, path)).body, { data: { email: NEW } });
  assert.equal(findUser(app.db, OLD), undefined);
  assert.equal(findUser(app.db, NEW)?.id, app.manager.id);
  assert.equal((await app.ask('GET', '/api/v1/account', { headers: { cookie } })).status, 401);
  const { members } = (await app.owner.ask('GET', '/team')).body.data;
  assert.ok(members.some(({ email }: { email: string }) => email === NEW));
  assert.equal((await use(app, path)).status, 404, 'it works once');
});

test('a stranger whose e-mail was typed by mistake cannot take the account with the link', async (t) => {
  const { server, app, ask } = await stage(t);
  await ask({ email: 'strnager@example.com', current: CURRENT });
  const path = linkIn(await server.next());
  for (const body of ['', 'current=', 'current=a+guess+of+theirs']) {
    const type = 'application/x-www-form-urlencoded';
    const headers = { accept: 'text/html', 'content-type': type };
    const answer = await app.ask('POST', path, { body, headers });
    assert.equal(answer.status, 422, body);
    assert.equal(answer.headers.get('set-cookie'), null);
  }
  assert.ok(findUser(app.db, OLD));
  for (let n = 0; n < 8; n++) await use(app, path, `guess number ${n}`);
  assert.equal((await use(app, path)).status, 429);
});

test('without the password, for the same e-mail, or with a link that is changed or old, nothing happens', async (t) => {
  const { server, app, ask } = await stage(t);
  assert.equal((await ask({ email: NEW, current: 'not the password' })).status, 422);
  const own = await ask({ email: OLD, current: CURRENT });
  assert.deepEqual([own.status, own.body.error.fields], [422, { email: 'This is already your e-mail address.' }]);
  assert.equal((await ask({ email: NEW, current: CURRENT }, '')).status, 401);
  assert.equal(server.mails.length, 0);

  await ask({ email: NEW, current: CURRENT });
  const path = linkIn(await server.next());
  assert.equal(
    (
      await use(
        app,
        path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      )
    ).status,
    404,
  );
  assert.equal((await use(app, path.replace('/email/email.', '/email/half.'))).status, 404);
  app.clock.pass(3_601);
  assert.equal((await use(app, path)).status, 404);
  assert.ok(findUser(app.db, OLD));
});

test('a link that somebody asked for who knew the password ends when its owner chooses another', async (t) => {
  const { server, app, cookie, ask } = await stage(t);
  await ask({ email: NEW, current: CURRENT });
  const path = linkIn(await server.next());
  const other = { current: CURRENT, password: 'quite another one' };
  const changed = await app.ask('POST', '/password', {
    body: other,
    headers: { 'sec-fetch-site': 'same-origin', cookie },
  });
  assert.equal(changed.status, 200);
  assert.equal((await use(app, path)).status, 404);
  assert.ok(findUser(app.db, OLD));
});

test('an owner cannot join the own team with an e-mail that was invited before', async (t) => {
  const { server, app } = await stage(t);
  await append(app.db, [pageview({ siteId: app.siteId })]);
  const { path } = await invited(app.owner, NEW);
  await server.next();
  const cookie = await app.signIn(app.owner);
  const current = 'password of owner@example.com';
  const headers = { 'sec-fetch-site': 'same-origin', cookie };
  assert.equal((await app.ask('POST', '/email', { body: { email: NEW, current }, headers })).status, 202);
  const changed = await use(app, linkIn(await server.next()), current);
  assert.equal(changed.status, 200, changed.text);
  assert.equal((await app.ask('POST', path, { body: { password: current } })).status, 404);
  assert.equal(await seen(app.owner, NEW), undefined);
  assert.equal((await app.owner.ask('GET', '/stats/overview?range=today')).body.data.visitors, 1);
});

test('where the server sends no mail the page says what its operator can do', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.manager);
  const { text } = await app.ask('GET', '/email', { headers: { cookie } });
  assert.match(text, /npx daybook user email manager@example\.com NEW/);
});

test('an e-mail that is taken is answered like any other, a few times an hour, and its owner is told', async (t) => {
  const { server, app, ask } = await stage(t);
  const taken = await ask({ email: 'owner@example.com', current: CURRENT });
  const free = await ask({ email: NEW, current: CURRENT });
  assert.deepEqual([taken.status, taken.body], [202, { data: { email: 'owner@example.com' } }]);
  assert.deepEqual([free.status, Object.keys(free.body)], [taken.status, Object.keys(taken.body)]);
  const mails = [await server.next(), await server.next()];
  const told = mails.find(({ to }) => to[0] === 'owner@example.com');
  assert.match(told?.source ?? '', /Subject: This e-mail address already has a daybook account/);
  assert.doesNotMatch(told?.source ?? '', /\/email\//);
  assert.ok(findUser(app.db, OLD));
  await ask({ email: 'stranger@example.com', current: CURRENT });
  for (const email of ['stranger@example.com', 'nobody@example.com'])
    assert.equal((await ask({ email, current: CURRENT })).status, 429);
});

test('an e-mail that is asked for all day brings its owner three mails, and keeps none of the warnings away', async (t) => {
  const { server, app, ask } = await stage(t);
  for (let hour = 0; hour < 10; hour++) {
    for (let n = 0; n < 3; n++) assert.equal((await ask({ email: 'owner@example.com', current: CURRENT })).status, 202);
    app.clock.pass(3_601);
  }
  await app.owner.ask('POST', '/tokens', { name: 'New', abilities: ['read'] });
  await app.post.settle();
  const told = server.mails.filter(({ to }) => to[0] === 'owner@example.com').map(({ source }) => source);
  assert.equal(told.filter((source) => source.includes('already has a daybook account')).length, 3);
  assert.equal(told.filter((source) => source.includes('An access token was created.')).length, 1);
});

test('a stranger who has links for a new password mailed keeps nobody from changing their e-mail', async (t) => {
  const { app, ask } = await stage(t);
  const headers = { 'sec-fetch-site': 'same-origin' };
  for (let n = 0; n < 3; n++) {
    const forgotten = await app.ask('POST', '/forgot', { body: { email: OLD }, headers, address: '203.0.113.9' });
    assert.equal(forgotten.status, 202);
  }
  // The links are made after the answers.
  await app.post.settle();
  await new Promise(setImmediate);
  for (let n = 0; n < 3; n++) assert.equal((await ask({ email: NEW, current: CURRENT })).status, 202);
  app.clock.pass(600);
  const { status, body } = await ask({ email: NEW, current: CURRENT });
  assert.deepEqual([status, body.error.message], [429, 'Too many attempts. Try again in 50 minutes.']);
});
