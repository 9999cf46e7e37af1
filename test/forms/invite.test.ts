import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePasswords } from '../../src/auth/passwords.ts';
import { findUser } from '../../src/store/people/users.ts';
import { startApp } from '../support/helpers.ts';
import { CHEAP } from '../support/people.ts';
import { cookieOf, form } from '../support/requests.ts';
import { changes, invited, NEW, RIGHT, STRANGER, seen, sitesOf, WRONG } from './invited.ts';

test('a new person chooses a password, and has an account and the membership', async (t) => {
  const app = await startApp(t);
  const { id, path } = await invited(app.owner, NEW, 'manager');
  const { status, text } = await app.ask('GET', path);
  assert.equal(status, 200);
  assert.match(text, /<h1>Join the team of owner@example\.com<\/h1>/);
  assert.match(
    text,
    /You are invited as a manager\. If you are new here, choose a password with at least 10 characters\./,
  );
  assert.match(text, /<input name="email" type="email" value="new@example\.com"[^>]* readonly>/);
  assert.match(text, /<input name="password" type="password"[^>]* minlength="10"[^>]* required/);
  assert.ok(!text.includes(path.slice('/invite/'.length)));
  assert.equal(findUser(app.db, NEW), undefined);

  const answer = await app.ask('POST', path, { body: { password: 'correct horse' } });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, { data: { account_id: app.owner.accountId, role: 'manager' } });
  assert.equal(answer.headers.get('Set-Cookie'), null);
  const user = findUser(app.db, NEW);
  assert.ok(user?.password);
  assert.ok(await makePasswords(CHEAP).matches(user.password, 'correct horse'));

  const member = await seen(app.owner, NEW);
  assert.deepEqual([member.id, member.status, member.role], [id, 'active', 'manager']);
  assert.deepEqual(await sitesOf(app, NEW), [['example.com', 'manager']]);
  const token = app.tokenOf(user, ['read']);
  const account = await app.ask('GET', '/api/v1/account', { token });
  assert.equal(account.body.data.id, user.accountId);
  assert.notEqual(user.accountId, app.owner.accountId);
  assert.equal(account.body.data.plan, 'guest');
  const team = await app.ask('GET', '/api/v1/team', { token });
  assert.deepEqual(team.body.data.members, []);
  assert.deepEqual(team.body.data.teams, [
    { account_id: app.owner.accountId, owner: 'owner@example.com', role: 'manager', sites: null },
  ]);
  assert.ok(!app.log.join('').includes('correct horse'));
});

test('a new person joins with a form, and is signed in', async (t) => {
  const app = await startApp(t);
  const { id, path } = await invited(app.owner, NEW);
  const short = await app.ask('POST', path, form({ email: NEW, password: 'too short' }));
  assert.equal(short.status, 422);
  assert.match(short.text, /<div role="alert"><p class="error">Must have at least 10 characters\.<\/p><\/div>/);
  assert.match(short.text, /<form method="post">/);
  assert.equal((await app.ask('POST', path, { body: { password: 'too short' } })).body.error.code, 'invalid_request');
  assert.equal(findUser(app.db, NEW), undefined);

  const answer = await app.ask('POST', path, form({ email: NEW, password: 'correct horse' }));
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get('Location'), '/');
  const account = await app.ask('GET', '/api/v1/account', { cookie: cookieOf(answer) });
  assert.equal(account.body.data.email, NEW);
  const member = await seen(app.owner, NEW);
  assert.deepEqual([member.id, member.status, member.role], [id, 'active', 'viewer']);
  assert.deepEqual(await sitesOf(app, NEW), [['example.com', 'viewer']]);
});

test('somebody who has a password joins with it, and keeps password, account and sites', async (t) => {
  for (const [asking, status] of [
    [{ body: RIGHT }, 200],
    [form({ email: STRANGER, ...RIGHT }), 303],
  ] as const) {
    const app = await startApp(t);
    const { id, path } = await invited(app.owner, STRANGER);
    const { text } = await app.ask('GET', path);
    assert.match(text, /You are invited as a viewer\. If you are new here, choose/);
    assert.match(text, /<input name="password" type="password" autocomplete="current-password"/);
    const before = findUser(app.db, STRANGER);
    assert.equal((await app.ask('POST', path, asking)).status, status);
    assert.deepEqual(findUser(app.db, STRANGER), before);
    const member = await seen(app.owner, STRANGER);
    assert.deepEqual([member.id, member.status], [id, 'active']);
    assert.deepEqual(await sitesOf(app, STRANGER), [
      ['example.com', 'viewer'],
      ['stranger.example', 'owner'],
    ]);
  }
});

test('whoever joins with an account of before starts anew: sessions and tokens end, and the page and the log say so', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.stranger);
  const { path } = await invited(app.owner, STRANGER);
  const { text } = await app.ask('GET', path);
  // Without figures, which are nothing for whoever invites.
  assert.match(text, /enter its password\. This signs out your other devices and revokes your access tokens\./);
  assert.equal((await app.ask('POST', path, { body: WRONG })).status, 422);
  assert.equal((await app.stranger.ask('GET', '/account')).status, 200);
  const joined = await app.ask('POST', path, form(RIGHT));
  assert.equal((await app.stranger.ask('GET', '/account')).status, 401);
  assert.equal((await app.ask('GET', '/api/v1/account', { cookie })).status, 401);
  assert.equal((await app.ask('GET', '/api/v1/account', { cookie: cookieOf(joined) })).status, 200);
  assert.equal((await app.owner.ask('GET', '/account')).status, 200);
  const { event, user, sessions, tokens } = JSON.parse(app.log.at(-1) ?? '');
  assert.deepEqual(
    { event, user, sessions, tokens },
    { event: 'invitation accepted, sessions and tokens ended', user: app.stranger.id, sessions: 1, tokens: 1 },
  );
});

test('a wrong password does not join, and the link goes on working', async (t) => {
  const app = await startApp(t);
  const { path } = await invited(app.owner, STRANGER);
  const before = changes(app);
  const sent = await app.ask('POST', path, { body: WRONG });
  assert.equal(sent.status, 422);
  assert.deepEqual(Object.keys(sent.body.error.fields), ['password']);
  const filled = await app.ask('POST', path, form({ email: STRANGER, ...WRONG }));
  assert.equal(filled.status, 422);
  assert.match(
    filled.text,
    /<div role="alert"><p class="error">This is not the password for stranger@example\.com\.<\/p>/,
  );
  assert.match(filled.text, /<form method="post">/);
  assert.ok(!filled.text.includes(WRONG.password));
  // The password of whoever invited is not the one that counts.
  const owners = await app.ask('POST', path, { body: { password: 'password of owner@example.com' } });
  assert.equal(owners.status, 422);
  assert.equal(changes(app), before);
  assert.equal((await seen(app.owner, STRANGER)).status, 'invited');
  assert.deepEqual(await sitesOf(app, STRANGER), [['stranger.example', 'owner']]);
  assert.equal((await app.ask('POST', path, { body: RIGHT })).status, 200);
});

test('looking at an invitation changes nothing, however often a mail scanner does', async (t) => {
  const app = await startApp(t);
  const { path } = await invited(app.owner, STRANGER);
  const before = changes(app);
  for (let i = 0; i < 30; i++) {
    assert.equal((await app.ask('GET', path)).status, 200);
    assert.equal((await app.ask('HEAD', path)).status, 200);
    assert.equal((await app.ask('OPTIONS', path)).status, 204);
  }
  assert.equal(changes(app), before);
  assert.equal((await seen(app.owner, STRANGER)).status, 'invited');
  assert.equal((await app.ask('POST', path, { body: RIGHT })).status, 200);
});

test('an invitation makes the invited address the member, whatever address is sent along', async (t) => {
  const app = await startApp(t);
  const { path } = await invited(app.owner, NEW);
  // Somebody who knows the link and has a password here cannot take it for themselves.
  const sent = { email: STRANGER, ...RIGHT };
  const joined = await app.ask('POST', path, form(sent));
  assert.equal(joined.status, 303);
  const account = await app.ask('GET', '/api/v1/account', { cookie: cookieOf(joined) });
  assert.equal(account.body.data.email, NEW);
  assert.equal((await seen(app.owner, NEW)).status, 'active');
  assert.equal(await seen(app.owner, STRANGER), undefined);
  assert.deepEqual(await sitesOf(app, STRANGER), [['stranger.example', 'owner']]);

  const known = await invited(app.owner, STRANGER);
  const other = { email: 'viewer@example.com', password: 'password of viewer@example.com' };
  assert.equal((await app.ask('POST', known.path, { body: other })).status, 422);
  assert.equal((await app.ask('POST', known.path, { body: { email: 'viewer@example.com', ...RIGHT } })).status, 200);
  assert.equal((await seen(app.owner, STRANGER)).status, 'active');
  for (const body of [
    { ...RIGHT, role: 'manager' },
    { ...RIGHT, account_id: 1 },
  ]) {
    const { path: third } = await invited(app.owner, 'third@example.com');
    assert.equal((await app.ask('POST', third, { body })).status, 422);
  }
});

test('pages about invitations escape what they show', async (t) => {
  const app = await startApp(t);
  const odd = await app.person("o'brien&co@example.com");
  const { path } = await invited(odd, "a'b&lt@example.com");
  const { text } = await app.ask('GET', path);
  assert.match(text, /<title>Join the team of o&#39;brien&amp;co@example\.com · daybook<\/title>/);
  assert.match(text, /<h1>Join the team of o&#39;brien&amp;co@example\.com<\/h1>/);
  assert.match(text, / value="a&#39;b&amp;lt@example\.com" /);

  const script = '<script>alert(1)</script>';
  const refused = await app.ask('POST', path, form({ [script]: script, email: script, password: script }));
  assert.equal(refused.status, 422);
  assert.match(refused.text, /<div role="alert">/);
  assert.ok(!/<script|alert\(1\)/.test(refused.text));
});

test("a page of somebody else's signs nobody in with an invitation that it has", async (t) => {
  const app = await startApp(t);
  const { path } = await invited(app.owner, NEW);
  const fields = { password: 'correct horse' };
  for (const foreign of ['cross-site', 'same-site', 'none']) {
    const { status, headers } = await app.ask('POST', path, form(fields, { 'sec-fetch-site': foreign }));
    assert.deepEqual([status, headers.get('Set-Cookie')], [403, null], foreign);
  }
  const { 'sec-fetch-site': _, ...unsaid } = form(fields).headers;
  const asking = { ...form(fields), headers: { ...unsaid, origin: 'http://evil.example' } };
  assert.equal((await app.ask('POST', path, asking)).status, 403);
  assert.equal(findUser(app.db, NEW), undefined);
  // Over plain http a page with a secret in its address does not say where it comes from.
  asking.headers.origin = 'null';
  assert.equal((await app.ask('POST', path, asking)).status, 303);
});

test('the page of an invitation takes GET, HEAD, POST and OPTIONS, and nothing else', async (t) => {
  const app = await startApp(t);
  const { path } = await invited(app.owner, NEW);
  const looked = await app.ask('GET', path);
  const head = await app.ask('HEAD', path);
  assert.equal(head.text, '');
  assert.deepEqual(new Map(head.headers), new Map(looked.headers));
  const options = await app.ask('OPTIONS', path);
  assert.equal(options.status, 204);
  assert.equal(options.headers.get('Allow'), 'GET, POST, HEAD, OPTIONS');
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const { status, headers, body } = await app.ask(method, path, { body: { password: 'correct horse' } });
    assert.equal(status, 405, method);
    assert.equal(headers.get('Allow'), 'GET, POST, HEAD, OPTIONS', method);
    assert.equal(body.error.code, 'method_not_allowed', method);
  }
  assert.equal((await app.ask('GET', `${path}/more`)).status, 404);
  assert.equal((await app.ask('GET', '/invite/')).status, 404);
});
