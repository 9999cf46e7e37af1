import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { listServers } from '../../../src/store/cluster/cluster-servers.ts';
import { appendTo, pageview, TODAY } from '../../collect/stage.ts';
import { folder, startApp } from '../../support/helpers.ts';
import { CLUSTER, hostsOf, LATER, rowsOn, type Server, startCluster } from '../servers.ts';

/** An application over servers of its own, which may be written in another way later. */
async function stage(t: TestContext) {
  const servers = await startCluster(folder(t), 2, 2);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const engineOf = (some: readonly Server[], cluster: string) =>
    `clickhouse://${hostsOf(some)}/own?cluster=${cluster}&ack=reachable`;
  const app = await startApp(t, { engine: engineOf(servers, CLUSTER) });
  const { siteId } = app;
  return Object.assign(app, {
    servers,
    /** The servers under other names, which the file does not know. */
    restartRenamed: (cluster: string) => app.restart(engineOf(servers, cluster).replaceAll('127.0.0.1', 'localhost')),
    store: (from: number, count: number) => {
      const hits = Array.from({ length: count }, (_, i) => pageview({ siteId, day: TODAY, visitor: from + i }));
      return appendTo(app.engine, hits);
    },
    restartWith: (some: readonly Server[], cluster: string) => app.restart(engineOf(some, cluster)),
  });
}

test('a replica gets no hit twice when one that is dead is taken out of the cluster', async (t) => {
  const app = await stage(t);
  const { servers, store } = app;
  await store(0, 10);
  await servers[0]?.kill();
  // In a parcel each; for the dead server the last two wait together.
  for (const from of [10, 20, 30]) await store(from, 10);
  const rest = servers.filter(({ replica }) => replica > 0);
  await app.restartWith(rest, LATER.rest);
  await store(40, 10);
  const counts = await Promise.all(
    rest.map((server) => rowsOn<{ n: number }>(server, 'own', 'SELECT count() AS n FROM activity')),
  );
  assert.deepEqual(counts.flat(), [{ n: 25 }, { n: 25 }]);
});

test('a server keeps its place when replicas are written in another order, and another shard is refused', async (t) => {
  const app = await stage(t);
  const places = () => listServers(app.db).map(({ url, shard, replica }) => `${url} ${shard}/${replica}`);
  const before = places();
  await app.restartWith(app.servers, LATER.turned);
  assert.deepEqual(places(), before);
  await app.restartWith(app.servers, CLUSTER);
  const crossed = app.restartWith(app.servers, LATER.crossed);
  await assert.rejects(crossed, /is now in shard 2, but has the hits of shard 1. Name the shards in remote_servers/);
  await app.restartWith(app.servers, CLUSTER);
});

test('servers with new names keep their places in another order, and another shard is refused and changes nothing', async (t) => {
  const app = await stage(t);
  const { servers, store } = app;
  const places = () =>
    listServers(app.db).map(({ url, ...one }) => [new URL(url).port, one.shard, one.replica, one.state]);
  const before = places();
  await store(0, 10);
  const crossed = app.restartRenamed(LATER.crossed);
  await assert.rejects(crossed, /is now in shard 2, but has the hits of shard 1. Name the shards in remote_servers/);
  await app.restartRenamed(LATER.turned);
  assert.deepEqual(places(), before);
  await store(10, 10);
  const counts = servers.map((server) => rowsOn<{ n: number }>(server, 'own', 'SELECT count() AS n FROM activity'));
  assert.deepEqual((await Promise.all(counts)).flat(), [{ n: 10 }, { n: 10 }, { n: 10 }, { n: 10 }]);
});
