import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addressOf } from '../../src/cluster/address.ts';
import { findNodes, nodesOf, prepare } from '../../src/cluster/nodes.ts';
import { TABLES } from '../../src/cluster/tables.ts';
import { appendTo, pageview, TODAY } from '../collect/stage.ts';
import { folder, startApp } from '../helpers.ts';
import { date } from '../stats/days.ts';
import { CLUSTER, hostsOf, startCluster } from './servers.ts';

/** An application over servers of its own, some of which go away. */
async function stage(t: TestContext, ack: string) {
  const servers = await startCluster(folder(t), 2, 2);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const engine = `clickhouse://${hostsOf(servers)}/own?cluster=${CLUSTER}${ack}`;
  const app = await startApp(t, { engine });
  const { owner, siteId } = app;
  return {
    ...app,
    servers,
    store: (from: number, count: number) => {
      const hits = Array.from({ length: count }, (_, i) => pageview({ siteId, day: TODAY, visitor: from + i }));
      return appendTo(app.engine, hits);
    },
    ask: () => owner.ask('GET', `/sites/${siteId}/stats/overview?range=${date(TODAY)}~${date(TODAY)}`),
  };
}

type Stage = Awaited<ReturnType<typeof stage>>;

/** Waits until so many visitors are counted; a parcel goes out each second. */
async function counted({ ask }: Stage, visitors: number): Promise<void> {
  for (;;) {
    const { status, body } = await ask();
    if (status === 200 && body.data.visitors === visitors) return;
    assert.ok(status !== 200 || body.data.visitors < visitors, `${body.data?.visitors} visitors, of ${visitors}`);
  }
}

test('what is acknowledged while servers are away is counted once they are back, and only once', async (t) => {
  const app = await stage(t, '');
  const { servers, store } = app;
  await store(0, 10);
  await counted(app, 10);
  const [, second, , fourth] = servers;
  await Promise.all([second?.kill(), fourth?.kill()]);
  await store(10, 10);
  // One replica of each shard is enough for answers.
  await counted(app, 20);
  await Promise.all([second?.start(), fourth?.start()]);
  // Now the others are asked, which must have received what they missed.
  const [first, , third] = servers;
  await Promise.all([first?.kill(), third?.kill()]);
  await counted(app, 20);
  await store(20, 5);
  await counted(app, 25);
  await Promise.all([first?.start(), third?.start()]);
  await app.restart();
  await counted(app, 25);
});

test('a shard that is gone makes an error, and never a part of an answer', async (t) => {
  const app = await stage(t, '&ack=replicas');
  const { servers, store, ask } = app;
  await store(0, 10);
  await counted(app, 10);
  const shard = servers.filter((server) => server.shard === 1);
  await Promise.all(shard.map(({ kill }) => kill()));
  const answer = await ask();
  assert.deepEqual([answer.status, answer.body.error.code], [503, 'unavailable']);
  await shard[0]?.start();
  await counted(app, 10);
});

test('a parcel that is sent again, because nobody knows whether it was taken, counts once, over a kill too', async (t) => {
  const servers = await startCluster(folder(t), 1, 1);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const address = addressOf(`clickhouse://${hostsOf(servers)}/own?cluster=${CLUSTER}`);
  const all = await findNodes(address);
  await prepare(address, all, TABLES);
  const { insert, ask } = nodesOf(address, all);
  const [node] = all;
  assert.ok(node);
  // Of two days, which are two files.
  const lines = [TODAY - 1, TODAY].map((day) => JSON.stringify({ site: 1, day, seq: day, visitor: 1 })).join('\n');
  const counted = () => ask<{ n: number }>('SELECT count() AS n FROM activity');
  await insert(node, 'activity', lines, 'one');
  await insert(node, 'activity', lines, 'one');
  assert.deepEqual(await counted(), [{ n: 2 }]);
  await servers[0]?.kill();
  await servers[0]?.start();
  await insert(node, 'activity', lines, 'one');
  assert.deepEqual(await counted(), [{ n: 2 }]);
  await insert(node, 'activity', lines, 'another');
  assert.deepEqual(await counted(), [{ n: 4 }]);
});
