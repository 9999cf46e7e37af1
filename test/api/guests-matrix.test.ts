/**
 * Who may see and do what as a guest: by a share link, as a member of some sites, and with notification channels. test/api/matrix.test.ts
 * has a column for each role and every route. This file has the kinds of guests, each with what it gets of every route.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '../../src/api/routes.ts';
import { changePlan } from '../../src/store/people/accounts.ts';
import { FIREFOX, NOON, ON_CLUSTER, startApp } from '../support/helpers.ts';
import type { Person } from '../support/people.ts';
import { type Asking, cookieOf } from '../support/requests.ts';
import { BODIES, BYTES, filled, furnish, QUERIES } from './furnished.ts';

type App = Awaited<ReturnType<typeof startApp>>;
/** The ids of what the owner has, by its name in a path. */
type Ids = Awaited<ReturnType<typeof furnish>>;
type Stage = { app: App; ids: Ids };

/** A link with a view shows only this source. */
const SEEN = 'seen.example';
const PASSWORD = 'a password of the link';
const ROOM = { 'rate-limit': '0', mcp: 'on' };

async function stage(t: Parameters<typeof startApp>[0]): Promise<Stage> {
  const app = await startApp(t, ROOM);
  const ids = await furnish(app, '');
  const view = await app.owner.ask('POST', `/sites/${app.siteId}/views`, { name: 'Part', query: `source=${SEEN}` });
  return { app, ids: { ...ids, view: view.body.data.id } };
}

async function addShare(
  { app, ids }: Stage,
  more: object = {},
  site = ids.site,
): Promise<{ id: number; slug: string }> {
  const { status, body } = await app.owner.ask('POST', `/sites/${site}/shares`, { name: 'Guests', ...more });
  assert.equal(status, 201, JSON.stringify(body));
  return { id: body.data.id, slug: body.data.url.split('/').at(-1) };
}

const unlock = async ({ app }: Stage, slug: string, password = PASSWORD): Promise<string> =>
  cookieOf(await app.ask('POST', `/share/${slug}/password`, { body: { password } }));

/** What a link shows. `shown` and `whole` are below, and `page` is the page of the link with the dashboard. */
type Gets = { shown: number; whole: number; hidden: number; page: number };

const ALL: Gets = { shown: 200, whole: 200, hidden: 404, page: 200 };
const NOTHING: Gets = { shown: 401, whole: 401, hidden: 401, page: 404 };
/** The page asks for the password. */
const LOCKED: Gets = { ...NOTHING, page: 303 };

type Link = { gets: Gets; ask(place: Stage): Promise<Asking & { share: string }> };

const LINKS: Record<string, Link> = {
  'the link without a name': {
    gets: ALL,
    ask: async ({ app }) => ({ share: await app.share(app.owner, app.siteId) }),
  },
  'a link with a name': { gets: ALL, ask: async (place) => ({ share: (await addShare(place)).slug }) },
  'a link with origins': {
    gets: ALL,
    ask: async (place) => ({ share: (await addShare(place, { origins: ['https://blog.example.com'] })).slug }),
  },
  'a link with a view': {
    // Its page leads on to the URL with the range of the view.
    gets: { ...ALL, whole: 404 },
    ask: async (place) => ({ share: (await addShare(place, { view_id: place.ids.view })).slug }),
  },
  'a link with a password that was typed': {
    gets: ALL,
    async ask(place) {
      const { slug } = await addShare(place, { password: PASSWORD });
      return { share: slug, cookie: await unlock(place, slug) };
    },
  },
  'a link with a view and a password that was typed': {
    gets: { ...ALL, whole: 404 },
    async ask(place) {
      const { slug } = await addShare(place, { password: PASSWORD, view_id: place.ids.view });
      return { share: slug, cookie: await unlock(place, slug) };
    },
  },
  'a link with a password': {
    gets: LOCKED,
    ask: async (place) => ({ share: (await addShare(place, { password: PASSWORD })).slug }),
  },
  'a link with a wrong password': {
    gets: LOCKED,
    async ask(place) {
      const { slug } = await addShare(place, { password: PASSWORD });
      return { share: slug, cookie: await unlock(place, slug, 'another password') };
    },
  },
  'a link with the cookie of another link': {
    gets: LOCKED,
    async ask(place) {
      const [one, other] = [
        await addShare(place, { password: PASSWORD }),
        await addShare(place, { password: PASSWORD }),
      ];
      return { share: one.slug, cookie: await unlock(place, other.slug) };
    },
  },
  'a link whose password has changed': {
    gets: LOCKED,
    async ask(place) {
      const { id, slug } = await addShare(place, { password: PASSWORD });
      const cookie = await unlock(place, slug);
      await place.app.owner.ask('PATCH', `/sites/${place.ids.site}/shares/${id}`, { password: 'a newer password' });
      return { share: slug, cookie };
    },
  },
  'a link with a password, opened by its owner': {
    gets: LOCKED,
    async ask(place) {
      const { slug } = await addShare(place, { password: PASSWORD });
      return { share: slug, cookie: await place.app.signIn(place.app.owner) };
    },
  },
  'a link that has expired': {
    gets: NOTHING,
    async ask(place) {
      const { slug } = await addShare(place, { expires_at: new Date(NOON + 60_000).toISOString() });
      place.app.clock.pass(60);
      return { share: slug };
    },
  },
  'a link that has expired, with a password that was typed before': {
    gets: NOTHING,
    async ask(place) {
      const expires_at = new Date(NOON + 60_000).toISOString();
      const { slug } = await addShare(place, { password: PASSWORD, expires_at });
      const cookie = await unlock(place, slug);
      place.app.clock.pass(60);
      return { share: slug, cookie };
    },
  },
  'a link that was removed': {
    gets: NOTHING,
    async ask(place) {
      const { id, slug } = await addShare(place);
      await place.app.owner.ask('DELETE', `/sites/${place.ids.site}/shares/${id}`);
      return { share: slug };
    },
  },
  'a link whose view was removed': {
    gets: NOTHING,
    async ask(place) {
      const { slug } = await addShare(place, { view_id: place.ids.view });
      await place.app.owner.ask('DELETE', `/sites/${place.ids.site}/views/${place.ids.view}`);
      return { share: slug };
    },
  },
  'a link of another site of the owner': {
    gets: { ...ALL, shown: 404, whole: 404 },
    async ask(place) {
      const other = place.app.site(place.app.owner, 'other.example');
      return { share: (await addShare(place, {}, other)).slug };
    },
  },
  'a link of a blocked account': {
    gets: { ...ALL, shown: 402, whole: 402 },
    async ask(place) {
      const { slug } = await addShare(place);
      changePlan(place.app.db, place.app.owner.id, null);
      return { share: slug };
    },
  },
  'a link that never was': { gets: NOTHING, ask: async () => ({ share: 'aaaaaaaaaaaaaaaaaaaaaa' }) },
};

/** The routes that a link shows. Written by hand, because it is the promise and no copy of the table of routes. */
const SHOWN = `goals funnels notes stats/overview stats/timeseries stats/breakdown/{breakdown} stats/goals stats/realtime stats/live
  stats/funnels/{funnel} stats/journeys stats/assistants stats/vitals stats/outages`;
/** What a view cannot limit, so that only links without a view show it. */
const WHOLE = 'notes/{note}/effect stats/bots stats/search receipts';
const listPaths = (list: string): string[] => list.split(/\s+/).map((path) => `GET /sites/{site}/${path}`);

const KINDS: Record<string, 'shown' | 'whole'> = {
  ...Object.fromEntries(listPaths(SHOWN).map((name) => [name, 'shown' as const])),
  ...Object.fromEntries(listPaths(WHOLE).map((name) => [name, 'whole' as const])),
};

const nameRoute = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

test('share links: the lists above name routes', () => {
  const known = routes.map(nameRoute);
  for (const name of Object.keys(KINDS)) assert.ok(known.includes(name), name);
});

for (const [name, { gets, ask }] of Object.entries(LINKS)) {
  test(`share links: every route and page answers ${name} as promised`, { skip: ON_CLUSTER }, async (t) => {
    const place = await stage(t);
    const { app, ids } = place;
    const asking = await ask(place);
    const before = app.db.all('SELECT * FROM audit_entry');
    const [got, promised]: Record<string, number>[] = [{}, {}];
    for (const [n, { method, path, mostBytes }] of routes.entries()) {
      const route = nameRoute({ method, path });
      const { status } = await app.ask(method, filled(path, ids) + (QUERIES[route] ?? ''), {
        ...asking,
        // An IP address may fail only 60 times a minute.
        address: `198.51.100.${n}`,
        body: BODIES[route],
        headers: mostBytes === undefined ? {} : BYTES,
      });
      Object.assign(got as object, { [route]: status });
      Object.assign(promised as object, { [route]: gets[KINDS[route] ?? 'hidden'] });
    }
    assert.deepEqual(got, promised);
    assert.deepEqual(app.db.all('SELECT * FROM audit_entry'), before, 'nothing has changed');

    const { share, cookie = '' } = asking;
    const html = { headers: { accept: 'text/html', cookie } };
    const page = await app.ask('GET', `/share/${share}`, html);
    assert.equal(page.status, gets.page);
    if (page.status === 303) assert.equal(page.headers.get('Location'), `/share/${share}/password`);
    // The widget for start pages asks the API.
    const glance = await app.ask('GET', `/sites/example.com/glance?share=${share}`, html);
    assert.equal(glance.status, gets.shown === 200 ? 200 : 404);
    const mcp = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    assert.equal((await app.ask('POST', '/mcp', { share, body: mcp })).status, 401);
    // A past answer might show what was removed since.
    const past = await app.ask('GET', `/api/v1/sites/${ids.site}/stats/overview?as_of=2026-03-09`, asking);
    assert.equal(past.status, gets.shown === 200 ? 403 : gets.shown);
  });
}

/** Texts that are for the team only. Each is put somewhere by `hide`. */
const SECRETS = {
  noteUrl: 'https://git.example.com/secret-commit',
  blockNote: 'secret-block-note',
  alert: 'secret-alert',
  channel: 'secret-channel',
  channelHost: 'secret-host.example.com',
  channelToken: 'secret-channel-token',
  view: 'secret-view',
  share: 'secret-share',
  exclusion: 'secret-exclusion',
  otherSite: 'secret-site.example',
  member: 'secret-member@example.com',
  owner: 'owner@example.com',
};
/** What visits have that the view of a link does not show. */
const UNSEEN = { source: 'unseen.example', page: '/unseen-page', event: 'unseen-event', plan: 'unseen-plan' };

async function hide({ app, ids }: Stage): Promise<void> {
  const { owner } = app;
  const add = async (path: string, body: unknown) => {
    const { status, body: answered } = await owner.ask('POST', path, body);
    assert.ok(status < 300, `${path}: ${JSON.stringify(answered)}`);
  };
  const site = `/sites/${ids.site}`;
  const browser = (ip: string, source: string) => ({ ip, agent: FIREFOX, referrer: `https://${source}/` });
  await add(`${site}/hits`, [
    { ...browser('198.51.100.1', SEEN), url: 'https://example.com/seen-page' },
    { ...browser('198.51.100.2', UNSEEN.source), url: `https://example.com${UNSEEN.page}` },
    {
      ...browser('198.51.100.2', UNSEEN.source),
      url: `https://example.com${UNSEEN.page}`,
      event: UNSEEN.event,
      props: { plan: UNSEEN.plan },
    },
  ]);
  await add(`${site}/notes`, { date: '2026-03-01', text: 'Deploy', url: SECRETS.noteUrl });
  await add(`${site}/blocks`, { kind: 'country', value: 'FR', note: SECRETS.blockNote });
  await add(`${site}/alerts`, { name: SECRETS.alert, metric: 'visitors', condition: 'below', threshold: 10 });
  await add(`${site}/channels`, {
    kind: 'gotify',
    name: SECRETS.channel,
    settings: { url: `https://${SECRETS.channelHost}/`, token: SECRETS.channelToken },
  });
  await add(`${site}/views`, { name: SECRETS.view, query: 'device=Mobile' });
  await add(`${site}/shares`, { name: SECRETS.share });
  await add(`${site}/exclusions`, { from: '2026-03-01', filters: { page: '/nothing' }, note: SECRETS.exclusion });
  await add('/sites', { domain: SECRETS.otherSite });
  await add('/team', { email: SECRETS.member, role: 'viewer' });
}

const BREAKDOWNS =
  `pages referrers entry_pages exit_pages events channels hostnames countries devices browsers languages utm_sources
  properties sources property_values?property=plan`.split(/\s+/);

test('share links: no answer has a text for the team, and none of a link with a view has another visit', {
  skip: ON_CLUSTER,
}, async (t) => {
  const place = await stage(t);
  const { app, ids } = place;
  await hide(place);
  const slugs = app.db.all<{ slug: string }>('SELECT slug FROM share').map(({ slug }) => slug);
  const forTeam = [...Object.values(SECRETS), ...slugs];
  const links = { whole: await addShare(place), part: await addShare(place, { view_id: ids.view }) };
  for (const [name, { slug }] of Object.entries(links)) {
    const texts: Record<string, string> = {};
    const read = async (path: string) => {
      const { status, text } = await app.ask('GET', path, { share: slug });
      if (status < 300) texts[path] = text;
    };
    for (const { method, path } of routes.filter((row) => row.method === 'GET')) {
      if (KINDS[nameRoute({ method, path })] === undefined) continue;
      const all = path.includes('{breakdown}') ? BREAKDOWNS : [''];
      for (const breakdown of all) await read(filled(path, { ...ids, breakdown }));
    }
    for (const query of ['from=entry', `from=${UNSEEN.page}`, 'from=/seen-page&direction=before'])
      await read(`/api/v1/sites/${ids.site}/stats/journeys?${query}`);
    await read(`/share/${slug}?range=7d`);
    await read(`/sites/example.com/glance?share=${slug}`);
    assert.ok(Object.keys(texts).length > 20, 'enough was asked');
    const others = forTeam.filter((text) => text !== slug);
    for (const [path, text] of Object.entries(texts)) {
      for (const secret of others) assert.ok(!text.includes(secret), `${name}: ${path} has ${secret}`);
      // A report repeats the filters of its request.
      const isAsked = path.includes(`from=${UNSEEN.page}`);
      if (name !== 'part' || isAsked) continue;
      for (const unseen of Object.values(UNSEEN)) assert.ok(!text.includes(unseen), `${path} has ${unseen}`);
    }
    const shown = Object.values(texts).join();
    assert.ok(shown.includes('"/seen-page"'));
    if (name === 'whole') assert.ok(shown.includes(`"value":"${UNSEEN.page}"`));
  }
});

/** Members of some sites. `one` is example.com and `other` is another site of the owner. */
const GUESTS: Record<
  string,
  { role: 'viewer' | 'manager'; sites: ('one' | 'other')[]; sees: boolean; changes: boolean }
> = {
  'a viewer of the site': { role: 'viewer', sites: ['one'], sees: true, changes: false },
  'a manager of the site': { role: 'manager', sites: ['one'], sees: true, changes: true },
  'a manager of both sites': { role: 'manager', sites: ['one', 'other'], sees: true, changes: true },
  'a viewer of another site': { role: 'viewer', sites: ['other'], sees: false, changes: false },
  'a manager of another site': { role: 'manager', sites: ['other'], sees: false, changes: false },
};

/** What a member may ask by POST without changing anything. */
const QUESTIONS = ['POST /sites/{site}/query'];
/** What only managers read. */
const FOR_MANAGERS = ['GET /sites/{site}/export', 'GET /sites/{site}/uploads'];
/** What only the owner of the site may do. */
const FOR_OWNER = [
  'DELETE /sites/{site}',
  'GET /sites/{site}/domain',
  'POST /sites/{site}/deletions',
  'POST /sites/{site}/deletions/preview',
];

async function invite({ app, ids }: Stage, name: keyof typeof GUESTS): Promise<{ person: Person; other: number }> {
  const { role, sites } = GUESTS[name] as (typeof GUESTS)[string];
  const other = app.site(app.owner, SECRETS.otherSite);
  const person = await app.person('guest@example.com');
  app.join(
    app.owner,
    person,
    role,
    sites.map((site) => (site === 'one' ? Number(ids.site) : other)),
  );
  return { person, other };
}

for (const [name, { sees, changes }] of Object.entries(GUESTS)) {
  test(`guests: every route of a site answers ${name} as promised`, { skip: ON_CLUSTER }, async (t) => {
    const place = await stage(t);
    const { app, ids } = place;
    const { person } = await invite(place, name);
    const [got, promised]: Record<string, string>[] = [{}, {}];
    for (const { method, path, mostBytes } of routes.filter((row) => row.path.startsWith('/sites/{site}'))) {
      const route = nameRoute({ method, path });
      // Whatever would be accepted is not sent to the end here: matrix.test.ts tries it, and it would change the stage.
      const isQuestion = method === 'GET' || QUESTIONS.includes(route);
      const isForOwner = FOR_OWNER.includes(route);
      if (path.includes('{upload}') || (changes && !isQuestion && !isForOwner)) continue;
      const { status } = await app.ask(method, filled(path, ids) + (QUERIES[route] ?? ''), {
        token: person.token,
        body: BODIES[route],
        headers: mostBytes === undefined ? {} : BYTES,
      });
      const isAllowed = isQuestion && !isForOwner && (changes || !FOR_MANAGERS.includes(route));
      Object.assign(got as object, { [route]: status });
      Object.assign(promised as object, { [route]: !sees ? 404 : isAllowed ? 200 : 403 });
    }
    assert.deepEqual(got, promised);
  });

  test(`guests: nothing that is no site of its own reaches ${name}`, { skip: ON_CLUSTER }, async (t) => {
    const place = await stage(t);
    const { app, ids } = place;
    const { person, other } = await invite(place, name);
    const { sites } = GUESTS[name] as (typeof GUESTS)[string];
    const domains = { one: 'example.com', other: SECRETS.otherSite };
    const pages = { one: '/only-of-one', other: '/only-of-other' };
    for (const [which, id] of [
      ['one', ids.site],
      ['other', other],
    ] as const) {
      const hits = [{ url: `https://${domains[which]}${pages[which]}`, ip: '198.51.100.7', agent: FIREFOX }];
      assert.equal((await app.owner.ask('POST', `/sites/${id}/hits`, hits)).status, 202);
      await app.owner.ask('POST', `/sites/${id}/notes`, { date: '2026-03-01', text: `note of ${which}` });
    }
    const foreign = (['one', 'other'] as const).filter((which) => !sites.includes(which));
    const paths = routes
      .filter(({ method, path }) => method === 'GET' && !path.includes('{site}') && !path.includes('{breakdown}'))
      .map(({ path }) => path);
    const breakdowns = ['sites', 'pages', 'referrers', 'countries'].map((one) => `/stats/breakdown/${one}?range=7d`);
    for (const path of [...paths, ...breakdowns]) {
      const { text } = await app.ask('GET', `/api/v1${path}`, { token: person.token });
      for (const which of foreign) {
        for (const secret of [domains[which], pages[which], `note of ${which}`]) {
          assert.ok(!text.replaceAll(/[\w.-]+@example\.com/g, '').includes(secret), `${path} has ${secret}`);
        }
      }
    }
    const asked = foreign.map((which) => (which === 'one' ? ids.site : other));
    for (const id of asked) {
      assert.equal((await app.ask('GET', `/api/v1/stats/overview?sites=${id}`, { token: person.token })).status, 404);
    }
    // Nobody becomes a guest of the account itself.
    const account = app.owner.accountId;
    for (const [path, body] of [
      ['/sites', { domain: 'new.example', account_id: account }],
      ['/sql', { sql: 'SELECT * FROM visits' }],
    ] as const) {
      assert.equal((await person.ask('POST', path, body)).status, 403, path);
    }
  });
}

test('guests: a member who is removed, or gets other sites, loses the site at once', async (t) => {
  const place = await stage(t);
  const { app, ids } = place;
  const { person, other } = await invite(place, 'a manager of the site');
  const [member] = app.db.all<{ id: number }>('SELECT id FROM member WHERE user_id = ?', person.id);
  const path = `/api/v1/sites/${ids.site}/channels/${ids.channel}`;
  const cookie = await app.signIn(person);
  const statuses = async () => [
    (await app.ask('GET', `/api/v1/sites/${ids.site}`, { token: person.token })).status,
    (await app.ask('GET', `/api/v1/sites/${ids.site}`, { cookie })).status,
    (await app.ask('PATCH', path, { cookie, body: { paused: true } })).status,
  ];
  assert.deepEqual(await statuses(), [200, 200, 200]);
  await app.owner.ask('PATCH', `/team/${member?.id}`, { role: 'viewer' });
  assert.deepEqual(await statuses(), [200, 200, 403]);
  await app.owner.ask('PATCH', `/team/${member?.id}`, { sites: [other] });
  assert.deepEqual(await statuses(), [404, 404, 404]);
  await app.owner.ask('PATCH', `/team/${member?.id}`, { sites: null });
  await app.owner.ask('DELETE', `/team/${member?.id}`);
  assert.deepEqual(await statuses(), [404, 404, 404]);
});

/** What each person gets of GET, POST, PATCH, test and DELETE of a channel of example.com. */
const CHANNELS: Record<string, string> = {
  owner: '                   200 201 200 200 204',
  manager: '                 200 201 200 200 204',
  'a manager of the site': ' 200 201 200 200 204',
  viewer: '                  200 403 403 403 403',
  'a viewer of the site': '  200 403 403 403 403',
  'a manager of another site': '404 404 404 404 404',
  stranger: '                404 404 404 404 404',
  'a link with a name': '    404 404 404 404 404',
  'a link with a view': '    404 404 404 404 404',
  nobody: '                  401 401 401 401 401',
};

for (const [name, list] of Object.entries(CHANNELS)) {
  test(`channels: ${name} gets what is promised, and no answer has a secret`, async (t) => {
    const place = await stage(t);
    const { app, ids } = place;
    const secrets = ['secret-path', 'secret-token-1', 'secret-token-2'];
    const settings = (token: number) => ({ url: 'https://gotify.invalid/secret-path', token: `secret-token-${token}` });
    const added = await app.owner.ask('POST', `/sites/${ids.site}/channels`, {
      ...{ kind: 'gotify', name: 'Phone', settings: settings(1) },
    });
    const path = `/api/v1/sites/${ids.site}/channels`;
    const own = `${path}/${added.body.data.id}`;
    const asking = await askAs(place, name);
    const answers = [
      await app.ask('GET', path, asking),
      await app.ask('POST', path, { ...asking, body: { kind: 'gotify', name: 'Two', settings: settings(2) } }),
      await app.ask('PATCH', own, { ...asking, body: { settings: settings(2), name: 'Three' } }),
      await app.ask('POST', `${own}/test`, asking),
      await app.ask('DELETE', own, asking),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      list.trim().split(' ').map(Number),
    );
    for (const { text } of [...answers, await app.ask('GET', '/api/v1/account/log', { token: app.owner.token })]) {
      for (const secret of secrets) assert.ok(!text.includes(secret), text);
    }
    assert.ok(!app.log.join().includes('secret'), app.log.join('\n'));
  });
}

async function askAs(place: Stage, name: string): Promise<Asking> {
  const { app } = place;
  if (name === 'nobody') return {};
  if (LINKS[name]) return LINKS[name].ask(place);
  if (GUESTS[name]) return { token: (await invite(place, name)).person.token };
  return { token: app[name as 'owner' | 'manager' | 'viewer' | 'stranger'].token };
}

test('channels: one of another site is not there, whatever is asked of it', async (t) => {
  const place = await stage(t);
  const { app, ids } = place;
  const other = app.site(app.owner, 'other.example');
  const path = `/sites/${other}/channels/${ids.channel}`;
  for (const [method, at, body] of [
    ['PATCH', path, { paused: true }],
    ['POST', `${path}/test`, undefined],
    ['DELETE', path, undefined],
  ] as const) {
    assert.equal((await app.owner.ask(method, at, body)).status, 404, at);
  }
  const [channel] = (await app.owner.ask('GET', `/sites/${ids.site}/channels`)).body.data;
  assert.deepEqual([channel.paused, channel.failed_at], [false, null]);
});
