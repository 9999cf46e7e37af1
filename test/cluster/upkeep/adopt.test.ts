import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { DaySums } from '../../../src/engine/import-content.ts';
import { forgetRemovedSites } from '../../../src/jobs/jobs.ts';
import { DAY } from '../../../src/lib/time.ts';
import { noTotals } from '../../../src/stats/aggregates.ts';
import type { Range } from '../../../src/stats/query.ts';
import { listKnownServers } from '../../../src/store/cluster/cluster-servers.ts';
import type { Db } from '../../../src/store/db.ts';
import { openStore } from '../../../src/store/file/open-file.ts';
import { hereOn } from '../../cli/here.ts';
import { appendTo, pageview, TODAY } from '../../collect/stage.ts';
import { rowsOf } from '../../ledger/rows.ts';
import { freshFile } from '../../support/fresh-file.ts';
import { folder, startApp, type TestApp } from '../../support/helpers.ts';
import { stageServers } from '../asking.ts';
import { startName } from '../names.ts';
import { CLUSTER, startCluster } from '../servers.ts';

const statesIn = (db: Db): string[] => listKnownServers(db).map(({ state, reason }) => `${state} ${reason}`.trim());

async function countPages({ engine }: Pick<TestApp, 'engine'>, range: Range): Promise<[string, number][]> {
  const pages = { report: 'breakdown', breakdown: 'pages', offset: 0, limit: 10 } as const;
  const { rows } = await engine.queries.measure({ ...pages, siteId: 1, range, filters: {} });
  return rows.map(({ value, visitors }) => [value, visitors]);
}

test('after an older copy took a cluster over, days that it does not know are in no answer beside newer ones', async (t) => {
  const app = await stageServers(t);
  const older = app.copy();
  app.clock.pass(DAY);
  await app.seal();
  app.clock.pass(61);
  await app.engine.upkeep.sweep();
  await app.engine.upkeep.checkServers();
  const config = { ...app.config, db: older };
  await hereOn({ config }, 'cluster', 'adopt', '--yes');
  const restored = await app.startFrom(older);
  restored.clock.pass(2 * DAY);
  await appendTo(restored.engine, [pageview({ day: TODAY + 1, page: '/later' })]);
  await restored.engine.upkeep.seal();
  const range = { from: TODAY - 1, to: TODAY + 2 };
  assert.deepEqual(await countPages(restored, range), [
    ['/', 20],
    ['/later', 1],
  ]);
});

test('an adoption leaves out a server that lacked something, and one that was emptied, though the file that knew so is lost', async (t) => {
  const app = await stageServers(t);
  const [first = '', , third = ''] = app.hosts;
  app.db.run(
    "UPDATE cluster_server SET state = 'lacking', reason = 'restored', beat = 0 WHERE url = ?",
    `http://${third}/`,
  );
  await app.engine.upkeep.checkServers();
  await app.askAt(first, `DROP DATABASE ${app.database} SYNC`, 'default');
  const config = { ...app.config, db: join(folder(t), 'new.db') };
  freshFile(config.db);
  await hereOn({ config }, 'cluster', 'adopt', '--yes');
  const file = openStore(config.db);
  t.after(() => file.close());
  assert.deepEqual(statesIn(file.db), ['lacking empty', 'complete', 'lacking missed', 'complete']);
});

test('imported hits of today stay in an adoption, where the file does not know their site', async (t) => {
  const app = await stageServers(t);
  const content = { today: TODAY, texts: ['', '/imported'], days: [TODAY], readRows: () => rowsOf(4) };
  await app.engine.imports.add(app.siteId, content, { replace: false });
  const countRows = () => app.sum('SELECT count() FROM activity WHERE import <> 0');
  const before = await countRows();
  const config = { ...app.config, db: join(folder(t), 'new.db') };
  freshFile(config.db);
  await hereOn({ config }, 'cluster', 'adopt', '--yes');
  const adopter = await app.startFrom(config.db);
  await adopter.engine.upkeep.seal();
  assert.deepEqual([before, await countRows()], [8, 8]);
});

test('an adoption that was cut off can be run again, and still knows which servers are older', async (t) => {
  const app = await stageServers(t);
  const [, , third = ''] = app.hosts;
  app.db.run(
    "UPDATE cluster_server SET state = 'lacking', reason = 'restored', beat = 0 WHERE url = ?",
    `http://${third}/`,
  );
  await app.engine.upkeep.checkServers();
  const config = { ...app.config, db: join(folder(t), 'new.db') };
  freshFile(config.db);
  const file = openStore(config.db);
  t.after(() => file.close());
  file.db.run("CREATE TRIGGER cut BEFORE INSERT ON cluster_server BEGIN SELECT RAISE(ABORT, 'cut off'); END");
  await assert.rejects(hereOn({ config }, 'cluster', 'adopt', '--yes'), /cut off/);
  file.db.run('DROP TRIGGER cut');
  await hereOn({ config }, 'cluster', 'adopt', '--yes');
  assert.deepEqual(statesIn(file.db), ['complete', 'complete', 'lacking missed', 'complete']);
  const marks = await app.run('SELECT uniqExact(installation), max(beat) FROM mark');
  assert.deepEqual(
    marks.map((text) => text.split('\t')[0]),
    ['1', '1', '1', '1'],
  );
});

test('an adoption goes by the marks where an older file knows another server of a shard as the one that lacks something', async (t) => {
  const app = await stageServers(t);
  const [first = '', second = ''] = app.hosts;
  const older = app.copy();
  const file = openStore(older);
  t.after(() => file.close());
  const leave = (db: typeof file.db, host: string) =>
    db.run(
      "UPDATE cluster_server SET state = 'lacking', reason = 'restored', beat = 0 WHERE url = ?",
      `http://${host}/`,
    );
  leave(file.db, second);
  leave(app.db, first);
  await app.engine.upkeep.checkServers();
  await hereOn({ config: { ...app.config, db: older } }, 'cluster', 'adopt', '--yes');
  assert.deepEqual(statesIn(file.db), ['lacking missed', 'complete', 'complete', 'complete']);
});

test('an adoption is refused while a server does not answer, since its mark may be the newest', async (t) => {
  const app = await stageServers(t);
  const [, second = ''] = app.hosts;
  const nowhere = '127.0.0.1:9';
  const config = { ...app.config, db: app.copy(), engine: app.config.engine?.replace(second, nowhere) };
  const file = openStore(config.db);
  t.after(() => file.close());
  file.db.run('UPDATE cluster_server SET url = ? WHERE url = ?', `http://${nowhere}/`, `http://${second}/`);
  await assert.rejects(hereOn({ config }, 'cluster', 'adopt', '--yes'), /127\.0\.0\.1:9\/ does not answer/);
  assert.deepEqual(statesIn(file.db), ['complete', 'complete', 'complete', 'complete']);
});

test('an adoption makes no server without a mark complete', async (t) => {
  const app = await stageServers(t);
  const [first = '', second = ''] = app.hosts;
  const config = { ...app.config, db: app.copy() };
  const file = openStore(config.db);
  t.after(() => file.close());
  for (const host of [first, second]) {
    file.db.run(
      "UPDATE cluster_server SET state = 'lacking', reason = 'empty', beat = 0 WHERE url = ?",
      `http://${host}/`,
    );
    await app.askAt(host, `DROP DATABASE ${app.database} SYNC`, 'default');
  }
  const states = ['lacking empty', 'lacking empty', 'complete', 'complete'];
  await assert.rejects(hereOn({ config }, 'cluster', 'adopt', '--yes'), { code: 'unavailable' });
  assert.deepEqual(statesIn(file.db), states);

  file.db.run("UPDATE cluster_server SET state = 'complete', reason = '' WHERE url = ?", `http://${first}/`);
  await hereOn({ config }, 'cluster', 'adopt', '--yes');
  assert.deepEqual(statesIn(file.db), ['complete', ...states.slice(1)]);
});

test('after a server is accepted that missed that a day was replaced, the replaced day is in no answer', async (t) => {
  const app = await stageServers(t);
  const { db, engine, siteId, clock } = app;
  const [first = '', second = ''] = app.hosts;
  const leave = (host: string) =>
    db.run("UPDATE cluster_server SET state = 'lacking', reason = 'empty', beat = 0 WHERE url = ?", `http://${host}/`);
  for (const back of [4, 3, 2]) await app.come(TODAY - back, 10 * back);
  await app.seal();
  clock.pass(61);
  await engine.upkeep.sweep();
  const readRows = () => rowsOf(4);
  await engine.imports.add(
    siteId,
    { today: TODAY, texts: ['', '/new'], days: [TODAY - 3], readRows },
    { replace: true },
  );
  leave(second);
  await engine.upkeep.sweep();
  leave(first);
  const path = app.copy();
  await hereOn({ config: { ...app.config, db: path } }, 'cluster', 'accept', second);
  const restored = await app.startFrom(path);
  assert.deepEqual(await countPages(restored, { from: TODAY - 4, to: TODAY }), [
    ['/', 80],
    ['/new', 4],
  ]);
});

test('unknown rows of more sealed days than fit into a statement of usual size are deleted', async (t) => {
  const app = await stageServers(t);
  await app.run(`INSERT INTO visit (site, day, slice) SELECT 900 + number % 100, 20000 + intDiv(number, 100), 100000 + number
    FROM numbers(40000)`);
  const config = { ...app.config, db: join(folder(t), 'new.db') };
  freshFile(config.db);
  await hereOn({ config }, 'cluster', 'adopt', '--yes');
  const { printed } = await hereOn({ config }, 'cluster', 'unknown');
  const count = /^(\d+) rows in all/.exec(printed.at(-1) ?? '')?.[1] ?? '';
  assert.ok(Number(count) > 40_000, printed.join('\n'));
  await hereOn({ config }, 'cluster', 'unknown', '--delete', count);
  assert.equal(await app.sum('SELECT count() FROM visit'), 0);
});

test('an older copy that has a site which was deleted since is refused, and taken over its deleted days count no more', async (t) => {
  const app = await stageServers(t);
  const older = app.copy();
  await app.startFrom(older);
  await app.restart();
  assert.equal((await app.owner.ask('DELETE', `/sites/${app.siteId}`)).status, 204);
  await forgetRemovedSites(app.db, app.engine.upkeep);
  await app.engine.upkeep.checkServers();
  await assert.rejects(app.startFrom(older), /lacks 1 sealed day of this daybook\.db\. The file is an old backup/);
  const { printed } = await hereOn({ config: { ...app.config, db: older } }, 'cluster', 'adopt', '--yes');
  assert.equal(printed[0], 'sealed days of example.com that were deleted: 1. They no longer count');
  const { engine } = await app.startFrom(older);
  const range = { from: TODAY - 1, to: TODAY + 1 };
  const { totals } = await engine.queries.measure({ report: 'overview', siteId: 1, range, filters: {} });
  assert.deepEqual([totals[0]?.visitors, await countPages({ engine }, range)], [0, []]);
});

test('an older copy that has an import of daily totals which was removed since is refused, and one that was not is not', async (t) => {
  const app = await stageServers(t);
  const totals = { ...noTotals(), visitors: 7, visits: 8, pageviews: 9 };
  const add = (day: number, counts: DaySums['counts']) =>
    app.engine.imports.add(
      app.siteId,
      { today: TODAY, texts: ['', '/x'], days: [day], readSums: () => ({ day, totals, counts }) },
      { replace: false },
    );
  await add(TODAY - 8, new Map());
  const pages = [{ event: '', value: '/x', visitors: 7, hits: 9 }];
  const id = await add(TODAY - 9, new Map([['pages', pages]]));
  const older = app.copy();
  await app.engine.upkeep.checkServers();
  await app.startFrom(older);
  await app.restart();
  await app.engine.imports.remove(app.siteId, id);
  for (let i = 0; i < 2; i++) {
    app.clock.pass(61);
    await app.engine.upkeep.sweep();
  }
  await app.engine.upkeep.checkServers();
  await assert.rejects(app.startFrom(older), /lacks 1 sealed day of this daybook\.db/);
});

test('an adoption is refused while the names of two replicas are swapped', async (t) => {
  const servers = await startCluster(folder(t), 1, 2);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const names = await Promise.all(servers.map((server) => startName(t, server)));
  const engine = `clickhouse://${names.map(({ name }) => name).join()}/own?cluster=${CLUSTER}&ack=reachable`;
  const app = await startApp(t, { engine });
  await appendTo(app.engine, [pageview({ siteId: app.siteId, day: TODAY })]);
  await app.engine.upkeep.checkServers();
  const db = join(folder(t), 'copy.db');
  app.db.run('VACUUM INTO ?', db);
  for (const [i, { lead }] of names.entries()) lead(servers[1 - i]);
  const adopt = () => hereOn({ config: { ...app.config, db, engine } }, 'cluster', 'adopt', '--yes');
  await assert.rejects(adopt(), /leads to replica 2 of shard 1, and should lead to replica 1 of shard 1/);
  for (const [i, { lead }] of names.entries()) lead(servers[i]);
  await adopt();
});
