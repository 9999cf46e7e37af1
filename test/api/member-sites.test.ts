import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addMailing, listMailings, listWaiting } from '../../src/store/mail/mailings.ts';
import { removeSite } from '../../src/store/sites/sites.ts';
import { appendTo, pageview } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { until } from '../support/program.ts';
import { dataOf } from '../support/requests.ts';
import { bearer, listening, PACE } from '../support/streams.ts';

type Listed = { id: number; email: string; sites: number[] | null };

/** A manager of example.com, in the team of an owner with a second site. */
async function stage(t: TestContext) {
  const app = await startApp(t, { mcp: 'on' }, { streams: { pace: PACE } });
  const [one, other] = [app.siteId, app.site(app.owner, 'other.example')];
  const guest = await app.person('guest@example.com');
  app.join(app.owner, guest, 'manager', [one]);
  const list = async () => dataOf(await app.owner.ask('GET', '/team'), 'GET', '/team').members as Listed[];
  const memberId = (await list()).find(({ email }) => email === guest.email)?.id ?? 0;
  const limit = (sites: unknown) => app.owner.ask('PATCH', `/team/${memberId}`, { sites });
  const domains = async () =>
    (await guest.ask('GET', '/sites')).body.data.map(({ domain }: { domain: string }) => domain);
  return { ...app, one, other, guest, list, limit, domains };
}

test('sites of a member: lists, reports of all sites and MCP have only these sites', async (t) => {
  const { one, other, owner, guest, ask, domains, engine } = await stage(t);
  const hits = [one, other, other].map((siteId, visitor) => pageview({ siteId, visitor, second: 43_190 }));
  await appendTo(engine, hits);
  assert.deepEqual(await domains(), ['example.com']);
  const ofAll = (sites: string) => guest.ask('GET', `/stats/overview?range=7d${sites}`);
  assert.equal((await ofAll('')).body.data.visitors, 1);
  assert.equal((await ofAll(`&sites=${one}`)).status, 200);
  assert.equal((await ofAll(`&sites=${one},${other}`)).status, 404);
  const listSites = async (person: typeof guest) => {
    const { rows } = (await person.ask('GET', '/stats/breakdown/sites?range=7d')).body.data;
    return rows.map(({ value, visitors }: { value: string; visitors: number }) => [value, visitors]);
  };
  assert.deepEqual(await listSites(owner), [
    ['other.example', 2],
    ['example.com', 1],
  ]);
  assert.deepEqual(await listSites(guest), [['example.com', 1]]);
  const call = (name: string, args: object) =>
    ask('POST', '/mcp', {
      token: guest.token,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    });
  const listed = await call('sites', {});
  assert.ok(listed.text.includes('example.com') && !listed.text.includes('other.example'), listed.text);
});

test('sites of a member: a manager of some sites adds none to the account', async (t) => {
  const { guest, manager, owner } = await stage(t);
  const add = (person: typeof guest, domain: string) =>
    person.ask('POST', '/sites', { domain, account_id: owner.accountId });
  const refused = await add(guest, 'new.example');
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'role_forbidden']);
  assert.equal((await add(manager, 'new.example')).status, 201);
});

test('sites of a member: an invitation and a change name them, and the answer has them', async (t) => {
  const { one, other, owner, guest, list, limit, domains, strangerSiteId } = await stage(t);
  const invite = (sites?: unknown) =>
    owner.ask('POST', '/team', { email: 'new@example.com', role: 'viewer', ...(sites !== undefined && { sites }) });
  assert.deepEqual(dataOf(await invite([other, one, other]), 'POST', '/team').sites, [one, other]);
  assert.deepEqual((await list()).at(-1)?.sites, [one, other]);
  assert.equal((await invite()).body.data.sites, null, 'an invitation without sites is for all');
  for (const wrong of [[], [9999], [strangerSiteId], ['1'], 1, [one, 0]]) {
    for (const answer of [await invite(wrong), await limit(wrong)]) {
      assert.equal(answer.status, 422, JSON.stringify(wrong));
      assert.match(Object.keys(answer.body.error.fields)[0] ?? '', /^sites/);
    }
  }
  assert.deepEqual([(await limit([other])).body.data.sites, await domains()], [[other], ['other.example']]);
  const { teams } = dataOf(await guest.ask('GET', '/team'), 'GET', '/team');
  assert.deepEqual(teams[0].sites, [other]);
  assert.deepEqual([(await limit(null)).body.data.sites, await domains()], [null, ['example.com', 'other.example']]);
});

test('sites of a member: a deleted site leaves the member with less, never with all', async (t) => {
  const { db, one, list, domains } = await stage(t);
  db.write(() => removeSite(db, one));
  assert.deepEqual(await domains(), []);
  assert.deepEqual((await list()).at(-1)?.sites, []);
});

test('sites of a member: mails about other sites do not go to the member', async (t) => {
  const { db, one, other, clock } = await stage(t);
  const now = Math.floor(clock.now() / 1000);
  const readers = (siteId: number) => {
    db.write(() => db.run('UPDATE site SET weekly_report = 1 WHERE id = ?', siteId));
    db.write(() => addMailing(db, { siteId, kind: 'weekly', at: 1, now }));
    const mailing = listMailings(db, 'weekly', 'weekly_report', 0).find((one) => one.siteId === siteId);
    assert.ok(mailing);
    return listWaiting(db, mailing, undefined).map(({ email }) => email);
  };
  const all = ['owner@example.com', 'manager@example.com', 'viewer@example.com'];
  assert.deepEqual([readers(one), readers(other)], [[...all, 'guest@example.com'], all]);
});

test('sites of a member: a stream ends when its site is taken from the member', async (t) => {
  const app = await stage(t);
  const { begin } = await listening(t, app);
  const stream = await begin(`/sites/${app.one}/stats/live`, bearer(app.guest));
  await app.limit([app.other]);
  await until('the stream ends', stream.isEnded);
});
