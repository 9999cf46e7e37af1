import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { clock } from '../../src/cli/command.ts';
import { openClusterForCommand } from '../../src/cluster/engine.ts';
import { connect } from '../../src/cluster/servers/connect.ts';
import { listNotedLate } from '../../src/cluster/servers/late.ts';
import type { Nodes } from '../../src/cluster/servers/nodes.ts';
import { DAY } from '../../src/lib/time.ts';
import { listKnownServers } from '../../src/store/cluster/cluster-servers.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { appendTo, pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { folder, startApp } from '../support/helpers.ts';
import { stage as stageCollectors } from './collecting.ts';
import { CLUSTER, hostsOf, rowsOn, type Server, startCluster } from './servers.ts';

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

/** Waits until so many visitors are counted, where so many were before; a parcel goes out each second. */
async function counted({ ask }: Stage, visitors: number, before = visitors): Promise<void> {
  for (;;) {
    const { status, body } = await ask();
    if (status !== 200) continue;
    if (body.data.visitors === visitors) return;
    // Each shard receives its own.
    assert.ok(body.data.visitors >= before && body.data.visitors < visitors, `${body.data.visitors} of ${visitors}`);
  }
}

test('what is acknowledged while servers are away is counted once they are back, and only once', async (t) => {
  const app = await stage(t, '');
  const { servers, store } = app;
  await store(0, 10);
  await counted(app, 10, 0);
  const [, second, , fourth] = servers;
  await Promise.all([second?.kill(), fourth?.kill()]);
  await store(10, 10);
  // One replica of each shard is enough for answers.
  await counted(app, 20, 10);
  await Promise.all([second?.start(), fourth?.start()]);
  // Now the others are asked, which must have received what they missed.
  const [first, , third] = servers;
  await Promise.all([first?.kill(), third?.kill()]);
  await counted(app, 20);
  await store(20, 5);
  await counted(app, 25, 20);
  await Promise.all([first?.start(), third?.start()]);
  await app.restart();
  await counted(app, 25);
});

/** A collector's hit /a is on both replicas of its shard. Its hit /b, which came 90 s before now, is only on the first one. */
async function stageLag(t: TestContext) {
  const servers = await startCluster(folder(t), 2, 2);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const each = (replica: number, work: (server: Server) => Promise<unknown>) =>
    Promise.all(servers.filter((_, i) => i % 2 === replica).map(work));
  const app = await stageCollectors(t, { engine: `clickhouse://${hostsOf(servers)}/own?cluster=${CLUSTER}` });
  const { owner, siteId, clock } = app;
  const ask = () => owner.ask('GET', `/sites/${siteId}/stats/overview?range=${date(TODAY)}~${date(TODAY)}`);
  const one = await app.collector('one');
  await one.view('/a');
  await one.look();
  await each(1, ({ kill }) => kill());
  await one.view('/b');
  clock.pass(90);
  await one.look();
  assert.equal((await ask()).body.data.pageviews, 2);
  return {
    ...app,
    one,
    startEach: (replica: number) => each(replica, ({ start }) => start()),
    killEach: (replica: number) => each(replica, ({ kill }) => kill()),
    isRefused: async () => (await ask()).status === 503,
    count: async () => (await ask()).body.data?.pageviews,
  };
}

test('a replica gives no answer while it lacks hits of a collector that another replica has', async (t) => {
  const { one, killEach, startEach, isRefused, count, collector } = await stageLag(t);
  await one.stop();
  // The first report of a collector that started says how far it is, and it may stop just then.
  await (await collector('one')).stop();
  await killEach(0);
  await startEach(1);
  assert.ok(await isRefused());
  const again = await collector('one');
  do await again.look();
  while (await isRefused());
  assert.equal(await count(), 2);
});

test('a replica that lacks hits of a lost collector answers until another one is back, and is filled from it', async (t) => {
  const { one, killEach, startEach, isRefused, count, lose, db, engine } = await stageLag(t);
  await one.stop();
  await killEach(0);
  await startEach(1);
  assert.ok(await isRefused());
  lose('one');
  assert.equal(await count(), 1);
  await startEach(0);
  const isFilled = () => listKnownServers(db).every(({ state, isWanted }) => state === 'complete' && isWanted === 0);
  while (!isFilled()) await engine.upkeep.checkServers();
  await killEach(0);
  while (await isRefused());
  assert.equal(await count(), 2);
});

/**
 * Counts the rows as soon as a server of each shard is in use again. A command gives a server that stopped one second to
 * answer its first probe, and on a busy machine that may be too little. Then the query fails, and the next one tries anew.
 */
async function countOnce(nodes: Nodes): Promise<number> {
  for (;;) {
    try {
      const rows = await nodes.ask<{ n: number }>('SELECT count() AS n FROM activity');
      return rows.reduce((sum, { n }) => sum + n, 0);
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'unavailable');
    }
  }
}

test('a command does not count on a replica for which the primary still has hits', async (t) => {
  const app = await stage(t, '');
  const { servers, store, engine, db } = app;
  const each = (replica: number, work: (server: Server) => Promise<unknown>) =>
    Promise.all(servers.filter((_, i) => i % 2 === replica).map(work));
  await store(0, 10);
  await counted(app, 10, 0);
  await each(1, ({ kill }) => kill());
  await store(10, 20);
  await counted(app, 30, 10);
  while (listNotedLate(db).size < 2) await new Promise((resolve) => setTimeout(resolve, 50));
  await engine.close();
  await each(0, ({ kill }) => kill());
  await each(1, ({ start }) => start());
  const { nodes } = await connect(app.config.engine ?? '', db, clock);
  t.after(nodes.close);
  await assert.rejects(nodes.ask('SELECT count() AS n FROM activity'), { code: 'unavailable' });
  await each(0, ({ start }) => start());
  assert.equal(await countOnce(nodes), 30);
});

test('a shard that is gone makes an error, and never a part of an answer', async (t) => {
  const app = await stage(t, '&ack=reachable');
  const { servers, store, ask } = app;
  await store(0, 10);
  await counted(app, 10);
  const shard = servers.filter((server) => server.shard === 1);
  await Promise.all(shard.map(({ kill }) => kill()));
  const answer = await ask();
  assert.deepEqual([answer.status, answer.body.error.code], [503, 'unavailable']);

  // People can still stop a flood, which may be the reason.
  const blocks = `/sites/${app.siteId}/blocks`;
  const added = await app.owner.ask('POST', blocks, { kind: 'address', mine: true });
  assert.deepEqual([added.status, added.body.data.dropped], [201, 0]);
  const again = await app.owner.ask('POST', blocks, { kind: 'address', mine: true });
  assert.deepEqual([again.status, again.body.data.dropped], [201, null]);
  const listed = await app.owner.ask('GET', blocks);
  assert.deepEqual([listed.status, listed.body.data], [200, [again.body.data]]);

  await shard[0]?.start();
  await counted(app, 10);
});

test('a parcel that is sent again, because nobody knows whether it was taken, counts once, over a kill too', async (t) => {
  const servers = await startCluster(folder(t), 1, 1);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const { db, close } = openStore(join(folder(t), 'daybook.db'));
  t.after(close);
  const { nodes } = await connect(`clickhouse://${hostsOf(servers)}/own?cluster=${CLUSTER}`, db, clock);
  const { insert, ask } = nodes;
  const [node] = nodes.all;
  assert.ok(node);
  // Of two days, which are two files.
  const lines = [TODAY - 1, TODAY].map((day) => JSON.stringify({ site: 1, day, seq: day, visitor: 1 })).join('\n');
  const rows = () => ask<{ n: number }>('SELECT count() AS n FROM activity');
  await insert(node, 'activity', lines, 'one');
  // ClickHouse answers a moment before it has ended the query, and refuses another one of the same name until then.
  const running = () => ask<{ n: number }>("SELECT count() AS n FROM system.processes WHERE query_id = 'one'");
  while ((await running())[0]?.n !== 0);
  await insert(node, 'activity', lines, 'one');
  assert.deepEqual(await rows(), [{ n: 2 }]);
  await servers[0]?.kill();
  await servers[0]?.start();
  await insert(node, 'activity', lines, 'one');
  assert.deepEqual(await rows(), [{ n: 2 }]);
  await insert(node, 'activity', lines, 'another');
  assert.deepEqual(await rows(), [{ n: 4 }]);
});

test('a cluster that cannot be used is refused with a line that says why', async (t) => {
  const servers = await startCluster(folder(t), 2, 1);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const [first, second] = hostsOf(servers).split(',');
  const { db, close } = openStore(join(folder(t), 'daybook.db'));
  t.after(close);
  for (const [text, reason] of [
    ['postgres://x', /: --engine takes a URL such as clickhouse:/],
    [`clickhouse://${first},${second}/own?cluster=other`, /has no cluster "other"/],
    [`clickhouse://${first}/own?cluster=${CLUSTER}`, /: --engine does not name replica 1 of shard 2/],
    [
      `clickhouse://${first},127.0.0.1:2/own?cluster=${CLUSTER}`,
      /^Error: http:\/\/127.0.0.1:2: connect ECONNREFUSED 127.0.0.1:2. When you start daybook on a cluster/,
    ],
    [`clickhouse://nobody:wrong@${first},${second}/own?cluster=${CLUSTER}`, /nobody: Authentication failed/],
  ] as const) {
    await assert.rejects(connect(text, db, clock), reason);
  }
  const engine = `clickhouse://${first},${second}/own?cluster=${CLUSTER}`;
  await connect(engine, db, clock);
  // Known from then on, so that a start does not need all of them.
  await servers[1]?.kill();
  assert.equal((await connect(engine, db, clock)).nodes.shards, 2);
});

test('a replica with a damaged disk does not keep the primary from its start, nor a command from its answer', async (t) => {
  const app = await stage(t, '&ack=reachable');
  const { servers, store, ask, engine, config } = app;
  await store(0, 10);
  app.clock.pass(DAY);
  assert.equal(await app.seal(), 1);
  await engine.upkeep.checkServers();
  const [first] = servers;
  assert.ok(first);
  const parts = "SELECT path FROM system.parts WHERE active AND database = 'own' AND table IN ('visit', 'tally')";
  for (const { path } of await rowsOn<{ path: string }>(first, 'own', parts))
    for (const name of readdirSync(path).filter((one) => one.endsWith('.bin'))) {
      const bytes = readFileSync(join(path, name));
      writeFileSync(join(path, name), bytes.fill(0x55, 30));
    }
  // What it has read before is in its memory.
  await first.kill();
  await first.start();
  await app.restart();
  assert.ok(
    app.log.some((line) => line.includes('does not work, and is not used') && line.includes(`:${first.http}/`)),
  );
  await counted({ ...app, ask }, 10);
  const file = openStore(config.db);
  t.after(file.close);
  const command = await openClusterForCommand(config.engine ?? '', file.db, clock);
  assert.equal((await command.queries.listVisitedDays(app.siteId, { from: TODAY, to: TODAY + 1 })).length, 1);
});
