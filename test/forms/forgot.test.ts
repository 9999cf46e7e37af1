import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePasswords } from '../../src/auth/passwords.ts';
import { findUser } from '../../src/store/people/users.ts';
import { type Mail, mailServer } from '../mail/server.ts';
import { emptyApp, startApp, type TestApp } from '../support/helpers.ts';
import { CHEAP } from '../support/people.ts';
import { type Answer, form } from '../support/requests.ts';

const OWNER = 'owner@example.com';
const HOUR = 3600;
const BASE = 'https://stats.example.com';

const forget = (app: TestApp, email: string, address = '192.0.2.1'): Promise<Answer> =>
  app.ask('POST', '/forgot', { body: { email }, headers: { 'sec-fetch-site': 'same-origin' }, address });

/** The path of the link in a mail. */
function linkIn({ source }: Mail): string {
  // Mails fold long lines.
  const text = source.replaceAll('=\r\n', '');
  const [, path] = /\nhttps:\/\/stats\.example\.com(\/password\/[0-9A-Za-z]{43})\r\n/.exec(text) ?? [];
  assert.ok(path, source);
  return path;
}

async function hasPassword({ db }: TestApp, email: string, password: string): Promise<boolean> {
  const stored = findUser(db, email)?.password;
  assert.ok(stored);
  return await makePasswords(CHEAP).matches(stored, password);
}

const visible = ({ status, text, headers }: Answer) => ({ status, text, headers: [...headers] });

/** An application with a mail server. */
async function stage(t: Parameters<typeof startApp>[0]) {
  const server = await mailServer(t);
  return { server, app: await startApp(t, { ...server.settings, 'base-url': BASE }) };
}

test('whoever forgot their password is mailed a link, sets another, and is signed in nowhere else with no token left', async (t) => {
  const { app, server } = await stage(t);
  const cookie = await app.signIn(app.owner);
  const { status, text } = await app.ask('GET', '/forgot');
  assert.equal(status, 200);
  assert.match(text, /<input name="email" type="email"[^>]* required autofocus>/);
  const asked = await app.ask('POST', '/forgot', form({ email: 'Owner@example.com' }));
  assert.equal(asked.status, 202);
  assert.match(asked.text, /<h1>Check your e-mail<\/h1>\n<p>If owner@example\.com has an account here,/);

  const mail = await server.next();
  assert.deepEqual(mail.to, [OWNER]);
  assert.match(mail.source, /\r\nSubject: Reset your daybook password\r\n/);
  assert.match(
    mail.source.replaceAll('=\r\n', ''),
    /\r\npassword signs you out on all devices and revokes your access tokens:\r\n/,
  );
  const path = linkIn(mail);
  assert.ok(!asked.text.includes(path));
  // Looking at it, as mail scanners do, changes nothing.
  for (let i = 0; i < 5; i++) assert.equal((await app.ask('GET', path)).status, 200);
  assert.equal((await app.ask('GET', '/api/v1/account', { cookie })).status, 200);

  const set = await app.ask('POST', path, form({ password: 'another password' }));
  assert.deepEqual([set.status, set.headers.get('Location')], [303, '/']);
  assert.ok(await hasPassword(app, OWNER, 'another password'));
  assert.equal((await app.ask('GET', '/api/v1/account', { cookie })).status, 401);
  assert.equal((await app.owner.ask('GET', '/account')).status, 401);
  await app.post.settle();
  assert.ok(!app.log.join('').includes(path.slice('/password/'.length)));
});

test('the link works once, for an hour, and the next one replaces it', async (t) => {
  const { app, server } = await stage(t);
  await forget(app, OWNER);
  const first = linkIn(await server.next());
  await forget(app, OWNER);
  const second = linkIn(await server.next());
  assert.equal((await app.ask('GET', first)).status, 404);
  app.clock.pass(HOUR - 1);
  assert.equal((await app.ask('POST', second, { body: { password: 'another password' } })).status, 200);
  assert.match((await server.next()).source, /Your password was changed\./);
  assert.equal((await app.ask('POST', second, { body: { password: 'a third password' } })).status, 404);

  await forget(app, OWNER);
  const late = linkIn(await server.next());
  app.clock.pass(HOUR);
  assert.equal((await app.ask('GET', late)).status, 404);
  assert.equal((await app.ask('POST', late, { body: { password: 'a third password' } })).status, 404);
  assert.ok(await hasPassword(app, OWNER, 'another password'));
});

test('who has an account and who has none are answered alike, and only one of them gets a mail', async (t) => {
  const { app, server } = await stage(t);
  const unknown = 'nobody@example.com';
  for (const asking of [
    (email: string) => forget(app, email),
    (email: string) => app.ask('POST', '/forgot', form({ email })),
  ]) {
    const [known, none] = [await asking(OWNER), await asking(unknown)];
    assert.equal(known.status, 202);
    for (const { headers } of [known, none]) headers.delete('Content-Length');
    assert.deepEqual(
      visible({ ...none, text: none.text.replace(unknown, OWNER) }),
      visible({ ...known, text: known.text }),
    );
  }
  for (const _ of [1, 2]) assert.deepEqual((await server.next()).to, [OWNER]);
  await app.post.settle();
  assert.equal(server.mails.length, 2);
});

test('the answer does not wait for the link to be kept, which would tell that there is an account', async (t) => {
  const { app, server } = await stage(t);
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const body = JSON.stringify({ email: OWNER });
  const incoming = { headers, socket: { remoteAddress: '192.0.2.1' } };
  const links = () => app.db.one<{ n: number }>('SELECT count(*) AS n FROM password_link')?.n;
  const { status } = await app.app.hono.request('/forgot', { method: 'POST', headers, body }, { incoming } as never);
  assert.deepEqual([status, links()], [202, 0]);
  await server.next();
  assert.equal(links(), 1);
});

test('a link that cannot be kept is not sent, and only the log says so', async (t) => {
  const { app, server } = await stage(t);
  app.db.run(`CREATE TRIGGER no_link BEFORE INSERT ON password_link BEGIN SELECT RAISE(ABORT, 'no room'); END`);
  const [known, none] = [await forget(app, OWNER), await forget(app, 'nobody@example.com')];
  assert.deepEqual([known.status, none.status], [202, 202]);
  while (app.log.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const [line = '', ...more] = app.log;
  assert.match(line, /no password link was made. To make one, run daybook user password.*no room/);
  assert.deepEqual(more, []);
  assert.equal(server.mails.length, 0);
});

test('a person gets three mails an hour, from wherever they are asked for, and a stranger notices nothing', async (t) => {
  const { app, server } = await stage(t);
  const answers: unknown[] = [];
  let link = '';
  for (let i = 0; i < 6; i++) {
    answers.push(visible(await forget(app, OWNER, `198.51.100.${i}`)));
    if (i < 3) link = linkIn(await server.next());
  }
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  // The latest goes on working: what is not sent replaces nothing.
  assert.equal((await app.ask('GET', link)).status, 200);
  await forget(app, app.stranger.email);
  assert.deepEqual((await server.next()).to, [app.stranger.email]);
  app.clock.pass(HOUR);
  await forget(app, OWNER);
  assert.deepEqual((await server.next()).to, [OWNER]);
  await app.post.settle();
  assert.equal(server.mails.length, 5);
});

test('an address may ask ten times in a quarter of an hour, for whomever', async (t) => {
  const { app } = await stage(t);
  for (let i = 0; i < 10; i++) assert.equal((await forget(app, `nobody${i}@example.com`)).status, 202);
  const refused = await forget(app, OWNER);
  assert.deepEqual([refused.status, refused.headers.get('Retry-After')], [429, '900']);
  const page = await app.ask('POST', '/forgot', form({ email: OWNER }));
  assert.equal(page.status, 429);
  assert.match(page.text, /<p class="error">Too many attempts\. Try again in 15 minutes\.<\/p>/);
  assert.ok(page.text.includes(`value="${OWNER}"`));
  assert.equal((await forget(app, OWNER, '192.0.2.2')).status, 202);
  app.clock.pass(900);
  assert.equal((await forget(app, OWNER)).status, 202);
});

test('an address that is none is refused by the field, as a page and as JSON', async (t) => {
  const { app } = await stage(t);
  for (const email of ['nobody', '', `${OWNER}\r\nBcc: eve@example.com`, `${OWNER}, eve@example.com`]) {
    const sent = await forget(app, email);
    assert.deepEqual([sent.status, Object.keys(sent.body.error.fields)], [422, ['email']], email);
    assert.equal((await app.ask('POST', '/forgot', form({ email }))).status, 422);
  }
  const odd = await app.ask('POST', '/forgot', form({ email: '"><script>' }));
  assert.ok(odd.text.includes('value="&quot;&gt;&lt;script&gt;"') && !odd.text.includes('<script'));
});

test('without a mail server the page says what to do at the terminal, and promises no mail', async (t) => {
  const app = await emptyApp(t);
  await app.person(OWNER);
  const seen = await app.ask('GET', '/forgot');
  assert.equal(seen.status, 200);
  assert.match(
    seen.text,
    /This server does not send e-mails\..*\n<pre>npx daybook user password you@example\.com<\/pre>/,
  );
  assert.doesNotMatch(seen.text, /<form/);
  for (const email of [OWNER, 'nobody@example.com']) {
    const sent = await forget(app, email);
    assert.deepEqual([sent.status, sent.body.error.fields], [422, { email: 'This server does not send e-mails.' }]);
    const page = await app.ask('POST', '/forgot', form({ email }));
    assert.equal(page.status, 422);
    assert.match(page.text, /<pre>npx daybook user password/);
  }
  assert.equal(app.db.one<{ n: number }>('SELECT count(*) AS n FROM password_link')?.n, 0);
});

test('with --password-sign-in off, no link is mailed, also if a program asks', async (t) => {
  const server = await mailServer(t);
  const settings = { 'auth-header': 'Remote-Email', 'trusted-proxies': '192.0.2.9', 'password-sign-in': 'off' };
  const app = await startApp(t, { ...server.settings, ...settings, 'base-url': BASE });
  const { status, body } = await forget(app, OWNER);
  assert.deepEqual([status, body.error?.code], [404, 'not_found']);
  await new Promise(setImmediate);
  assert.equal(app.db.one('SELECT 1 FROM password_link'), undefined);
});
