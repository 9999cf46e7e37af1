import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { makePasswords } from '../../src/auth/passwords.ts';
import { makeLinkSecret } from '../../src/lib/secrets.ts';
import { seconds } from '../../src/lib/time.ts';
import { addSession } from '../../src/store/people/sessions.ts';
import { addUser, changePassword, findUser, setPasswordLink } from '../../src/store/people/users.ts';
import { startApp } from '../support/helpers.ts';
import { CHEAP, passwordOf } from '../support/people.ts';
import { type Answer, cookieOf, form } from '../support/requests.ts';

type App = Awaited<ReturnType<typeof startApp>>;

const ANOTHER = 'another password';
const change = ({ owner }: App) => ({ current: passwordOf(owner), password: ANOTHER });

async function hasPassword({ db, owner }: App, password: string): Promise<boolean> {
  const stored = findUser(db, owner.email)?.password;
  assert.ok(stored);
  return await makePasswords(CHEAP).matches(stored, password);
}

/** Sends the form as the browser of somebody who is signed in. */
function fill(app: App, cookie: string, fields: Record<string, string>): Promise<Answer> {
  const { body, headers } = form(fields);
  return app.ask('POST', '/password', { body, headers: { ...headers, cookie } });
}

const statusFor = async (app: App, cookie: string): Promise<number> =>
  (await app.ask('GET', '/api/v1/account', { cookie })).status;

test('who knows the current password sets another, and stays signed in here only', async (t) => {
  const app = await startApp(t);
  const [here, elsewhere] = [await app.signIn(app.owner), await app.signIn(app.owner)];
  const others = await app.signIn(app.stranger);
  const seen = await app.ask('GET', '/password', { cookie: here, headers: { accept: 'text/html' } });
  assert.equal(seen.status, 200);
  assert.match(seen.text, /<p>Account: owner@example\.com\. You will be signed out on all other devices\.<\/p>/);
  assert.match(seen.text, /<input name="current" type="password" autocomplete="current-password"[^>]* required/);
  assert.match(seen.text, /<input name="password" type="password" autocomplete="new-password"[^>]* required/);

  const answer = await fill(app, here, { email: app.owner.email, ...change(app) });
  assert.deepEqual([answer.status, answer.headers.get('Location')], [303, '/account/sessions']);
  assert.ok(await hasPassword(app, ANOTHER));
  // The old cookie is of no use here either: somebody may have copied it.
  assert.deepEqual([await statusFor(app, here), await statusFor(app, elsewhere)], [401, 401]);
  assert.deepEqual([await statusFor(app, cookieOf(answer)), await statusFor(app, others)], [200, 200]);
  const { body } = await app.ask('GET', '/api/v1/sessions', { cookie: cookieOf(answer) });
  assert.deepEqual([body.data.length, body.data[0].current], [1, true]);
});

test('a program changes it with JSON and stays signed in too', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const answer = await app.ask('POST', '/password', { cookie, body: change(app) });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, { data: { email: app.owner.email } });
  assert.deepEqual([await statusFor(app, cookie), await statusFor(app, cookieOf(answer))], [401, 200]);
  assert.ok(!app.log.join('').includes(ANOTHER));
});

test('tokens go on unless the box is ticked, and only who has some is asked', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const seen = await app.ask('GET', '/password', { cookie, headers: { accept: 'text/html' } });
  assert.match(seen.text, /<input name="end_tokens" type="checkbox" value="yes">\nAlso revoke my access tokens/);
  assert.match(seen.text, /You have 1 token\./);
  const wrong = await fill(app, cookie, { current: 'a wrong password', password: ANOTHER, end_tokens: 'yes' });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /value="yes" checked>/);
  assert.equal((await app.owner.ask('GET', '/account')).status, 200);

  const kept = await fill(app, cookie, change(app));
  assert.equal(kept.status, 303);
  assert.equal((await app.owner.ask('GET', '/account')).status, 200);
  const again = { current: ANOTHER, password: 'a third password' };
  const ended = await fill(app, cookieOf(kept), { ...again, end_tokens: 'yes' });
  assert.equal(ended.status, 303);
  assert.equal((await app.owner.ask('GET', '/account')).status, 401);
  assert.equal((await app.stranger.ask('GET', '/account')).status, 200);
  assert.equal(await statusFor(app, cookieOf(ended)), 200);
  const none = await app.ask('GET', '/password', { cookie: cookieOf(ended), headers: { accept: 'text/html' } });
  assert.doesNotMatch(none.text, /end_tokens/);
});

test('a program says with true or false whether the tokens end', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const unclear = await app.ask('POST', '/password', { cookie, body: { ...change(app), end_tokens: 1 } });
  assert.deepEqual([unclear.status, unclear.body.error.fields], [422, { end_tokens: 'Must be true or false.' }]);
  const kept = await app.ask('POST', '/password', { cookie, body: { ...change(app), end_tokens: false } });
  assert.equal((await app.owner.ask('GET', '/account')).status, 200);
  const body = { current: ANOTHER, password: 'a third password', end_tokens: true };
  assert.equal((await app.ask('POST', '/password', { cookie: cookieOf(kept), body })).status, 200);
  assert.equal((await app.owner.ask('GET', '/account')).status, 401);
});

test('tokens go on, and a link that could have set another password does not', async (t) => {
  const app = await startApp(t);
  const secret = makeLinkSecret(randomBytes);
  app.db.write(() => setPasswordLink(app.db, app.owner.id, secret, seconds(app.clock) + 3600));
  const cookie = await app.signIn(app.owner);
  assert.equal((await app.ask('GET', `/password/${secret}`)).status, 200);
  assert.equal((await app.ask('POST', '/password', { cookie, body: change(app) })).status, 200);
  assert.equal((await app.ask('GET', `/password/${secret}`)).status, 404);
  assert.equal((await app.owner.ask('GET', '/account')).status, 200);
});

test('without the current password nothing changes, and nothing that was typed comes back', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const { runs } = app.passwords;
  for (const current of ['a wrong password', ANOTHER, `${passwordOf(app.owner)} `, passwordOf(app.stranger)]) {
    const { status, body } = await app.ask('POST', '/password', { cookie, body: { ...change(app), current } });
    assert.deepEqual([status, body.error.fields], [422, { current: 'This is not your current password.' }], current);
  }
  assert.equal(app.passwords.runs, runs + 4);
  for (const current of ['', 'short', 'x'.repeat(1025)]) {
    assert.equal((await app.ask('POST', '/password', { cookie, body: { ...change(app), current } })).status, 422);
    app.clock.pass(60);
  }
  assert.equal(app.passwords.runs, runs + 4, 'what can be no password is not computed');
  app.clock.pass(900);
  const page = await fill(app, cookie, { current: 'a wrong password', password: ANOTHER });
  assert.equal(page.status, 422);
  assert.match(page.text, /<div role="alert"><p class="error">This is not your current password\.<\/p>/);
  assert.ok(!page.text.includes('a wrong password') && !page.text.includes(ANOTHER));
  assert.ok(await hasPassword(app, passwordOf(app.owner)));
  assert.equal(await statusFor(app, cookie), 200);
});

test('a new password that is none is refused by the field before the current one is looked at', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const { runs } = app.passwords;
  for (const [body, fields] of [
    [{ ...change(app), password: 'too short' }, ['password']],
    [{ ...change(app), password: 'x'.repeat(1025) }, ['password']],
    [{ password: ANOTHER }, ['current']],
    [{ ...change(app), current: 1 }, ['current']],
    [{ ...change(app), user_id: 1 }, ['user_id']],
  ] as [object, string[]][]) {
    const answer = await app.ask('POST', '/password', { cookie, body });
    assert.deepEqual([answer.status, Object.keys(answer.body.error.fields)], [422, fields]);
  }
  assert.equal(app.passwords.runs, runs);
});

test('the address that a form sends along says nothing about whose password is changed', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  assert.equal((await fill(app, cookie, { email: app.stranger.email, ...change(app) })).status, 303);
  assert.ok(await hasPassword(app, ANOTHER));
  assert.match(await app.signIn(app.stranger), /^daybook=/);
});

test('whoever is not signed in is sent to the form for that, and a program is told', async (t) => {
  const app = await startApp(t);
  for (const unknown of ['daybook=x', `daybook=${'x'.repeat(43)}`]) {
    const seen = await app.ask('GET', '/password', { headers: { accept: 'text/html', cookie: unknown } });
    assert.deepEqual([seen.status, seen.headers.get('Location')], [303, '/sign-in?next=/password']);
    const filled = await fill(app, unknown, change(app));
    assert.deepEqual([filled.status, filled.headers.get('Location')], [303, '/sign-in?next=/password']);
    const sent = await app.ask('POST', '/password', { cookie: unknown, body: change(app) });
    assert.deepEqual([sent.status, sent.body.error.code], [401, 'unauthenticated']);
  }
  // A token opens the API and nothing else.
  assert.equal((await app.ask('POST', '/password', { token: app.owner.token, body: change(app) })).status, 401);
  assert.equal(app.passwords.runs, 0);
});

test('tries are limited apart from those to sign in', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const guess = async () => {
    const body = { ...change(app), current: 'a wrong password' };
    return (await app.ask('POST', '/password', { cookie, body })).status;
  };
  for (let i = 0; i < 5; i++) assert.equal(await guess(), 422);
  assert.equal(await guess(), 429);
  assert.equal((await app.ask('POST', '/password', { cookie, body: change(app) })).status, 429);
  const again = await app.signIn(app.owner);
  assert.equal((await app.ask('POST', '/password', { cookie: again, body: change(app) })).status, 429);
  const page = await fill(app, cookie, change(app));
  assert.equal(page.status, 429);
  assert.match(page.text, /<p class="error">Too many attempts\. Try again in 1 second\.<\/p>/);
  app.clock.pass(1);
  assert.equal((await app.ask('POST', '/password', { cookie, body: change(app) })).status, 200);
});

test('whoever has taken their account back meanwhile keeps the password that they chose', async (t) => {
  for (const asPage of [true, false]) {
    const app = await startApp(t);
    const cookie = await app.signIn(app.owner);
    const hash = await makePasswords(CHEAP).hash('chosen by the owner');
    // Two passwords are computed at a time, so those in front of the one that matters keep it waiting.
    const others = Array.from({ length: 10 }, (_, i) =>
      app.ask('POST', '/sign-in', {
        body: { email: `nobody${i}@example.com`, password: 'a wrong password' },
        headers: { 'sec-fetch-site': 'same-origin' },
      }),
    );
    const answering = asPage
      ? fill(app, cookie, change(app))
      : app.ask('POST', '/password', { cookie, body: change(app) });
    await new Promise((resolve) => setImmediate(resolve));
    app.db.write(() => changePassword(app.db, app.owner.id, hash));
    const { status, headers } = await answering;
    assert.deepEqual([status, headers.get('Set-Cookie')], [asPage ? 303 : 401, null]);
    for (const { status: other } of await Promise.all(others)) assert.equal(other, 422);
    assert.ok(await hasPassword(app, 'chosen by the owner'));
  }
});

test('of two who change it at once, one does', async (t) => {
  const app = await startApp(t);
  const cookies = [await app.signIn(app.owner), await app.signIn(app.owner)];
  const answers = await Promise.all(
    cookies.map((cookie, i) =>
      app.ask('POST', '/password', { cookie, body: { ...change(app), password: `new password ${i}` } }),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [200, 401],
  );
  assert.ok(await hasPassword(app, `new password ${statuses.indexOf(200)}`));
});

test('somebody without a password has no current one', async (t) => {
  const app = await startApp(t);
  const secret = makeLinkSecret(randomBytes);
  app.db.write(() => {
    const { id } = addUser(app.db, { email: 'added@example.com', password: null, now: 0 });
    addSession(app.db, { userId: id, secret, browser: 'Test', now: seconds(app.clock) });
  });
  const body = { current: 'whatever it may be', password: ANOTHER };
  assert.equal((await app.ask('POST', '/password', { cookie: `daybook=${secret}`, body })).status, 422);
});
