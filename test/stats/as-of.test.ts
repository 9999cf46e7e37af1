import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAsOf } from '../../src/api/as-of.ts';
import { forgetRemovedSites } from '../../src/jobs/jobs.ts';
import type { Problem } from '../../src/lib/errors.ts';
import { findSiteForViewer } from '../../src/store/sites/sites.ts';
import { TODAY } from '../collect/stage.ts';
import { ON_CLUSTER } from '../support/helpers.ts';
import { rowsOf, stage } from './as-of-stage.ts';
import { date, SECONDS } from './days.ts';

test('as_of: an exclusion, a late hit, an import and a goal count from the moment when they came', async (t) => {
  const all = await stage(t);
  const { app, ask, path } = all;
  const goal = await all.add('goals', { type: 'page', value: '/a' });
  await all.store([1, 2, 3].map((visitor) => ({ visitor, country: visitor === 1 ? 'DE' : 'US', page: '/a' })));
  await all.night();
  all.toEnd();
  await all.night();
  const first = await ask('stats/overview?range=7d', date(TODAY));
  const exclusion = await all.exclude('DE', TODAY, null);
  await all.store([{ day: TODAY, visitor: 4, page: '/b' }]);
  await all.bring(TODAY - 3, 5, false);
  await app.owner.ask('PATCH', `${path}/goals/${goal}`, { type: 'page', value: '/b' });
  await app.owner.ask('PATCH', path, { main_goal_id: goal });
  all.toEnd();
  const second = await ask('stats/overview?range=7d');
  const reached = await ask('stats/goals?range=7d');
  await all.night();
  await app.owner.ask('DELETE', `${path}/exclusions/${exclusion}`);
  await app.owner.ask('DELETE', `${path}/goals/${goal}`);
  all.toEnd();
  await all.night();
  assert.equal((await ask('stats/overview?range=7d', date(TODAY))).text, first.text);
  assert.equal(first.body.data.visitors, 3);
  const day = date(TODAY + 1);
  assert.equal((await ask('stats/overview?range=7d', day)).text, second.text);
  assert.equal(second.body.data.visitors, 2 + 1 + 5);
  assert.equal((await ask('stats/goals?range=7d', day)).text, reached.text);
  assert.deepEqual(
    reached.body.data.goals.map(({ value, visitors }: Record<string, unknown>) => [value, visitors]),
    [['/b', 1]],
  );
  const rows = await ask('stats/breakdown/countries?range=7d&metrics=conversions', day);
  assert.equal(rows.status, 200, 'the main goal of then');
  assert.equal((await ask('stats/breakdown/countries?range=7d&metrics=conversions', date(TODAY))).status, 422);
});

test('as_of: a hit that arrives after its day does not count, although the day is not over in UTC', async (t) => {
  const all = await stage(t);
  const changed = await all.app.owner.ask('PATCH', all.path, { time_zone: 'Europe/Berlin' });
  assert.equal(changed.status, 200, changed.text);
  // 00:30 in Berlin.
  all.toEnd();
  all.app.clock.pass(-1_799);
  await all.store([{ day: TODAY, visitor: 1 }]);
  for (const night of [async () => {}, all.night]) {
    await night();
    const { body, text } = await all.ask('stats/overview?range=7d', date(TODAY));
    assert.equal(body.data?.visitors, 0, text);
    assert.equal((await all.ask('stats/overview?range=7d')).body.data.visitors, 1);
  }
});

test('as_of: days that an import replaced or took with it are refused by name and reason, and others are not', async (t) => {
  const all = await stage(t);
  const { ask, app } = all;
  await all.store([{ day: TODAY, visitor: 1 }]);
  all.toEnd();
  await all.night();
  const brought = await all.bring(TODAY - 1, 2, false);
  all.toEnd();
  await all.night();
  await all.bring(TODAY, 3, true);
  await app.engine.imports.remove(all.siteId, brought);
  const asked = async (asOf: number, range = '7d') => {
    const { status, body } = await ask(`stats/overview?range=${range}&compare=none`, date(asOf));
    return status === 200 ? body.data.visitors : body.error.fields.as_of;
  };
  const before = 'The answer of that day cannot be given any more: ';
  assert.equal(await asked(TODAY), `${before}an import has replaced 2026-03-10.`);
  assert.equal(
    await asked(TODAY + 1),
    `${before}the import of 2026-03-09 was removed; an import has replaced 2026-03-10.`,
  );
  assert.equal(await asked(TODAY, `${date(TODAY - 2)}~${date(TODAY - 1)}`), 0, 'the import came later');
  all.toEnd();
  await all.night();
  assert.equal(await asked(TODAY + 2), 3);
  for (const table of ['sealed_day', 'import', 'sealed_blob', 'hit']) {
    assert.ok((app.db.one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0) < 40, 'nothing lives on');
  }
});

test('as_of: a past day that an import replaced before it was sealed is refused too', async (t) => {
  const all = await stage(t);
  await all.store([1, 2].map((visitor) => ({ visitor })));
  all.toEnd();
  const given = await all.ask('stats/overview?range=7d');
  assert.equal(given.body.data.visitors, 2);
  // The day is over, and is not sealed yet.
  all.app.clock.pass(62);
  assert.equal((await all.ask('stats/overview?range=7d', date(TODAY))).text, given.text);
  await all.bring(TODAY, 3, true);
  for (const night of [async () => {}, all.night]) {
    await night();
    const { status, body } = await all.ask('stats/overview?range=7d', date(TODAY));
    assert.equal(status, 422);
    assert.match(body.error.fields.as_of, /an import has replaced 2026-03-10/);
  }
});

test('as_of: a past day whose imported hits were removed before it was sealed is refused too', async (t) => {
  const all = await stage(t);
  await all.store([11, 12].map((visitor) => ({ visitor })));
  const id = await all.bring(TODAY, 3, false);
  all.toEnd();
  const given = await all.ask('stats/overview?range=7d');
  assert.equal(given.body.data.visitors, 5);
  // The day is over, and is not sealed yet.
  all.app.clock.pass(62);
  assert.equal((await all.ask('stats/overview?range=7d', date(TODAY))).text, given.text);
  await all.app.engine.imports.remove(all.siteId, id);
  for (const night of [async () => {}, all.night]) {
    await night();
    const { status, body, text } = await all.ask('stats/overview?range=7d', date(TODAY));
    assert.equal(status, 422, text);
    assert.match(body.error.fields.as_of, /the import of 2026-03-10 was removed/);
  }
});

for (const replace of [true, false])
  test(`as_of: a past day that an import of this day changed after midnight is refused, replace ${replace}`, async (t) => {
    const all = await stage(t);
    await all.store([11, 12].map((visitor) => ({ visitor })));
    all.toEnd();
    // The import began before midnight, and ends before the day is sealed.
    all.app.clock.pass(62);
    const content = { today: TODAY, texts: ['', '/i'], days: [TODAY], readRows: () => rowsOf(3) };
    await all.app.engine.imports.add(all.siteId, content, { replace });
    for (const night of [async () => {}, all.night]) {
      await night();
      const { status, body, text } = await all.ask('stats/overview?range=7d', date(TODAY));
      assert.equal(status, 422, text);
      assert.match(body.error.fields.as_of, /an import has replaced 2026-03-10/);
    }
  });

test('as_of: a deleted day is named as deleted, even if it got late hits afterwards', async (t) => {
  const all = await stage(t);
  await all.store([1, 2].map((visitor) => ({ visitor })));
  all.toEnd();
  await all.night();
  const day = date(TODAY);
  const answer = await all.app.owner.ask('POST', `${all.path}/deletions`, { from: day, to: day });
  assert.equal(answer.status, 200, answer.text);
  all.toEnd();
  const given = await all.ask('stats/overview?range=7d');
  assert.equal(given.body.data.notice_codes[0].code, 'days_deleted');
  await all.night();
  await all.store([{ day: TODAY, visitor: 3 }]);
  for (const night of [async () => {}, all.night]) {
    await night();
    assert.equal((await all.ask('stats/overview?range=7d')).body.data.visitors, 1);
    assert.equal((await all.ask('stats/overview?range=7d', date(TODAY + 1))).text, given.text);
  }
});

test('as_of: a day that is deleted while it is counted is refused, and not shown as 0', async (t) => {
  const all = await stage(t);
  const { db, owner, engine, clock } = all.app;
  await all.store([1, 2].map((visitor) => ({ visitor })));
  all.toEnd();
  await all.night();
  const { queries } = engine;
  const busy: typeof queries = {
    ...queries,
    asOf(...past) {
      const then = queries.asOf(...past);
      return {
        ...then,
        async measure(...asked) {
          const day = date(TODAY);
          const { status } = await owner.ask('POST', `${all.path}/deletions`, { from: day, to: day });
          assert.equal(status, 200);
          return then.measure(...asked);
        },
      };
    },
  };
  const site = findSiteForViewer(db, all.siteId);
  assert.ok(site);
  const query = { report: 'overview', siteId: all.siteId, range: { from: TODAY, to: TODAY + 1 }, filters: {} } as const;
  const asked = readAsOf({ db, queries: busy, site, now: clock.now() / 1000 }, date(TODAY), ({ ask }) => ask(query));
  await assert.rejects(asked, (error: Problem) => 'as_of' in (error.fields ?? {}));
});

test('as_of: a report that sums can answer is given after the retention, and one that needs hits is refused', async (t) => {
  const all = await stage(t);
  const { ask, app } = all;
  await all.store([1, 2].map((visitor) => ({ visitor, country: 'DE', page: '/a' })));
  all.toEnd();
  const [whole, filtered] = ['stats/breakdown/pages?range=7d', 'stats/overview?range=7d&filters[country]=DE'];
  const given = await ask(whole);
  await all.night();
  app.db.run('UPDATE site SET keep_days = 1 WHERE id = ?', all.siteId);
  app.clock.pass(2 * SECONDS);
  await app.seal();
  assert.equal((await ask(whole, date(TODAY))).text, given.text);
  const { status, body } = await ask(filtered, date(TODAY));
  assert.equal(status, 422);
  assert.match(body.error.fields.as_of, /the hits of 2026-03-10 were deleted after their retention/);
  assert.equal((await ask(filtered, date(TODAY + 1))).status, 422);
});

test('as_of: today, a day before the site and what is no day are refused, and so is a share link', async (t) => {
  const { app, ask, path, siteId } = await stage(t);
  const fault = async (asOf: string) => (await ask('stats/overview?range=7d', asOf)).body.error?.fields?.as_of;
  assert.equal(await fault(date(TODAY)), 'Must be a day before today (UTC).');
  app.clock.pass(SECONDS);
  assert.equal(await fault(date(TODAY)), undefined);
  assert.equal(await fault(date(TODAY - 1)), 'Must be 2026-03-10 or later, because the site was added on that day.');
  assert.match(await fault('yesterday'), /2026/);
  const share = await app.share(app.owner, siteId);
  const shared = await app.ask('GET', `/api/v1${path}/stats/overview?as_of=${date(TODAY)}`, { share });
  assert.equal(shared.status, 403);
  const other = await app.stranger.ask('GET', `${path}/stats/overview?as_of=${date(TODAY)}`);
  assert.equal(other.status, 404);
});

test('changes: each says why, by whom, on which days and by how much', async (t) => {
  const all = await stage(t);
  const { app, changes, count, path } = all;
  const day = (back: number) => date(TODAY - back);
  await all.bring(TODAY - 5, 4, false);
  await all.store([1, 2, 3].map((visitor) => ({ visitor, country: visitor === 1 ? 'DE' : 'US' })));
  all.toEnd();
  await all.night();
  const imported = { visitors: 4, visits: 4, pageviews: 4, events: 0 };
  const none = { visitors: 0, visits: 0, pageviews: 0, events: 0 };
  const three = { visitors: 3, visits: 3, pageviews: 3, events: 0 };
  const two = { visitors: 2, visits: 2, pageviews: 2, events: 0 };
  const shown = async () => (await changes()).map(({ id: _, at: __, ...rest }) => rest);
  const first = { reason: 'import_added', name: null, by: null, from: day(5), to: day(5) };
  assert.deepEqual(await shown(), [{ ...first, days: null, before: null, after: null }], 'not counted yet');
  await count();
  assert.deepEqual(await shown(), [{ ...first, days: 1, before: none, after: imported }]);

  const exclusion = await all.exclude('DE', TODAY - 9, null);
  app.clock.pass(5);
  await all.store([{ day: TODAY, visitor: 9, page: '/late' }]);
  await count();
  // A cluster notes late hits when they are sealed.
  if (!ON_CLUSTER) {
    assert.equal((await shown())[0]?.reason, 'late_hits');
    assert.equal((await shown())[0]?.days, null, 'the day is not sealed again yet');
  }
  all.toEnd();
  await all.night();
  await app.manager.ask('DELETE', `${path}/exclusions/${exclusion}`);
  await count();
  const [removed, late, added] = await shown();
  assert.ok(removed && late && added);
  const ofOwner = { way: 'token', email: 'owner@example.com', token: (added.by as { token: string }).token };
  assert.deepEqual(added, {
    ...{ reason: 'exclusion_added', name: null, by: ofOwner, from: day(9), to: day(0) },
    ...{ days: 1, before: three, after: two },
  });
  assert.deepEqual(late, {
    ...{ reason: 'late_hits', name: null, by: null, from: day(0), to: day(0) },
    ...{ days: 1, before: two, after: three },
  });
  assert.equal((removed.by as { email: string }).email, 'manager@example.com');
  const four = { visitors: 4, visits: 4, pageviews: 4, events: 0 };
  assert.deepEqual([removed.reason, removed.before, removed.after], ['exclusion_removed', three, four]);

  const [brought] = await app.engine.imports.list(all.siteId);
  await app.engine.imports.remove(all.siteId, brought?.id ?? 0);
  await count();
  const [gone] = await shown();
  assert.deepEqual([gone?.reason, gone?.days, gone?.before, gone?.after], ['import_removed', 1, imported, none]);
  const { body } = await app.viewer.ask('GET', `${path}/changes?range=${day(5)}~${day(5)}&after=1`);
  assert.deepEqual(
    body.data.changes.map(({ reason, days }: { reason: string; days: number }) => [reason, days]),
    [
      ['import_removed', 1],
      ['exclusion_removed', 0],
      ['exclusion_added', 0],
    ],
  );
});

test('changes: a name goes with its entry in the log, and all of them go with the site', async (t) => {
  const all = await stage(t);
  const { app, changes, path } = all;
  await all.store([{ visitor: 1 }]);
  all.toEnd();
  await all.night();
  await all.exclude('DE', TODAY, TODAY);
  assert.ok((await changes())[0]?.by);
  app.db.run('DELETE FROM audit_entry');
  assert.equal((await changes())[0]?.by, null);
  await all.add('goals', { type: 'page', value: '/a' });
  app.db.run("INSERT INTO change_day (change_id, day, before, after) SELECT id, 1, '{}', '{}' FROM change");
  assert.equal((await app.owner.ask('DELETE', path)).status, 204);
  // Many days of the journal would hold up hits, so the job deletes them in steps.
  assert.notDeepEqual(app.db.all('SELECT * FROM change_day'), []);
  await forgetRemovedSites(app.db, app.engine.upkeep);
  for (const table of ['change', 'change_day', 'lost_day', 'former_goal', 'former_exclusion', 'former_setting'])
    assert.deepEqual(app.db.all(`SELECT * FROM ${table}`), [], `${table} of ${path}`);
});

test('as_of: of many requests, only some have the file open at a time', async (t) => {
  const { app, path } = await stage(t);
  app.clock.pass(SECONDS);
  const { queries } = app.engine;
  const { asOf } = queries;
  let [running, most] = [0, 0];
  const counted: typeof asOf = (past, moment) => {
    const own = asOf(past, moment);
    const measure: typeof own.measure = async (...asked) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      return await own.measure(...asked);
    };
    return { ...own, measure };
  };
  Object.assign(queries, { asOf: counted });
  const ask = () => app.viewer.ask('GET', `${path}/stats/overview?range=7d&as_of=${date(TODAY)}`);
  const answers = await Promise.all(Array.from({ length: 60 }, ask));
  assert.ok(answers.every(({ status }) => status === 200));
  assert.equal(most, 16);
});
