import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addStaged } from '../../../src/catalog/day-states.ts';
import { addImport } from '../../../src/catalog/imports.ts';
import { listStates } from '../../../src/catalog/sealed-days.ts';
import { showImport } from '../../../src/catalog/show-import.ts';
import { connect } from '../../../src/cluster/servers/connect.ts';
import { sweep } from '../../../src/cluster/upkeep/sweep.ts';
import type { ImportContent } from '../../../src/engine/import-content.ts';
import { forgetRemovedSites } from '../../../src/jobs/jobs.ts';
import { DAY, seconds } from '../../../src/lib/time.ts';
import { noTotals } from '../../../src/stats/aggregates.ts';
import { removeSite } from '../../../src/store/sites/sites.ts';
import { appendTo, pageview, TODAY } from '../../collect/stage.ts';
import { rowsOf } from '../../ledger/rows.ts';
import { startApp } from '../../support/helpers.ts';
import { ownServers, stageGates } from '../asking.ts';

const heartbeat = (visitor: number) => pageview({ visitor, engaged: 5 });

const today: ImportContent = {
  today: TODAY,
  texts: ['', '/imported'],
  days: [TODAY],
  readRows: () => rowsOf(3, { page: 1 }),
};

test('sealing: a day with nothing but heartbeats leaves no visitor codes, and a later hit of it counts', async (t) => {
  const app = await startApp(t);
  const { engine, db, siteId, clock } = app;
  const { sum } = ownServers(app);
  const count = () => sum('SELECT count() FROM activity');
  await appendTo(engine, [heartbeat(1), heartbeat(2)]);
  clock.pass(DAY);
  assert.equal(await app.seal(), 0);
  assert.equal(await count(), 4);
  clock.pass(61);
  await engine.upkeep.sweep();
  assert.equal(await count(), 0);
  await engine.upkeep.sweep();
  assert.equal(db.one<{ n: number }>('SELECT count(*) AS n FROM sealed_day')?.n, 0);
  await appendTo(engine, [pageview()]);
  assert.equal(await app.seal(), 1);
  assert.deepEqual(
    listStates(db, siteId, TODAY, TODAY + 1).map(({ day }) => day),
    [TODAY],
  );
});

test('sealing: a day with nothing but the hits of an import that was removed leaves no rows', async (t) => {
  const app = await startApp(t);
  const { engine, siteId, clock } = app;
  const { sum } = ownServers(app);
  const id = await engine.imports.add(siteId, today, { replace: false });
  await engine.imports.remove(siteId, id);
  assert.equal(await sum('SELECT count() FROM activity'), 6);
  clock.pass(DAY);
  assert.equal(await app.seal(), 0);
  assert.equal(await sum('SELECT count() FROM activity'), 0);
});

test('import: one that ends while a sweep deletes what was staged for too long is not shown', async (t) => {
  const app = await startApp(t);
  const { db, siteId, clock } = app;
  const { nodes } = await connect(app.config.engine ?? '', db, clock);
  t.after(nodes.close);
  const importId = addImport(db, siteId, { now: seconds(clock), today: TODAY });
  const day = { siteId, day: TODAY - 1, slice: 0, importId, hasHits: true, totals: noTotals(), now: seconds(clock) };
  addStaged(db, day);
  clock.pass(DAY + 1);
  const showing = { replace: false, listTaken: () => [], listOpen: () => [], findNewestRow: () => 0 };
  const show = () => showImport(db, { siteId, importId, staged: 1, openDay: null, now: seconds(clock) }, showing);
  const ended: string[] = [];
  const removeOnEach: typeof nodes.removeOnEach = async (...words) => {
    try {
      show();
      ended.push('shown');
    } catch (error) {
      ended.push((error as Error).message);
    }
    await nodes.removeOnEach(...words);
  };
  await sweep({
    db,
    nodes: { ...nodes, removeOnEach },
    clock,
    retention: { removeHidden: async () => {} },
    outbox: db,
  });
  assert.match(ended[0] ?? '', /the import took too long. Nothing was imported/);
});

test('deletions: right after sealing, rows of a deleted day do not count, and later nothing of it is on any server', async (t) => {
  const app = await startApp(t);
  const { db, engine, siteId, clock, owner } = app;
  const { run, sum } = ownServers(app);
  const count = () =>
    sum(
      `SELECT ${['activity', 'visit', 'tally', 'crawled', 'dropped'].map((table) => `(SELECT count() FROM ${table})`).join(' + ')}`,
    );
  const crawl = { siteId, day: TODAY, crawler: 'gptbot', page: '/' };
  await appendTo(engine, [pageview({ siteId }), pageview({ siteId, visitor: 2 })], [crawl]);
  engine.intake.countDrop({ siteId, day: TODAY, reason: 'bot', hits: 1 });
  await appendTo(engine, []);
  clock.pass(DAY);
  assert.equal(await app.seal(), 1);
  const day = { from: TODAY, to: TODAY + 1 };
  // A server that does not answer makes the rest wait for the sweep.
  db.run("CREATE TRIGGER fail BEFORE DELETE ON deletion BEGIN SELECT RAISE(ABORT, 'no answer'); END");
  await engine.upkeep.deleteDays(siteId, day);
  assert.deepEqual(await engine.queries.listVisitedDays(siteId, day), []);
  assert.equal((await owner.ask('GET', `/sites/${siteId}/stats/overview?range=7d`)).body.data.pageviews, 0);
  assert.ok((await count()) > 0);
  db.run('DROP TRIGGER fail');
  clock.pass(61);
  await engine.upkeep.sweep();
  await engine.upkeep.sweep();
  assert.equal(await count(), 0);
  assert.deepEqual(db.all('SELECT * FROM deletion'), []);
  assert.deepEqual(db.all('SELECT * FROM sealed_day'), []);
  await run(`INSERT INTO dropped (site, day, reason, seq, hits) VALUES (${siteId}, ${TODAY}, 'bot', 1, 1)`);
  await engine.upkeep.sweep();
  assert.ok((await count()) > 0, 'what comes later stays');
});

test('deletions: the same days again need no statement that deletes, on any server', async (t) => {
  const { engine, siteId, clock, watch, seal } = await stageGates(t);
  const crawls = [{ siteId, day: TODAY, crawler: 'gptbot', page: '/' }];
  await appendTo(engine, [], crawls);
  clock.pass(DAY);
  await seal();
  let deletions = 0;
  watch((sql, when) => {
    if (when === 'before' && sql.startsWith('ALTER TABLE')) deletions++;
    return false;
  });
  const range = { from: TODAY, to: TODAY + 1 };
  await engine.upkeep.deleteDays(siteId, range);
  assert.ok(deletions > 0);
  deletions = 0;
  for (let times = 0; times < 3; times++) await engine.upkeep.deleteDays(siteId, range);
  assert.equal(deletions, 0);
});

test('night: rows that came from a collector after their site was deleted go, from every table', async (t) => {
  const app = await startApp(t);
  const { db, engine, siteId } = app;
  const { run, sum } = ownServers(app);
  db.write(() => removeSite(db, siteId));
  await forgetRemovedSites(db, engine.upkeep);
  await run(
    `INSERT INTO crawled (site, day, crawler, page, seq, requests) VALUES (${siteId}, ${TODAY}, 'gptbot', '/', 1, 1)`,
  );
  await run(
    `INSERT INTO dropped (site, day, reason, seq, hits) VALUES (${siteId}, ${TODAY}, 'bot', 1, 1), (999, 1, '', 1, 1)`,
  );
  await app.seal();
  assert.equal(await sum('SELECT (SELECT count() FROM crawled) + (SELECT count() FROM dropped WHERE site <> 999)'), 0);
  assert.equal(await sum('SELECT count() FROM dropped'), 4);
});

test('night: rows of an ended import go, also if only one replica has them', async (t) => {
  const app = await startApp(t);
  const { siteId } = app;
  const { hosts, askAt, sum } = ownServers(app);
  const row = `(site, day, import, second, seq, visitor) VALUES (${siteId}, ${TODAY - 3}, 77, 1, 1, 5)`;
  for (const host of hosts) {
    await askAt(host, `INSERT INTO brought ${row}`);
    await app.seal();
    assert.equal(await sum('SELECT count() FROM brought'), 0, host);
  }
});
