import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addReceipt } from '../../src/store/sites/receipts.ts';
import { BROWSER } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { dataOf } from '../support/requests.ts';

const DAYS = 86_400;

type App = Awaited<ReturnType<typeof startApp>>;

/** Looks at a page as a visitor; gives why it is not counted. */
async function look({ ask }: App, site: string, url: string, more: object = {}): Promise<string | null> {
  const answer = await ask('POST', '/day', { body: { site, url, ...more }, headers: BROWSER });
  assert.equal(answer.status, 202);
  return answer.headers.get('Daybook-Dropped');
}

const rename = ({ owner, siteId }: App, domain: string) => owner.ask('PATCH', `/sites/${siteId}`, { domain });

async function rowsOf({ owner, siteId }: App, breakdown: string): Promise<[string, number][]> {
  const { body } = await owner.ask('GET', `/sites/${siteId}/stats/breakdown/${breakdown}?range=today`);
  return body.data.rows.map(({ value, visitors }: { value: string; visitors: number }) => [value, visitors]);
}

test('a renamed site keeps its id and its history, and its snippet has the new name', async (t) => {
  const app = await startApp(t, { 'base-url': 'https://stats.example.net' });
  const { owner, viewer, siteId } = app;
  assert.equal(await look(app, 'example.com', 'https://example.com/a'), null);
  const before = (await owner.ask('GET', `/sites/${siteId}`)).body.data;
  const answer = await rename(app, 'Müller.example');
  assert.equal(answer.status, 200);
  const domain = 'xn--mller-kva.example';
  const snippet = `<script defer src="https://stats.example.net/day.js" data-site="${domain}"></script>`;
  const site = dataOf(answer, 'PATCH', `/sites/${siteId}`);
  assert.deepEqual(site, { ...before, domain, snippet });
  assert.equal((await viewer.ask('GET', '/sites/müller.example')).body.data.id, siteId);
  assert.deepEqual(await rowsOf(app, 'pages'), [['/a', 1]]);
  assert.deepEqual((await rename(app, domain)).body.data, site);
});

test('under the former name hits of the former and the new host are counted for 30 days', async (t) => {
  const app = await startApp(t);
  await look(app, 'example.com', 'https://example.com/before');
  await rename(app, 'new.example');
  const referrers = { former: 'https://www.example.com/x', new: 'https://blog.new.example/x' };
  for (const [page, referrer] of Object.entries(referrers)) {
    assert.equal(await look(app, 'example.com', `https://www.example.com/${page}`, { referrer }), null);
    assert.equal(await look(app, 'EXAMPLE.com', `https://new.example/${page}`, { referrer }), null);
  }
  assert.equal(await look(app, 'new.example', 'https://new.example/late'), null);
  assert.equal(await look(app, 'example.com', 'https://other.example/'), 'foreign-host');
  assert.equal(await look(app, 'new.example', 'https://example.com/'), 'foreign-host');
  assert.equal(await look(app, 'example.com', 'https://example.com/', { engaged: 1_000 }), null);
  // One and the same visitor throughout, whom no other site has sent.
  assert.deepEqual(await rowsOf(app, 'pages'), [
    ['/before', 1],
    ['/former', 1],
    ['/late', 1],
    ['/new', 1],
  ]);
  assert.deepEqual(await rowsOf(app, 'referrers'), [['', 1]]);

  app.clock.pass(30 * DAYS - 1);
  assert.equal(await look(app, 'example.com', 'https://example.com/'), null);
  app.clock.pass(1);
  assert.equal(await look(app, 'example.com', 'https://example.com/'), 'unknown-site');
  assert.equal(await look(app, 'new.example', 'https://new.example/'), null);
});

test('a former name is no site of the API', async (t) => {
  const app = await startApp(t);
  await rename(app, 'new.example');
  for (const path of ['', '/goals', '/stats/overview']) {
    assert.equal((await app.owner.ask('GET', `/sites/example.com${path}`)).status, 404);
    assert.equal((await app.owner.ask('GET', `/sites/new.example${path}`)).status, 200);
  }
});

test('only the owner renames, and for others that comes before all that may be wrong', async (t) => {
  const app = await startApp(t);
  const { owner, manager, viewer, stranger, siteId } = app;
  const path = `/sites/${siteId}`;
  for (const domain of ['new.example', 'stranger.example', 'https://x', 7, null]) {
    const wrong = [{ nothing: 1, shared: 'x' }, { private_paths: Array(101).fill('x/*') }];
    for (const more of [{}, { weekly_report: true }, ...wrong]) {
      const body = { ...more, domain };
      for (const person of [manager, viewer]) {
        assert.equal((await person.ask('PATCH', path, body)).body.error.code, 'role_forbidden');
      }
      assert.equal((await stranger.ask('PATCH', path, body)).body.error.code, 'not_found');
    }
  }
  const { data } = (await owner.ask('GET', path)).body;
  assert.deepEqual([data.domain, data.weekly_report], ['example.com', false]);
  assert.equal((await manager.ask('PATCH', path, { weekly_report: true })).status, 200);
});

test('a name that is taken, or was another site until lately, is refused and named', async (t) => {
  const app = await startApp(t);
  const { owner, stranger, strangerSiteId } = app;
  await rename(app, 'new.example');
  const theirs = (domain: string) => stranger.ask('PATCH', `/sites/${strangerSiteId}`, { domain });
  const added = (domain: string) => owner.ask('POST', '/sites', { domain });
  const refused = {
    'new.example': 'new.example is already a site on this server.',
    'example.com': 'example.com belonged to another site until recently. You can use it from 2026-04-09T12:00:00Z.',
  };
  for (const [domain, sentence] of Object.entries(refused)) {
    for (const ask of [theirs, added]) {
      const answer = await ask(domain);
      assert.deepEqual([answer.status, answer.body.error.fields], [422, { domain: sentence }]);
    }
  }
  app.clock.pass(30 * DAYS);
  assert.equal((await theirs('example.com')).status, 200);
  assert.equal(await look(app, 'example.com', 'https://new.example/'), 'foreign-host');
});

test('a site takes a former name back, and the one that it had meanwhile is a former one', async (t) => {
  const app = await startApp(t);
  await rename(app, 'second.example');
  await rename(app, 'third.example');
  app.clock.pass(10 * DAYS);
  assert.equal((await rename(app, 'example.com')).status, 200);
  assert.equal(await look(app, 'second.example', 'https://third.example/'), 'foreign-host');
  for (const name of ['example.com', 'second.example', 'third.example']) {
    assert.equal(await look(app, name, 'https://example.com/'), null, name);
  }
  app.clock.pass(20 * DAYS);
  assert.equal(await look(app, 'second.example', 'https://example.com/'), 'unknown-site');
  assert.equal(await look(app, 'third.example', 'https://example.com/'), null);
});

test('hits and crawls that a server sends count on each former host too, for 30 days', async (t) => {
  const app = await startApp(t);
  const { owner, siteId, clock } = app;
  const hosts = ['example.com', 'new.example', 'www.example.com', 'elsewhere.example'];
  const send = async (): Promise<unknown[]> => {
    const hits = hosts.map((host) => ({ url: `https://${host}/a`, ip: '192.0.2.7', agent: BROWSER['user-agent'] }));
    const crawls = hosts.map((host) => ({ url: `https://${host}/a`, agent: 'GPTBot/1.2' }));
    const answers = [
      await owner.ask('POST', `/sites/${siteId}/hits`, hits),
      await owner.ask('POST', `/sites/${siteId}/crawls`, crawls),
    ];
    return answers.map(({ body }) => body.data.accepted);
  };
  assert.deepEqual(await send(), [2, 2]);
  await rename(app, 'new.example');
  assert.deepEqual(await send(), [3, 3]);
  clock.pass(10 * DAYS);
  await rename(app, 'elsewhere.example');
  assert.deepEqual(await send(), [4, 4], 'the older former host counts too');
  clock.pass(20 * DAYS);
  assert.deepEqual(await send(), [2, 2]);
  clock.pass(10 * DAYS);
  assert.deepEqual(await send(), [1, 1]);
});

test('a site has at most 10 former names, so it cannot take more from others', async (t) => {
  const app = await startApp(t);
  for (let n = 0; n < 10; n++) {
    assert.equal((await rename(app, `n${n}.example`)).status, 200);
    app.clock.pass(60);
  }
  const { status, body } = await rename(app, 'one-more.example');
  assert.deepEqual([status, body.error.message_code], [402, { code: 'most_former_domains', values: { most: 10 } }]);
  assert.equal((await app.stranger.ask('POST', '/sites', { domain: 'one-more.example' })).status, 201);
  assert.equal((await rename(app, 'n9.example')).status, 200, 'the same name is no change');
  assert.equal((await rename(app, 'n4.example')).status, 200, 'a former name is taken back');
  assert.equal((await rename(app, 'n9.example')).status, 200);
  app.clock.pass(30 * DAYS - 600);
  assert.equal((await rename(app, 'free.example')).status, 200);
});

test('the former names of a deleted site are free', async (t) => {
  const app = await startApp(t);
  await rename(app, 'new.example');
  await app.owner.ask('DELETE', `/sites/${app.siteId}`);
  assert.equal(await look(app, 'example.com', 'https://example.com/'), 'unknown-site');
  assert.equal((await app.stranger.ask('POST', '/sites', { domain: 'example.com' })).status, 201);
});

test('renaming: a preview says what follows and changes nothing, and refuses as the renaming does', async (t) => {
  const app = await startApp(t, { 'base-url': 'https://stats.example.net' });
  const { owner, siteId } = app;
  const preview = (domain: string) => owner.ask('GET', `/sites/${siteId}/domain?domain=${encodeURIComponent(domain)}`);
  await owner.ask('PATCH', `/sites/${siteId}`, { track_vitals: true, shared: true, public_live: true });
  await owner.ask('POST', `/sites/${siteId}/shares`, { name: 'Agency' });
  addReceipt(app.db, siteId, { sequence: 1, day: 1, state: '{}', body: '{}' });
  const until = new Date(app.clock.now() + 30 * DAYS * 1000).toISOString().replace('.000Z', 'Z');
  const line = (file: string) =>
    `<script defer src="https://stats.example.net/day${file}" data-site="xn--mller-kva.example"></script>`;
  const before = (await owner.ask('GET', `/sites/${siteId}`)).body.data;
  const data = dataOf(await preview('Müller.example'), 'GET', `/sites/${siteId}/domain`);
  assert.deepEqual(data, {
    ...{ domain: 'xn--mller-kva.example', former_domain: 'example.com', former_until: until, former_domains: [] },
    ...{ snippet: line('.js'), vitals_snippet: line('-vitals.js'), shares: 2, receipts: 1, public_live: true },
  });
  assert.deepEqual((await owner.ask('GET', `/sites/${siteId}`)).body.data, before);
  for (const [domain, fault] of [
    ['stranger.example', 'domain_taken'],
    ['http://x', 'no_domain'],
  ] as const) {
    const { status, body } = await preview(domain);
    assert.deepEqual([status, body.error.field_codes.domain.code], [422, fault]);
  }
  assert.equal((await rename(app, 'Müller.example')).body.data.snippet, data.snippet);
  assert.deepEqual((await preview('other.example')).body.data.former_domains, ['example.com']);
  assert.deepEqual((await preview('example.com')).body.data.former_domains, []);
  for (let n = 0; n < 9; n++) await rename(app, `n${n}.example`);
  assert.equal((await preview('one-more.example')).status, 402);
});
