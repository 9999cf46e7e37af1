import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setPasswordLink } from '../../src/store/people/users.ts';
import { startApp, type TestApp } from '../support/helpers.ts';
import { type Answer, cookieOf, form } from '../support/requests.ts';
import { isSignedIn, OWNER, RIGHT, send } from './signing-in.ts';
import { appCode, setUpApp } from './two-factors.ts';

const HEADERS = { 'sec-fetch-site': 'same-origin' };

/** The right password; gives what the browser keeps until the second step. */
async function firstStep(app: TestApp): Promise<string> {
  const answer = await send(app, RIGHT);
  assert.deepEqual([answer.status, answer.body.data], [200, { email: OWNER, second_factor: true }]);
  assert.equal(answer.headers.getSetCookie().length, 1);
  const cookie = cookieOf(answer);
  assert.match(cookie, /^daybook-half=/);
  return cookie;
}

const secondStep = (app: TestApp, cookie: string, code: string, address = '192.0.2.1'): Promise<Answer> =>
  app.ask('POST', '/sign-in/code', { cookie, body: { code }, headers: HEADERS, address });

async function furnished(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  return { app, cookie, ...(await setUpApp(app, cookie)) };
}

test('somebody sets up an app without a script, and from then on signs in with its code', async (t) => {
  const { app, secret } = await furnished(t);
  const first = await app.ask('POST', '/sign-in', form({ ...RIGHT, next: '/account/team' }));
  const step = '/sign-in/code?next=%2Faccount%2Fteam';
  assert.deepEqual([first.status, first.headers.get('Location')], [303, step]);
  const half = cookieOf(first);
  assert.ok(!(await isSignedIn(app, half)));
  const page = await app.ask('GET', step, { cookie: half });
  assert.match(page.text, /autocomplete="one-time-code"/);
  assert.match(page.text, /name="next" type="hidden" value="\/account\/team"/);

  const fields = { code: appCode(secret, app.clock.now()), next: '/account/team' };
  const second = await app.ask('POST', '/sign-in/code', { cookie: half, ...form(fields) });
  assert.deepEqual([second.status, second.headers.get('Location')], [303, '/account/team']);
  assert.ok(await isSignedIn(app, cookieOf(second)));
  assert.ok(second.headers.getSetCookie().some((one) => one.startsWith('daybook-half=; ')));
});

test('the set-up shows a picture, a link and the secret, and takes no wrong code', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const { text } = await app.ask('GET', '/factors/app', { cookie });
  assert.match(text, /<svg /);
  assert.match(text, /href="otpauth:\/\/totp\//);
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  const wrong = await app.ask('POST', '/factors/app', { cookie, ...form({ secret, code: '000000' }) });
  assert.equal(wrong.status, 422);
  assert.ok(wrong.text.includes(secret), 'the same secret, which the phone has by now');
  assert.equal((await send(app, RIGHT)).body.data.second_factor, undefined);
});

test('no code counts twice, nor does a wrong one or none', async (t) => {
  const { app, secret } = await furnished(t);
  const code = appCode(secret, app.clock.now());
  assert.equal((await secondStep(app, await firstStep(app), '')).status, 422);
  assert.equal((await secondStep(app, await firstStep(app), 'no code')).status, 422);
  assert.equal((await secondStep(app, await firstStep(app), code)).status, 200);
  assert.equal((await secondStep(app, await firstStep(app), code)).status, 422);
  app.clock.pass(30);
  const next = appCode(secret, app.clock.now());
  assert.equal((await secondStep(app, await firstStep(app), `${next.slice(0, 3)} ${next.slice(3)}`)).status, 200);
});

test('each recovery code stands in once, is kept as a hash only, and can be made anew', async (t) => {
  const { app, cookie, recovery } = await furnished(t);
  assert.equal(new Set(recovery).size, 10);
  const [code = '', other = ''] = recovery;
  assert.match(code, /^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
  const stored = app.db.all<{ hash: Buffer }>('SELECT hash FROM recovery_code').map(({ hash }) => hash.toString());
  assert.ok(!stored.join().includes(code.slice(0, 4)));
  assert.equal((await secondStep(app, await firstStep(app), code.toUpperCase())).status, 200);
  assert.equal((await secondStep(app, await firstStep(app), code)).status, 422);
  const anew = await app.ask('POST', '/factors', { cookie, body: { codes: 'new' } });
  assert.equal(anew.body.data.recovery_codes.length, 10);
  assert.equal((await secondStep(app, await firstStep(app), other)).status, 422);
  assert.equal((await secondStep(app, await firstStep(app), anew.body.data.recovery_codes[9])).status, 200);
  assert.ok(!app.log.join().includes(code));
});

test('recovery codes can be copied, and saved as a file without a script', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const { recovery } = await setUpApp(app, cookie);
  const { text } = await app.ask('POST', '/factors', { cookie, ...form({ codes: 'new' }) });
  const codes = /<pre class="codes">([^<]*)</.exec(text)?.[1] ?? '';
  assert.equal(codes.split('\n').length, recovery.length);
  const [, name, file = ''] = /<a download="([^"]+)" href="data:text\/plain;charset=utf-8,([^"]*)"/.exec(text) ?? [];
  assert.deepEqual([name, decodeURIComponent(file)], ['daybook-recovery-codes.txt', `${codes}\n`]);
  assert.match(text, /<button type="button" data-copied="Copied" hidden>Copy</);
  assert.match(text, /<script type="module" src="\/assets\/copy-codes-/);
});

test('where browsers allow no passkeys, the page says why', async (t) => {
  for (const [baseUrl, isSaid] of [
    ['http://127.0.0.1:8377', true],
    ['http://localhost:8377', false],
  ] as const) {
    const app = await startApp(t, { 'base-url': baseUrl });
    const { text } = await app.ask('GET', '/factors', { cookie: await app.signIn(app.owner) });
    assert.equal(text.includes('You cannot add passkeys here'), isSaid, baseUrl);
    assert.equal(text.includes('href="/factors/passkey"'), !isSaid, baseUrl);
  }
});

test('a right password waits ten minutes for the code, and not once another is set', async (t) => {
  const { app, cookie, secret } = await furnished(t);
  const half = await firstStep(app);
  app.clock.pass(599);
  assert.equal((await app.ask('GET', '/sign-in/code', { cookie: half })).status, 200);
  app.clock.pass(1);
  assert.equal((await app.ask('GET', '/sign-in/code', { cookie: half })).headers.get('Location'), '/sign-in');
  assert.equal((await secondStep(app, half, appCode(secret, app.clock.now()))).status, 404);
  const again = await firstStep(app);
  const body = { current: RIGHT.password, password: 'another password' };
  assert.equal((await app.ask('POST', '/password', { cookie, body })).status, 200);
  assert.equal((await secondStep(app, again, appCode(secret, app.clock.now()))).status, 404);
  for (const forged of ['daybook-half=', 'daybook-half=half.1.9999999999.x.y', half.replace('.1.', '.2.')])
    assert.equal((await secondStep(app, forged, '000000')).status, 404, forged);
});

test('codes are tried a few times only, from however many networks, and that keeps no known browser waiting', async (t) => {
  const { app, secret } = await furnished(t);
  const known = await app.ask('POST', '/sign-in', { body: RIGHT, headers: HEADERS });
  const half = cookieOf(known);
  const right = () => appCode(secret, app.clock.now());
  const full = await secondStep(app, half, right());
  const browser = full.headers.getSetCookie().find((one) => one.startsWith('daybook-browser=')) ?? '';
  app.clock.pass(30);
  const wrong = right() === '000000' ? '000001' : '000000';
  const statuses: number[] = [];
  for (let i = 0; i < 20; i++) statuses.push((await secondStep(app, half, wrong, `198.51.${i}.1`)).status);
  assert.equal(statuses.filter((status) => status === 422).length, 5);
  assert.equal(statuses.filter((status) => status === 429).length, 15);
  assert.equal((await secondStep(app, half, right())).status, 429);
  assert.equal((await secondStep(app, `${half}; ${browser.split(';')[0]}`, right())).status, 200);
});

test('a browser that has signed in with the password alone has no tries of its own for codes', async (t) => {
  const app = await startApp(t);
  const before: string[] = [];
  for (let i = 0; i < 5; i++) before.push((await send(app, RIGHT)).headers.getSetCookie()[1]?.split(';')[0] ?? '');
  const cookie = await app.signIn(app.owner);
  const { secret } = await setUpApp(app, cookie);
  const half = await firstStep(app);
  const wrong = appCode(secret, app.clock.now()) === '000000' ? '000001' : '000000';
  const statuses: number[] = [];
  for (const browser of before)
    for (let i = 0; i < 3; i++) statuses.push((await secondStep(app, `${half}; ${browser}`, wrong)).status);
  assert.equal(statuses.filter((status) => status === 422).length, 5);
});

test('a link that sets a password asks for the second factor too', async (t) => {
  const { app, secret } = await furnished(t);
  const link = 'a'.repeat(43);
  app.db.write(() => setPasswordLink(app.db, app.owner.id, link, app.clock.now() / 1000 + 3600));
  const set = await app.ask('POST', `/password/${link}`, form({ password: 'another password' }));
  assert.deepEqual([set.status, set.headers.get('Location')], [303, '/sign-in/code?next=%2F']);
  assert.ok(!(await isSignedIn(app, cookieOf(set))));
  assert.equal((await secondStep(app, cookieOf(set), appCode(secret, app.clock.now()))).status, 200);
});

test('whoever takes the last factor off signs in with the password alone, and the codes are gone', async (t) => {
  const { app, cookie } = await furnished(t);
  const { text } = await app.ask('GET', '/factors', { cookie });
  assert.match(text, /<strong>Phone<\/strong>/);
  assert.match(text, /10 recovery codes left/);
  assert.match(text, /<details><summary aria-label="Remove Phone …">/, 'one click removes nothing');
  assert.match(text, /This turns two-factor authentication off and deletes your recovery codes\./);
  const id = /name="remove" type="hidden" value="(\d+)"/.exec(text)?.[1] ?? '';
  const stranger = await app.signIn(app.stranger);
  await app.ask('POST', '/factors', { cookie: stranger, ...form({ remove: id }) });
  await firstStep(app);
  const other = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  const added = form({ secret: other, code: appCode(other, app.clock.now()) });
  assert.equal((await app.ask('POST', '/factors/app', { cookie, ...added })).status, 303);
  const two = await app.ask('GET', '/factors', { cookie });
  assert.equal(two.text.match(/You can then no longer use this second factor to sign in\./g)?.length, 2);
  const second = /.*name="remove" type="hidden" value="(\d+)"/s.exec(two.text)?.[1] ?? '';
  await app.ask('POST', '/factors', { cookie, ...form({ remove: second }) });
  const removed = await app.ask('POST', '/factors', { cookie, ...form({ remove: id }) });
  assert.deepEqual([removed.status, removed.headers.get('Location')], [303, '/factors']);
  assert.deepEqual((await send(app, RIGHT)).body, { data: { email: OWNER } });
  assert.equal(app.db.one<{ n: number }>('SELECT count(*) AS n FROM recovery_code')?.n, 0);
  assert.equal((await app.ask('POST', '/factors', { cookie, body: { codes: 'new' } })).status, 404);
});

test('a change of factors that says nothing, or something unknown, names the field', async (t) => {
  const { app, cookie } = await furnished(t);
  const wrong: [body: object, field: string, code: string][] = [
    [{}, 'remove', 'required'],
    [{ remove: null }, 'remove', 'no_id'],
    [{ remove: 'x' }, 'remove', 'no_id'],
    [{ codes: 'old' }, 'codes', 'not_just'],
    [{ x: 1 }, 'x', 'not_known_of'],
  ];
  for (const [body, field, code] of wrong) {
    const answer = await app.ask('POST', '/factors', { cookie, body });
    assert.deepEqual([answer.status, answer.body.error.field_codes[field]?.code], [422, code], JSON.stringify(body));
  }
});

test('factors are changed only by somebody who has shown lately who they are, on a page of this server', async (t) => {
  const { app, cookie, secret } = await furnished(t);
  app.clock.pass(600);
  for (const path of ['/factors', '/factors/app']) {
    const page = await app.ask('GET', path, { cookie, headers: form({}).headers });
    assert.equal(page.headers.get('Location'), `/prove?next=${path}`);
    const refused = await app.ask('POST', path, { cookie, body: {} });
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'reauthentication_required']);
    assert.equal((await app.ask('POST', path, { body: {}, headers: HEADERS })).status, 401);
    assert.equal((await app.ask('POST', path, { token: app.owner.token, body: {} })).status, 401);
  }
  const code = appCode(secret, app.clock.now());
  const proved = await app.ask('POST', '/prove', { cookie, ...form({ code, next: '/factors' }) });
  assert.deepEqual([proved.status, proved.headers.get('Location')], [303, '/factors']);
  assert.equal((await app.ask('GET', '/factors', { cookie })).status, 200);
  for (const path of ['/factors', '/factors/app', '/prove', '/sign-in/code']) {
    const foreign = { cookie, body: {}, headers: { 'sec-fetch-site': 'cross-site' } };
    assert.ok([403, 404].includes((await app.ask('POST', path, foreign)).status), path);
  }
});
