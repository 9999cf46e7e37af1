import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changePlan } from '../../src/store/people/accounts.ts';
import { FIREFOX, startApp } from '../support/helpers.ts';

type App = Awaited<ReturnType<typeof startApp>>;

let comers = 0;

/** Somebody new comes to a site. */
async function visit(app: App, domain = 'example.com'): Promise<void> {
  comers++;
  const by = domain === 'example.com' ? app.owner : app.stranger;
  const hit = { url: `https://${domain}/`, ip: `198.51.100.${comers % 256}`, agent: FIREFOX };
  const { status, body } = await by.ask('POST', `/sites/${domain}/hits`, [hit]);
  assert.deepEqual([status, body.data.accepted], [202, 1]);
}

const open = async (app: App): Promise<void> => {
  assert.equal((await app.owner.ask('PATCH', `/sites/${app.siteId}`, { public_live: true })).status, 200);
};

/** How many are there now, by each of the three forms, which never differ. */
async function seen(app: App, domain = 'example.com'): Promise<number> {
  const { body } = await app.ask('GET', `/live/${domain}.json`);
  const count = body.data.visitors as number;
  const words = `${count} visitor${count === 1 ? '' : 's'} now`;
  assert.match((await app.ask('GET', `/live/${domain}`)).text, new RegExp(`<p class="live">${words}</p>`));
  assert.match((await app.ask('GET', `/live/${domain}.svg`)).text, new RegExp(`>${words}</text>`));
  return count;
}

test('a site shows how many look at it now, as a page, as JSON and as a picture', async (t) => {
  const app = await startApp(t);
  await open(app);
  for (const expected of [0, 1, 2]) {
    assert.equal(await seen(app), expected);
    await visit(app);
    app.clock.pass(10);
  }
  const page = await app.ask('GET', '/live/example.com');
  assert.equal(page.headers.get('Content-Type'), 'text/html; charset=utf-8');
  assert.equal(page.headers.get('Refresh'), '15');
  assert.match(page.text, /<h1>example\.com<\/h1>/);
  const json = await app.ask('GET', '/live/example.com.json');
  assert.equal(json.headers.get('Content-Type'), 'application/json');
  assert.deepEqual(json.body, { data: { domain: 'example.com', visitors: 3 } });
  const svg = await app.ask('GET', '/live/example.com.svg');
  assert.equal(svg.headers.get('Content-Type'), 'image/svg+xml');
  assert.match(
    svg.text,
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="24" role="img" aria-label="example\.com: 3 visitors now">.*<\/svg>$/,
  );
});

test('any page may show the picture and read the number, and nothing in them runs', async (t) => {
  const app = await startApp(t);
  await open(app);
  for (const form of ['json', 'svg']) {
    const { headers } = await app.ask('GET', `/live/example.com.${form}`);
    assert.equal(headers.get('Access-Control-Allow-Origin'), '*');
    assert.equal(headers.get('Cross-Origin-Resource-Policy'), 'cross-origin');
    assert.equal(headers.get('Content-Security-Policy'), "default-src 'none'; sandbox");
    assert.equal(headers.get('X-Content-Type-Options'), 'nosniff');
    assert.equal(headers.get('Cache-Control'), 'public, max-age=10');
    assert.equal(headers.get('Set-Cookie'), null);
  }
});

test('only a site whose owner wants it shows anything, and stops at once', async (t) => {
  const app = await startApp(t);
  const missing = (await app.ask('GET', '/live/nobodys.example')).text;
  const statuses = async () => {
    const answers = await Promise.all(['', '.json', '.svg'].map((form) => app.ask('GET', `/live/example.com${form}`)));
    // A site that does not want it cannot be told from one that does not exist.
    for (const { status, text } of answers) if (status === 404) assert.equal(text, missing);
    return answers.map(({ status }) => status);
  };
  assert.deepEqual(await statuses(), [404, 404, 404]);
  await open(app);
  assert.deepEqual(await statuses(), [200, 200, 200]);
  await app.owner.ask('PATCH', `/sites/${app.siteId}`, { public_live: false });
  assert.deepEqual(await statuses(), [404, 404, 404]);
  await open(app);
  await app.owner.ask('DELETE', `/sites/${app.siteId}`);
  assert.deepEqual(await statuses(), [404, 404, 404]);
});

test('a site of a blocked account shows nothing until the account is active again', async (t) => {
  const app = await startApp(t);
  await open(app);
  const statuses = () =>
    Promise.all(['', '.json', '.svg'].map(async (form) => (await app.ask('GET', `/live/example.com${form}`)).status));
  const { planId } =
    app.db.one<{ planId: number }>('SELECT plan_id AS planId FROM account WHERE user_id = ?', app.owner.id) ?? {};
  changePlan(app.db, app.owner.id, null);
  assert.deepEqual(await statuses(), [404, 404, 404]);
  changePlan(app.db, app.owner.id, planId ?? null);
  assert.deepEqual(await statuses(), [200, 200, 200]);
});

test('for ten seconds everybody gets the same number', async (t) => {
  const app = await startApp(t);
  await open(app);
  assert.equal(await seen(app), 0);
  await visit(app);
  app.clock.pass(9);
  const many = await Promise.all(Array.from({ length: 50 }, () => seen(app)));
  assert.deepEqual(new Set(many), new Set([0]));
  app.clock.pass(1);
  assert.equal(await seen(app), 1);
});

test('a clock that is set back does not keep an old number', async (t) => {
  const app = await startApp(t);
  await open(app);
  await visit(app);
  assert.equal(await seen(app), 1);
  app.clock.jump(-3_600);
  app.clock.pass(10);
  assert.equal(await seen(app), 0, 'an hour ago, nobody was there');
});

test('each site has a number of its own', async (t) => {
  const app = await startApp(t);
  await open(app);
  await app.stranger.ask('PATCH', `/sites/${app.strangerSiteId}`, { public_live: true });
  await visit(app, 'stranger.example');
  await visit(app, 'stranger.example');
  await visit(app);
  assert.deepEqual([await seen(app), await seen(app, 'stranger.example')], [1, 2]);
});

test('whoever was here five minutes ago is not any more', async (t) => {
  const app = await startApp(t);
  await open(app);
  await visit(app);
  app.clock.pass(299);
  assert.equal(await seen(app), 1);
  app.clock.pass(10);
  assert.equal(await seen(app), 0);
});

test('what could not be counted is counted anew for the next who asks', async (t) => {
  const app = await startApp(t);
  await open(app);
  app.db.run('ALTER TABLE hit RENAME TO hidden');
  assert.equal((await app.ask('GET', '/live/example.com.json')).status, 500);
  app.db.run('ALTER TABLE hidden RENAME TO hit');
  assert.equal(await seen(app), 0);
});

test('a domain is found however it is written', async (t) => {
  const app = await startApp(t);
  await open(app);
  const { body } = await app.owner.ask('POST', '/sites', { domain: 'bücher.example' });
  await app.owner.ask('PATCH', `/sites/${body.data.id}`, { public_live: true });
  for (const [written, domain] of [
    ['Example.COM', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ] as const) {
    const { status, body: answer } = await app.ask('GET', `/live/${encodeURIComponent(written)}.json`);
    assert.deepEqual([status, answer.data?.domain], [200, domain], written);
  }
});

test('what a domain might hold is shown as text', async (t) => {
  const app = await startApp(t);
  const odd = `a"b&c'd.example`;
  app.db.run('UPDATE site SET public_live = 1 WHERE id = ?', app.site(app.owner, odd));
  const escaped = 'a&quot;b&amp;c&#39;d.example';
  const path = `/live/${encodeURIComponent(odd)}`;
  assert.match((await app.ask('GET', path)).text, new RegExp(`<h1>${escaped}</h1>`));
  assert.match((await app.ask('GET', `${path}.svg`)).text, new RegExp(` aria-label="${escaped}: 0 visitors now">`));
  assert.equal((await app.ask('GET', `${path}.json`)).body.data.domain, odd);
});

test('what is no domain finds nothing', async (t) => {
  const app = await startApp(t);
  await open(app);
  for (const name of [
    '',
    '.json',
    '.svg',
    '%00',
    '%',
    'example.com%0A',
    'example.com%0A.json',
    'example.com.xml',
    'example.com.',
    'example.com/json',
    String(app.siteId),
    'x'.repeat(5_000),
  ]) {
    assert.equal((await app.ask('GET', `/live/${name}`)).status, 404, name);
  }
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    assert.equal((await app.ask(method, '/live/example.com', { body: {} })).status, 405, method);
  }
});
