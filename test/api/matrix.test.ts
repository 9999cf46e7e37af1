import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { routes } from '../../src/api/routes.ts';
import { makeTokenSecret } from '../../src/lib/secrets.ts';
import { openReader } from '../../src/store/file/open-file.ts';
import { changePlan } from '../../src/store/people/accounts.ts';
import { findPlan } from '../../src/store/people/plans.ts';
import { findUser } from '../../src/store/people/users.ts';
import { ON_CLUSTER, startApp } from '../support/helpers.ts';
import type { Answer, Asking } from '../support/requests.ts';
import { BODIES, BYTES, filled, furnish, QUERIES } from './furnished.ts';

type App = Awaited<ReturnType<typeof startApp>>;

const GUEST = 'guest@example.com';

/** Comes by the link of an invitation. */
async function guestOf(app: App, role: 'viewer' | 'manager'): Promise<Asking> {
  const { body } = await app.owner.ask('POST', '/team', { email: GUEST, role });
  const path = new URL(body.data.invitation_url).pathname;
  assert.equal((await app.ask('POST', path, { body: { password: 'a password of the guest' } })).status, 200);
  const user = findUser(app.db, GUEST);
  assert.ok(user);
  return { token: app.tokenOf(user, ['read', 'write']) };
}

/** A manager of one of the owner's sites, and of no other. */
async function managerOf(app: App, siteId: number): Promise<Asking> {
  const person = await app.person(`of-${siteId}@example.com`);
  app.join(app.owner, person, 'manager', [siteId]);
  return { token: person.token };
}

/** How each person comes to be known; all but the stranger have to do with the owner's account. */
const PEOPLE: Record<string, (app: App) => Asking | Promise<Asking>> = {
  nobody: () => ({}),
  badToken: () => ({ token: `999|${makeTokenSecret(randomBytes)}` }),
  revoked(app) {
    const token = app.tokenOf(app.owner, ['read', 'write']);
    app.db.run('DELETE FROM token WHERE id = ?', Number(token.split('|')[0]));
    return { token };
  },
  readOnly: (app) => ({ token: app.tokenOf(app.owner, ['read']) }),
  collectOnly: (app) => ({ token: app.tokenOf(app.owner, ['collect']) }),
  noteOnly: (app) => ({ token: app.tokenOf(app.owner, ['note']) }),
  viewer: (app) => ({ token: app.viewer.token }),
  manager: (app) => ({ token: app.manager.token }),
  owner: (app) => ({ token: app.owner.token }),
  signedIn: async (app) => ({ cookie: await app.signIn(app.owner) }),
  stranger: (app) => ({ token: app.stranger.token }),
  guest: (app) => guestOf(app, 'viewer'),
  shareLink: async (app) => ({ share: await app.share(app.owner, app.siteId) }),
  blocked(app) {
    changePlan(app.db, app.owner.id, null);
    return { token: app.owner.token };
  },
};

/** A member of some sites gets what another person gets. So each row of EXPECTED covers these members too. */
const LIKE: Record<string, { as: string; ask(app: App): Promise<Asking> }> = {
  managerOfSite: { as: 'manager', ask: (app) => managerOf(app, app.siteId) },
  managerOfAnother: { as: 'stranger', ask: (app) => managerOf(app, app.site(app.owner, 'other.example')) },
};

/** What each of them gets, in the order of PEOPLE. Written by hand: it is the promise, not a copy of the code. */
const EXPECTED: Record<string, string> = {
  'GET /account': '                                  401 401 401 200 403 403 200 200 200 200 200 200 404 200',
  'GET /account/language': '                         401 401 401 200 403 403 200 200 200 200 200 200 404 402',
  'PATCH /account/language': '                       401 401 401 403 403 403 200 200 200 200 200 200 404 402',
  'GET /sites': '                                    401 401 401 200 403 403 200 200 200 200 200 200 404 402',
  'POST /sites': '                                   401 401 401 403 403 403 201 201 201 201 201 402 404 402',
  'GET /sites/{site}': '                             401 401 401 200 403 403 200 200 200 200 404 200 404 402',
  'PATCH /sites/{site}': '                           401 401 401 403 403 403 403 200 200 200 404 403 404 402',
  'GET /sites/{site}/domain': '                      401 401 401 403 403 403 403 403 200 200 404 403 404 402',
  'DELETE /sites/{site}': '                          401 401 401 403 403 403 403 403 204 204 404 403 404 402',
  'GET /sites/{site}/goals': '                       401 401 401 200 403 403 200 200 200 200 404 200 200 402',
  'POST /sites/{site}/goals': '                      401 401 401 403 403 403 403 201 201 201 404 403 404 402',
  'PATCH /sites/{site}/goals/{goal}': '              401 401 401 403 403 403 403 200 200 200 404 403 404 402',
  'DELETE /sites/{site}/goals/{goal}': '             401 401 401 403 403 403 403 204 204 204 404 403 404 402',
  'GET /sites/{site}/funnels': '                     401 401 401 200 403 403 200 200 200 200 404 200 200 402',
  'POST /sites/{site}/funnels': '                    401 401 401 403 403 403 403 201 201 201 404 403 404 402',
  'PATCH /sites/{site}/funnels/{funnel}': '          401 401 401 403 403 403 403 200 200 200 404 403 404 402',
  'DELETE /sites/{site}/funnels/{funnel}': '         401 401 401 403 403 403 403 204 204 204 404 403 404 402',
  'GET /sites/{site}/notes': '                       401 401 401 200 403 403 200 200 200 200 404 200 200 402',
  'POST /sites/{site}/notes': '                      401 401 401 403 403 201 403 201 201 201 404 403 404 402',
  'GET /sites/{site}/notes/{note}/effect': '         401 401 401 200 403 403 200 200 200 200 404 200 200 402',
  'PATCH /sites/{site}/notes/{note}': '              401 401 401 403 403 403 403 200 200 200 404 403 404 402',
  'DELETE /sites/{site}/notes/{note}': '             401 401 401 403 403 403 403 204 204 204 404 403 404 402',
  'GET /sites/{site}/exclusions': '                  401 401 401 200 403 403 200 200 200 200 404 200 404 402',
  'POST /sites/{site}/exclusions': '                 401 401 401 403 403 403 403 201 201 201 404 403 404 402',
  'POST /sites/{site}/exclusions/preview': '         401 401 401 403 403 403 403 200 200 200 404 403 404 402',
  'GET /sites/{site}/exclusions/suggestions': '      401 401 401 200 403 403 200 200 200 200 404 200 404 402',
  'POST /sites/{site}/exclusions/suggestions/dismissals': '401 401 401 403 403 403 403 204 204 204 404 403 404 402',
  'DELETE /sites/{site}/exclusions/{exclusion}': '   401 401 401 403 403 403 403 204 204 204 404 403 404 402',
  'GET /sites/{site}/views': '                       401 401 401 200 403 403 200 200 200 200 404 200 404 402',
  'POST /sites/{site}/views': '                      401 401 401 403 403 403 403 201 201 201 404 403 404 402',
  'DELETE /sites/{site}/views/{view}': '             401 401 401 403 403 403 403 204 204 204 404 403 404 402',
  'GET /sites/{site}/arrivals': '                    401 401 401 200 403 403 200 200 200 200 404 200 404 402',
  'GET /sites/{site}/blocks': '                      401 401 401 200 403 403 200 200 200 200 404 200 404 402',
  'GET /sites/{site}/shares': '                      401 401 401 200 403 403 200 200 200 200 404 200 404 402',
  'POST /sites/{site}/shares': '                     401 401 401 403 403 403 403 201 201 201 404 403 404 402',
  'PATCH /sites/{site}/shares/{share}': '            401 401 401 403 403 403 403 200 200 200 404 403 404 402',
  'DELETE /sites/{site}/shares/{share}': '           401 401 401 403 403 403 403 204 204 204 404 403 404 402',
  'GET /sites/{site}/alerts': '                      401 401 401 200 403 403 200 200 200 200 404 200 404 402',
  'POST /sites/{site}/alerts': '                     401 401 401 403 403 403 403 201 201 201 404 403 404 402',
  'DELETE /sites/{site}/alerts/{alert}': '           401 401 401 403 403 403 403 204 204 204 404 403 404 402',
  'GET /sites/{site}/channels': '                    401 401 401 200 403 403 200 200 200 200 404 200 404 402',
  'POST /sites/{site}/channels': '                   401 401 401 403 403 403 403 201 201 201 404 403 404 402',
  'PATCH /sites/{site}/channels/{channel}': '        401 401 401 403 403 403 403 200 200 200 404 403 404 402',
  'DELETE /sites/{site}/channels/{channel}': '       401 401 401 403 403 403 403 204 204 204 404 403 404 402',
  'POST /sites/{site}/channels/{channel}/test': '    401 401 401 403 403 403 403 200 200 200 404 403 404 402',
  'GET /sites/{site}/embeds': '                      401 401 401 200 403 403 200 200 200 200 404 200 404 402',
  'POST /sites/{site}/blocks': '                     401 401 401 403 403 403 403 201 201 201 404 403 404 402',
  'POST /sites/{site}/embeds': '                     401 401 401 403 403 403 403 201 201 201 404 403 404 402',
  'DELETE /sites/{site}/blocks/{block}': '           401 401 401 403 403 403 403 204 204 204 404 403 404 402',
  'DELETE /sites/{site}/embeds/{embed}': '           401 401 401 403 403 403 403 204 204 204 404 403 404 402',
  'GET /sites/{site}/private-paths': '               401 401 401 200 403 403 200 200 200 200 404 200 404 402',
  'GET /sites/{site}/page-parameters': '             401 401 401 200 403 403 200 200 200 200 404 200 404 402',
  'POST /sites/{site}/hits': '                       401 401 401 403 202 403 403 202 202 202 404 403 404 402',
  'POST /sites/{site}/crawls': '                     401 401 401 403 202 403 403 202 202 202 404 403 404 402',
  'GET /sites/{site}/stats/overview': '              401 401 401 200 403 403 200 200 200 200 404 200 200 402',
  'GET /sites/{site}/stats/explain': '               401 401 401 200 403 403 200 200 200 200 404 200 404 402',
  'GET /sites/{site}/stats/timeseries': '            401 401 401 200 403 403 200 200 200 200 404 200 200 402',
  'GET /sites/{site}/stats/breakdown/{breakdown}': ' 401 401 401 200 403 403 200 200 200 200 404 200 200 402',
  'GET /sites/{site}/stats/goals': '                 401 401 401 200 403 403 200 200 200 200 404 200 200 402',
  'GET /sites/{site}/stats/realtime': '              401 401 401 200 403 403 200 200 200 200 404 200 200 402',
  'GET /sites/{site}/stats/live': '                  401 401 401 200 403 403 200 200 200 200 404 200 200 402',
  'GET /sites/{site}/stats/bots': '                  401 401 401 200 403 403 200 200 200 200 404 200 200 402',
  'GET /sites/{site}/stats/funnels/{funnel}': '      401 401 401 200 403 403 200 200 200 200 404 200 200 402',
  'GET /sites/{site}/stats/journeys': '              401 401 401 200 403 403 200 200 200 200 404 200 200 402',
  'GET /sites/{site}/stats/assistants': '            401 401 401 200 403 403 200 200 200 200 404 200 200 402',
  'GET /sites/{site}/stats/vitals': '                401 401 401 200 403 403 200 200 200 200 404 200 200 402',
  'POST /sites/{site}/query': '                      401 401 401 200 403 403 200 200 200 200 404 200 404 402',
  'GET /sites/{site}/stats/search': '                401 401 401 200 403 403 200 200 200 200 404 200 200 402',
  'GET /sites/{site}/stats/drops': '                 401 401 401 200 403 403 200 200 200 200 404 200 404 402',
  'GET /sites/{site}/stats/outages': '               401 401 401 200 403 403 200 200 200 200 404 200 200 402',
  'GET /sites/{site}/stats/days': '                  401 401 401 200 403 403 200 200 200 200 404 200 404 402',
  'GET /sites/{site}/changes': '                     401 401 401 200 403 403 200 200 200 200 404 200 404 402',
  'GET /sites/{site}/receipts': '                    401 401 401 200 403 403 200 200 200 200 404 200 200 402',
  'GET /sites/{site}/export': '                      401 401 401 200 403 403 403 200 200 200 404 403 404 402',
  'GET /sites/{site}/imports': '                   401 401 401 200 403 403 200 200 200 200 404 200 404 402',
  'DELETE /sites/{site}/imports/{import_id}': '    401 401 401 403 403 403 403 204 204 204 404 403 404 402',
  'POST /sites/{site}/deletions': '                401 401 401 403 403 403 403 403 200 200 404 403 404 402',
  'POST /sites/{site}/deletions/preview': '        401 401 401 403 403 403 403 403 200 200 404 403 404 402',
  'GET /sites/{site}/uploads': '                   401 401 401 403 403 403 403 200 200 200 404 403 404 402',
  'POST /sites/{site}/uploads': '                  401 401 401 403 403 403 403 200 200 200 404 403 404 402',
  'POST /sites/{site}/uploads/{upload}/bytes': '   401 401 401 403 403 403 403 200 200 200 404 403 404 402',
  'POST /sites/{site}/uploads/{upload}/confirmation': '401 401 401 403 403 403 403 422 422 422 404 403 404 402',
  'DELETE /sites/{site}/uploads/{upload}': '       401 401 401 403 403 403 403 204 204 204 404 403 404 402',
  'GET /stats/overview': '                           401 401 401 200 403 403 200 200 200 200 200 200 404 402',
  'GET /stats/timeseries': '                         401 401 401 200 403 403 200 200 200 200 200 200 404 402',
  'GET /stats/breakdown/{breakdown}': '              401 401 401 200 403 403 200 200 200 200 200 200 404 402',
  'GET /stats/realtime': '                           401 401 401 200 403 403 200 200 200 200 200 200 404 402',
  'GET /account/log': '                              401 401 401 200 403 403 200 200 200 200 200 200 404 402',
  'GET /team': '                                     401 401 401 200 403 403 200 200 200 200 200 200 404 402',
  'POST /team': '                                    401 401 401 403 403 403 201 201 201 201 201 402 404 402',
  'PATCH /team/{member}': '                          401 401 401 403 403 403 404 404 200 200 404 404 404 402',
  'DELETE /team/{member}': '                         401 401 401 403 403 403 404 404 204 204 404 404 404 402',
  'GET /tokens': '                                   401 401 401 200 403 403 200 200 200 200 200 200 404 402',
  'POST /tokens': '                                  401 401 401 403 403 403 201 201 201 201 201 201 404 402',
  'DELETE /tokens/{token}': '                        401 401 401 403 403 403 404 404 204 204 404 404 404 402',
  'GET /sessions': '                                 401 401 401 200 403 403 200 200 200 200 200 200 404 402',
  'DELETE /sessions/{session}': '                    401 401 401 403 403 403 404 404 204 204 404 404 404 402',
  'POST /sql': '                                    401 401 401 403 403 403 403 403 404 404 403 403 404 402',
  'GET /server': '                                   401 401 401 200 403 403 403 403 200 200 403 403 404 200',
  'GET /cluster': '                                  401 401 401 200 403 403 403 403 200 200 403 403 404 200',
};

test('the table names every route, and no other', () => {
  assert.deepEqual(Object.keys(EXPECTED).sort(), routes.map(({ method, path }) => `${method} ${path}`).sort());
});

/** Routes that ask an engine. On a cluster only these are asked, because the others are answered from the database file. */
const ASKS_ENGINE = /\/(stats|hits|crawls|exclusions|effect|private-paths)\b/;

const countEntries = ({ db }: App): number => db.one<{ n: number }>('SELECT count(*) AS n FROM audit_entry')?.n ?? 0;

/** `isKept` is false if a change was refused, but something was stored or deleted anyway. */
type Outcome = { status: number; entries: number; isKept: boolean };

/** Tells by a connection of its own whether the app has changed the file: each commit of another connection counts. */
function watchFile(t: TestContext, path: string) {
  const { db, close } = openReader(path);
  t.after(close);
  return (): number => db.one<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0;
}

/** Routes of one person, who has an app of their own, in this order: nothing that a route needs is deleted before. */
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'];
/** An account has one upload at a time, so the next one begins after the first is deleted. */
const LAST = ['POST /sites/{site}/uploads', 'DELETE /sites/{site}'];
const nameOf = ({ method, path }: (typeof routes)[number]): string => `${method} ${path}`;
const ASKED = routes
  .filter(({ path }) => !ON_CLUSTER || ASKS_ENGINE.test(path))
  .sort(
    (one, other) =>
      LAST.indexOf(nameOf(one)) - LAST.indexOf(nameOf(other)) ||
      METHODS.indexOf(one.method) - METHODS.indexOf(other.method),
  );

/** Asks all routes as one person. */
async function askAll(t: TestContext, askingOf: (app: App) => Asking | Promise<Asking>) {
  const app = await startApp(t);
  const ids = await furnish(app, '{upload}');
  const asking = await askingOf(app);
  const readVersion = watchFile(t, app.db.path);
  const outcomes: Record<string, Outcome> = {};
  for (const route of ASKED) {
    const name = nameOf(route);
    const isChange = route.method !== 'GET';
    // This request notes when a token or a session was last used. The next one is in the same minute and does not.
    if (isChange) await app.ask('GET', '/api/v1/account', asking);
    const before = { entries: countEntries(app), version: readVersion() };
    const { status } = await app.ask(route.method, filled(route.path, ids) + (QUERIES[name] ?? ''), {
      ...asking,
      body: BODIES[name],
      headers: route.mostBytes === undefined ? {} : BYTES,
    });
    // A cluster's upkeep writes to the file at any time.
    const isKept = !isChange || status < 400 || ON_CLUSTER || readVersion() === before.version;
    outcomes[name] = { status, entries: countEntries(app) - before.entries, isKept };
    // A wrong token may be tried 60 times a minute.
    app.clock.pass(2);
  }
  return outcomes;
}

async function askEverybody(t: TestContext) {
  const all: Record<string, Record<string, Outcome>> = {};
  for (const [person, { ask }] of Object.entries(LIKE)) all[person] = await askAll(t, ask);
  for (const [person, ask] of Object.entries(PEOPLE)) all[person] = await askAll(t, ask);
  return all;
}

/** What everybody gets from all routes. The first test asks. */
let asked: ReturnType<typeof askEverybody> | undefined;

for (const route of ASKED) {
  const name = nameOf(route);
  test(`${name} answers everybody as promised`, async (t) => {
    asked ??= askEverybody(t);
    const outcomes = await asked;
    const list = EXPECTED[name]?.trim().split(' ').map(Number) ?? [];
    const expected = Object.fromEntries(Object.keys(PEOPLE).map((person, i) => [person, list[i] ?? 0]));
    for (const [person, { as }] of Object.entries(LIKE)) expected[person] = expected[as] ?? 0;
    const isChange = route.method !== 'GET' && !route.asks && route.right !== 'collectSite';
    const promised = Object.entries(expected).map(([person, status]) => {
      const entries = isChange && status < 300 ? 1 : 0;
      return [person, { status, entries, isKept: true }];
    });
    const found = Object.keys(expected).map((person) => [person, outcomes[person]?.[name]]);
    assert.deepEqual(Object.fromEntries(found), Object.fromEntries(promised));
  });
}

test('a guest adds sites to the account that they manage and to no other, and invites nobody, until the plan is lifted', async (t) => {
  const app = await startApp(t);
  const guest = await guestOf(app, 'manager');
  const add = (body: object) => app.ask('POST', '/api/v1/sites', { ...guest, body });
  const refused = await add({ domain: 'own.example' });
  assert.deepEqual([refused.status, refused.body.error.code], [402, 'limit_reached']);
  assert.match(refused.body.error.message, /does not allow adding sites\. Ask the person who runs this server/);
  assert.equal((await add({ domain: 'theirs.example', account_id: app.owner.accountId })).status, 201);
  const invite = () => app.ask('POST', '/api/v1/team', { ...guest, body: { email: 'x@example.com', role: 'viewer' } });
  assert.deepEqual([(await invite()).status, (await invite()).body.error.code], [402, 'limit_reached']);

  const use = (name: string) => {
    const [user, plan] = [findUser(app.db, GUEST), findPlan(app.db, name)];
    assert.ok(user && plan);
    changePlan(app.db, user.id, plan.id);
  };
  use('self-hosted');
  assert.equal((await add({ domain: 'own.example' })).status, 201);
  assert.equal((await invite()).status, 201);
  // Whoever has become a guest cannot go on mailing by renewing either.
  use('guest');
  assert.equal((await invite()).status, 402);
});

/** All of an answer that a stranger can compare; ids of requests and what is left of a limit tell nothing. */
const visible = ({ status, text, headers }: Answer): unknown => ({
  status,
  text,
  headers: [...headers].filter(([header]) => header !== 'x-request-id' && !header.includes('ratelimit')),
});

test("what is somebody else's cannot be told from what does not exist", async (t) => {
  const app = await startApp(t, { 'rate-limit': '400' });
  const ids = await furnish(app, '{upload}');
  const missing = Object.fromEntries(Object.keys(ids).map((name) => [name, name === 'breakdown' ? 'referrers' : 9999]));
  const another = await managerOf(app, app.site(app.owner, 'other.example'));
  for (const { method, path } of routes.filter((row) => /\{(?!breakdown)/.test(row.path))) {
    const body = BODIES[`${method} ${path}`];
    const ask = (at: string, given = body) => app.ask(method, at, { token: app.stranger.token, body: given });
    const foreign = visible(await ask(filled(path, ids)));
    assert.deepEqual(foreign, visible(await ask(filled(path, missing))), `${method} ${path}`);
    assert.equal((foreign as Answer).status, 404);
    const ofMember = visible(await app.ask(method, filled(path, ids), { ...another, body }));
    assert.deepEqual(ofMember, foreign, `${method} ${path} by a member of another site`);
    // Nor by a body that would be refused, nor by the domain in place of the id.
    if (body) assert.deepEqual(foreign, visible(await ask(filled(path, ids), 'not json')), `${method} ${path}`);
    if (path.includes('{site}')) {
      const byDomain = filled(path, ids).replace(`/sites/${ids.site}`, '/sites/example.com');
      assert.deepEqual(foreign, visible(await ask(byDomain)), `${method} ${path}`);
    }
    // And an id of the owner's, asked for below the stranger's own site, is not there either.
    if (/\{site\}.*\{(?!breakdown)/.test(path)) {
      const own = filled(path, { ...ids, site: app.strangerSiteId });
      assert.deepEqual(foreign, visible(await ask(own)), `${method} ${path}`);
    }
  }
});
