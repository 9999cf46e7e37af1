import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countChanges } from '../../src/jobs/changes.ts';
import { listDueChanges } from '../../src/store/sites/changes.ts';
import { pageview, TODAY } from '../collect/stage.ts';
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
