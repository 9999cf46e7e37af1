import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openCluster } from '../../../src/cluster/engine.ts';
import { DAY, MINUTE, seconds } from '../../../src/lib/time.ts';
import { changeServerState, listServers } from '../../../src/store/cluster/cluster-servers.ts';
import { addCollector, changeStatus } from '../../../src/store/cluster/collectors.ts';
import { addDivision, decideDivision } from '../../../src/store/cluster/divisions.ts';
import { findUpkeep } from '../../../src/store/server/upkeep.ts';
import { appendTo, pageview, TODAY } from '../../collect/stage.ts';
import { folder, startApp } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { stageGates } from '../asking.ts';

/** Copies a file that is open, as a snapshot of a machine does. */
function snapshot(path: string, copy: string): number {
  const file = new Database(path, { readonly: true });
  file.prepare('VACUUM INTO ?').run(copy);
  file.close();
  const copied = new Database(copy);
  const waiting = copied.prepare('SELECT count(*) FROM piece').pluck().get() as number;
  copied.close();
  return waiting;
}

test('what waits in an outbox from before the night counts once, though its day was sealed since', async (t) => {
  const { config, db, clock, siteId } = await startApp(t);
  const [outbox, older] = ['outbox', 'older'].map((name) => join(folder(t), name)) as [string, string];
  const text = config.engine?.replace('&ack=reachable', '') ?? '';
  const open = (path: string) => openCluster(text, { db, outbox: path, clock, log: () => {} });
  const first = await open(outbox);
  await appendTo(first, [pageview({ siteId })]);
  assert.equal(snapshot(outbox, older), 1);
  clock.pass(DAY);
  await until('its day is sealed', async () => (await first.upkeep.seal()).days === 1);
  clock.pass(2 * MINUTE);
  await first.upkeep.sweep();
  await first.close();
  const second = await open(older);
  const countVisits = async (from: number) => {
    const range = { from, to: TODAY + 2 };
    return (await second.queries.measure({ report: 'overview', siteId, range, filters: {} })).totals[0]?.visits;
  };
  await appendTo(second, [pageview({ siteId, day: TODAY + 1 })]);
  await until('the next hit counts', async () => (await countVisits(TODAY + 1)) === 1);
  const visits = await countVisits(TODAY);
  await second.close();
  assert.equal(visits, 2);
});

test('rows of a shard that has no complete server since the night began are not taken for sent', async (t) => {
  const app = await stageGates(t);
  const { db, clock } = app;
  const before = findUpkeep(db, 'sealed')?.words;
  assert.ok(before);
  clock.pass(DAY);
  app.watch((sql, when) => {
    const isFirst = when === 'after' && sql.startsWith('SELECT site AS siteId, day, count() AS rows FROM activity');
    for (const { url, shard } of isFirst ? listServers(db) : [])
      if (shard === 0)
        db.write(() => changeServerState(db, url, { state: 'lacking', reason: 'restored', now: seconds(clock) }));
    return false;
  });
  await assert.rejects(app.seal());
  app.watch(undefined);
  assert.equal(findUpkeep(db, 'sealed')?.words, before);
});

test('hits that are held in an older outbox count once, though they were sent since', async (t) => {
  const { config, db, clock, siteId } = await startApp(t);
  const [outbox, older] = ['outbox', 'older'].map((name) => join(folder(t), name)) as [string, string];
  const text = config.engine?.replace('&ack=reachable', '') ?? '';
  const open = (path: string) => openCluster(text, { db, outbox: path, clock, log: () => {} });
  // A collector that promises nothing keeps the division undecided.
  const status = { version: '1', run: 'a', now: 0, next: 0, until: 0, servers: [], cuts: [], parcelAt: null, bytes: 0 };
  db.write(() => {
    addCollector(db, { name: 'away', hash: Buffer.alloc(32), now: 0 });
    changeStatus(db, 1, { status: { ...status, behind: [], visitors: null, closed: null }, outbox: 'box', now: 0 });
    addDivision(db, { day: TODAY, shards: 0 }, 2);
  });
  const first = await open(outbox);
  await appendTo(
    first,
    [0, 1, 2].map((visitor) => pageview({ siteId, visitor })),
  );
  assert.equal(snapshot(outbox, older), 1);
  // So the first outbox sends other parcels.
  await appendTo(first, [pageview({ siteId, visitor: 3 })]);
  db.write(() => decideDivision(db, { day: TODAY, shards: 1 }));
  const range = { from: TODAY, to: TODAY + 1 };
  const countVisits = async (engine: typeof first) =>
    (await engine.queries.measure({ report: 'overview', siteId, range, filters: {} })).totals[0]?.visits;
  await until('the held hits count', async () => (await countVisits(first)) === 4);
  await first.close();
  const second = await open(older);
  await appendTo(second, [pageview({ siteId, visitor: 4 })]);
  await until('the next hit counts', async () => ((await countVisits(second)) ?? 0) >= 5);
  const rows = await second.queries.measure({ report: 'overview', siteId, range, filters: {} });
  await second.close();
  assert.equal(rows.totals[0]?.pageviews, 5);
});
