import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePasswords } from '../../src/auth/passwords.ts';
import { removeMember } from '../../src/store/people/team.ts';
import { addUser, changePassword, findUser, setPasswordLink } from '../../src/store/people/users.ts';
import { startApp } from '../support/helpers.ts';
import { CHEAP } from '../support/people.ts';
import { form } from '../support/requests.ts';
import { invited, NEW, RIGHT, STRANGER, seen, sitesOf, WRONG } from './invited.ts';

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
    assert.ok(await makePasswords(CHEAP).matches(stored, words[statuses.indexOf(200)] ?? ''), email);
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
  const hash = await makePasswords(CHEAP).hash('another password');
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
    assert.match(body.error.fields.password, /has no password yet\. Set one/);
  }
  const filled = await app.ask('POST', path, form({ password: 'correct horse' }));
  assert.equal(filled.status, 422);
  assert.match(filled.text, /<div role="alert"><p class="error">This e-mail address has no password yet\./);
  assert.equal(findUser(app.db, NEW)?.password, null);
  assert.equal((await seen(app.owner, NEW)).status, 'invited');

  app.db.write(() => setPasswordLink(app.db, id, 'a-secret', app.clock.now() / 1000 + 60));
  const password = 'chosen by themselves';
  assert.equal((await app.ask('POST', '/password/a-secret', { body: { password } })).status, 200);
  assert.equal((await app.ask('POST', path, { body: { password } })).status, 200);
  assert.equal((await seen(app.owner, NEW)).status, 'active');
});
