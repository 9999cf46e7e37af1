import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { makePasswords } from '../../src/auth/passwords.ts';
import { makeLinkSecret } from '../../src/lib/secrets.ts';
import { seconds } from '../../src/lib/time.ts';
import { addUser, findUser, setPasswordLink } from '../../src/store/people/users.ts';
import { emptyApp, type TestApp } from '../support/helpers.ts';
import { CHEAP } from '../support/people.ts';
import { cookieOf, form } from '../support/requests.ts';

const EMAIL = 'ann@example.com';
const HOUR = 3600;

/** Somebody whom the operator added. */
const added = ({ db }: TestApp, email = EMAIL): number =>
  db.write(() => addUser(db, { email, password: null, now: 0 })).id;

function newLink({ db, clock }: TestApp, userId: number, lasts = 24 * HOUR): string {
  const secret = makeLinkSecret(randomBytes);
  db.write(() => setPasswordLink(db, userId, secret, seconds(clock) + lasts));
  return `/password/${secret}`;
}

const stored = ({ db }: TestApp, email = EMAIL): string | null | undefined => findUser(db, email)?.password;

async function hasPassword(app: TestApp, password: string, email = EMAIL): Promise<boolean> {
  const hash = stored(app, email);
  assert.ok(hash);
  return await makePasswords(CHEAP).matches(hash, password);
}

test('looking at the link shows for whom it is and changes nothing, however often', async (t) => {
  const app = await emptyApp(t);
  const path = newLink(app, added(app, "o'brien&co@example.com"));
  const changes = () => app.db.one('SELECT total_changes() AS n');
  const before = changes();
  for (let i = 0; i < 20; i++) {
    const { status, text } = await app.ask('GET', path);
    assert.equal(status, 200);
    // Nobody was let in before, so there is nothing to end.
    assert.match(
      text,
      /<h1>Set your password<\/h1>\n<p>Account: o&#39;brien&amp;co@example\.com\.<\/p>\n<form method="post">/,
    );
    assert.match(text, /<input name="password" type="password"[^>]* required/);
    assert.ok(!text.includes(path.slice('/password/'.length)));
  }
  assert.equal((await app.ask('HEAD', path)).status, 200);
  assert.deepEqual(changes(), before);
  assert.equal((await app.ask('POST', path, { body: { password: 'long enough' } })).status, 200);
});

test('a program sets the password with JSON, and the answer holds no secret', async (t) => {
  const app = await emptyApp(t);
  const path = newLink(app, added(app));
  const { status, headers, body, text } = await app.ask('POST', path, { body: { password: 'correct horse' } });
  assert.equal(status, 200);
  assert.deepEqual(body, { data: { email: EMAIL } });
  assert.equal(headers.get('Set-Cookie'), null);
  assert.ok(await hasPassword(app, 'correct horse'));
  assert.ok(!text.includes('correct horse') && !text.includes(path.slice('/password/'.length)));
  assert.ok(!app.log.join('').includes('correct horse'));
  assert.ok(!app.log.join('').includes(path.slice('/password/'.length)));
});

test('a person sets the password with a form, and is signed in', async (t) => {
  const app = await emptyApp(t);
  const path = newLink(app, added(app));
  // The hidden address is there for password managers and changes nothing.
  const answer = await app.ask('POST', path, form({ email: 'eve@example.com', password: 'a+b &c=\u{1F600}é%' }));
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get('Location'), '/');
  const account = await app.ask('GET', '/api/v1/account', { cookie: cookieOf(answer) });
  assert.equal(account.body.data.email, EMAIL);
  assert.ok(await hasPassword(app, 'a+b &c=\u{1F600}é%'));
  assert.equal(findUser(app.db, 'eve@example.com'), undefined);
});

test('a password that is too short or too long is refused, and the link goes on working', async (t) => {
  const app = await emptyApp(t);
  const path = newLink(app, added(app));
  for (const password of ['x'.repeat(9), '\u{1F600}'.repeat(9), 'x'.repeat(1025)]) {
    const sent = await app.ask('POST', path, { body: { password } });
    assert.equal(sent.status, 422);
    assert.deepEqual(Object.keys(sent.body.error.fields), ['password']);
    const filled = await app.ask('POST', path, form({ password }));
    assert.equal(filled.status, 422);
    assert.match(
      filled.text,
      /<div role="alert"><p class="error">Must have at (least 10|most 1,024) characters\.<\/p>/,
    );
    assert.match(filled.text, /<form method="post">/);
  }
  assert.equal((await app.ask('POST', path, { body: {} })).status, 422);
  assert.equal((await app.ask('POST', path, { body: { password: 'long enough', user_id: 1 } })).status, 422);
  assert.equal(stored(app), null);
  assert.equal((await app.ask('POST', path, { body: { password: 'x'.repeat(1024) } })).status, 200);
});

test('the link works once', async (t) => {
  const app = await emptyApp(t);
  const path = newLink(app, added(app));
  assert.equal((await app.ask('POST', path, { body: { password: 'the first one' } })).status, 200);
  const again = await app.ask('POST', path, { body: { password: 'the second one' } });
  assert.equal(again.status, 404);
  assert.equal(again.body.error.code, 'not_found');
  const filled = await app.ask('POST', path, form({ password: 'the second one' }));
  assert.equal(filled.status, 404);
  assert.match(
    filled.text,
    /<h1>This link does not work<\/h1>\n<p>Each link works once, and expires after a day at the latest\./,
  );
  assert.equal((await app.ask('GET', path)).status, 404);
  assert.ok(await hasPassword(app, 'the first one'));
});

test('of ten who use one link at once, one sets the password', async (t) => {
  const app = await emptyApp(t);
  const path = newLink(app, added(app));
  const tries = Array.from({ length: 10 }, (_, i) => `password number ${i}`);
  const answers = await Promise.all(tries.map((password) => app.ask('POST', path, { body: { password } })));
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [200, ...Array.from({ length: 9 }, () => 404)],
  );
  assert.ok(await hasPassword(app, tries[statuses.indexOf(200)] ?? ''));
});

test('whoever makes the link decides how long it works, to the second', async (t) => {
  const app = await emptyApp(t);
  const id = added(app);
  for (const lasts of [60, 24 * HOUR]) {
    const path = newLink(app, id, lasts);
    app.clock.pass(lasts - 1);
    assert.equal((await app.ask('GET', path)).status, 200);
    app.clock.pass(1);
    assert.equal((await app.ask('GET', path)).status, 404);
    assert.equal((await app.ask('POST', path, { body: { password: 'long enough' } })).status, 404);
    assert.equal(stored(app), null);
  }
  const path = newLink(app, id);
  app.clock.pass(24 * HOUR - 1);
  assert.equal((await app.ask('POST', path, { body: { password: 'long enough' } })).status, 200);
});

test('a link that expires between reading a form and keeping it sets nothing', async (t) => {
  const app = await emptyApp(t);
  const path = newLink(app, added(app));
  const answering = app.ask('POST', path, { body: { password: 'long enough' } });
  app.clock.pass(24 * HOUR);
  assert.equal((await answering).status, 404);
  assert.equal(stored(app), null);
});

test('a newer link replaces the older of the same person, and of nobody else', async (t) => {
  const app = await emptyApp(t);
  const id = added(app);
  const other = newLink(app, added(app, 'bob@example.com'));
  const older = newLink(app, id);
  const newer = newLink(app, id);
  assert.equal((await app.ask('GET', older)).status, 404);
  assert.equal((await app.ask('POST', older, { body: { password: 'by the old link' } })).status, 404);
  assert.equal((await app.ask('POST', newer, { body: { password: 'by the new link' } })).status, 200);
  assert.ok(await hasPassword(app, 'by the new link'));
  assert.equal(stored(app, 'bob@example.com'), null);
  assert.equal((await app.ask('POST', other, { body: { password: 'that is of Bob' } })).status, 200);
  assert.ok(await hasPassword(app, 'by the new link'));
});

test('a lost password is replaced, which ends every session and token of that person, and says so', async (t) => {
  const app = await emptyApp(t);
  const ann = await app.person(EMAIL);
  const bob = await app.person('bob@example.com');
  const another = app.tokenOf(ann, ['collect']);
  const cookies = [await app.signIn(ann), await app.signIn(ann)];
  const other = await app.signIn(bob);
  assert.ok(await hasPassword(app, `password of ${EMAIL}`));
  const path = newLink(app, ann.id);
  const { text } = await app.ask('GET', path);
  const signedOut = 'You will be signed out on all other devices (2 sessions).';
  const revoked = 'Your access tokens will be revoked (2 tokens). Your programs will then need new ones.';
  assert.ok(text.includes(`<p>${signedOut} ${revoked}</p>`), text);
  const set = await app.ask('POST', path, form({ password: 'another one' }));
  assert.equal(set.status, 303);
  assert.ok(await hasPassword(app, 'another one'));
  assert.ok(!(await hasPassword(app, `password of ${EMAIL}`)));
  for (const token of [ann.token, another])
    assert.equal((await app.ask('GET', '/api/v1/account', { token })).status, 401);
  for (const cookie of cookies) assert.equal((await app.ask('GET', '/api/v1/account', { cookie })).status, 401);
  assert.equal((await app.ask('GET', '/api/v1/account', { cookie: other })).status, 200);
  assert.equal((await bob.ask('GET', '/account')).status, 200);
  assert.equal((await app.ask('GET', '/api/v1/account', { cookie: cookieOf(set) })).status, 200);
  const { event, user, sessions, tokens } = JSON.parse(app.log.at(-1) ?? '');
  assert.deepEqual(
    { event, user, sessions, tokens },
    { event: 'password set by a link, sessions and tokens ended', user: ann.id, sessions: 2, tokens: 2 },
  );
});

test('an unknown link finds nothing, and other methods are answered with those that it takes', async (t) => {
  const app = await emptyApp(t);
  const path = newLink(app, added(app));
  for (const secret of ['x', path.slice('/password/'.length, -1), `${path.slice('/password/'.length)}x`, '%00', '%']) {
    assert.equal((await app.ask('GET', `/password/${secret}`)).status, 404, secret);
    const sent = await app.ask('POST', `/password/${secret}`, { body: { password: 'long enough' } });
    assert.equal(sent.status, 404, secret);
  }
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const { status, headers } = await app.ask(method, path, { body: { password: 'long enough' } });
    assert.equal(status, 405, method);
    assert.equal(headers.get('Allow'), 'GET, POST, HEAD, OPTIONS', method);
  }
  assert.equal((await app.ask('OPTIONS', path)).headers.get('Allow'), 'GET, POST, HEAD, OPTIONS');
  assert.equal(stored(app), null);
});
