import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '../../src/api/routes.ts';
import { changePlan } from '../../src/store/people/accounts.ts';
import { FIREFOX, startApp } from '../support/helpers.ts';
import type { Answer } from '../support/requests.ts';

type App = Awaited<ReturnType<typeof startApp>>;

/** One of everything that a share link may be asked for, in the site of somebody. */
async function furnish({ ask }: App['owner'], siteId: number): Promise<Record<string, number | string>> {
  const add = async (noun: string, body: unknown): Promise<number> =>
    (await ask('POST', `/sites/${siteId}/${noun}`, body)).body.data.id;
  const page = { type: 'page', value: '/' };
  return {
    breakdown: 'pages',
    goal: await add('goals', page),
    funnel: await add('funnels', { name: 'Buy', steps: [page, { type: 'event', value: 'buy' }] }),
    note: await add('notes', { date: '2026-03-01', text: 'Launch' }),
  };
}

const SHARED = routes.filter(({ shared }) => shared).map(({ path }) => path);

/** The paths of what is shared of a site, which is named by id or domain. */
const pathsOf = (site: number | string, ids: Record<string, number | string>): string[] =>
  SHARED.map((path) => path.replace('{site}', String(site)).replaceAll(/\{(\w+)\}/g, (_, name) => String(ids[name])));

test('what is shared is read and never changed', () => {
  for (const { method, path, right, shared } of routes) {
    if (shared) assert.deepEqual([method, right], ['GET', 'readSite'], path);
  }
  // Nothing gets on this list without being looked at.
  assert.deepEqual(SHARED.map((path) => path.replace('/sites/{site}/', '')).sort(), [
    'funnels',
    'goals',
    'notes',
    'notes/{note}/effect',
    'receipts',
    'stats/assistants',
    'stats/bots',
    'stats/breakdown/{breakdown}',
    'stats/funnels/{funnel}',
    'stats/goals',
    'stats/journeys',
    'stats/live',
    'stats/outages',
    'stats/overview',
    'stats/realtime',
    'stats/search',
    'stats/timeseries',
    'stats/vitals',
  ]);
});

test('a share link shows what its owner sees, by the id of the site and by its domain', async (t) => {
  const app = await startApp(t);
  const ids = await furnish(app.owner, app.siteId);
  const hit = { url: 'https://example.com/', ip: '198.51.100.1', agent: FIREFOX };
  assert.equal((await app.owner.ask('POST', `/sites/${app.siteId}/hits`, [hit])).status, 202);
  const share = await app.share(app.owner, app.siteId);
  for (const site of [app.siteId, 'example.com', 'EXAMPLE.com']) {
    for (const path of pathsOf(site, ids)) {
      const answer = await app.ask('GET', `/api/v1${path}`, { share });
      assert.equal(answer.status, 200, path);
      assert.deepEqual(answer.body, (await app.owner.ask('GET', path)).body, path);
      assert.equal((await app.ask('HEAD', `/api/v1${path}`, { share })).status, 200, path);
    }
  }
});

/** All of an answer that somebody can compare. */
const visible = ({ status, text, headers }: Answer) => ({ status, text, headers: [...headers] });

test('another site cannot be told from one that does not exist, even where its own things are named', async (t) => {
  const app = await startApp(t);
  const ids = await furnish(app.owner, app.siteId);
  const strangers = await furnish(app.stranger, app.strangerSiteId);
  const share = await app.share(app.owner, app.siteId);
  const ownersOther = app.site(app.owner, 'other.example');
  const missing = visible(await app.ask('GET', '/api/v1/sites/9999/goals', { share }));
  assert.equal(missing.status, 404);
  const asked = [
    ...pathsOf(app.strangerSiteId, strangers),
    ...pathsOf('stranger.example', strangers),
    ...pathsOf(ownersOther, ids),
    ...pathsOf('nobodys.example', ids),
    ...pathsOf('0', ids),
    // What belongs to another site, below the one that is shared.
    `/sites/${app.siteId}/stats/funnels/${strangers.funnel}`,
    `/sites/${app.siteId}/stats/overview?filters[goal]=${strangers.goal}`,
  ];
  for (const path of asked) assert.deepEqual(visible(await app.ask('GET', `/api/v1${path}`, { share })), missing, path);
});

test('a share link opens no page, and nothing with a cookie or in the address instead', async (t) => {
  const app = await startApp(t);
  const share = await app.share(app.owner, app.siteId);
  assert.equal((await app.ask('GET', '/account', { share })).status, 303);
  const goals = `/api/v1/sites/${app.siteId}/goals`;
  assert.equal((await app.ask('GET', `${goals}?share=${share}`)).status, 401);
  assert.equal((await app.ask('GET', goals, { cookie: `daybook=${share}` })).status, 401);
  assert.equal((await app.ask('GET', goals, { headers: { authorization: `Bearer ${share}` } })).status, 401);
  assert.equal((await app.ask('GET', goals, { headers: { authorization: `share   ${share} ` } })).status, 200);
});

test('a link that was made anew, ended or whose site is gone is known no more', async (t) => {
  const app = await startApp(t);
  const path = `/api/v1/sites/${app.siteId}/goals`;
  const statusFor = async (share: string) => (await app.ask('GET', path, { share })).status;
  const old = await app.share(app.owner, app.siteId);
  assert.equal(await statusFor(old), 200);
  await app.owner.ask('PATCH', `/sites/${app.siteId}`, { shared: false });
  assert.equal(await statusFor(old), 401);
  const renewed = await app.share(app.owner, app.siteId);
  assert.deepEqual([await statusFor(old), await statusFor(renewed)], [401, 200]);
  // To share what is shared already changes nothing.
  assert.equal(await app.share(app.owner, app.siteId), renewed);
  for (const wrong of ['x', '0', renewed.slice(1), `${renewed}0`, renewed.toLowerCase(), 'null', 'undefined']) {
    assert.equal(await statusFor(wrong), 401, wrong);
  }
  await app.owner.ask('DELETE', `/sites/${app.siteId}`);
  assert.equal(await statusFor(renewed), 401);
});

test('the link of a blocked account shows nothing either', async (t) => {
  const app = await startApp(t);
  const share = await app.share(app.owner, app.siteId);
  changePlan(app.db, app.owner.id, null);
  const { status, body } = await app.ask('GET', `/api/v1/sites/${app.siteId}/goals`, { share });
  assert.deepEqual([status, body.error.code], [402, 'account_blocked']);
});

test('whoever guesses at links is slowed down by address, and a good one from there is not', async (t) => {
  const app = await startApp(t, { 'rate-limit': '120' });
  const share = await app.share(app.owner, app.siteId);
  const path = `/api/v1/sites/${app.siteId}/goals`;
  for (let i = 0; i < 60; i++) assert.equal((await app.ask('GET', path, { share: `guess${i}` })).status, 401);
  assert.equal((await app.ask('GET', path, { share: 'guess' })).status, 429);
  assert.equal((await app.ask('GET', path, { cookie: `daybook=${'x'.repeat(43)}` })).status, 429);
  assert.equal((await app.ask('GET', path, { share })).status, 200);
  assert.equal((await app.ask('GET', path, { share: 'guess', address: '192.0.2.2' })).status, 401);
});

test('a share link has ten times the requests of a token, for each address and site', async (t) => {
  const app = await startApp(t, { 'rate-limit': '2' });
  const share = await app.share(app.owner, app.siteId);
  app.clock.pass(60);
  const strangers = await app.share(app.stranger, app.strangerSiteId);
  const ask = (site: number, slug: string, address: string) =>
    app.ask('GET', `/api/v1/sites/${site}/goals`, { share: slug, address });
  const first = await ask(app.siteId, share, '192.0.2.1');
  assert.equal(first.headers.get('X-RateLimit-Limit'), '20');
  assert.equal(first.headers.get('X-RateLimit-Remaining'), '19');
  for (let i = 1; i < 20; i++) assert.equal((await ask(app.siteId, share, '192.0.2.1')).status, 200);
  const refused = await ask(app.siteId, share, '192.0.2.1');
  assert.deepEqual([refused.status, refused.headers.get('Retry-After')], [429, '60']);
  assert.equal((await ask(app.siteId, share, '192.0.2.2')).status, 200);
  assert.equal((await ask(app.strangerSiteId, strangers, '192.0.2.1')).status, 200);
  // Whoever looks at a link takes nothing away from its owner.
  assert.equal((await app.owner.ask('GET', `/sites/${app.siteId}`)).status, 200);
  app.clock.pass(60);
  assert.equal((await ask(app.siteId, share, '192.0.2.1')).status, 200);
});

test('so has each session, apart from the tokens of the same person', async (t) => {
  const app = await startApp(t, { 'rate-limit': '2' });
  const [one, other] = [await app.signIn(app.owner), await app.signIn(app.owner)];
  const ask = (cookie: string) => app.ask('GET', '/api/v1/account', { cookie });
  for (let left = 19; left >= 0; left--) {
    const { status, headers } = await ask(one);
    assert.deepEqual([status, headers.get('X-RateLimit-Remaining')], [200, String(left)]);
  }
  const { status, headers } = await ask(one);
  assert.deepEqual([status, headers.get('X-RateLimit-Limit'), headers.get('Retry-After')], [429, '20', '60']);
  assert.equal((await ask(other)).status, 200);
  assert.equal((await app.owner.ask('GET', '/account')).headers.get('X-RateLimit-Remaining'), '1');
});
