import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '../../src/api/routes.ts';
import { DAY } from '../../src/lib/time.ts';
import { AUDITED_NOUNS, removeOldAuditEntries } from '../../src/store/people/audit-entries.ts';
import { FIREFOX, startApp } from '../support/helpers.ts';
import { passwordOf } from '../support/people.ts';
import { cookieOf } from '../support/requests.ts';

type TestApp = Awaited<ReturnType<typeof startApp>>;
type Entry = Record<string, unknown>;

const logOf = async (app: TestApp, of: Pick<TestApp['owner'], 'ask'> = app.owner): Promise<Entry[]> =>
  (await of.ask('GET', '/account/log')).body.data;

const latest = async (app: TestApp): Promise<Entry> => {
  const [{ id: _, at: __, ...entry } = {}] = await logOf(app);
  return entry;
};

test('audit log: a change says who made it, how, where and of what, and lists the fields', async (t) => {
  const app = await startApp(t);
  const { body } = await app.owner.ask('POST', `/sites/${app.siteId}/goals`, { type: 'event', value: 'signup' });
  const token = { email: 'owner@example.com', way: 'token', site: 'example.com' };
  assert.partialDeepStrictEqual(await latest(app), { ...token, action: 'add', noun: 'goals', name: 'signup' });
  await app.owner.ask('PATCH', `/sites/${app.siteId}/goals/${body.data.id}`, { type: 'event', value: 'join' });
  const before = { action: 'change', noun: 'goals', name: 'signup', fields: ['type', 'value'] };
  assert.partialDeepStrictEqual(await latest(app), before);
  await app.manager.ask('PATCH', `/sites/${app.siteId}`, { public_live: true, time_zone: 'Europe/Berlin' });
  const changed = {
    email: 'manager@example.com',
    action: 'change',
    noun: 'sites',
    fields: ['public_live', 'time_zone'],
  };
  assert.partialDeepStrictEqual(await latest(app), changed);
  await app.owner.ask('DELETE', `/sites/${app.siteId}/goals/${body.data.id}`);
  assert.partialDeepStrictEqual(await latest(app), { action: 'remove', noun: 'goals', name: 'join', fields: [] });
});

test('audit log: a request that is refused or only reads adds nothing', async (t) => {
  const app = await startApp(t);
  const before = await logOf(app);
  await app.owner.ask('POST', `/sites/${app.siteId}/goals`, { type: 'event' });
  await app.viewer.ask('POST', `/sites/${app.siteId}/goals`, { type: 'event', value: 'x' });
  await app.owner.ask('POST', `/sites/${app.siteId}/query`, { by: ['country'] });
  await app.owner.ask('GET', `/sites/${app.siteId}/goals`);
  assert.deepEqual(await logOf(app), before);
});

test('audit log: people read the log of their own account only, page by page', async (t) => {
  const app = await startApp(t);
  for (const value of ['a', 'b', 'c'])
    await app.owner.ask('POST', `/sites/${app.siteId}/goals`, { type: 'event', value });
  for (const other of [app.manager, app.viewer, app.stranger]) assert.deepEqual(await logOf(app, other), []);
  const first = await app.owner.ask('GET', '/account/log?limit=2');
  assert.deepEqual(
    first.body.data.map(({ name }: Entry) => name),
    ['c', 'b'],
  );
  const next = await app.owner.ask('GET', `/account/log?limit=2&before=${first.body.data[1].id}`);
  assert.equal(next.body.data[0].name, 'a');
  assert.equal((await app.owner.ask('GET', '/account/log?limit=0')).status, 422);
});

test('audit log: a session is named by its browser, and no secret is kept', async (t) => {
  const app = await startApp(t);
  const headers = { 'sec-fetch-site': 'same-origin', 'user-agent': FIREFOX };
  const body = { email: app.owner.email, password: passwordOf(app.owner) };
  const cookie = cookieOf(await app.ask('POST', '/sign-in', { body, headers }));
  const sent = { name: 'deploy', abilities: ['read'] };
  const added = await app.ask('POST', '/api/v1/tokens', { cookie, body: sent, headers });
  const [entry] = await logOf(app);
  assert.partialDeepStrictEqual(entry, {
    way: 'session',
    way_name: 'Firefox on Windows',
    noun: 'tokens',
    name: 'deploy',
  });
  assert.ok(!JSON.stringify(entry).includes(added.body.data.token.split('|')[1]));
});

test('audit log: a page that changes the password adds an entry', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const body = { current: passwordOf(app.owner), password: 'another long password' };
  const { status, text } = await app.ask('POST', '/password', {
    cookie,
    body,
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  assert.equal(status, 200, text);
  assert.partialDeepStrictEqual(await latest(app), { way: 'page', action: 'change', noun: 'password', name: null });
});

test('audit log: entries are deleted after 400 days', async (t) => {
  const app = await startApp(t);
  await app.owner.ask('POST', `/sites/${app.siteId}/goals`, { type: 'event', value: 'old' });
  app.clock.pass(401 * DAY);
  await app.owner.ask('POST', `/sites/${app.siteId}/goals`, { type: 'event', value: 'new' });
  removeOldAuditEntries(app.db, app.clock.now() / 1000);
  assert.deepEqual(
    (await logOf(app)).map(({ name }) => name),
    ['new'],
  );
});

test('audit log: the noun of each path that changes something is known', () => {
  const changing = routes.filter(({ method, asks, right }) => method !== 'GET' && !asks && right !== 'collectSite');
  const words = changing.map(
    ({ path }) =>
      path
        .split('/')
        .filter((word) => word && !word.startsWith('{'))
        .at(-1) ?? '',
  );
  assert.deepEqual(
    words.filter((word) => !(AUDITED_NOUNS as readonly string[]).includes(word)),
    [],
  );
});
