import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { mailServer } from '../mail/server.ts';
import { startApp } from '../support/helpers.ts';
import { passwordOf } from '../support/people.ts';
import { cookieOf, form } from '../support/requests.ts';
import { OWNER, RIGHT, send } from './signing-in.ts';
import { appCode, setUpApp } from './two-factors.ts';

const HEADERS = { 'sec-fetch-site': 'same-origin' };
const REST = 16 * 60;
const DAY = 86_400;

/** Somebody has two factors, and somebody else has found out the password. */
async function stage(t: TestContext) {
  const server = await mailServer(t);
  const app = await startApp(t, server.settings);
  const cookie = await app.signIn(app.owner);
  const { secret, recovery } = await setUpApp(app, cookie);
  await server.next();
  const right = () => appCode(secret, app.clock.now());
  const wrong = () => (right() === '000000' ? '000001' : '000000');
  let tries = 0;
  /** From another network each time; gives the status. */
  async function tryCode(code: string, browser = '', password = RIGHT.password): Promise<number> {
    const half = cookieOf(await send(app, { ...RIGHT, password }, `198.51.${++tries % 250}.1`));
    const asking = {
      cookie: browser === '' ? half : `${half}; ${browser}`,
      body: { code },
      headers: HEADERS,
      address: `203.0.${tries % 250}.1`,
    };
    const answer = await app.ask('POST', '/sign-in/code', asking);
    return answer.status;
  }
  /** Wrong codes, with a rest after each in which the limits in memory forget. */
  async function tryWrong(count: number): Promise<number[]> {
    const statuses: number[] = [];
    for (let n = 0; n < count; n++) {
      statuses.push(await tryCode(wrong()));
      app.clock.pass(REST);
    }
    return statuses;
  }
  return { app, server, cookie, right, wrong, recovery, tryCode, tryWrong };
}

const taken = (statuses: number[]): number => statuses.filter((status) => status === 422).length;

test('wrong codes: after ten the owner is told, and the next ones wait for longer and longer', async (t) => {
  const { app, server, tryWrong } = await stage(t);
  assert.deepEqual(await tryWrong(10), Array(10).fill(422));
  const mail = await server.next();
  assert.deepEqual(mail.to, [OWNER]);
  assert.match(mail.source, /Subject: Wrong codes for your daybook account/);
  assert.match(mail.source, /example\.com\/forgot|\/forgot/);
  // For ten days, every 16 minutes.
  const statuses = await tryWrong((10 * DAY) / REST);
  assert.ok(taken(statuses) <= 16, `${taken(statuses)} tries in ten days`);
  assert.ok(taken(statuses) >= 12, 'and one a day is taken');
  assert.equal(server.mails.length, 2, 'the set-up and the warning');
  const lines = app.log.filter((line) => line.includes('wrong code of a second factor'));
  assert.equal(lines.length, 10 + taken(statuses));
  assert.equal(JSON.parse(lines[9] ?? '').tries, 10);
});

test('wrong codes: they are counted over a restart, until a right one, and for one user', async (t) => {
  const { app, right, tryCode, tryWrong } = await stage(t);
  await tryWrong(9);
  await app.restart();
  assert.deepEqual(await tryWrong(2), [422, 422]);
  assert.equal(await tryCode(right()), 429, 'even the right one');
  app.clock.pass(30 * 60);
  assert.equal(await tryCode(right()), 200);
  app.clock.pass(60);
  assert.deepEqual(await tryWrong(9), Array(9).fill(422));
  assert.equal(await tryCode(right()), 200);
});

test('wrong codes: recovery codes are counted too', async (t) => {
  const { server, app, tryCode } = await stage(t);
  for (let n = 0; n < 10; n++) assert.equal(await tryCode('aaaa-aaaa-aaaa-aaaa'), 422);
  assert.match((await server.next()).source, /ten wrong codes/);
  assert.equal(app.db.one<{ tries: number }>('SELECT tries FROM wrong_code')?.tries, 10);
});

test('wrong codes: the owner gets in by a known browser, by a recovery code, and with another password', async (t) => {
  const { app, cookie, right, recovery, tryCode, tryWrong } = await stage(t);
  const half = cookieOf(await send(app, RIGHT));
  const full = await app.ask('POST', '/sign-in/code', { cookie: half, body: { code: right() }, headers: HEADERS });
  const browser = full.headers.getSetCookie().find((one) => one.startsWith('daybook-browser=')) ?? '';
  await tryWrong(13);
  assert.equal(await tryCode(right()), 429);
  assert.equal(await tryCode(right(), browser.split(';')[0]), 200);
  await tryWrong(13);
  assert.equal(await tryCode(right()), 429);
  assert.equal(await tryCode(recovery[0] ?? ''), 200);
  await tryWrong(13);
  assert.equal(await tryCode(right()), 429);
  const password = 'another password';
  const body = { current: passwordOf(app.owner), password };
  assert.equal((await app.ask('POST', '/password', { cookie, body, headers: HEADERS })).status, 200);
  assert.equal(await tryCode(right(), '', password), 200);
});

test('wrong codes: the page says when to come back, and what else there is', async (t) => {
  const { app, wrong, tryWrong } = await stage(t);
  await tryWrong(11);
  const half = cookieOf(await send(app, RIGHT));
  const page = await app.ask('POST', '/sign-in/code', { cookie: half, ...form({ code: wrong() }) });
  assert.equal(page.status, 429);
  assert.match(page.text, /Use a recovery code or a passkey, or try again at 2026-03-\d\d \d\d:\d\d UTC\./);
  assert.ok(Number(page.headers.get('Retry-After')) > 0);
});
