import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passwords } from '../../src/auth/passwords.ts';
import { DAY } from '../../src/lib/time.ts';
import { changeMember, removeMember } from '../../src/store/team.ts';
import { addUser, changePassword, findUser, setPasswordLink } from '../../src/store/users.ts';
import { CHEAP, type Person, startApp, type TestApp } from '../helpers.ts';
import { type Answer, cookieOf, form } from '../requests.ts';

const NEW = 'new@example.com';
const STRANGER = 'stranger@example.com';
const RIGHT = { password: `password of ${STRANGER}` };
const WRONG = { password: 'not their password' };

/** Invites and gives the id of the member and the path of the link. */
async function invited(by: Person, email: string, role = 'viewer'): Promise<{ id: number; path: string }> {
  const { status, body } = await by.ask('POST', '/team', { email, role });
  assert.equal(status, 201);
  return { id: body.data.id, path: new URL(body.data.invitation_url).pathname };
}

/** How the owner sees one person of the team. */
async function seen(by: Person, email: string): Promise<Answer['body']> {
  const { body } = await by.ask('GET', '/team');
  return body.data.members.find((member: { email: string }) => member.email === email);
}

const changes = ({ db }: TestApp): number => db.one<{ n: number }>('SELECT total_changes() AS n')?.n ?? -1;

/** The sites that somebody sees, with their role there. */
async function sitesOf(app: TestApp, email: string): Promise<[string, string][]> {
  const user = findUser(app.db, email);
  assert.ok(user);
  const { body } = await app.ask('GET', '/api/v1/sites', { token: app.tokenOf(user, ['read']) });
  return body.data.map(({ domain, role }: { domain: string; role: string }) => [domain, role]);
}

test('a new person chooses a password, and has an account and the membership', async (t) => {
  const app = await startApp(t);
  const { id, path } = await invited(app.owner, NEW, 'manager');
  const { status, text } = await app.ask('GET', path);
  assert.equal(status, 200);
  assert.match(text, /<h1>Join the team of owner@example\.com<\/h1>/);
  assert.match(text, /You are invited as manager\. Choose a password, and the account is yours\./);
  assert.match(text, /<input name="email" type="email" value="new@example\.com"[^>]* readonly>/);
  assert.match(text, /<input name="password" type="password" autocomplete="new-password"[^>]* required>/);
  assert.ok(!text.includes(path.slice('/invite/'.length)));
  assert.equal(findUser(app.db, NEW), undefined);

  const answer = await app.ask('POST', path, { body: { password: 'correct horse' } });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, { data: { account_id: app.owner.accountId, role: 'manager' } });
  assert.equal(answer.headers.get('Set-Cookie'), null);
  const user = findUser(app.db, NEW);
  assert.ok(user?.password);
  assert.ok(await passwords(CHEAP).matches(user.password, 'correct horse'));

  const member = await seen(app.owner, NEW);
  assert.deepEqual([member.id, member.status, member.role], [id, 'active', 'manager']);
  assert.deepEqual(await sitesOf(app, NEW), [['example.com', 'manager']]);
  const token = app.tokenOf(user, ['read']);
  const account = await app.ask('GET', '/api/v1/account', { token });
  assert.equal(account.body.data.id, user.accountId);
  assert.notEqual(user.accountId, app.owner.accountId);
  assert.equal(account.body.data.plan, 'self-hosted');
  const team = await app.ask('GET', '/api/v1/team', { token });
  assert.deepEqual(team.body.data.members, []);
  assert.deepEqual(team.body.data.teams, [
    { account_id: app.owner.accountId, owner: 'owner@example.com', role: 'manager' },
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
    assert.match(text, /You are invited as viewer\. Confirm with the password you have here\./);
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
    /<div role="alert"><p class="error">This is not the password of stranger@example\.com\.<\/p>/,
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

/** Uses up the tries of a link. */
async function tryInVain(app: TestApp, path: string): Promise<void> {
  for (let i = 0; i < 10; i++) assert.equal((await app.ask('POST', path, { body: WRONG })).status, 422);
}

test('after ten tries of a password a link takes none for a quarter of an hour', async (t) => {
  const app = await startApp(t);
  const { path } = await invited(app.owner, STRANGER);
  const other = await invited(app.owner, NEW);
  await tryInVain(app, path);
  app.clock.pass(60);
  const { status, headers, body } = await app.ask('POST', path, { body: RIGHT });
  assert.equal(status, 429);
  assert.equal(body.error.code, 'rate_limited');
  assert.equal(headers.get('Retry-After'), '840');
  assert.equal((await seen(app.owner, STRANGER)).status, 'invited');
  assert.equal((await app.ask('GET', path)).status, 200);
  assert.equal((await app.ask('POST', other.path, { body: WRONG })).status, 200);

  app.clock.pass(839);
  assert.equal((await app.ask('POST', path, { body: RIGHT })).status, 429);
  app.clock.pass(1);
  assert.equal((await app.ask('POST', path, { body: RIGHT })).status, 200);
});

test('the tenth try is still looked at, and tries at once are counted as well', async (t) => {
  const app = await startApp(t);
  const { path } = await invited(app.owner, STRANGER);
  const many = await Promise.all(Array.from({ length: 20 }, () => app.ask('POST', path, { body: WRONG })));
  assert.equal(many.filter(({ status }) => status === 422).length, 10);
  assert.equal(many.filter(({ status }) => status === 429).length, 10);
  app.clock.pass(900);
  for (let i = 0; i < 9; i++) assert.equal((await app.ask('POST', path, { body: WRONG })).status, 422);
  assert.equal((await app.ask('POST', path, { body: RIGHT })).status, 200);
});

test('a browser is told after too many tries when to come back', async (t) => {
  const app = await startApp(t);
  const { path } = await invited(app.owner, STRANGER);
  await tryInVain(app, path);
  const { status, headers, text } = await app.ask('POST', path, form({ email: STRANGER, ...RIGHT }));
  assert.equal(status, 429);
  assert.match(text, /<div role="alert"><p class="error">/);
  assert.match(text, /<form method="post">/);
  assert.equal(headers.get('Retry-After'), '900');
});

test('renewing an invitation gives no more tries', async (t) => {
  const app = await startApp(t);
  await tryInVain(app, (await invited(app.owner, STRANGER)).path);
  const renewed = await invited(app.owner, STRANGER);
  assert.equal((await app.ask('POST', renewed.path, { body: RIGHT })).status, 429);
});

test('withdrawing and inviting again gives no more tries', async (t) => {
  const app = await startApp(t);
  const first = await invited(app.owner, STRANGER);
  await tryInVain(app, first.path);
  assert.equal((await app.owner.ask('DELETE', `/team/${first.id}`)).status, 204);
  const second = await invited(app.owner, STRANGER);
  assert.equal((await app.ask('POST', second.path, { body: WRONG })).status, 429);
});

test('a link that was used, withdrawn or never made finds nothing', async (t) => {
  const app = await startApp(t);
  const used = await invited(app.owner, NEW);
  assert.equal((await app.ask('POST', used.path, { body: { password: 'correct horse' } })).status, 200);
  const withdrawn = await invited(app.owner, STRANGER);
  assert.equal((await app.owner.ask('DELETE', `/team/${withdrawn.id}`)).status, 204);
  const removed = await invited(app.owner, 'removed@example.com');
  assert.equal((await app.ask('POST', removed.path, { body: { password: 'correct horse' } })).status, 200);
  assert.equal((await app.owner.ask('DELETE', `/team/${removed.id}`)).status, 204);
  const open = await invited(app.owner, 'open@example.com');

  const before = changes(app);
  const cut = open.path.slice(0, -1);
  for (const path of [
    used.path,
    withdrawn.path,
    removed.path,
    cut,
    `${open.path}x`,
    '/invite/x',
    '/invite/%00',
    '/invite/%',
  ]) {
    const looked = await app.ask('GET', path);
    assert.equal(looked.status, 404, path);
    assert.match(looked.text, /<h1>This link does not work<\/h1>\n<p>It works once, for 5 days,/, path);
    const sent = await app.ask('POST', path, { body: { password: 'correct horse' } });
    assert.equal(sent.status, 404, path);
    assert.equal(sent.body.error.code, 'not_found', path);
    const filled = await app.ask('POST', path, form({ password: 'correct horse' }));
    assert.equal(filled.status, 404, path);
    assert.match(filled.text, /<h1>This link does not work<\/h1>/, path);
  }
  assert.equal(changes(app), before);
  assert.equal((await app.ask('GET', open.path)).status, 200);
});

test('an invitation works for 5 days, to the second', async (t) => {
  const app = await startApp(t);
  const late = await invited(app.owner, NEW);
  const early = await invited(app.owner, STRANGER);
  app.clock.pass(5 * DAY - 1);
  assert.equal((await app.ask('GET', late.path)).status, 200);
  assert.equal((await app.ask('POST', early.path, { body: RIGHT })).status, 200);
  app.clock.pass(1);
  assert.equal((await app.ask('GET', late.path)).status, 404);
  assert.equal((await app.ask('POST', late.path, { body: { password: 'correct horse' } })).status, 404);
  assert.equal((await app.ask('POST', late.path, form({ password: 'correct horse' }))).status, 404);
  assert.equal((await seen(app.owner, NEW)).status, 'invited');
  assert.equal(findUser(app.db, NEW), undefined);

  // It is not lost: inviting again makes the same entry good for 5 more days.
  const again = await invited(app.owner, NEW);
  assert.equal(again.id, late.id);
  app.clock.pass(5 * DAY - 1);
  assert.equal((await app.ask('POST', again.path, { body: { password: 'correct horse' } })).status, 200);
});

test('a renewed invitation has a new link and role and the same id, and the old link is dead', async (t) => {
  const app = await startApp(t);
  const old = await invited(app.owner, NEW, 'viewer');
  const renewed = await invited(app.owner, NEW, 'manager');
  assert.equal(renewed.id, old.id);
  assert.notEqual(renewed.path, old.path);
  assert.equal((await app.ask('GET', old.path)).status, 404);
  assert.equal((await app.ask('POST', old.path, { body: { password: 'correct horse' } })).status, 404);
  assert.match((await app.ask('GET', renewed.path)).text, /You are invited as manager\./);
  const { status, body } = await app.ask('POST', renewed.path, { body: { password: 'correct horse' } });
  assert.equal(status, 200);
  assert.equal(body.data.role, 'manager');
  const member = await seen(app.owner, NEW);
  assert.deepEqual([member.id, member.status, member.role], [old.id, 'active', 'manager']);
});

test('a role that is changed before somebody joins is the one they get', async (t) => {
  const app = await startApp(t);
  const { id, path } = await invited(app.owner, NEW, 'manager');
  assert.equal((await app.owner.ask('PATCH', `/team/${id}`, { role: 'viewer' })).status, 200);
  const { body } = await app.ask('POST', path, { body: { password: 'correct horse' } });
  assert.equal(body.data.role, 'viewer');
  assert.deepEqual(await sitesOf(app, NEW), [['example.com', 'viewer']]);

  const other = await invited(app.owner, STRANGER, 'manager');
  // The form has been let in and waits for its body here.
  const answering = app.ask('POST', other.path, { body: RIGHT });
  app.db.write(() => changeMember(app.db, app.owner.accountId, other.id, 'viewer'));
  assert.equal((await answering).body.data.role, 'viewer');
  assert.equal((await seen(app.owner, STRANGER)).role, 'viewer');
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

test('of two who use one link at once, one joins', async (t) => {
  const app = await startApp(t);
  const tries: [string, string[]][] = [
    [NEW, ['the first one', 'the second one']],
    [STRANGER, [RIGHT.password, RIGHT.password]],
  ];
  for (const [email, words] of tries) {
    const { path } = await invited(app.owner, email);
    const answers = await Promise.all(words.map((password) => app.ask('POST', path, { body: { password } })));
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [200, 404],
      email,
    );
    const stored = findUser(app.db, email)?.password;
    assert.ok(stored);
    assert.ok(await passwords(CHEAP).matches(stored, words[statuses.indexOf(200)] ?? ''), email);
    assert.equal((await seen(app.owner, email)).status, 'active', email);
  }
});

test('an invitation that is withdrawn or renewed while somebody accepts it is not accepted', async (t) => {
  const app = await startApp(t);
  const first = await invited(app.owner, STRANGER);
  // The form has been let in and waits for its body here.
  const withdrawing = app.ask('POST', first.path, { body: RIGHT });
  app.db.write(() => removeMember(app.db, app.owner.accountId, first.id));
  assert.equal((await withdrawing).status, 404);
  assert.equal(await seen(app.owner, STRANGER), undefined);

  const second = await invited(app.owner, STRANGER, 'manager');
  const renewing = app.ask('POST', second.path, { body: RIGHT });
  const [answer, renewed] = await Promise.all([renewing, invited(app.owner, STRANGER, 'viewer')]);
  assert.equal(answer.status, 404);
  assert.equal((await seen(app.owner, STRANGER)).status, 'invited');
  assert.equal((await app.ask('POST', renewed.path, { body: RIGHT })).body.data.role, 'viewer');
});

test('a password that is changed while the old one is compared does not let anybody in', async (t) => {
  const app = await startApp(t);
  const { path } = await invited(app.owner, STRANGER);
  const hash = await passwords(CHEAP).hash('another password');
  // Two passwords are compared at a time, so those in front of the one that matters keep it waiting.
  const busy = await invited(app.stranger, 'viewer@example.com');
  const others = Array.from({ length: 10 }, () => app.ask('POST', busy.path, { body: WRONG }));
  const answering = app.ask('POST', path, { body: RIGHT });
  await new Promise((resolve) => setImmediate(resolve));
  app.db.write(() => changePassword(app.db, app.stranger.id, hash));
  assert.equal((await answering).status, 422);
  for (const { status } of await Promise.all(others)) assert.equal(status, 422);
  assert.equal((await seen(app.owner, STRANGER)).status, 'invited');
  assert.equal((await app.ask('POST', path, { body: { password: 'another password' } })).status, 200);
});

test('a new person who accepts two invitations at once is made once, and the other link goes on working', async (t) => {
  const app = await startApp(t);
  const one = await invited(app.owner, NEW);
  const other = await invited(app.stranger, NEW);
  const password = 'correct horse';
  const answers = await Promise.all([one, other].map(({ path }) => app.ask('POST', path, { body: { password } })));
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [200, 422],
  );
  const left = statuses[0] === 200 ? other : one;
  assert.equal((await app.ask('POST', left.path, { body: { password: 'not correct' } })).status, 422);
  assert.equal((await app.ask('POST', left.path, { body: { password } })).status, 200);
  assert.deepEqual(await sitesOf(app, NEW), [
    ['example.com', 'viewer'],
    ['stranger.example', 'viewer'],
  ]);
});

test('somebody whom the operator added without a password sets it first', async (t) => {
  const app = await startApp(t);
  const { id } = app.db.write(() => addUser(app.db, { email: NEW, password: null, now: 0 }));
  const { path } = await invited(app.owner, NEW);
  // More often than a password may be tried, because there is none to find out.
  for (let i = 0; i < 12; i++) {
    const { status, body } = await app.ask('POST', path, { body: { password: 'correct horse' } });
    assert.equal(status, 422);
    assert.match(body.error.fields.password, /has no password yet\. Set it/);
  }
  const filled = await app.ask('POST', path, form({ password: 'correct horse' }));
  assert.equal(filled.status, 422);
  assert.match(filled.text, /<div role="alert"><p class="error">This address has no password yet\./);
  assert.equal(findUser(app.db, NEW)?.password, null);
  assert.equal((await seen(app.owner, NEW)).status, 'invited');

  app.db.write(() => setPasswordLink(app.db, id, 'a-secret', app.clock.now() / 1000 + 60));
  const password = 'chosen by themselves';
  assert.equal((await app.ask('POST', '/password/a-secret', { body: { password } })).status, 200);
  assert.equal((await app.ask('POST', path, { body: { password } })).status, 200);
  assert.equal((await seen(app.owner, NEW)).status, 'active');
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
