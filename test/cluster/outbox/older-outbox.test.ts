import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openCluster } from '../../../src/cluster/engine.ts';
import { DAY, MINUTE, seconds } from '../../../src/lib/time.ts';
import { changeServerState, listServers } from '../../../src/store/cluster/cluster-servers.ts';
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
