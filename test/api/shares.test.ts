import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '../../src/api/routes.ts';
import { changePlan } from '../../src/store/people/accounts.ts';
import { FIREFOX, startApp, type TestApp } from '../support/helpers.ts';
import { type Asking, cookieOf, dataOf } from '../support/requests.ts';

type App = Awaited<ReturnType<typeof startApp>>;

const PASSWORD = 'a password of the link';

const addShare = async (app: App, body: object) => {
  const { status, body: answered } = await app.owner.ask('POST', `/sites/${app.siteId}/shares`, body);
  assert.equal(status, 201, JSON.stringify(answered));
  const { id, url } = answered.data;
  return { id: id as number, slug: String(url).split('/').at(-1) as string };
};

const addView = async (app: App, query: string): Promise<number> =>
  (await app.owner.ask('POST', `/sites/${app.siteId}/views`, { name: 'A part', query })).body.data.id;

/** Visits of two sources, pages and properties, with a conversion each. */
async function count(app: App): Promise<{ goal: number; funnel: number }> {
  const visit = (host: string, n: number, path: string) => {
    const more = { ip: `198.51.100.${n}`, agent: FIREFOX, referrer: `https://${host}/` };
    return [
      { ...more, url: `https://example.com${path}` },
      { ...more, url: 'https://example.com/done', event: 'signup', props: { plan: n % 2 ? 'pro' : 'free' } },
    ];
  };
  const hits = [visit('one.example', 1, '/a'), visit('one.example', 2, '/b'), visit('two.example', 3, '/a')].flat();
  assert.equal((await app.owner.ask('POST', `/sites/${app.siteId}/hits`, hits)).status, 202);
  const goal = await app.owner.ask('POST', `/sites/${app.siteId}/goals`, { type: 'event', value: 'signup' });
  const steps = [
    { type: 'page', value: '/a' },
    { type: 'event', value: 'signup' },
  ];
  const funnel = await app.owner.ask('POST', `/sites/${app.siteId}/funnels`, { name: 'Sign-up', steps });
  return { goal: goal.body.data.id, funnel: funnel.body.data.id };
}

const statusOf = async (app: TestApp & { siteId: number }, asking: Asking, path = 'overview') =>
  (await app.ask('GET', `/api/v1/sites/${app.siteId}/stats/${path}`, asking)).status;

test('share links: a manager adds, changes and removes them, and a viewer sees them', async (t) => {
  const app = await startApp(t);
  const { manager, viewer, siteId } = app;
  const path = `/sites/${siteId}/shares`;
  const view = await addView(app, 'range=7d');
  const sent = { name: 'Agency', expires_at: '2026-04-01T02:00:00+02:00', view_id: view };
  const added = dataOf(
    await manager.ask('POST', path, { ...sent, origins: ['https://Blog.example.com/'] }),
    'POST',
    path,
  );
  const { id, url } = added;
  assert.match(url, /\/share\/[0-9A-Za-z]{22}$/);
  const share = { id, name: 'Agency', url, password: false, expires_at: '2026-04-01T00:00:00Z', view_id: view };
  assert.deepEqual(added, { ...share, origins: ['https://blog.example.com'], created_at: '2026-03-10T12:00:00Z' });
  assert.deepEqual((await viewer.ask('GET', path)).body.data, [added]);
  const change = { name: 'Agencies', password: PASSWORD, expires_at: null, view_id: null, origins: [] };
  const changed = dataOf(await manager.ask('PATCH', `${path}/${id}`, change), 'PATCH', `${path}/${id}`);
  assert.deepEqual(changed, { ...added, ...change, password: true });
  assert.ok(!JSON.stringify(app.db.all('SELECT * FROM share')).includes(PASSWORD));
  assert.equal((await manager.ask('DELETE', `${path}/${id}`)).status, 204);
  assert.deepEqual((await viewer.ask('GET', path)).body.data, []);
});

test('share links: one that would not work is refused, at the field', async (t) => {
  const app = await startApp(t);
  const path = `/sites/${app.siteId}/shares`;
  const foreign = await app.stranger.ask('POST', `/sites/${app.strangerSiteId}/views`, { name: 'V', query: '' });
  const WRONG: [string, object][] = [
    ['name', { name: '' }],
    ['expires_at', { expires_at: '2026-03-10T12:00:00Z' }],
    ['expires_at', { expires_at: 'tomorrow' }],
    ['view_id', { view_id: foreign.body.data.id }],
    ['password', { password: 'short' }],
    ['origins.0', { origins: ['https://example.com/a'] }],
    ['origins', { origins: ['https://example.com'], password: PASSWORD }],
    ['slug', { slug: 'chosen' }],
  ];
  for (const [field, more] of WRONG) {
    const { status, body } = await app.owner.ask('POST', path, { name: 'Agency', ...more });
    assert.deepEqual([status, Object.keys(body.error?.fields ?? {})], [422, [field]], field);
  }
  const { id } = await addShare(app, { name: 'Agency', password: PASSWORD });
  const { body } = await app.owner.ask('PATCH', `${path}/${id}`, { origins: ['https://example.com'] });
  assert.deepEqual(Object.keys(body.error.fields), ['origins']);
});

test('share links: a site has at most 50, and they go with it', async (t) => {
  const app = await startApp(t);
  for (let n = 0; n < 50; n++) await addShare(app, { name: 'Agency' });
  const { status, body } = await app.owner.ask('POST', `/sites/${app.siteId}/shares`, { name: 'Agency' });
  assert.deepEqual([status, body.error.code], [402, 'limit_reached']);
  await app.owner.ask('DELETE', `/sites/${app.siteId}`);
  assert.deepEqual(app.db.all('SELECT id FROM share'), []);
});

const SHARED = routes.filter(({ shared }) => shared !== undefined).map(({ path }) => path);

test('share links: one with a view answers each report as if its filters had been sent', async (t) => {
  const app = await startApp(t);
  const { goal, funnel } = await count(app);
  const view = await addView(app, `source=one.example&goal=${goal}&property%3Aplan.not=free`);
  const { slug } = await addShare(app, { name: 'One', view_id: view });
  const note = await app.owner.ask('POST', `/sites/${app.siteId}/notes`, { date: '2026-03-01', text: 'Launch' });
  const own = `filters[source]=one.example&filters[goal]=${goal}&filters[property:plan][not]=free`;
  const fill = (path: string, breakdown = '') =>
    `/api/v1${path}`
      .replace('{site}', String(app.siteId))
      .replace('{funnel}', String(funnel))
      .replace('{note}', String(note.body.data.id))
      .replace('{breakdown}', breakdown);
  const ask = async (path: string, asking: Asking) => {
    const { status, body } = await app.ask('GET', path, asking);
    if (status !== 200) return status;
    const { filters: _, ...data } = body.data;
    return data;
  };
  const refused: string[] = [];
  const reports = SHARED.filter((path) => path.includes('/stats/') || path.includes('/effect'));
  for (const path of reports) {
    const breakdowns = path.includes('{breakdown}') ? ['pages', 'referrers', 'entry_pages', 'events', 'devices'] : [''];
    for (const breakdown of breakdowns) {
      for (const more of path.includes('/effect')
        ? ['']
        : ['', 'range=7d', 'filters[page]=/a', 'filters[source]=two.example']) {
        const at = fill(path, breakdown);
        const seen = await ask(`${at}?${more}`, { share: slug });
        if (seen === 404) refused.push(path);
        // A condition on the source beside that of the view leaves nothing.
        const sent = more.includes('two.example') ? `${own.replace('one.example', 'none.example')}` : `${own}&${more}`;
        const expected = await ask(`${at}?${sent}`, { token: app.owner.token });
        if (seen === 404) continue;
        assert.equal(typeof seen, 'object', `${at}?${more}: ${seen}`);
        assert.deepEqual(seen, expected, `${at}?${more}`);
      }
    }
  }
  assert.deepEqual([...new Set(refused)].sort(), [
    '/sites/{site}/notes/{note}/effect',
    '/sites/{site}/stats/bots',
    '/sites/{site}/stats/search',
  ]);
  const overview = await ask(`${fill('/sites/{site}/stats/overview')}`, { share: slug });
  assert.equal(overview.visitors, 1);
});

test('share links: the filters of a view hold however their values are spelled', async (t) => {
  const app = await startApp(t);
  const hit = (host: string, n: number, path: string) => {
    return { ip: `198.51.100.${n}`, agent: FIREFOX, referrer: `https://${host}/`, url: `https://example.com${path}` };
  };
  const hits = [hit('one.example', 1, '/a'), hit('two.example', 2, '/größe'), hit('two.example', 2, '/b')];
  await app.owner.ask('POST', `/sites/${app.siteId}/hits`, hits);
  const pagesOf = async (query: string): Promise<string[]> => {
    const { slug } = await addShare(app, { name: 'Part', view_id: await addView(app, query) });
    const { body } = await app.ask('GET', `/api/v1/sites/${app.siteId}/stats/breakdown/pages`, { share: slug });
    return body.data.rows.map(({ value }: { value: string }) => decodeURI(value)).sort();
  };
  const PAGES: Record<string, string[]> = {
    'source.not=WWW.Two.example': ['/a'],
    'source.lacks=TWO': ['/a'],
    'page.not=/größe': ['/a', '/b'],
    'page.lacks=größe': ['/a', '/b'],
    'pageviews.not=1': ['/b', '/größe'],
    'pageviews=1': ['/a'],
    'hostname.not=Example.com': [],
    'hostname=EXAMPLE.com': ['/a', '/b', '/größe'],
  };
  for (const [query, pages] of Object.entries(PAGES)) assert.deepEqual(await pagesOf(query), pages, query);
});

test('share links: the range of the view is the usual one, and another may be asked for', async (t) => {
  const app = await startApp(t);
  const { slug } = await addShare(app, {
    name: 'Year',
    view_id: await addView(app, 'range=year&show=visits&device=Mobile'),
  });
  const fromOf = async (query: string) =>
    (await app.ask('GET', `/api/v1/sites/example.com/stats/overview${query}`, { share: slug })).body.data.from;
  assert.equal(await fromOf(''), '2026-01-01T00:00:00Z');
  assert.equal(await fromOf('?range=today'), '2026-03-10T00:00:00Z');
  const page = await app.ask('GET', `/share/${slug}`);
  assert.deepEqual([page.status, page.headers.get('Location')], [303, `/share/${slug}?range=year&show=visits`]);
  assert.equal((await app.ask('GET', `/share/${slug}?range=year&show=visits`)).status, 200);
  assert.equal((await app.ask('GET', '/api/v1/sites/example.com/goals', { share: slug })).status, 200);
});

test('share links: one goes with its view, its removal and the block of its account', async (t) => {
  const app = await startApp(t);
  const view = await addView(app, 'device=Mobile');
  const [part, whole] = [await addShare(app, { name: 'Part', view_id: view }), await addShare(app, { name: 'Whole' })];
  assert.deepEqual([await statusOf(app, { share: part.slug }), await statusOf(app, { share: whole.slug })], [200, 200]);
  assert.equal((await app.owner.ask('DELETE', `/sites/${app.siteId}/views/${view}`)).status, 204);
  assert.equal(await statusOf(app, { share: part.slug }), 401);
  assert.equal((await app.ask('GET', `/share/${part.slug}`)).status, 404);
  changePlan(app.db, app.owner.id, null);
  assert.equal(await statusOf(app, { share: whole.slug }), 402);
});

test('share links: an expired one is answered like one that does not exist', async (t) => {
  const app = await startApp(t);
  const path = `/sites/${app.siteId}/shares`;
  const { id, slug } = await addShare(app, {
    name: 'A minute',
    expires_at: '2026-03-10T12:01:00Z',
    password: PASSWORD,
  });
  const answers = async (secret: string) => {
    const { status, text } = await app.ask('GET', `/share/${secret}`);
    const posted = await app.ask('POST', `/share/${secret}/password`, { body: { password: PASSWORD } });
    return [status, text, posted.status, posted.text, await statusOf(app, { share: secret })];
  };
  app.clock.pass(59);
  assert.deepEqual([(await answers(slug))[0], (await answers(slug))[2]], [303, 204]);
  app.clock.pass(1);
  assert.deepEqual(await answers(slug), await answers('0123456789012345678901'));
  assert.equal((await app.owner.ask('PATCH', `${path}/${id}`, { expires_at: null })).status, 200);
  assert.equal((await app.ask('GET', `/share/${slug}`)).status, 303);
});

test('share links: a change of name leaves the cookie of a password, and a change of password ends it', async (t) => {
  const app = await startApp(t);
  const path = `/sites/${app.siteId}/shares`;
  const { id, slug } = await addShare(app, { name: 'Agency', password: PASSWORD });
  const other = await addShare(app, { name: 'Other', password: PASSWORD });
  assert.equal(await statusOf(app, { share: slug }), 401);
  const cookie = cookieOf(await app.ask('POST', `/share/${slug}/password`, { body: { password: PASSWORD } }));
  assert.match(cookie, new RegExp(`daybook-share-${id}=`));
  assert.equal(await statusOf(app, { share: slug, cookie }), 200);
  assert.equal(await statusOf(app, { share: other.slug, cookie }), 401);
  const renamed = cookie.replace(`daybook-share-${id}=`, `daybook-share-${other.id}=`);
  assert.equal(await statusOf(app, { share: other.slug, cookie: renamed }), 401);
  await app.owner.ask('PATCH', `${path}/${id}`, { name: 'Agencies' });
  assert.equal(await statusOf(app, { share: slug, cookie }), 200);
  app.clock.pass(30 * 86_400);
  assert.equal(await statusOf(app, { share: slug, cookie }), 401);
  const again = cookieOf(await app.ask('POST', `/share/${slug}/password`, { body: { password: PASSWORD } }));
  assert.equal(await statusOf(app, { share: slug, cookie: again }), 200);
  await app.owner.ask('PATCH', `${path}/${id}`, { password: 'another password' });
  assert.equal(await statusOf(app, { share: slug, cookie: again }), 401);
});

test('share links: one that is no link of the site sees nothing of another', async (t) => {
  const app = await startApp(t);
  const { slug } = await addShare(app, { name: 'Agency' });
  for (const path of [
    `/sites/${app.strangerSiteId}/stats/overview`,
    '/sites',
    `/sites/${app.siteId}`,
    `/sites/${app.siteId}/shares`,
  ]) {
    assert.equal((await app.ask('GET', `/api/v1${path}`, { share: slug })).status, 404, path);
  }
});

test('share links: receipts are of the whole site, so a link with a view does not show them', async (t) => {
  const app = await startApp(t);
  const [whole, part] = [
    await addShare(app, { name: 'Whole' }),
    await addShare(app, { name: 'Part', view_id: await addView(app, 'page=/a') }),
  ];
  const read = async ({ slug }: { slug: string }) =>
    (await app.ask('GET', `/api/v1/sites/${app.siteId}/receipts`, { share: slug })).status;
  assert.deepEqual([await read(whole), await read(part)], [200, 404]);
});

test('share links: what a link with a view shows beside reports has no figures', () => {
  const shown = routes.filter(({ shared, path }) => shared === true && !path.includes('/stats/'));
  assert.deepEqual(
    shown.map(({ path }) => path),
    ['/sites/{site}/goals', '/sites/{site}/funnels', '/sites/{site}/notes'],
  );
});
