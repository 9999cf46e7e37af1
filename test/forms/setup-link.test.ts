import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addUser, findUser } from '../../src/store/people/users.ts';
import { emptyApp } from '../support/helpers.ts';
import { form } from '../support/requests.ts';
import { changes, count, GOOD, pathOf } from './setting-up.ts';

test('looking at the set-up link shows a form and changes nothing, however often', async (t) => {
  const app = await emptyApp(t);
  const before = changes(app);
  for (let i = 0; i < 20; i++) {
    const { status, text } = await app.ask('GET', pathOf(app));
    assert.equal(status, 200);
    assert.match(text, /<form method="post">/);
    assert.match(text, /<input name="email" type="email"[^>]* required/);
    assert.match(text, /<input name="password" type="password"[^>]* required/);
    assert.ok(!text.includes(app.setupSecret));
  }
  assert.equal((await app.ask('HEAD', pathOf(app))).text, '');
  assert.equal(changes(app), before);
  assert.equal((await app.ask('POST', pathOf(app), { body: GOOD })).status, 200);
});

test('a wrong secret finds nothing, as a page and as JSON', async (t) => {
  const app = await emptyApp(t);
  const { setupSecret: right } = app;
  const wrong = [
    right.slice(1),
    `${right}x`,
    right.toLowerCase(),
    right.toUpperCase(),
    'x',
    'x'.repeat(43),
    '%00',
    '%',
  ];
  for (const secret of wrong) {
    const path = `/setup/${secret}`;
    const seen = await app.ask('GET', path);
    assert.equal(seen.status, 404, secret);
    assert.match(seen.text, /<h1>This link does not work<\/h1>/, secret);
    const sent = await app.ask('POST', path, { body: GOOD });
    assert.equal(sent.status, 404, secret);
    assert.equal(sent.body.error.code, 'not_found', secret);
    const filled = await app.ask('POST', path, form(GOOD));
    assert.equal(filled.status, 404, secret);
    assert.match(filled.text, /<h1>This link does not work<\/h1>/, secret);
  }
  assert.equal(count(app), 0);
});

test('the link works once', async (t) => {
  const app = await emptyApp(t);
  assert.equal((await app.ask('POST', pathOf(app), { body: GOOD })).status, 200);
  const again = await app.ask('POST', pathOf(app), { body: { ...GOOD, email: 'eve@example.com' } });
  assert.equal(again.status, 404);
  assert.equal(again.body.error.code, 'not_found');
  const filled = await app.ask('POST', pathOf(app), form({ ...GOOD, email: 'eve@example.com' }));
  assert.equal(filled.status, 404);
  assert.match(filled.text, /Each link can be used once, and expires after an hour\./);
  assert.equal((await app.ask('GET', pathOf(app))).status, 404);
  // Somebody without the link learns nothing from what they send.
  assert.equal((await app.ask('POST', pathOf(app), { body: {} })).status, 404);
  assert.equal(count(app), 1);
});

test('the link works for an hour', async (t) => {
  const app = await emptyApp(t);
  app.clock.pass(3599);
  assert.equal((await app.ask('GET', pathOf(app))).status, 200);
  app.clock.pass(1);
  assert.equal((await app.ask('GET', pathOf(app))).status, 404);
  assert.equal((await app.ask('POST', pathOf(app), { body: GOOD })).status, 404);
  assert.equal(count(app), 0);

  const other = await emptyApp(t);
  other.clock.pass(3599);
  assert.equal((await other.ask('POST', pathOf(other), { body: GOOD })).status, 200);
});

test('the link is gone once the operator adds a user, even between reading a form and keeping it', async (t) => {
  const app = await emptyApp(t);
  // The form has been let in and waits for its body here.
  const answering = app.ask('POST', pathOf(app), { body: GOOD });
  app.db.write(() => addUser(app.db, { email: 'operator@example.com', password: null, now: 0 }));
  assert.equal((await answering).status, 404);
  assert.equal((await app.ask('GET', pathOf(app))).status, 404);
  assert.equal((await app.ask('POST', pathOf(app), { body: GOOD })).status, 404);
  assert.equal(count(app), 1);
  assert.equal(findUser(app.db, GOOD.email), undefined);
});

test('of twenty who set the server up at once, one does', async (t) => {
  const app = await emptyApp(t);
  const emails = Array.from({ length: 20 }, (_, i) => `racer${i}@example.com`);
  const answers = await Promise.all(emails.map((email) => app.ask('POST', pathOf(app), { body: { ...GOOD, email } })));
  const won = answers.filter(({ status }) => status === 200);
  assert.equal(won.length, 1);
  assert.equal(answers.filter(({ status }) => status === 404).length, 19);
  assert.equal(count(app), 1);
  assert.ok(findUser(app.db, won[0]?.body.data.email));
  assert.equal(app.db.one<{ n: number }>('SELECT count(*) AS n FROM account')?.n, 1);
});

test('other methods are answered with those that the link takes', async (t) => {
  const app = await emptyApp(t);
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const { status, headers } = await app.ask(method, pathOf(app), { body: GOOD });
    assert.equal(status, 405, method);
    assert.equal(headers.get('Allow'), 'GET, POST, HEAD, OPTIONS', method);
  }
  const options = await app.ask('OPTIONS', pathOf(app));
  assert.equal(options.status, 204);
  assert.equal(options.headers.get('Allow'), 'GET, POST, HEAD, OPTIONS');
  assert.equal(count(app), 0);
});
