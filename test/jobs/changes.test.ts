import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countChanges } from '../../src/jobs/changes.ts';
import { listChanges, listDueChanges, sumChangedDays } from '../../src/store/sites/changes.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { openSite } from '../stats/stage.ts';
import { startApp } from '../support/helpers.ts';

test('changes: a site with many of them does not delay the changes of other sites, or later jobs', async (t) => {
  const app = await startApp(t);
  const { db, clock } = app;
  const [one, other] = [await openSite(app), await openSite(app)];
  for (const { store } of [one, other]) await store([pageview({ day: TODAY - 1, country: 'DE' })]);
  await app.seal();
  const { queries } = app.engine;
  await countChanges({ db, queries, clock });
  for (const site of [one, one, one, one, other]) await site.exclude(TODAY - 1, null, { 'filters[country]': 'DE' });
  // Each count of days takes ten seconds, so each change takes twenty.
  const slow = {
    asOf(...asked: Parameters<typeof queries.asOf>) {
      clock.pass(10);
      return queries.asOf(...asked);
    },
  };
  const run = () => countChanges({ db, queries: slow, clock }, { longestMs: 60_000 });
  const listWaiting = () => listDueChanges(db).map(({ siteId }) => siteId);
  const [busy, small] = [one.known.siteId, other.known.siteId];
  assert.deepEqual(listWaiting(), [busy, busy, busy, busy, small]);
  await run();
  assert.deepEqual(listWaiting(), [busy, busy]);
  await run();
  assert.deepEqual(listWaiting(), []);
});

test('changes: a change that takes long and fails each time does not keep others from being counted', async (t) => {
  const app = await startApp(t);
  const { db, clock } = app;
  const [one, other] = [await openSite(app), await openSite(app)];
  for (const { store } of [one, other]) await store([pageview({ day: TODAY - 1, country: 'DE' })]);
  await app.seal();
  const { queries } = app.engine;
  await countChanges({ db, queries, clock });
  for (const site of [one, one, other]) await site.exclude(TODAY - 1, null, { 'filters[country]': 'DE' });
  const [failing = 0] = listDueChanges(db).map(({ id }) => id);
  const slow = {
    asOf(...[past, moment]: Parameters<typeof queries.asOf>) {
      clock.pass(60);
      if (moment.lastChange === failing - 1) throw new Error('it took too long');
      return queries.asOf(past, moment);
    },
  };
  const tried = new Map<number, number>();
  const run = () => countChanges({ db, queries: slow, clock }, { longestMs: 60_000, tried }).catch(() => {});
  for (let turn = 0; turn < 3; turn++) await run();
  assert.deepEqual(
    listDueChanges(db).map(({ id }) => id),
    [failing],
  );
});

test('changes: days that are deleted while a change is counted make its figures unknown, and not 0', async (t) => {
  const app = await startApp(t);
  const { db, clock } = app;
  const site = await openSite(app);
  const { siteId } = site.known;
  await site.store([1, 2].map((ago) => pageview({ day: TODAY - ago, country: 'DE' })));
  await app.seal();
  const { queries } = app.engine;
  await countChanges({ db, queries, clock });
  await site.exclude(TODAY - 2, null, { 'filters[country]': 'FR' });
  const [change] = listDueChanges(db);
  const busy = {
    async deleteDay() {
      const day = { from: date(TODAY - 2), to: date(TODAY - 2) };
      const { status } = await app.owner.ask('POST', `/sites/${siteId}/deletions`, day);
      assert.equal(status, 200);
    },
    asOf(...[past, moment]: Parameters<typeof queries.asOf>) {
      const counting = queries.asOf(past, moment);
      return {
        ...counting,
        async measure(...asked: Parameters<typeof counting.measure>) {
          if (moment.lastChange === change?.id) await busy.deleteDay();
          return counting.measure(...asked);
        },
      };
    },
  };
  await countChanges({ db, queries: busy, clock });
  const all = listChanges(db, siteId, { from: 0, to: TODAY, after: 0, limit: 10 });
  const found = all.find(({ id }) => id === change?.id);
  assert.ok(found);
  assert.deepEqual(
    { state: found.state, sums: sumChangedDays(db, found, { from: 0, to: TODAY }) },
    { state: 'unknown', sums: undefined },
  );
});
