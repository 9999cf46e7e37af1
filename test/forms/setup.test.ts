import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePasswords } from '../../src/auth/passwords.ts';
import { findUser } from '../../src/store/people/users.ts';
import { emptyApp, type TestApp } from '../support/helpers.ts';
import { CHEAP } from '../support/people.ts';
import { cookieOf, form } from '../support/requests.ts';
import { changes, count, GOOD, pathOf } from './setting-up.ts';

/** Whether the password on file is this one, to the letter. */
async function hasPassword({ db }: TestApp, email: string, password: string): Promise<boolean> {
  const stored = findUser(db, email)?.password;
  assert.ok(stored);
  return await makePasswords(CHEAP).matches(stored, password);
}

test('a program sets the server up with JSON and gets an account on the built-in plan', async (t) => {
  const app = await emptyApp(t);
  const { status, headers, body, text } = await app.ask('POST', pathOf(app), {
    body: { email: 'Ann@Example.com', password: GOOD.password },
  });
  const user = findUser(app.db, 'ann@example.com');
  assert.ok(user);
  assert.equal(status, 200);
  assert.deepEqual(body, { data: { account_id: user.accountId, email: 'ann@example.com' } });
  assert.equal(headers.get('Set-Cookie'), null);
  assert.ok(!text.includes(GOOD.password));
  assert.ok(await hasPassword(app, GOOD.email, GOOD.password));

  const account = await app.ask('GET', '/api/v1/account', { token: app.tokenOf(user, ['read']) });
  assert.equal(account.body.data.id, user.accountId);
  assert.equal(account.body.data.email, 'ann@example.com');
  assert.equal(account.body.data.plan, 'self-hosted');
  assert.equal(account.body.data.limits.sites, null);
  assert.ok(!app.log.join('').includes(GOOD.password));
});

test('a person with a browser sets the server up and is signed in', async (t) => {
  const app = await emptyApp(t);
  const answer = await app.ask('POST', pathOf(app), form(GOOD));
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get('Location'), '/');
  assert.equal(answer.text, '');
  assert.ok(await hasPassword(app, GOOD.email, GOOD.password));
  const account = await app.ask('GET', '/api/v1/account', { cookie: cookieOf(answer) });
  assert.equal(account.body.data.email, GOOD.email);
});

test("a page of somebody else's cannot set the server up, although it knew the link", async (t) => {
  const app = await emptyApp(t);
  for (const foreign of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]) {
    const { status, headers, text } = await app.ask('POST', pathOf(app), form(GOOD, foreign));
    assert.equal(status, 403);
    assert.equal(headers.get('Set-Cookie'), null);
    assert.match(text, /<div role="alert"><p class="error">Blocked: this request came from another website/);
  }
  const asking = { body: GOOD, headers: { origin: 'https://evil.example' } };
  assert.equal((await app.ask('POST', pathOf(app), asking)).status, 403);
  assert.equal(count(app), 0);
});

test('a form without a wish for a page is answered with JSON', async (t) => {
  const app = await emptyApp(t);
  const { status, headers, body } = await app.ask('POST', pathOf(app), form(GOOD, { accept: '*/*' }));
  assert.equal(status, 200);
  assert.equal(body.data.email, GOOD.email);
  assert.equal(headers.get('Set-Cookie'), null);
});

test('JSON with a wish for a page signs in as well', async (t) => {
  const app = await emptyApp(t);
  const answer = await app.ask('POST', pathOf(app), { body: GOOD, headers: { accept: 'text/html' } });
  assert.equal(answer.status, 303);
  assert.equal((await app.ask('GET', '/api/v1/account', { cookie: cookieOf(answer) })).status, 200);
});

test('a password comes through a form to the letter', async (t) => {
  const app = await emptyApp(t);
  const password = ' a+b&c=d%41%%;é\u{1F600}"\'<> \t';
  assert.equal((await app.ask('POST', pathOf(app), form({ ...GOOD, password }))).status, 303);
  assert.ok(await hasPassword(app, GOOD.email, password));
  assert.ok(!(await hasPassword(app, GOOD.email, password.trim())));
});

test('an address that is none, or a password that is too short, is refused with its field', async (t) => {
  const app = await emptyApp(t);
  const before = changes(app);
  const refused: [unknown, string[]][] = [
    [{ ...GOOD, email: 'nobody' }, ['email']],
    [{ ...GOOD, email: 'Ann <ann@example.com>' }, ['email']],
    [{ ...GOOD, email: '' }, ['email']],
    [{ ...GOOD, email: ['ann@example.com'] }, ['email']],
    [{ ...GOOD, password: 'short' }, ['password']],
    [{ ...GOOD, password: 1234567890 }, ['password']],
    [{ email: 'nobody', password: 'short' }, ['email', 'password']],
    [{}, ['email', 'password']],
    [{ ...GOOD, role: 'owner' }, ['role']],
    [[GOOD], ['body']],
    ['{"email":', ['body']],
    ['null', ['body']],
  ];
  for (const [body, fields] of refused) {
    const { status, body: answer } = await app.ask('POST', pathOf(app), { body });
    assert.equal(status, 422, JSON.stringify(body));
    assert.equal(answer.error.code, 'invalid_request');
    assert.deepEqual(Object.keys(answer.error.fields).sort(), fields, JSON.stringify(body));
  }
  const large = await app.ask('POST', pathOf(app), { body: { ...GOOD, password: 'x'.repeat(65_536) } });
  assert.equal(large.status, 413);
  assert.equal(changes(app), before);
  assert.equal((await app.ask('POST', pathOf(app), { body: GOOD })).status, 200);
});

test('a refused form comes back as a page with the form and a sentence for each field', async (t) => {
  const app = await emptyApp(t);
  const { status, text } = await app.ask('POST', pathOf(app), form({ email: '<b>nobody</b>', password: 'too short' }));
  assert.equal(status, 422);
  const [, alert] = /<div role="alert">(.*)<\/div>/.exec(text) ?? [];
  assert.equal(
    alert,
    '<p class="error">Must be an e-mail address such as ann@example.com.</p><p class="error">Must have at least 10 characters.</p>',
  );
  assert.ok(text.indexOf('role="alert"') < text.indexOf('<form method="post">'));
  assert.ok(!text.includes('too short') && !text.includes('<b>'));

  const broken = await app.ask('POST', pathOf(app), { ...form(GOOD), body: 'email=%E0%A4&password=1&<i>=1' });
  assert.equal(broken.status, 422);
  assert.match(
    broken.text,
    /<div role="alert"><p class="error">Has an invalid percent escape, such as %zz\.<\/p><\/div>/,
  );
  const twice = await app.ask('POST', pathOf(app), { ...form(GOOD), body: 'email=a&email=b&password=1' });
  assert.match(twice.text, /<div role="alert"><p class="error">This appears more than once\.<\/p><\/div>/);
  const foreign = await app.ask('POST', pathOf(app), form({ ...GOOD, '<i>x</i>': '1' }));
  assert.equal(foreign.status, 422);
  assert.match(foreign.text, /This is unknown\. Known: email, password\./);
  assert.ok(!foreign.text.includes('<i>'));
  assert.equal(count(app), 0);
});

test('a refused form keeps the e-mail that was typed, as text, and never the password', async (t) => {
  const app = await emptyApp(t);
  const kept: [typed: string, value: string][] = [
    ['Ann@Example.com', 'Ann@Example.com'],
    ['nobody', 'nobody'],
    [`"><script>'&`, '&quot;&gt;&lt;script&gt;&#39;&amp;'],
    ['', ''],
  ];
  const valueIn = (text: string): string | undefined => /<input name="email" [^>]*value="([^"]*)"/.exec(text)?.[1];
  for (const [email, value] of kept) {
    const { status, text } = await app.ask('POST', pathOf(app), form({ email, password: 'too short' }));
    assert.deepEqual([status, valueIn(text)], [422, value]);
    assert.ok(!text.includes('too short'));
  }
  assert.equal(valueIn((await app.ask('GET', pathOf(app))).text), '');
  const odd = { body: { email: ['a'], password: 1 }, headers: { accept: 'text/html' } };
  assert.equal(valueIn((await app.ask('POST', pathOf(app), odd)).text), '');
});

test('a password of 10 to 1,024 characters is taken, an emoji counting as one', async (t) => {
  for (const character of ['x', '\u{1F600}']) {
    for (const length of [9, 1025]) {
      const app = await emptyApp(t);
      const password = character.repeat(length);
      const sent = await app.ask('POST', pathOf(app), { body: { ...GOOD, password } });
      assert.equal(sent.status, 422);
      assert.match(sent.body.error.fields.password, length === 9 ? /at least 10 / : /at most 1,024 /);
      assert.equal((await app.ask('POST', pathOf(app), form({ ...GOOD, password }))).status, 422);
      assert.equal(count(app), 0);
    }
    for (const length of [10, 1024]) {
      const password = character.repeat(length);
      for (const [asking, status] of [
        [{ body: { ...GOOD, password } }, 200],
        [form({ ...GOOD, password }), 303],
      ] as const) {
        const app = await emptyApp(t);
        assert.equal((await app.ask('POST', pathOf(app), asking)).status, status, `${length} of ${character}`);
        assert.ok(await hasPassword(app, GOOD.email, password));
        assert.ok(!(await hasPassword(app, GOOD.email, character.repeat(length - 1))));
        // And signs in with it.
        const again = await app.ask('POST', '/sign-in', form({ ...GOOD, password }));
        assert.equal(again.status, 303, `${length} of ${character}`);
      }
    }
  }
});
