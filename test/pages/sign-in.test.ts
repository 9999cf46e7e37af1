import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hashOf } from '../../src/lib/secrets.ts';
import { DAY } from '../../src/lib/time.ts';
import { addUser } from '../../src/store/users.ts';
import { passwordOf, startApp, type TestApp } from '../helpers.ts';
import { type Answer, cookieOf, form } from '../requests.ts';

const OWNER = 'owner@example.com';
const RIGHT = { email: OWNER, password: passwordOf({ email: OWNER }) };

/** Sends the form as a program does. */
const send = (app: TestApp, body: unknown, address = '192.0.2.1') =>
  app.ask('POST', '/sign-in', { body, headers: { 'sec-fetch-site': 'same-origin' }, address });

const isSignedIn = async (app: TestApp, cookie: string): Promise<boolean> => {
  const { status } = await app.ask('GET', '/api/v1/account', { cookie });
  // The page and the API never say different things.
  const page = await app.ask('GET', '/account', { cookie });
  assert.deepEqual([status, page.status], status === 200 ? [200, 200] : [401, 303]);
  return status === 200;
};

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
    assert.match(page.text, /<div role="alert"><p class="error">The e-mail or the password is wrong\.<\/p>/);
    assert.ok(page.text.includes(`value="${email}"`));
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

/** Where somebody who signs in with this next is sent. */
async function sentOn(app: TestApp, next: string): Promise<string> {
  const { status, headers } = await app.ask('POST', '/sign-in', form({ ...RIGHT, next }));
  assert.equal(status, 303);
  app.clock.pass(60);
  return headers.get('Location') ?? '';
}

test('whoever signs in is sent on to where they wanted to go', async (t) => {
  const app = await startApp(t);
  for (const [next, location] of [
    ['/', '/'],
    ['/account/tokens', '/account/tokens'],
    ['/sites/example.com?range=7d&filters[page]=%2Fa', '/sites/example.com?range=7d&filters[page]=%2Fa'],
    ['/sites/bücher.example', '/sites/b%C3%BCcher.example'],
    ['account', '/account'],
    ['', '/'],
  ] as const) {
    assert.equal(await sentOn(app, next), location, next);
  }
});

const ELSEWHERE = [
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '\t//evil.example',
  '/\n/evil.example',
  '\u0000//evil.example',
  ' //evil.example',
  'https://evil.example/',
  'https:evil.example',
  'https:/evil.example',
  'HTTPS://EVIL.EXAMPLE',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:http://own.invalid/x',
  'mailto:eve@evil.example',
  // Paths that become a host once their dots are resolved.
  '/.//evil.example',
  '/..//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '/.\t//evil.example',
  './/evil.example',
  'http://own.invalid//evil.example',
  '//own.invalid//evil.example',
  '//user@evil.example',
];

test('nobody is sent anywhere else, whatever next says', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const headers = { accept: 'text/html' };
  for (const next of ELSEWHERE) {
    assert.equal(await sentOn(app, next), '/', JSON.stringify(next));
    const seen = await app.ask('GET', `/sign-in?next=${encodeURIComponent(next)}`, { cookie, headers });
    assert.deepEqual([seen.status, seen.headers.get('Location')], [303, '/'], JSON.stringify(next));
  }
});

test('whatever next is, it is a path of our own in plain letters', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
    fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '%2f',
      ':',
      '@',
      '?',
      '#',
      '\t',
      '\r\n',
      'http:',
      'own.invalid',
      'evil.example',
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      const next = pieces.join('');
      const { headers } = await app.ask('GET', `/sign-in?next=${encodeURIComponent(next)}`, { cookie });
      const location = headers.get('Location') ?? '';
      assert.match(location, /^\/(?![/\\])[\x21-\x7e]*$/);
      assert.equal(new URL(location, 'https://stats.example.com').origin, 'https://stats.example.com');
    }),
    { numRuns: 1_000, examples: ELSEWHERE.map((next) => [[next]]) },
  );
});

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
  assert.deepEqual(hashes, secrets.map(hashOf));
});

test('whoever is signed in is sent on from the form, and may sign in as somebody else', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const seen = await app.ask('GET', '/sign-in?next=/account', { cookie });
  assert.deepEqual([seen.status, seen.headers.get('Location')], [303, '/account']);
  const fields = { email: app.stranger.email, password: passwordOf(app.stranger) };
  const { body, headers } = form(fields);
  const answer = await app.ask('POST', '/sign-in', { body, headers: { ...headers, cookie } });
  assert.equal(answer.status, 303);
  const account = await app.ask('GET', '/api/v1/account', { cookie: cookieOf(answer) });
  assert.equal(account.body.data.email, app.stranger.email);
  assert.equal((await app.ask('POST', '/sign-in', { cookie, body: fields })).status, 200);
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

test('sessions that have ended are gone from the file once somebody signs in', async (t) => {
  const app = await startApp(t);
  await app.signIn(app.owner);
  await app.signIn(app.stranger);
  app.clock.pass(7 * DAY);
  await app.signIn(app.viewer);
  assert.equal(app.db.one<{ n: number }>('SELECT count(*) AS n FROM session')?.n, 1);
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
    return (await app.ask('GET', '/sign-in')).text.includes('reached without https');
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
