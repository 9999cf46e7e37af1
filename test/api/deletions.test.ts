import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ImportContent } from '../../src/engine/import-content.ts';
import { countChanges } from '../../src/jobs/changes.ts';
import { noTotals } from '../../src/stats/aggregates.ts';
import { addSearches } from '../../src/store/sites/searches.ts';
import { type Hit, pageview, TODAY } from '../collect/stage.ts';
import { stage } from '../receipts/stage.ts';
import { date } from '../stats/days.ts';
import { ON_CLUSTER } from '../support/helpers.ts';
import { type Answer, dataOf } from '../support/requests.ts';

const QUESTIONS = [
  { path: 'overview', query: { range: '30d' } },
  { path: 'timeseries', query: { range: '7d' } },
  { path: 'timeseries', query: { range: '7d', interval: 'hour' } },
  { path: 'breakdown/pages', query: { range: '30d', metrics: 'visits,pageviews' } },
  { path: 'breakdown/countries', query: { range: '30d', 'filters[page]': '/b' } },
  { path: 'goals', query: { range: '30d' } },
];

const NOTHING = { visitors: 0, visits: 0, pageviews: 0, events: 0 };

/** Five past days with hits, crawls and a drop on each, and hits of today. */
async function stageDays(t: TestContext) {
  const all = await stage(t);
  const { app, site, siteId } = all;
  const backs = [5, 4, 3, 2, 1, 0];
  await site.store(
    backs.flatMap((back) => [
      pageview({ day: TODAY - back, visitor: back + 1, country: 'DE' }),
      pageview({ day: TODAY - back, second: 43_260, visitor: back + 1, page: '/b', country: 'DE' }),
      pageview({ day: TODAY - back, visitor: 90, event: 'signup', page: '/b' }),
    ]),
    backs.map((back) => ({ siteId, day: TODAY - back, crawler: 'GPTBot', page: `/${back}` })),
  );
  for (const back of backs) app.engine.intake.countDrop({ siteId, day: TODAY - back, reason: 'bot', hits: back + 1 });
  await site.store([]);
  await app.seal();
  await app.engine.upkeep.sweep();
  const ask = (body: object, path = '') => app.owner.ask('POST', `/sites/${siteId}/deletions${path}`, body);
  const days = (from: number, to: number) => ({ from: date(TODAY - from), to: date(TODAY - to) });
  return {
    ...{ ...all, days, ask },
    preview: async (from: number, to: number) =>
      dataOf(await ask(days(from, to), '/preview'), 'POST', '/sites/x/deletions/preview'),
    /** Deletes days, in the reference too. */
    async remove(from: number, to: number) {
      const data = dataOf(await ask(days(from, to)), 'POST', '/sites/x/deletions');
      forget(site.known.hits, from, to);
      return data;
    },
    get: (path: string) => app.owner.ask('GET', `/sites/${siteId}/${path}`),
  };
}

/** Takes days out of the reference. */
function forget(hits: Hit[], from: number, to: number): void {
  const left = hits.filter(({ day }) => day < TODAY - from || day > TODAY - to);
  hits.splice(0, hits.length, ...left);
}

const faultOf = ({ body }: Answer): string => Object.values(body.error.fields).join(' ');

test('deletions: a preview says what goes, the deletion takes just that, and every report counts the rest', async (t) => {
  const all = await stageDays(t);
  const { site, app } = all;
  app.db.write(() =>
    addSearches(app.db, all.siteId, [
      { kind: 'query', firstDay: TODAY - 4, lastDay: TODAY - 3, name: 'a', clicks: 1, impressions: 2, places: 3 },
      { kind: 'query', firstDay: TODAY - 9, lastDay: TODAY - 5, name: 'b', clicks: 1, impressions: 2, places: 3 },
      { kind: 'day', firstDay: TODAY - 2, lastDay: TODAY - 2, name: '', clicks: 1, impressions: 2, places: 3 },
      { kind: 'day', firstDay: TODAY - 3, lastDay: TODAY - 1, name: '', clicks: 1, impressions: 2, places: 3 },
    ]),
  );
  const wanted = {
    ...{ ...all.days(4, 2), days: 3, total_days: 0, visitors: 6, visits: 6, pageviews: 6, events: 3 },
    ...{ imports: [], searches: 2, kept_searches: 1, crawler_requests: 3, drops: 5 + 4 + 3 },
  };
  assert.deepEqual(await all.preview(4, 2), { ...wanted, open_days: [] });
  await site.agree('before, also after the preview', QUESTIONS);
  assert.deepEqual(await all.remove(4, 2), wanted);
  await site.agree('after', QUESTIONS);
  assert.deepEqual(await app.held.drops(all.siteId), { bot: 6 + 2 + 1 });
  assert.deepEqual(
    app.db.all('SELECT name FROM search ORDER BY name'),
    ['', 'b'].map((name) => ({ name })),
  );
  const status = (await all.get('stats/days?range=7d')).body.data.days.map(({ date: day }: { date: string }) => day);
  assert.deepEqual(
    status,
    [5, 1, 0].map((back) => date(TODAY - back)),
  );
  await app.engine.upkeep.sweep();
  assert.deepEqual(app.db.all('SELECT * FROM deletion'), []);
  assert.deepEqual(await app.held.crawls(all.siteId), { 'GPTBot /0': 1, 'GPTBot /1': 1, 'GPTBot /5': 1 });
  const again = await all.remove(4, 2);
  assert.deepEqual([again.days, again.searches, again.crawler_requests, again.drops], [0, 0, 0, 0]);
  await site.store([pageview({ day: TODAY, second: 80_000, visitor: 3 })]);
  await site.agree('hits go on', QUESTIONS);
});

test('deletions: only the owner may, also of a preview, and a session confirms who it is', async (t) => {
  const { app, siteId, days } = await stageDays(t);
  const body = days(4, 2);
  const share = await app.share(app.owner, siteId);
  for (const path of ['deletions', 'deletions/preview']) {
    const url = `/sites/${siteId}/${path}`;
    for (const [person, status] of [
      [app.manager, 403],
      [app.viewer, 403],
      [app.stranger, 404],
    ] as const)
      assert.equal((await person.ask('POST', url, body)).status, status, `${path} ${person.email}`);
    assert.equal((await app.ask('POST', `/api/v1${url}`, { body })).status, 401);
    assert.equal((await app.ask('POST', `/api/v1${url}`, { share, body })).status, 404);
    const token = app.tokenOf(app.owner, ['read']);
    assert.equal((await app.ask('POST', `/api/v1${url}`, { token, body })).status, 403);
  }
  const cookie = await app.signIn(app.owner);
  app.clock.pass(600);
  const late = await app.ask('POST', `/api/v1/sites/${siteId}/deletions`, { cookie, body });
  assert.deepEqual([late.status, late.body.error.code], [403, 'reauthentication_required']);
  assert.equal((await app.ask('POST', `/api/v1/sites/${siteId}/deletions/preview`, { cookie, body })).status, 200);
  const { data } = (await app.owner.ask('GET', `/sites/${siteId}/stats/overview?range=30d`)).body;
  assert.equal(data.pageviews, 12, 'nothing went');
});

test('deletions: a right that ends while a deletion or the removal of an import waits is not used', async (t) => {
  const { app, siteId, days, preview } = await stageDays(t);
  const { db, engine } = app;
  const { deleteDays } = engine.upkeep;
  const { add, list, remove } = engine.imports;
  let end = () => {};
  Object.assign(engine.upkeep, {
    deleteDays: (...asked: Parameters<typeof deleteDays>) => {
      end();
      return deleteDays(...asked);
    },
  });
  Object.assign(engine.imports, {
    remove: (...asked: Parameters<typeof remove>) => {
      end();
      return remove(...asked);
    },
  });
  const readSums = (day: number) => ({ day, totals: noTotals(), counts: new Map() });
  const content = { today: TODAY, texts: [''], days: [TODAY - 8], readSums } as unknown as ImportContent;
  const id = await add(siteId, content, { replace: false });
  const url = `/api/v1/sites/${siteId}`;
  for (const [method, path, body] of [
    ['POST', `${url}/deletions`, days(4, 2)],
    ['DELETE', `${url}/imports/${id}`],
  ] as const) {
    const token = app.tokenOf(app.owner, ['write']);
    end = () => void db.run('DELETE FROM token WHERE id = ?', Number(token.split('|')[0]));
    assert.equal((await app.ask(method, path, { token, body })).status, 401, path);
    const cookie = await app.signIn(app.owner);
    end = () => void db.run('DELETE FROM session');
    assert.equal((await app.ask(method, path, { cookie, body })).status, 401, path);
  }
  assert.deepEqual([(await preview(9, 1)).days, (await list(siteId)).length], [6, 1], 'nothing went');
});

test('deletions: days that go on, or wait to be sealed, are refused by name, and nothing of the range goes', async (t) => {
  const all = await stageDays(t);
  const { app, site, days, ask } = all;
  assert.equal(faultOf(await ask(days(4, 0))), 'Must be a day before today (UTC).');
  assert.equal(faultOf(await ask(days(2, 4))), 'Must not be before "from".');
  assert.equal((await ask({ from: '2026-02-30', to: '2026-03-01' })).status, 422);
  assert.equal((await ask({ from: date(TODAY - 3) })).status, 422);
  await site.store([pageview({ day: TODAY - 3, visitor: 50, page: '/late' })]);
  assert.deepEqual((await all.preview(4, 2)).open_days, [date(TODAY - 3)]);
  const refused = await ask(days(4, 2));
  assert.equal(refused.status, 422);
  assert.match(faultOf(refused), new RegExp(`Hits may still come for ${date(TODAY - 3)}`));
  await site.agree('after a refusal', QUESTIONS);
  await app.seal();
  await app.engine.upkeep.sweep();
  assert.deepEqual((await all.preview(4, 2)).open_days, []);
  assert.equal((await all.remove(4, 2)).pageviews, 7);
  await site.agree('after', QUESTIONS);
  // A hit may come even later. It is a new hit of that day.
  await site.store([pageview({ day: TODAY - 3, visitor: 60, page: '/later' })]);
  await site.agree('with a later hit', QUESTIONS);
  await app.seal();
  await site.agree('with a later hit, sealed', QUESTIONS);
});

test('deletions: the journal, the log, receipts and as_of tell of them', async (t) => {
  const all = await stageDays(t);
  const { app, siteId, make, read } = all;
  await make();
  app.clock.pass(86_400);
  await app.seal();
  await make();
  const signed = read().length;
  app.clock.pass(60);
  await all.remove(4, 2);
  assert.deepEqual(
    await make(),
    [4, 3, 2].map((back) => `${date(TODAY - back)} removed`),
  );
  const receipt = read().at(-1);
  assert.deepEqual([receipt?.kind, receipt?.figures, receipt?.sequence], ['none', NOTHING, signed + 3]);
  await countChanges({ db: app.db, queries: app.engine.queries, clock: app.clock });
  const [change] = (await all.get('changes?range=30d')).body.data.changes;
  assert.deepEqual(
    { ...change, id: 0, at: '', by: change.by.email },
    {
      ...{ id: 0, at: '', reason: 'days_removed', name: null, by: 'owner@example.com', ...all.days(4, 2), days: 3 },
      ...{ before: { visitors: 6, visits: 6, pageviews: 6, events: 3 }, after: NOTHING },
    },
  );
  const [entry] = (await app.owner.ask('GET', '/account/log')).body.data;
  const { domain } = all;
  assert.deepEqual(
    [entry.action, entry.noun, entry.name, entry.site, entry.email],
    ['add', 'deletions', `${date(TODAY - 4)} ~ ${date(TODAY - 2)}`, domain, 'owner@example.com'],
  );
  const asOf = await all.get(`stats/overview?range=7d&compare=none&as_of=${date(TODAY)}`);
  assert.match(
    asOf.body.error.fields.as_of,
    new RegExp(`given any more: ${date(TODAY - 4)} to ${date(TODAY - 2)} were deleted`),
  );
  const other = await all.get(
    `stats/overview?range=${date(TODAY - 1)}~${date(TODAY)}&as_of=${date(TODAY)}&compare=none`,
  );
  assert.equal(other.body.data.pageviews, 4, 'of other days the past is known');
  assert.deepEqual((await app.owner.ask('GET', `/sites/${siteId}/imports`)).body.data, []);
});

test('deletions: the entry of the log and the deletion are one transaction', async (t) => {
  const all = await stageDays(t);
  all.app.db.run("CREATE TRIGGER fail BEFORE INSERT ON audit_entry BEGIN SELECT RAISE(ABORT, 'no room'); END");
  assert.equal((await all.ask(all.days(4, 2))).status, 500);
  await all.site.agree('nothing went', QUESTIONS);
  assert.deepEqual(all.app.db.all('SELECT * FROM deletion'), []);
  assert.deepEqual(all.app.db.all("SELECT * FROM change WHERE reason = 'days_removed'"), []);
});

test('deletions: totals-only days, exclusions and parts of imports', async (t) => {
  const all = await stageDays(t);
  const { app, site, siteId } = all;
  const sums = (day: number) => ({
    day,
    totals: { visitors: 3, visits: 4, pageviews: 5, events: 0, bounces: 1, seconds: 60 },
    counts: new Map(),
  });
  const bring = (...backs: number[]) =>
    app.engine.imports.add(
      siteId,
      { today: TODAY, texts: [''], days: backs.map((back) => TODAY - back), readSums: sums as never },
      { replace: false },
    );
  const both = await bring(8, 7);
  const whole = await bring(10);
  await site.exclude(TODAY - 6, TODAY - 4, { 'filters[country]': 'DE' });
  await app.engine.upkeep.remakeSums();
  const found = await all.preview(20, 5);
  assert.deepEqual(found.imports, [
    { id: both, days: 2, whole: true },
    { id: whole, days: 1, whole: true },
  ]);
  assert.deepEqual([found.days, found.total_days, found.visitors], [4, 3, 3 * 3 + 2]);
  assert.deepEqual((await all.remove(10, 8)).imports, [
    { id: both, days: 1, whole: false },
    { id: whole, days: 1, whole: true },
  ]);
  const imports = (await all.get('imports')).body.data;
  assert.deepEqual(
    imports.map(({ id, days, from }: { id: number; days: number; from: string }) => [id, days, from]),
    [[both, 1, date(TODAY - 7)]],
  );
  assert.equal((await all.remove(5, 4)).pageviews, 4);
  const overview = (await all.get('stats/overview?range=30d&compare=none')).body.data;
  const codes = overview.notice_codes.map(({ code }: { code: string }) => code);
  assert.deepEqual([overview.pageviews, codes], [5 + 2 * 4, ['days_deleted']]);
  for await (const { faults } of app.engine.upkeep.recount()) assert.deepEqual(faults, []);
});

test('deletions: deleted days are marked in answers, until they have visits again', async (t) => {
  const all = await stageDays(t);
  const read = async (path: string) => (await all.get(`stats/${path}`)).body.data;
  const incomplete = ({ points }: { points: { date: string; complete?: boolean }[] }) =>
    points.flatMap((point) => (point.complete === false ? [point.date] : []));
  assert.deepEqual(incomplete(await read('timeseries?range=7d')), []);
  await all.remove(4, 3);
  const lost = { code: 'days_deleted', values: { days: [all.days(4, 3)] } };
  const series = await read('timeseries?range=7d');
  assert.deepEqual(incomplete(series), [date(TODAY - 4), date(TODAY - 3)]);
  assert.deepEqual(series.notice_codes, [lost]);
  assert.equal(incomplete(await read('timeseries?range=7d&interval=hour')).length, 48);
  assert.deepEqual(incomplete(await read(`timeseries?range=${date(TODAY - 2)}~${date(TODAY)}`)), []);
  const { complete, previous } = await read(`overview?range=${date(TODAY - 4)}~${date(TODAY - 4)}`);
  assert.deepEqual([complete, previous.complete], [false, undefined]);
  const after = await read(`overview?range=${date(TODAY - 2)}~${date(TODAY - 1)}`);
  assert.deepEqual([after.complete, after.previous.complete, after.notice_codes], [undefined, false, undefined]);
  assert.deepEqual((await read('breakdown/pages?range=7d')).notice_codes, [lost]);
  const explained = await read(`explain?range=${date(TODAY - 2)}~${date(TODAY - 1)}`);
  assert.deepEqual([explained.previous.total, explained.notice_codes], [0, [lost]]);
  const every = (await all.app.owner.ask('GET', '/stats/timeseries?range=7d')).body.data;
  assert.deepEqual(incomplete(every), [date(TODAY - 4), date(TODAY - 3)]);
  assert.deepEqual(every.notice_codes[0].values.site, all.site.known.domain);
  await all.site.store([pageview({ day: TODAY - 4, visitor: 7 })]);
  assert.deepEqual(incomplete(await read('timeseries?range=7d')), [date(TODAY - 3)]);
});

test('deletions: what was left after a kill goes with the next sweep', { skip: ON_CLUSTER }, async (t) => {
  const all = await stageDays(t);
  const { app, site, siteId } = all;
  const { deleteDays } = app.engine.upkeep;
  app.db.run("CREATE TRIGGER fail BEFORE DELETE ON packed_crawl BEGIN SELECT RAISE(ABORT, 'killed'); END");
  await deleteDays(siteId, { from: TODAY - 4, to: TODAY - 1 });
  assert.equal(app.db.all('SELECT * FROM deletion').length, 1);
  app.db.run('DROP TRIGGER fail');
  await app.restart();
  await app.seal();
  assert.deepEqual(app.db.all('SELECT * FROM deletion'), []);
  for (const table of ['packed_crawl', 'drop_day', 'sealed_day'])
    assert.deepEqual(
      app.db.all(`SELECT * FROM ${table} WHERE site_id = ? AND day BETWEEN ? AND ?`, siteId, TODAY - 4, TODAY - 2),
      [],
      table,
    );
  forget(site.known.hits, 4, 2);
  await site.agree('after', QUESTIONS);
});

test('deletions: searches go at once, and one that waits takes none that were imported meanwhile', async (t) => {
  const { app, siteId } = await stageDays(t);
  const figures = { kind: 'query', clicks: 1, impressions: 2, places: 3 } as const;
  const bring = (name: string) =>
    app.db.write(() => addSearches(app.db, siteId, [{ ...figures, name, firstDay: TODAY - 3, lastDay: TODAY - 3 }]));
  const names = () => app.db.all<{ name: string }>('SELECT name FROM search').map(({ name }) => name);
  bring('wrong');
  app.db.run("CREATE TRIGGER fail BEFORE DELETE ON deletion BEGIN SELECT RAISE(ABORT, 'killed'); END");
  await app.engine.upkeep.deleteDays(siteId, { from: TODAY - 4, to: TODAY - 1 });
  assert.deepEqual(names(), []);
  bring('right');
  app.db.run('DROP TRIGGER fail');
  await app.seal();
  await app.engine.upkeep.sweep();
  assert.deepEqual(names(), ['right']);
  assert.deepEqual(app.db.all('SELECT * FROM deletion'), []);
});
