import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { findUser } from '../../src/store/people/users.ts';
import { startApp } from '../support/helpers.ts';
import { type Asking, cookieOf, form } from '../support/requests.ts';

const PROXY = '10.0.0.2';

async function stage(t: TestContext, settings = {}) {
  const app = await startApp(t, { 'auth-header': 'Remote-Email', 'trusted-proxies': PROXY, ...settings });
  /** A request of a browser that the proxy passes on. */
  const pass = (path: string, headers: Record<string, string>, more: Asking = {}) =>
    app.ask('GET', path, { address: PROXY, ...more, headers: { accept: 'text/html', ...headers, ...more.headers } });
  const signIn = async (email: string) => cookieOf(await pass('/sign-in', { 'Remote-Email': email }));
  return { ...app, pass, signIn };
}

test('header: a trusted proxy signs in the person that it names, in any case, and leads to the page', async (t) => {
  const { pass, signIn, ask, owner } = await stage(t);
  const first = await pass('/account', { 'Remote-Email': owner.email });
  assert.equal(first.headers.get('Location'), '/sign-in?next=%2Faccount');
  const answer = await pass('/sign-in?next=%2Faccount', { 'Remote-Email': 'Owner@EXAMPLE.com' });
  assert.deepEqual([answer.status, answer.headers.get('Location')], [303, '/account']);
  const cookie = await signIn(owner.email);
  assert.equal((await ask('GET', '/api/v1/account', { cookie })).status, 200);
  const away = await pass('/sign-in?next=https://evil.example', { 'Remote-Email': owner.email });
  assert.equal(away.headers.get('Location'), '/');
});

test('header: from any other client it is as if it had none', async (t) => {
  const { ask, owner, signIn, pass } = await stage(t);
  for (const address of ['192.0.2.1', '10.0.0.3', '::1', '127.0.0.1']) {
    const headers = { 'Remote-Email': owner.email, 'x-forwarded-for': PROXY, accept: 'text/html' };
    const answer = await ask('GET', '/sign-in', { address, headers });
    assert.deepEqual([answer.status, answer.headers.get('Set-Cookie')], [200, null], address);
    // Neither does it end a session of another person.
    const cookie = await signIn(owner.email);
    const other = { 'Remote-Email': 'stranger@example.com' };
    assert.equal((await ask('GET', '/api/v1/account', { address, cookie, headers: other })).status, 200);
  }
  assert.equal((await pass('/sign-in', { 'Remote-Email': owner.email }, { address: `::ffff:${PROXY}` })).status, 303);
});

test('header: another name, two addresses and odd letters sign nobody in', async (t) => {
  const { pass, owner, db } = await stage(t);
  for (const name of ['Remote_Email', 'Remote-Emails', 'X-Remote-Email', 'Remote-Email-', 'RemoteEmail']) {
    assert.equal((await pass('/sign-in', { [name]: owner.email })).status, 200, name);
  }
  const odd = [
    'owner@example.com, stranger@example.com',
    'owner@example.\u00e2\u0084\u00aaom',
    'owner',
    'Owner <owner@example.com>',
  ];
  for (const value of [...odd, 'owner@example.com;', ',', 'owner@exam\u00adple.com']) {
    const answer = await pass('/sign-in', { 'Remote-Email': value });
    assert.deepEqual([answer.status, answer.headers.get('Set-Cookie')], [403, null], value);
    assert.match(answer.text, /did not send a valid e-mail address/);
  }
  assert.equal(db.one<{ n: number }>('SELECT count(*) AS n FROM session')?.n, 0);
});

test('header: an unknown person gets an error and no account, unless an invitation was opened', async (t) => {
  const { pass, owner, db } = await stage(t, { 'password-sign-in': 'off' });
  const answer = await pass('/sign-in', { 'Remote-Email': 'new@example.com' });
  assert.equal(answer.status, 403);
  assert.match(answer.text, /new@example\.com has no account on this server/);
  assert.equal(findUser(db, 'new@example.com'), undefined);
  const { body } = await owner.ask('POST', '/team', { email: 'new@example.com', role: 'viewer' });
  const { pathname } = new URL(body.data.invitation_url);
  const page = await pass(pathname, { 'Remote-Email': 'new@example.com' });
  assert.ok(page.text.includes(`href="/sign-in?next=${encodeURIComponent(pathname)}"`), page.text);
  const other = await pass(`/sign-in?next=${encodeURIComponent(pathname)}`, { 'Remote-Email': owner.email });
  assert.equal(other.headers.get('Location'), pathname);
  assert.equal(findUser(db, 'new@example.com'), undefined);
  const joined = await pass(`/sign-in?next=${encodeURIComponent(pathname)}`, { 'Remote-Email': 'new@example.com' });
  assert.equal(joined.headers.get('Location'), '/');
  const role = db.one<{ role: string }>(
    "SELECT role FROM member WHERE email = 'new@example.com' AND user_id IS NOT NULL",
  );
  assert.equal(role?.role, 'viewer');
});

test('header: a person with an account joins another team, also while signed in', async (t) => {
  const { pass, signIn, ask, owner, stranger, db } = await stage(t, { 'password-sign-in': 'off' });
  const { body } = await stranger.ask('POST', '/team', { email: owner.email, role: 'viewer' });
  const { pathname } = new URL(body.data.invitation_url);
  const cookie = await signIn(owner.email);
  const header = { 'Remote-Email': owner.email };
  const led = await pass(`/sign-in?next=${encodeURIComponent(pathname)}`, header, { cookie });
  const place = led.headers.get('Location') ?? '';
  assert.match(place, /^\/invite\/join\//);
  assert.match((await pass(place, header, { cookie })).text, /Join the team of stranger@example\.com/);
  const { status } = await ask('POST', place, { cookie, address: PROXY, ...form({}, header) });
  assert.equal(status, 303);
  assert.ok(db.one('SELECT 1 FROM member WHERE user_id = ? AND account_id = ?', owner.id, stranger.accountId));
});

test('header: a session counts only for the person that the proxy names, who need not prove anything again', async (t) => {
  const { ask, owner, stranger, signIn, clock } = await stage(t);
  const cookie = await signIn(owner.email);
  const asked = (email: string) => ({ cookie, address: PROXY, headers: { 'Remote-Email': email } });
  assert.equal((await ask('GET', '/api/v1/account', asked(stranger.email))).status, 401);
  assert.equal((await ask('GET', '/', asked(stranger.email))).status, 303);
  clock.pass(3_600);
  const add = (asking: Asking) =>
    ask('POST', '/api/v1/tokens', { ...asking, body: { name: 'x', abilities: ['read'] } });
  assert.equal((await add(asked(owner.email))).status, 201);
  assert.equal((await add({ cookie })).status, 403, 'without the header, the session must prove itself');
  assert.equal((await ask('GET', '/api/v1/account', { token: owner.token })).status, 200);
});
