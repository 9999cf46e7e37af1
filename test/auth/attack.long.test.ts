import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, type TestApp } from '../support/helpers.ts';
import { passwordOf } from '../support/people.ts';
import { cookieOf } from '../support/requests.ts';

/** Tries so many passwords in five minutes, evenly, and says how many of them were looked at. */
async function attack(
  app: TestApp,
  email: string,
  count: number,
  addressOf: (i: number) => string,
  between = async () => {},
) {
  const before = app.passwords.runs;
  const headers = { 'sec-fetch-site': 'same-origin' };
  for (let i = 0; i < count; i++) {
    const body = { email, password: `guess number ${i}` };
    const { status } = await app.ask('POST', '/sign-in', { body, headers, address: addressOf(i) });
    assert.ok(status === 422 || status === 429, String(status));
    if (i % (count / 10) === 0) await between();
    app.clock.pass(300 / count);
  }
  return app.passwords.runs - before;
}

const MANY = 2_000;

for (const whose of ['owner@example.com', 'nobody@example.com']) {
  test(`of two thousand passwords for ${whose} from one address in five minutes a dozen are looked at`, async (t) => {
    const app = await startApp(t);
    // Five at once, and then after 1, 2, 4 and so on up to 128 seconds.
    assert.equal(await attack(app, whose, MANY, () => '198.51.100.1'), 13);
  });

  test(`of two thousand passwords for ${whose} from a thousand addresses thirty are looked at`, async (t) => {
    const app = await startApp(t);
    assert.equal(await attack(app, whose, MANY, (i) => `198.51.${i % 250}.${Math.floor(i / 250) % 4}`), 30);
  });
}

test('while somebody tries passwords, others sign in, and whoever is signed in notices nothing', async (t) => {
  const app = await startApp(t);
  const { owner, stranger } = app;
  let cookie = await app.signIn(owner);
  let current = passwordOf(owner);
  let visits = 0;
  const addressOf = (i: number) => `198.51.${i % 250}.7`;
  await attack(app, owner.email, MANY, addressOf, async () => {
    visits++;
    assert.equal((await app.ask('GET', '/api/v1/account', { cookie })).status, 200);
    assert.equal((await app.ask('GET', '/', { cookie })).status, 200);
    // Even the password can be changed.
    const body = { current, password: `password number ${visits}` };
    const changed = await app.ask('POST', '/password', { cookie, body });
    assert.equal(changed.status, 200);
    [cookie, current] = [cookieOf(changed), body.password];
    const signedIn = await app.signIn(stranger);
    assert.equal((await app.ask('POST', '/sign-out', { cookie: signedIn })).status, 303);
  });
  assert.equal(visits, 10);
});

test('after the attack the owner signs in from home without waiting', async (t) => {
  const app = await startApp(t);
  await attack(app, app.owner.email, 1_000, (i) => `198.51.${i % 250}.7`);
  assert.match(await app.signIn(app.owner), /^daybook=/);
});

test('thirty wrong passwords from six networks keep nobody out of a browser or network that has signed in before', async (t) => {
  const app = await startApp(t);
  const headers = { 'sec-fetch-site': 'same-origin' };
  const body = { email: app.owner.email, password: passwordOf(app.owner) };
  const signIn = (address: string, cookie = '') =>
    app.ask('POST', '/sign-in', { body, headers, address, ...(cookie ? { cookie } : {}) });
  const lockOut = async () => {
    for (let i = 0; i < 30; i++) {
      const address = `2001:db8:0:${i % 6}::1`;
      const wrong = { ...body, password: 'a wrong password' };
      assert.notEqual((await app.ask('POST', '/sign-in', { body: wrong, headers, address })).status, 200);
    }
    assert.equal((await signIn('203.0.113.1')).status, 429, 'a stranger with the right password waits');
  };
  const before = await signIn('192.0.2.1');
  const known = before.headers.getSetCookie().find((one) => one.startsWith('daybook-browser=')) ?? '';
  assert.match(known, /^daybook-browser=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=34560000$/);
  assert.ok(!known.includes('owner'));
  const left = await app.ask('POST', '/sign-out', { cookie: cookieOf(before) });
  assert.ok(!left.headers.getSetCookie().some((one) => one.startsWith('daybook-browser=')));

  await lockOut();
  assert.equal((await signIn('192.0.2.99')).status, 200, 'its network');
  const [cookie = ''] = known.split(';');
  assert.equal((await signIn('203.0.113.1', cookie)).status, 200, 'its browser elsewhere');
  const owners = cookie.replace(/\.\d+\./, `.${app.stranger.id}.`);
  for (const forged of [owners, cookie.slice(0, -1), `${cookie.slice(0, -3)}AAA`, 'daybook-browser=browser.1.a.b']) {
    assert.equal((await signIn('198.18.0.1', forged)).status, 429, forged);
  }
  const stranger = await app.ask('POST', '/sign-in', {
    body: { email: app.stranger.email, password: passwordOf(app.stranger) },
    headers,
  });
  const others = stranger.headers.getSetCookie()[1]?.split(';')[0] ?? '';
  assert.equal((await signIn('198.18.0.1', others)).status, 429, 'the browser of somebody else');

  // The cookie outlives the process.
  await app.restart();
  await lockOut();
  assert.equal((await signIn('203.0.113.1', cookie)).status, 200);
});

test('a try that is refused says when to come back, in words and in a header', async (t) => {
  const app = await startApp(t);
  const headers = { 'sec-fetch-site': 'same-origin' };
  const ask = () =>
    app.ask('POST', '/sign-in', { body: { email: app.owner.email, password: 'a wrong password' }, headers });
  const told: [string | null, string][] = [];
  while (told.length < 11) {
    const { status, headers: answered, body } = await ask();
    if (status === 422) continue;
    assert.equal(status, 429);
    const wait = answered.get('Retry-After');
    assert.equal(answered.get('X-RateLimit-Reset'), String(Math.floor(app.clock.now() / 1000) + Number(wait)));
    told.push([wait, body.error.message]);
    app.clock.pass(Number(wait));
  }
  const sentence = (when: string) => `Too many attempts. Try again in ${when}.`;
  assert.deepEqual(told, [
    ['1', sentence('1 second')],
    ['2', sentence('2 seconds')],
    ['4', sentence('4 seconds')],
    ['8', sentence('8 seconds')],
    ['16', sentence('16 seconds')],
    ['32', sentence('32 seconds')],
    ['64', sentence('2 minutes')],
    ['128', sentence('3 minutes')],
    ['256', sentence('5 minutes')],
    ['512', sentence('9 minutes')],
    ['900', sentence('15 minutes')],
  ]);
});
