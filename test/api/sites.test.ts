import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changePlan } from '../../src/store/people/accounts.ts';
import { findPlan, setPlan } from '../../src/store/people/plans.ts';
import { SWITCHES } from '../../src/store/sites/sites.ts';
import { startApp } from '../support/helpers.ts';
import { dataOf } from '../support/requests.ts';

test('a new site has the settings of a newcomer and a snippet that can be pasted', async (t) => {
  const { owner } = await startApp(t, { 'base-url': 'https://stats.example.com' });
  const answer = await owner.ask('POST', '/sites', { domain: 'Blog.Example.COM' });
  assert.equal(answer.status, 201);
  const site = dataOf(answer, 'POST', '/sites');
  assert.equal(answer.headers.get('Location'), `/api/v1/sites/${site.id}`);
  assert.deepEqual(site, {
    id: site.id,
    domain: 'blog.example.com',
    account_id: owner.accountId,
    role: 'owner',
    created_at: '2026-03-10T12:00:00Z',
    weekly_report: false,
    monthly_report: false,
    public_live: false,
    alert_traffic: false,
    alert_silence: false,
    alert_custom: true,
    report_effects: true,
    track_crawlers: true,
    shared: false,
    share_url: null,
    main_goal_id: null,
    private_paths: [],
    page_parameters: [],
    dimensions_off: [],
    currency: null,
    places: false,
    track_vitals: false,
    time_zone: 'UTC',
    snippet: '<script defer src="https://stats.example.com/day.js" data-site="blog.example.com"></script>',
    vitals_snippet: null,
    has_searches: false,
  });
  assert.deepEqual((await owner.ask('GET', `/sites/${site.id}`)).body.data, site);
});

test('a site is found by its id and by its domain, however that is written', async (t) => {
  const { owner, siteId } = await startApp(t);
  await owner.ask('POST', '/sites', { domain: 'müller.example' });
  for (const key of [siteId, 'example.com', 'EXAMPLE.com', 'example%2Ecom']) {
    assert.equal((await owner.ask('GET', `/sites/${key}`)).body.data.id, siteId, String(key));
  }
  for (const key of ['müller.example', 'm%C3%BCller.example', 'xn--mller-kva.example']) {
    assert.equal((await owner.ask('GET', `/sites/${key}`)).body.data.domain, 'xn--mller-kva.example', key);
  }
  for (const key of [
    '0',
    '-1',
    '01',
    '1.0',
    '1e0',
    '99999999999999999999',
    '%00',
    '%zz',
    '%ff',
    '..%2f',
    "'",
    '__proto__',
  ]) {
    assert.equal((await owner.ask('GET', `/sites/${key}`)).status, 404, key);
  }
});

test('everybody lists the sites they may see, by id and with their own role', async (t) => {
  const { owner, manager, viewer, stranger, siteId, strangerSiteId } = await startApp(t);
  const own = (await manager.ask('POST', '/sites', { domain: 'manager.example' })).body.data.id;
  const list = async (person: typeof owner) =>
    dataOf(await person.ask('GET', '/sites'), 'GET', '/sites').map(({ id, role }: { id: number; role: string }) => [
      id,
      role,
    ]);
  assert.deepEqual(await list(owner), [[siteId, 'owner']]);
  assert.deepEqual(await list(manager), [
    [siteId, 'manager'],
    [own, 'owner'],
  ]);
  assert.deepEqual(await list(viewer), [[siteId, 'viewer']]);
  assert.deepEqual(await list(stranger), [[strangerSiteId, 'owner']]);
});

test('a domain is a host name and stands on the server once', async (t) => {
  const { owner, stranger } = await startApp(t);
  const refused = [
    'https://a.example',
    'a.example/x',
    'a.example:80',
    '',
    ' a.example',
    'a b.example',
    'nodots',
    '1.2.3.4',
  ];
  for (const domain of [
    ...refused,
    '[::1]',
    '-a.example',
    'a..example',
    'a.example.',
    `${'a'.repeat(64)}.example`,
    7,
    null,
  ]) {
    const answer = await owner.ask('POST', '/sites', { domain });
    assert.equal(answer.status, 422, String(domain));
    assert.match(answer.body.error.fields.domain, /host name/);
  }
  assert.equal((await owner.ask('POST', '/sites', { domain: 'localhost' })).status, 201);
  const taken = await stranger.ask('POST', '/sites', { domain: 'EXAMPLE.com' });
  assert.deepEqual(
    [taken.status, taken.body.error.fields],
    [422, { domain: 'example.com is already a site on this server.' }],
  );
});

test('a manager adds sites to the account, a viewer may not, and others do not see it', async (t) => {
  const { owner, manager, viewer, stranger } = await startApp(t);
  const body = (domain: string) => ({ domain, account_id: owner.accountId });
  const added = await manager.ask('POST', '/sites', body('team.example'));
  assert.deepEqual([added.status, added.body.data.account_id, added.body.data.role], [201, owner.accountId, 'manager']);
  assert.equal((await viewer.ask('POST', '/sites', body('no.example'))).body.error.code, 'role_forbidden');
  const foreign = await stranger.ask('POST', '/sites', body('no.example'));
  const missing = await stranger.ask('POST', '/sites', { domain: 'no.example', account_id: 999 });
  assert.equal(foreign.status, 404);
  assert.equal(foreign.text, missing.text);
});

test('from 1,000 sites of an account on, only the owner adds another one', async (t) => {
  const { db, owner, manager } = await startApp(t);
  const add = (who: typeof owner, domain: string) => who.ask('POST', '/sites', { domain, account_id: owner.accountId });
  db.run(
    `WITH RECURSIVE number (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM number LIMIT 998)
     INSERT INTO site (account_id, domain, time_zone, created_at) SELECT ?, 's' || value || '.example', 'UTC', 0 FROM number`,
    owner.accountId,
  );
  assert.equal((await add(manager, 'last.example')).status, 201);
  const { status, body } = await add(manager, 'more.example');
  assert.deepEqual(
    [status, body.error.code, body.error.message_code],
    [402, 'limit_reached', { code: 'most_sites_by_managers', values: { most: 1_000 } }],
  );
  assert.equal((await add(owner, 'more.example')).status, 201);
});

test("a plan's limit counts for the account that the site goes to, and parallel requests do not pass it", async (t) => {
  const app = await startApp(t);
  setPlan(app.db, 'three', { sites: 3, members: null, events: null });
  changePlan(app.db, app.owner.id, findPlan(app.db, 'three')?.id ?? 0);
  const body = (n: number) => ({ domain: `s${n}.example`, account_id: app.owner.accountId });
  const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => app.manager.ask('POST', '/sites', body(n))));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 402, 402, 402]);
  assert.ok(answers.every(({ status, body }) => status === 201 || body.error.code === 'limit_reached'));
  assert.equal((await app.manager.ask('POST', '/sites', { domain: 'own.example' })).status, 201);
});

test('a blocked account takes no new site, but its user may still add to a team that takes them', async (t) => {
  const app = await startApp(t);
  changePlan(app.db, app.manager.id, null);
  assert.equal((await app.manager.ask('POST', '/sites', { domain: 'own.example' })).body.error.code, 'account_blocked');
  const toTeam = { domain: 'team.example', account_id: app.owner.accountId };
  assert.equal((await app.manager.ask('POST', '/sites', toTeam)).status, 201);
});

test('each setting can be changed alone and stays', async (t) => {
  const { owner, siteId } = await startApp(t);
  const goal = (await owner.ask('POST', `/sites/${siteId}/goals`, { type: 'page', value: '/a' })).body.data.id;
  let site = (await owner.ask('GET', `/sites/${siteId}`)).body.data;
  const changes = SWITCHES.map((name) => [name, !site[name]]);
  for (const [name, value] of [...changes, ['main_goal_id', goal], ['main_goal_id', null]]) {
    const answer = await owner.ask('PATCH', `/sites/${siteId}`, { [String(name)]: value });
    assert.equal(answer.status, 200);
    // The second snippet comes with the switch for vitals.
    const { vitals_snippet: second, ...changed } = dataOf(answer, 'PATCH', `/sites/${siteId}`);
    assert.deepEqual({ ...changed, vitals_snippet: site.vitals_snippet }, { ...site, [String(name)]: value });
    assert.equal(second !== null, changed.track_vitals);
    site = answer.body.data;
  }
  const nothing = await owner.ask('PATCH', `/sites/${siteId}`, {});
  assert.deepEqual([nothing.status, nothing.body.data], [200, site]);
});

test('a change with one wrong field changes nothing and names it', async (t) => {
  const { owner, siteId, stranger, strangerSiteId } = await startApp(t);
  const foreignGoal = (await stranger.ask('POST', `/sites/${strangerSiteId}/goals`, { type: 'page', value: '/a' })).body
    .data.id;
  const before = (await owner.ask('GET', `/sites/${siteId}`)).text;
  const wrong: [string, unknown][] = [
    ['weekly_report', 1],
    ['public_live', 'true'],
    ['shared', null],
    ['main_goal_id', foreignGoal],
    ['main_goal_id', 0],
    ['main_goal_id', 1.5],
    ['main_goal_id', 'x'],
    ['domain', 'https://new.example'],
    ['domain', 'stranger.example'],
    ['domain', null],
    ['role', 'owner'],
    ['__proto__', true],
    ['constructor', true],
  ];
  for (const [field, value] of wrong) {
    const body = `{"alert_traffic": true, ${JSON.stringify(field)}: ${JSON.stringify(value)}}`;
    const answer = await owner.ask('PATCH', `/sites/${siteId}`, body);
    assert.equal(answer.status, 422, field);
    assert.deepEqual(Object.keys(answer.body.error.fields), [field]);
  }
  assert.equal((await owner.ask('GET', `/sites/${siteId}`)).text, before);
});

test('sharing makes a link that cannot be guessed, and each time another', async (t) => {
  const { manager, siteId, config } = await startApp(t);
  const share = async (shared: boolean) =>
    (await manager.ask('PATCH', `/sites/${siteId}`, { shared })).body.data.share_url;
  const first = await share(true);
  assert.match(first, new RegExp(`^${config.baseUrl}/share/[0-9A-Za-z]{22}$`));
  assert.equal(await share(true), first);
  assert.equal(await share(false), null);
  assert.notEqual(await share(true), first);
});

test('a deleted site is gone with all it had, and its domain is free again', async (t) => {
  const { owner, manager, db, siteId } = await startApp(t);
  await manager.ask('POST', `/sites/${siteId}/goals`, { type: 'page', value: '/a' });
  await manager.ask('POST', `/sites/${siteId}/notes`, { date: '2026-03-01', text: 'x' });
  const steps = [
    { type: 'page', value: '/' },
    { type: 'page', value: '/a' },
  ];
  await manager.ask('POST', `/sites/${siteId}/funnels`, { name: 'x', steps });
  const gone = await owner.ask('DELETE', '/sites/example.com');
  assert.deepEqual([gone.status, gone.text], [204, '']);
  assert.equal((await owner.ask('GET', `/sites/${siteId}`)).status, 404);
  for (const table of ['goal', 'note', 'funnel', 'funnel_step']) {
    assert.deepEqual(db.all(`SELECT count(*) AS n FROM ${table}`), [{ n: 0 }], table);
  }
  const again = await owner.ask('POST', '/sites', { domain: 'example.com' });
  assert.ok(again.body.data.id > siteId, 'an id is never given twice');
});
