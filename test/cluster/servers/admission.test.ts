import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { forgetRemovedSites } from '../../../src/jobs/jobs.ts';
import { DAY } from '../../../src/lib/time.ts';
import { appendTo, pageview, TODAY } from '../../collect/stage.ts';
import { emptyApp, folder, startApp, type TestApp } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { CLUSTER, hostsOf, rowsOn, startCluster } from '../servers.ts';

const come = ({ engine }: TestApp, siteId: number, day: number, count: number) =>
  appendTo(
    engine,
    Array.from({ length: count }, (_, visitor) => pageview({ siteId, day, visitor })),
  );

/** Two shards without replicas, and an application with twelve visitors of a day. */
async function stage(t: TestContext) {
  const servers = await startCluster(folder(t), 2, 1);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const engine = `clickhouse://${hostsOf(servers)}/own?cluster=${CLUSTER}`;
  const app = await startApp(t, { engine });
  await come(app, app.siteId, TODAY, 12);
  return Object.assign(app, {
    copy() {
      const path = join(folder(t), 'copy.db');
      app.db.run('VACUUM INTO ?', path);
      return path;
    },
    /** Seals the day and deletes its rows. */
    async sealAll() {
      app.clock.pass(DAY);
      await until('it is sealed', async () => (await app.engine.upkeep.seal()).days > 0);
      app.clock.pass(61);
      await app.engine.upkeep.sweep();
      await app.engine.upkeep.checkServers();
    },
    /** Starts another application with a copy of the file, before the ClickHouse servers. */
    async startBeforeServers(from: string) {
      for (const { kill } of servers) await kill();
      const other = await emptyApp(t, { engine }, { from });
      for (const { start } of servers) await start();
      return other;
    },
    countRows: async () =>
      (
        await Promise.all(
          servers.map((server) => rowsOn<{ n: number }>(server, 'own', 'SELECT count() AS n FROM activity')),
        )
      )
        .flat()
        .reduce((sum, { n }) => sum + n, 0),
  });
}

/** The visitors of a day, or why there is no answer. */
const readVisitors = ({ engine }: TestApp, siteId: number, day: number): Promise<number | string> =>
  engine.queries
    .measure({
      report: 'breakdown',
      breakdown: 'pages',
      offset: 0,
      limit: 10,
      siteId,
      range: { from: day, to: day + 1 },
      filters: {},
    })
    .then(
      ({ rows }) => rows.reduce((sum, { visitors }) => sum + visitors, 0),
      (error: { code?: string }) => error.code ?? String(error),
    );

const refusals = ({ log }: TestApp): string[] =>
  log.filter((line) => line.includes('a server of the cluster is not used'));

test('an older copy that starts before the ClickHouse servers sends them nothing, answers nothing, and says why', async (t) => {
  const app = await stage(t);
  const older = app.copy();
  await app.sealAll();
  const restored = await app.startBeforeServers(older);
  await until('it has looked', () => refusals(restored).length === 2);
  for (const line of refusals(restored)) assert.match(line, /does not know\. The file is an old backup/);
  await come(restored, app.siteId, TODAY, 1);
  await restored.engine.upkeep.checkServers();
  assert.equal(await readVisitors(restored, app.siteId, TODAY), 'unavailable');
  await assert.rejects(restored.engine.upkeep.seal());
  assert.equal(await app.countRows(), 0);
});

test('an older copy that starts before the ClickHouse servers answers nothing where a site was deleted since', async (t) => {
  const app = await stage(t);
  await come(app, app.strangerSiteId, TODAY, 3);
  await app.sealAll();
  const older = app.copy();
  assert.equal((await app.stranger.ask('DELETE', `/sites/${app.strangerSiteId}`)).status, 204);
  await forgetRemovedSites(app.db, app.engine.upkeep);
  await app.engine.upkeep.checkServers();
  const restored = await app.startBeforeServers(older);
  const isRefused = () => refusals(restored).some((line) => line.includes('lacks 1 sealed day of this daybook.db'));
  await until('it has looked', isRefused);
  assert.equal(await readVisitors(restored, app.siteId, TODAY), 'unavailable');
});

test('a primary that starts before the ClickHouse servers answers and seals once they are there', async (t) => {
  const app = await stage(t);
  await app.sealAll();
  const restored = await app.startBeforeServers(app.copy());
  await come(restored, app.siteId, TODAY + 1, 5);
  await until('it answers', async () => (await readVisitors(restored, app.siteId, TODAY + 1)) === 5);
  assert.equal(await readVisitors(restored, app.siteId, TODAY), 12);
  restored.clock.pass(2 * DAY);
  await until('it is sealed', async () => (await restored.engine.upkeep.seal()).days === 1);
  assert.equal(await readVisitors(restored, app.siteId, TODAY + 1), 5);
  assert.deepEqual(refusals(restored), []);
  await restored.engine.upkeep.checkServers();
  await assert.rejects(app.engine.upkeep.sweep(), /another daybook server started later/);
});
