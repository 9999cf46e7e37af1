import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../src/lib/time.ts';
import { FIREFOX, startApp, type TestApp } from '../support/helpers.ts';
import { passwordOf } from '../support/people.ts';
import { type Answer, cookieOf, dataOf } from '../support/requests.ts';

const sessionsOf = async (app: TestApp, cookie: string): Promise<Answer['body'][]> =>
  dataOf(await app.ask('GET', '/api/v1/sessions', { cookie }), 'GET', '/sessions');

const statusFor = async (app: TestApp, cookie: string): Promise<number> =>
  (await app.ask('GET', '/api/v1/account', { cookie })).status;

/** Signs in with a browser that says who it is. */
async function signInWith(app: TestApp, person: { email: string }, agent: string | undefined): Promise<string> {
  const headers = { 'sec-fetch-site': 'same-origin', ...(agent === undefined ? {} : { 'user-agent': agent }) };
  const body = { email: person.email, password: passwordOf(person) };
  return cookieOf(await app.ask('POST', '/sign-in', { body, headers }));
}

test('everybody sees where they are signed in, by browser and system, and which one asks', async (t) => {
  const app = await startApp(t);
  const first = await signInWith(app, app.owner, FIREFOX);
  app.clock.pass(3600);
  const second = await signInWith(app, app.owner, undefined);
  await signInWith(app, app.stranger, FIREFOX);
  const expected = [
    {
      id: 1,
      browser: 'Firefox on Windows',
      created_at: '2026-03-10T12:00:00Z',
      used_at: '2026-03-10T13:00:00Z',
      current: true,
    },
    {
      id: 2,
      browser: 'Unknown browser',
      created_at: '2026-03-10T13:00:00Z',
      used_at: '2026-03-10T13:00:00Z',
      current: false,
    },
  ];
  assert.deepEqual(await sessionsOf(app, first), expected);
  const currents = (await sessionsOf(app, second)).map(({ current }) => current);
  assert.deepEqual(currents, [false, true]);
  // Seen with a token, none of them asks.
  const byToken = await app.owner.ask('GET', '/sessions');
  assert.deepEqual(
    byToken.body.data.map(({ current }: { current: boolean }) => current),
    [false, false],
  );
  for (const cookie of [first, second]) assert.ok(!byToken.text.includes(cookie.replace('daybook=', '')));
});

test('whatever a browser calls itself, its session has one of the known names', async (t) => {
  const app = await startApp(t);
  const agents: [agent: string, name: string][] = [
    ['<script>alert(1)</script>', 'Unknown browser'],
    ['x'.repeat(10_000), 'Unknown browser'],
    ['Mozilla/5.0 (X11; Linux x86_64)', 'Linux'],
    ['Firefox/140.0', 'Firefox'],
  ];
  for (const [agent, name] of agents) {
    const cookie = await signInWith(app, app.owner, agent);
    const session = (await sessionsOf(app, cookie)).find(({ current }) => current);
    assert.equal(session?.browser, name, agent.slice(0, 40));
  }
});

test('a session that is revoked ends at once, and no other does', async (t) => {
  const app = await startApp(t);
  const [here, elsewhere] = [await app.signIn(app.owner), await app.signIn(app.owner)];
  const others = await app.signIn(app.stranger);
  const [, { id }] = (await sessionsOf(app, here)) as [unknown, { id: number }];
  const path = `/api/v1/sessions/${id}`;
  assert.equal((await app.ask('DELETE', path, { cookie: here })).status, 204);
  assert.deepEqual(
    [await statusFor(app, here), await statusFor(app, elsewhere), await statusFor(app, others)],
    [200, 401, 200],
  );
  assert.equal((await sessionsOf(app, here)).length, 1);
  assert.equal((await app.ask('DELETE', path, { cookie: here })).status, 404);
});

test('one may end one’s own session, also with a token where the browser is out of reach', async (t) => {
  const app = await startApp(t);
  const cookies = [await app.signIn(app.owner), await app.signIn(app.owner)];
  const [first, second] = await sessionsOf(app, cookies[0] ?? '');
  assert.equal((await app.ask('DELETE', `/api/v1/sessions/${first.id}`, { cookie: cookies[0] ?? '' })).status, 204);
  assert.equal((await app.owner.ask('DELETE', `/sessions/${second.id}`)).status, 204);
  for (const cookie of cookies) assert.equal(await statusFor(app, cookie), 401);
});

test("somebody else's session cannot be told from one that does not exist", async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const strangers = await app.signIn(app.stranger);
  const [{ id }] = (await sessionsOf(app, strangers)) as [{ id: number }];
  const texts = new Set<string>();
  for (const unknown of [id, 9999, 0, -1, 'x', '1e0', '01', '9'.repeat(20)]) {
    const { status, text } = await app.ask('DELETE', `/api/v1/sessions/${unknown}`, { cookie });
    assert.equal(status, 404, String(unknown));
    texts.add(text);
  }
  assert.equal(texts.size, 1);
  assert.equal(await statusFor(app, strangers), 200);
});

test('sessions that have ended are not listed', async (t) => {
  const app = await startApp(t);
  await app.signIn(app.owner);
  app.clock.pass(6 * DAY);
  const cookie = await app.signIn(app.owner);
  assert.equal((await sessionsOf(app, cookie)).length, 2);
  app.clock.pass(DAY);
  assert.deepEqual(
    (await sessionsOf(app, cookie)).map(({ id }) => id),
    [2],
  );
});

test('last use is written at most once a minute', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const lastUse = async () => (await sessionsOf(app, cookie))[0].used_at;
  app.clock.pass(59);
  assert.equal(await lastUse(), '2026-03-10T12:00:00Z');
  app.clock.pass(1);
  assert.equal(await lastUse(), '2026-03-10T12:01:00Z');
});

test('a file that takes no writes keeps nobody who is signed in from reading', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  app.db.run(`CREATE TRIGGER no_touch BEFORE UPDATE ON session BEGIN SELECT RAISE(ABORT, 'full'); END`);
  app.clock.pass(3600);
  assert.equal(await statusFor(app, cookie), 200);
});

test('a session that is revoked while the body comes in changes nothing', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.manager);
  const body = new ReadableStream({
    pull(controller) {
      // The head of the request has been judged by now, its end has not come.
      app.db.run('DELETE FROM session');
      controller.enqueue(new TextEncoder().encode('{"type":"page","value":"/late"}'));
      controller.close();
    },
  });
  const headers = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const incoming = { headers, socket: { remoteAddress: '192.0.2.1' } };
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
  const response = await app.app.hono.request(`/api/v1/sites/${app.siteId}/goals`, init, { incoming } as never);
  assert.equal(response.status, 401);
  assert.deepEqual((await app.owner.ask('GET', `/sites/${app.siteId}/goals`)).body.data, []);
});

test('who is signed in may do all that their role allows, as with a token that may write', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const account = await app.ask('GET', '/api/v1/account', { cookie });
  assert.deepEqual(account.body.data.abilities, ['read', 'write']);
  const body = { name: 'x', abilities: ['read', 'write', 'collect'] };
  assert.equal((await app.ask('POST', '/api/v1/tokens', { cookie, body })).status, 201);
});
