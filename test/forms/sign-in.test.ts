import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addUser } from '../../src/store/people/users.ts';
import { startApp } from '../support/helpers.ts';
import { type Answer, cookieOf, form } from '../support/requests.ts';
import { isSignedIn, OWNER, RIGHT, send } from './signing-in.ts';

/** All of an answer that somebody can compare. */
const visible = ({ status, text, headers }: Answer) => ({ status, text, headers: [...headers] });

test('a person signs in with a form and is sent on to the dashboard', async (t) => {
  const app = await startApp(t);
  const { status, text } = await app.ask('GET', '/sign-in');
  assert.equal(status, 200);
  assert.match(text, /<input name="email" type="email" value="" autocomplete="username"[^>]* required autofocus>/);
  assert.match(text, /<input name="password" type="password" autocomplete="current-password"[^>]* required>/);
  const answer = await app.ask('POST', '/sign-in', form({ ...RIGHT, next: '/' }));
  assert.deepEqual([answer.status, answer.headers.get('Location'), answer.text], [303, '/', '']);
  assert.equal(answer.headers.get('Cache-Control'), 'no-store');
  assert.ok(await isSignedIn(app, cookieOf(answer)));
});

test('a program signs in with JSON', async (t) => {
  const app = await startApp(t);
  const answer = await send(app, RIGHT);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, { data: { email: OWNER } });
  assert.ok(await isSignedIn(app, cookieOf(answer)));
  assert.ok(!app.log.join('').includes(RIGHT.password));
});

test('an address is taken however it is written, a password only to the letter', async (t) => {
  const app = await startApp(t);
  for (const email of ['Owner@Example.COM', `  ${OWNER} `]) {
    assert.equal((await send(app, { ...RIGHT, email })).status, 200, email);
  }
  for (const password of [` ${RIGHT.password}`, `${RIGHT.password} `, RIGHT.password.toUpperCase()]) {
    assert.equal((await send(app, { ...RIGHT, password })).status, 422, password);
  }
});

test('a wrong password, an unknown address and one without a password are answered alike, at the same cost', async (t) => {
  const app = await startApp(t);
  app.db.write(() => addUser(app.db, { email: 'added@example.com', password: null, now: 0 }));
  const emails = [OWNER, 'nobody@example.com', 'added@example.com'];
  const password = 'a wrong password';
  const sent: unknown[] = [];
  const filled: unknown[] = [];
  for (const email of emails) {
    const before = app.passwords.runs;
    const answer = await send(app, { email, password });
    assert.deepEqual([answer.status, Object.keys(answer.body.error.fields)], [422, ['password']]);
    sent.push(visible(answer));
    assert.equal(app.passwords.runs, before + 1, email);

    const page = await app.ask('POST', '/sign-in', form({ email, password, next: '/' }));
    assert.match(page.text, /<div role="alert"><p class="error">Wrong e-mail or password\.<\/p>/);
    assert.ok(page.text.includes(`value="${email}"`));
    assert.match(page.text, /<input name="password"[^>]* required autofocus>/, 'the password is typed again');
    assert.equal(page.text.match(/autofocus/g)?.length, 1);
    page.headers.delete('Content-Length');
    filled.push(visible({ ...page, text: page.text.replace(email, 'ann') }));
    assert.equal(app.passwords.runs, before + 2, email);
  }
  for (const list of [sent, filled]) for (const answer of list) assert.deepEqual(answer, list[0]);
});

test('after as many tries all of them are refused alike', async (t) => {
  const app = await startApp(t);
  const answers: unknown[] = [];
  for (const email of [OWNER, 'nobody@example.com']) {
    for (let i = 0; i < 5; i++) assert.equal((await send(app, { email, password: 'a wrong password' })).status, 422);
    const refused = await send(app, { email, password: RIGHT.password });
    assert.equal(refused.status, 429);
    answers.push(visible(refused));
  }
  assert.deepEqual(answers[0], answers[1]);
  assert.equal(app.passwords.runs, 10);
});

test('what can belong to nobody is answered alike, and costs nothing', async (t) => {
  const app = await startApp(t);
  const wrong = visible(await send(app, { ...RIGHT, password: 'a wrong password' }));
  const { runs } = app.passwords;
  for (const body of [
    { ...RIGHT, password: '' },
    { ...RIGHT, password: 'too short' },
    { ...RIGHT, password: 'x'.repeat(1025) },
    { ...RIGHT, password: `${RIGHT.password}\ud800` },
    { ...RIGHT, email: '' },
    { ...RIGHT, email: 'nobody' },
    { ...RIGHT, email: `${'x'.repeat(300)}@example.com` },
    { ...RIGHT, email: `${OWNER}\nx` },
  ]) {
    assert.deepEqual(visible(await send(app, body)), wrong, JSON.stringify(body));
  }
  assert.equal(app.passwords.runs, runs);
});

test('a body of another shape is refused by the field', async (t) => {
  const app = await startApp(t);
  for (const [body, fields] of [
    [{}, ['email', 'password']],
    [{ email: OWNER }, ['password']],
    [{ email: [OWNER], password: RIGHT.password }, ['email']],
    [{ email: OWNER, password: 1234567890 }, ['password']],
    [{ ...RIGHT, next: 1 }, ['next']],
    [{ ...RIGHT, user_id: 1 }, ['user_id']],
    [[RIGHT], ['body']],
    ['{', ['body']],
  ] as [unknown, string[]][]) {
    const { status, body: answer } = await send(app, body);
    assert.equal(status, 422, JSON.stringify(body));
    assert.deepEqual(Object.keys(answer.error.fields).sort(), fields);
    assert.doesNotMatch(answer.error.message, /Invalid type/);
  }
  assert.equal((await send(app, { ...RIGHT, password: 'x'.repeat(65_536) })).status, 413);
  // As any page may send it, without asking first.
  const headers = { 'content-type': 'text/plain', 'sec-fetch-site': 'same-origin' };
  assert.equal((await app.ask('POST', '/sign-in', { body: RIGHT, headers })).status, 422);
  assert.equal(app.passwords.runs, 0);
});

test('a refused form comes back with the address and the way on, and never with the password', async (t) => {
  const app = await startApp(t);
  const email = `"><script>'&@example.com`;
  const { status, text } = await app.ask(
    'POST',
    '/sign-in?next=%2Fsites%2Fexample.com%3Frange%3D7d%22%3E',
    form({ email, password: 'a wrong password', next: '/' }),
  );
  assert.equal(status, 422);
  assert.ok(text.includes('value="&quot;&gt;&lt;script&gt;&#39;&amp;@example.com"'));
  assert.ok(text.includes('<input name="next" type="hidden" value="/sites/example.com?range=7d&quot;&gt;">'));
  assert.ok(!text.includes('a wrong password') && !text.includes('<script'));
});

test('tries are counted by the address that a trusted proxy names, and by no other that says so', async (t) => {
  const app = await startApp(t, { 'trusted-proxies': '10.0.0.1' });
  const ask = async (address: string, forwarded: string, email: string) => {
    const headers = { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': forwarded };
    const body = { email, password: 'a wrong password' };
    return (await app.ask('POST', '/sign-in', { body, headers, address })).status;
  };
  for (let i = 0; i < 5; i++) assert.equal(await ask('10.0.0.1', '198.51.100.1', OWNER), 422);
  assert.equal(await ask('10.0.0.1', '198.51.100.1', OWNER), 429);
  assert.equal(await ask('10.0.0.1', '203.0.113.1, 198.51.100.1', OWNER), 429);
  assert.equal(await ask('10.0.0.1', '203.0.113.1', OWNER), 422);

  const other = 'nobody@example.com';
  for (let i = 0; i < 5; i++) assert.equal(await ask('192.0.2.9', `203.0.${i}.1`, other), 422);
  assert.equal(await ask('192.0.2.9', '203.0.99.1', other), 429);
});

test('without https the form says who can read along, except on the machine itself', async (t) => {
  const warns = async (baseUrl: string) => {
    const app = await startApp(t, { 'base-url': baseUrl });
    return (await app.ask('GET', '/sign-in')).text.includes('not encrypted (no https)');
  };
  for (const baseUrl of ['http://stats.example.com', 'http://192.168.1.5:8377'])
    assert.ok(await warns(baseUrl), baseUrl);
  for (const baseUrl of [
    'https://stats.example.com',
    'http://127.0.0.1:8377',
    'http://localhost:8377',
    'http://[::1]:1',
  ]) {
    assert.ok(!(await warns(baseUrl)), baseUrl);
  }
});

test('the form takes GET, HEAD, POST and OPTIONS, and nothing else', async (t) => {
  const app = await startApp(t);
  assert.equal((await app.ask('HEAD', '/sign-in')).text, '');
  assert.equal((await app.ask('OPTIONS', '/sign-in')).headers.get('Allow'), 'GET, POST, HEAD, OPTIONS');
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    assert.equal((await app.ask(method, '/sign-in', { body: RIGHT })).status, 405, method);
  }
  // There is no such door outside the demo.
  assert.equal((await app.ask('GET', '/sign-in/anything')).status, 404);
});

test('over https the cookie by which a browser is known goes nowhere else', async (t) => {
  const app = await startApp(t, { 'base-url': 'https://stats.example.com' });
  const { headers } = await send(app, RIGHT);
  assert.match(headers.getSetCookie()[1] ?? '', /^__Host-daybook-browser=.*; HttpOnly; SameSite=Lax; .*; Secure$/);
});
