import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { listen } from '../../src/http/server.ts';
import { seconds } from '../../src/lib/time.ts';
import type { OptionName } from '../../src/options.ts';
import { addSession } from '../../src/store/people/sessions.ts';
import { findUser } from '../../src/store/people/users.ts';
import { freePort } from '../integrations/crawled.ts';
import { folder, startApp, type TestApp } from '../support/helpers.ts';
import { cookieOf, form } from '../support/requests.ts';
import { CLIENT, openBrowser, type Shown, startProvider } from './provider.ts';

const CALLBACK = '/sign-in/oidc/callback';

/** An app with a provider, both behind sockets. The provider knows the owner and a stranger. */
async function stage(t: TestContext, settings: Partial<Record<OptionName, string>> = {}, ofProvider: object = {}) {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const provider = await startProvider(t, `${origin}${CALLBACK}`, ofProvider);
  const secretFile = join(folder(t), 'secret');
  writeFileSync(secretFile, `${CLIENT.secret}\n`, { mode: 0o600 });
  const app = await startApp(t, {
    'base-url': origin,
    'oidc-issuer': provider.issuer,
    'oidc-client': CLIENT.id,
    'oidc-secret-file': secretFile,
    'oidc-name': 'Acme',
    ...settings,
  });
  const { stop } = await listen(
    { host: '127.0.0.1', port: Number(new URL(origin).port), trust: app.config.trust },
    { random: randomBytes, clock: app.clock, log: () => {} },
    () => app.app,
  );
  t.after(() => stop());
  provider.people.set('owner', { email: 'Owner@Example.com', email_verified: true });
  provider.people.set('new', { email: 'new@example.com', email_verified: true, groups: ['staff', 'analysts'] });
  return { ...app, origin, provider, start: `${origin}/sign-in/oidc` };
}

const isCallback = (url: URL) => url.pathname === CALLBACK;
const isEmail = (text: string, email: string) => text.includes(`"email":"${email}"`);
const sessions = ({ db }: Pick<Awaited<ReturnType<typeof stage>>, 'db'>) =>
  db.one<{ n: number }>('SELECT count(*) AS n FROM session')?.n;

/** The e-mail address of the account that a session cookie opens. */
async function accountOf({ ask }: Pick<TestApp, 'ask'>, cookie: string): Promise<string> {
  const { status, body } = await ask('GET', '/api/v1/account', { cookie });
  assert.equal(status, 200);
  return body.data.email;
}

/** A page with an error, after which nobody is signed in. */
function assertRefused({ status, text }: Shown, expected: number, sentence: RegExp): void {
  assert.equal(status, expected, text);
  assert.match(text, sentence);
}

test('oidc: a member signs in at the provider, whatever the case of the e-mail address, and comes back to the page', async (t) => {
  const app = await stage(t);
  const browser = openBrowser();
  const signIn = await browser.go(`${app.origin}/account?part=1`);
  assert.match(signIn.text, /Sign in with Acme/);
  const [, link = ''] = /href="(\/sign-in\/oidc[^"]*)"/.exec(signIn.text) ?? [];
  const shown = await browser.signInAs('owner', `${app.origin}${link.replaceAll('&amp;', '&')}`);
  assert.deepEqual([shown.url.href, shown.status], [`${app.origin}/account?part=1`, 200]);
  assert.ok(isEmail(shown.text, 'owner@example.com'));
  const [session] = app.db.all<{ browser: string }>('SELECT browser FROM session');
  assert.match(session?.browser ?? '', /Firefox/);
  assert.ok(browser.cookies('127.0.0.1').has('daybook'));
});

test('oidc: an unknown e-mail address gets an account only if the claim gives it a role', async (t) => {
  const app = await stage(t, { 'oidc-claim': 'groups=analysts:viewer,web:team:manager' });
  const { db, origin, provider, start, owner } = app;
  const roleOf = (email: string) =>
    db.one<{ role: string; sees: number }>('SELECT role, sees_all AS sees FROM member WHERE email = ?', email)?.role;
  const shown = await openBrowser().signInAs('new', start);
  assert.deepEqual([shown.url.href, roleOf('new@example.com')], [`${origin}/`, 'viewer']);
  const list = await (
    await fetch(`${origin}/api/v1/account/log`, { headers: { authorization: `Bearer ${owner.token}` } })
  ).json();
  assert.deepEqual(
    ((list as { data: Record<string, string>[] }).data ?? [])
      .slice(0, 1)
      .map(({ action, noun, name, way }) => [action, noun, name, way]),
    [['add', 'team', 'new@example.com', 'page']],
  );
  // The first account keeps the guest from sites and a team of their own.
  const plan = db.one<{ name: string }>(
    "SELECT p.name FROM user u JOIN account a ON a.user_id = u.id JOIN plan p ON p.id = a.plan_id WHERE u.email = 'new@example.com'",
  );
  assert.equal(plan?.name, 'guest');

  provider.people.set('boss', { email: 'boss@example.com', email_verified: true, groups: ['analysts', 'web:team'] });
  await openBrowser().signInAs('boss', start);
  assert.equal(roleOf('boss@example.com'), 'manager');

  for (const groups of [undefined, [], ['staff'], 'Analysts', { analysts: true }, [['analysts']]]) {
    provider.people.set('other', { email: 'other@example.com', email_verified: true, groups });
    const refused = await openBrowser().signInAs('other', start);
    assertRefused(refused, 403, /other@example\.com has no account on this server/);
    assert.equal(findUser(db, 'other@example.com'), undefined, JSON.stringify(groups));
  }
});

test('oidc: a role is given once, and the owner has the last word', async (t) => {
  const { db, origin, start, owner } = await stage(t, { 'oidc-claim': 'groups=analysts:viewer' });
  await openBrowser().signInAs('new', start);
  const id = db.one<{ id: number }>("SELECT id FROM member WHERE email = 'new@example.com'")?.id;
  await owner.ask('DELETE', `/team/${id}`);
  const shown = await openBrowser().signInAs('new', start);
  assert.equal(shown.url.href, `${origin}/`);
  assert.equal(db.one("SELECT 1 FROM member WHERE email = 'new@example.com'"), undefined);
});

test('oidc: an invitation of the owner counts more than the claim, also if its link was not opened', async (t) => {
  const { db, siteId, start, owner } = await stage(t, { 'oidc-claim': 'groups=analysts:manager' });
  await owner.ask('POST', '/team', { email: 'new@example.com', role: 'viewer', sites: [siteId] });
  await openBrowser().signInAs('new', start);
  const members = db.all<{ role: string; sees: number; joined: number }>(
    "SELECT role, sees_all AS sees, user_id IS NOT NULL AS joined FROM member WHERE email = 'new@example.com'",
  );
  assert.deepEqual(members, [{ role: 'viewer', sees: 0, joined: 1 }]);
});

test('oidc: without a claim, an unknown e-mail address gets no account', async (t) => {
  const { db, start } = await stage(t);
  assertRefused(await openBrowser().signInAs('new', start), 403, /Ask the person who runs it for an invitation/);
  assert.equal(findUser(db, 'new@example.com'), undefined);
});

test('oidc: an e-mail address that is not verified, or not plain, signs nobody in', async (t) => {
  const app = await stage(t, { 'oidc-claim': 'groups=analysts:viewer' });
  for (const claims of [
    { email: 'owner@example.com' },
    { email: 'owner@example.com', email_verified: false },
    { email: 'owner@example.com', email_verified: 'true' },
    { email: 'owner@example.com', email_verified: 1 },
    { email_verified: true },
    { email: '', email_verified: true },
    // A Kelvin sign and a long s are letters that lower-case to k and s.
    { email: 'owner@example.com\u212a', email_verified: true },
    { email: '\u017fowner@example.com', email_verified: true },
    { email: 'owner@example.com\u0000', email_verified: true },
    { email: ' owner@example.com', email_verified: true },
    { email: 'owner@example.com, new@example.com', email_verified: true },
    { email: ['owner@example.com'], email_verified: true },
  ]) {
    app.provider.people.set('owner', { groups: 'analysts', ...claims } as object);
    assertRefused(await openBrowser().signInAs('owner', app.start), 403, /Acme has not verified your e-mail address/);
  }
  assert.equal(sessions(app), 0);
});

test('oidc: a wrong state, nonce or verifier, a used code and an answer of another issuer are refused', async (t) => {
  const app = await stage(t);
  const { start } = app;
  const begin = async (browser = openBrowser()) => {
    const { url } = await browser.signInAs('owner', start, isCallback);
    return { browser, url };
  };
  const changed = (url: URL, name: string, value: string) => {
    const other = new URL(url);
    other.searchParams.set(name, value);
    return other;
  };
  const lapsed = /took more than 10 minutes, or began in another browser/;
  const failed = /Signing in with Acme did not work/;

  const one = await begin();
  const state = one.url.searchParams.get('state') ?? '';
  for (const wrong of ['', 'x', `${state}x`, state.replace('.once.', '.again.'), state.replace(/^oidc/, 'browser')]) {
    assertRefused(await one.browser.go(changed(one.url, 'state', wrong)), 400, lapsed);
  }
  assertRefused(await openBrowser().go(one.url), 400, lapsed);
  const two = await begin();
  assertRefused(await two.browser.go(one.url), 400, lapsed);
  assertRefused(await one.browser.go(changed(one.url, 'iss', 'https://other.example')), 400, failed);
  assertRefused(await one.browser.go(changed(one.url, 'error', 'access_denied')), 400, failed);
  // The code of another person, with the state of this browser.
  assertRefused(await two.browser.go(changed(two.url, 'code', one.url.searchParams.get('code') ?? '')), 400, failed);
  assert.equal(sessions(app), 0);

  const three = await begin();
  const shown = await three.browser.go(three.url);
  assert.deepEqual([shown.url.href, shown.status], [`${app.origin}/`, 200]);
  assertRefused(await three.browser.go(three.url), 400, failed);
  assert.equal(sessions(app), 1, 'a code works once');

  const four = openBrowser();
  const { url: asked } = await four.go(start, undefined, ({ pathname }) => pathname.startsWith('/auth'));
  const { url } = await four.signInAs('owner', changed(asked, 'nonce', 'another'), isCallback);
  assert.deepEqual(
    ['response_type', 'code_challenge_method'].map((name) => asked.searchParams.get(name)),
    ['code', 'S256'],
  );
  assertRefused(await four.go(url), 400, failed);
  assert.match(app.log.at(-1) ?? '', /nonce/);

  const five = await begin();
  app.clock.pass(601);
  assertRefused(await five.browser.go(five.url), 400, lapsed);
  assert.equal(sessions(app), 1);
  assert.ok(!app.log.join().includes('owner@'), 'the log names nobody');
});

test('oidc: a provider that is down, or names another issuer, gives a page with an error, and is asked again later', async (t) => {
  const app = await stage(t);
  const { provider, start, origin } = app;
  await provider.stop();
  const browser = openBrowser();
  assertRefused(await browser.go(start), 503, /Acme does not answer at the moment/);
  assert.match((await browser.go(`${origin}/sign-in`)).text, /Sign in with Acme/);
  await provider.start();
  const { url } = await browser.signInAs('owner', start, isCallback);
  // It goes down before the code is exchanged.
  await provider.stop();
  assertRefused(await browser.go(url), 400, /Signing in with Acme did not work/);
  await provider.start();
  assert.equal((await browser.signInAs('owner', start)).url.href, `${origin}/`);

  const other = await stage(t);
  other.provider.replace((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ issuer: 'http://localhost:1/', authorization_endpoint: 'http://localhost:1/auth' }));
  });
  assertRefused(await openBrowser().go(other.start), 503, /Acme does not answer at the moment/);
});

test('oidc: an answer of the provider with more than 1 MB is not read to its end', async (t) => {
  const { provider, start, log } = await stage(t);
  const { issuer } = provider;
  provider.replace((_, response) => {
    response.setHeader('content-type', 'application/json');
    const settings = JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth` });
    response.end(settings + ' '.repeat(1_000_000));
  });
  assertRefused(await openBrowser().go(start), 503, /Acme does not answer at the moment/);
  assert.match(log.join(), /the answer has more than 1000000 bytes/);
});

test('oidc: several tabs sign in beside each other, and a restart of the server between both steps disturbs nobody', async (t) => {
  const app = await stage(t);
  const { start, origin } = app;
  const browser = openBrowser();
  const tabs: URL[] = [];
  for (const next of ['/account', '/account/tokens']) {
    tabs.push((await browser.signInAs('owner', `${start}?next=${next}`, isCallback)).url);
  }
  const shown = [];
  for (const tab of tabs.reverse()) shown.push((await browser.go(tab)).url.href);
  assert.deepEqual(shown, [`${origin}/account/tokens`, `${origin}/account`]);
  const waiting = await browser.signInAs('owner', `${start}?next=/account`, isCallback);
  const answer = await app.restart().then(async () =>
    app.ask('GET', waiting.url.pathname + waiting.url.search, {
      headers: { cookie: `daybook-oidc=${browser.cookies('127.0.0.1').get('daybook-oidc')}`, accept: 'text/html' },
    }),
  );
  assert.deepEqual([answer.status, answer.headers.get('Location')], [303, '/account']);
  assert.equal(await accountOf(app, cookieOf(answer)), 'owner@example.com');
});

test('oidc: nobody is sent to another website, neither on the way there nor back', async (t) => {
  const { start, origin } = await stage(t);
  const home = `${origin}/`;
  for (const [next, at] of [
    ['//evil.example', home],
    ['https://evil.example/', home],
    ['/\\evil.example', home],
    ['/%2f/evil.example', `${origin}/%2f/evil.example`],
    ['javascript:1', home],
  ] as const) {
    const { url, steps } = await openBrowser().signInAs('owner', `${start}?next=${encodeURIComponent(next)}`);
    const [back, shown] = steps.slice(-2);
    assert.deepEqual([back?.origin, back?.pathname, shown?.href, url.href], [origin, CALLBACK, at, at], next);
  }
  const long = await openBrowser().signInAs('owner', `${start}?next=/${'a'.repeat(3_000)}`);
  assert.equal(long.url.href, `${origin}/`);
});

test('oidc: a session begins with a new secret, and a planted session stays with its own person', async (t) => {
  const app = await stage(t);
  const browser = openBrowser();
  const planted = await app.signIn(app.stranger);
  assert.equal(await accountOf(app, planted), app.stranger.email);
  browser.cookies('127.0.0.1').set('daybook', planted.replace('daybook=', ''));
  const shown = await browser.signInAs('owner', `${app.start}?next=/account`);
  assert.deepEqual([shown.url.href, shown.status], [`${app.origin}/account`, 200]);
  assert.ok(isEmail(shown.text, 'owner@example.com'));
  const session = `daybook=${browser.cookies('127.0.0.1').get('daybook')}`;
  assert.equal(await accountOf(app, session), 'owner@example.com');
  assert.equal(await accountOf(app, planted), app.stranger.email);
});

test('oidc: an important change needs a password at the provider that is not older than ten minutes', async (t) => {
  const app = await stage(t, { 'oidc-claim': 'groups=analysts:manager' });
  const { start, origin, clock, ask } = app;
  const browser = openBrowser();
  const add = async () => {
    const cookie = `daybook=${browser.cookies('127.0.0.1').get('daybook')}`;
    return (await ask('POST', '/api/v1/tokens', { cookie, body: { name: 'x', abilities: ['read'] } })).status;
  };
  await browser.signInAs('new', start);
  assert.equal(await add(), 403, 'the provider did not say when the password was typed');
  const page = await browser.go(`${origin}/prove?next=/account`);
  assert.match(page.text, /again=yes/);
  assert.doesNotMatch(page.text, /type="password"/);
  const shown = await browser.signInAs('new', `${start}?again=yes&next=/account/tokens`);
  assert.deepEqual([shown.url.href, await add()], [`${origin}/account/tokens`, 201]);
  clock.pass(601);
  assert.equal(await add(), 403);
  // Who is still signed in at the provider comes back at once, but that proves nothing.
  await browser.go(start);
  assert.equal(await add(), 403);
});

test('oidc: with --password-sign-in off, only the provider and links of the terminal sign people in', async (t) => {
  const app = await stage(t, { 'password-sign-in': 'off' });
  const { ask, owner, origin, start, db } = app;
  const browser = openBrowser();
  const page = await browser.go(`${origin}/sign-in`);
  assert.doesNotMatch(page.text, /password|<form/);
  assert.equal((await browser.go(`${origin}/forgot`)).url.pathname, '/sign-in');
  const body = { email: owner.email, password: `password of ${owner.email}` };
  const refused = await ask('POST', '/sign-in', { body, headers: { 'sec-fetch-site': 'same-origin' } });
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'role_forbidden']);
  const passkey = await ask('POST', '/sign-in', {
    body: { passkey: '{}' },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  assert.equal(passkey.status, 403);
  const shown = await browser.signInAs('owner', start);
  assert.deepEqual([shown.url.href, shown.status], [`${origin}/`, 200]);

  const invited = await owner.ask('POST', '/team', { email: 'new@example.com', role: 'manager', sites: [app.siteId] });
  const url = new URL(invited.body.data.invitation_url);
  assert.equal((await ask('POST', url.pathname, { body: { password: 'a new password' } })).status, 403);
  const open = await openBrowser().go(url);
  assert.match(open.text, /You are invited as a manager\. Sign in to accept\./);
  const [, link = ''] = /href="(\/sign-in\/oidc[^"]*)"/.exec(open.text) ?? [];
  // Another person who signs in with this link does not accept it.
  await openBrowser().signInAs('owner', origin + link);
  assert.equal(
    db.one("SELECT user_id AS id FROM member WHERE email = 'new@example.com' AND user_id IS NOT NULL"),
    undefined,
  );
  const joined = await openBrowser().signInAs('new', origin + link);
  assert.equal(joined.url.href, `${origin}/`);
  const [member] = db.all<{ role: string; sees: number }>(
    "SELECT role, sees_all AS sees FROM member WHERE email = 'new@example.com' AND user_id IS NOT NULL",
  );
  assert.deepEqual([member?.role, member?.sees], ['manager', 0]);
});

test('oidc: with --password-sign-in off, signing in ends a password and sessions from before, and tokens stay', async (t) => {
  const { ask, owner, origin, start, db, clock } = await stage(t, { 'password-sign-in': 'off' });
  const secret = 'a'.repeat(43);
  const cookie = `daybook=${secret}`;
  db.write(() => addSession(db, { userId: owner.id, secret, browser: 'Before', now: seconds(clock) }));
  assert.equal((await ask('GET', '/api/v1/account', { cookie })).status, 200);
  const browser = openBrowser();
  for (const turn of [1, 2]) {
    const shown = await browser.signInAs('owner', start);
    assert.deepEqual([shown.url.href, shown.status], [`${origin}/`, 200], String(turn));
    assert.equal(
      db.one<{ password: string | null }>('SELECT password FROM user WHERE id = ?', owner.id)?.password,
      null,
    );
    assert.equal((await ask('GET', '/api/v1/account', { cookie })).status, 401);
    assert.equal((await browser.go(`${origin}/account`)).status, 200);
    assert.equal((await ask('GET', '/api/v1/account', { token: owner.token })).status, 200);
  }
});

test('oidc: e-mail address and groups may stand in the ID token, or in the user information with a scope of their own', async (t) => {
  const claim = { 'oidc-claim': 'groups=analysts:viewer' };
  const ofScope = { claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] } };
  for (const settings of [{ conformIdTokenClaims: false }, ofScope]) {
    const { origin, start } = await stage(t, claim, settings);
    assert.equal((await openBrowser().signInAs('new', start)).url.href, `${origin}/`);
  }
});

test('oidc: two e-mail addresses of one person sign nobody in, because only one of them is verified', async (t) => {
  // The ID token has only the e-mail address, and the user information says which one is verified.
  const claims = { openid: ['sub', 'email'], email: ['email', 'email_verified'] };
  const findAccount = (_: unknown, id: string) => ({
    accountId: id,
    claims: (use: string) => ({
      ...{ sub: id, email_verified: true },
      email: use === 'id_token' || id === 'same' ? 'owner@example.com' : 'new@example.com',
    }),
  });
  const { start, origin } = await stage(t, {}, { claims, findAccount });
  assertRefused(await openBrowser().signInAs('two', start), 403, /Acme has not verified your e-mail address/);
  assert.equal((await openBrowser().signInAs('same', start)).url.href, `${origin}/`);
});

test('oidc: an account that another person made with the e-mail address gives that person nothing of the team', async (t) => {
  const app = await stage(t);
  const { ask, owner, stranger, origin } = app;
  // Without a mail server, the stranger gets the link of the invitation, and makes the account of the new person.
  const first = await stranger.ask('POST', '/team', { email: 'new@example.com', role: 'viewer' });
  const password = 'a password of the stranger';
  assert.equal(
    (await ask('POST', new URL(first.body.data.invitation_url).pathname, { body: { password } })).status,
    200,
  );
  const headers = { 'sec-fetch-site': 'same-origin' };
  const signIn = () => ask('POST', '/sign-in', { body: { email: 'new@example.com', password }, headers });
  const planted = cookieOf(await signIn());

  const { body } = await owner.ask('POST', '/team', { email: 'new@example.com', role: 'manager' });
  const { pathname } = new URL(body.data.invitation_url);
  const browser = openBrowser();
  const shown = await browser.signInAs('new', `${origin}/sign-in/oidc?next=${encodeURIComponent(pathname)}`);
  assert.equal((await browser.go(shown.url, {})).url.href, `${origin}/`);
  assert.equal(teams(app, 'new@example.com'), 2);
  assert.equal((await signIn()).status, 422);
  assert.equal((await ask('GET', '/api/v1/sites', { cookie: planted })).status, 401);
});

const teams = ({ db }: Pick<Awaited<ReturnType<typeof stage>>, 'db'>, email: string) =>
  db.one<{ n: number }>('SELECT count(*) AS n FROM member WHERE email = ? AND user_id IS NOT NULL', email)?.n;

test('oidc: a link of another website neither joins a team nor ends what a person has', async (t) => {
  const app = await stage(t);
  const { ask, owner, stranger, origin, clock } = app;
  const { body } = await stranger.ask('POST', '/team', { email: owner.email, role: 'viewer' });
  const { pathname } = new URL(body.data.invitation_url);
  const link = `${origin}/sign-in/oidc?next=${encodeURIComponent(pathname)}`;
  const browser = openBrowser();
  // The person clicks on a link, and the provider asks for nothing.
  const shown = await browser.signInAs('owner', link);
  assert.match(shown.text, /<h1>Join the team of stranger@example\.com<\/h1>/);
  assert.match(shown.text, /the password and the second factors of your account end/);
  const keepsAll = async () => {
    assert.equal(teams(app, owner.email), 0);
    assert.equal((await owner.ask('GET', '/sites')).status, 200);
    assert.ok(findUser(app.db, owner.email)?.password);
  };
  await keepsAll();
  const post = (cookie: string, headers: Record<string, string> = {}) =>
    ask('POST', shown.url.pathname, { ...form({}, headers), cookie });
  const own = `daybook=${browser.cookies('127.0.0.1').get('daybook')}`;
  // A page of another website, a person who got the URL, and nobody.
  assert.equal((await post(own, { 'sec-fetch-site': 'cross-site' })).status, 403);
  for (const cookie of [await app.signIn(stranger), '']) {
    assert.deepEqual([(await post(cookie)).headers.get('Location'), await keepsAll()], ['/', undefined]);
  }
  const late = await openBrowser().signInAs('owner', link);
  clock.pass(601);
  assert.equal((await browser.go(late.url)).url.href, `${origin}/`, 'the page works for ten minutes');
  const again = openBrowser();
  const joined = await again.go((await again.signInAs('owner', link)).url, {});
  assert.deepEqual([joined.url.href, teams(app, owner.email)], [`${origin}/`, 1]);
  assert.equal((await owner.ask('GET', '/sites')).status, 401);
});
