import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { connect } from '../../../src/cluster/servers/connect.ts';
import { compareMark } from '../../../src/cluster/servers/keeper.ts';
import type { Node } from '../../../src/cluster/servers/nodes.ts';
import { listKnownServers } from '../../../src/store/cluster/cluster-servers.ts';
import { hereOn } from '../../cli/here.ts';
import { folder, startApp } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { ownServers } from '../asking.ts';
import { stageReplicas } from '../disks.ts';
import { nameOf } from '../growing.ts';
import { ask, CLUSTER, hostsOf, startCluster } from '../servers.ts';

/** Stops the comparison of all marks, which is due each minute and would notice such a server too, but later. */
function stopComparing(t: TestContext): void {
  const { setInterval } = globalThis;
  const never = 2 ** 31 - 1;
  t.mock.method(globalThis, 'setInterval', (work: () => void, ms: number) =>
    setInterval(work, ms === 60_000 ? never : ms),
  );
}

test('a server that stops or loses its data is noticed soon, although nobody asks for figures', async (t) => {
  stopComparing(t);
  const servers = await startCluster(folder(t), 1, 2);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const app = await startApp(t, { engine: `clickhouse://${hostsOf(servers)}/own?cluster=${CLUSTER}` });
  const [first, second] = servers;
  assert.ok(first && second);
  const isLogged = (event: string) =>
    app.log.some((line) => line.includes(`a server of the cluster ${event}","url":"http://127.0.0.1:${first.http}/`));
  await first.kill();
  await until('it is logged', () => isLogged('does not answer'));
  await first.start();
  await until('it is logged', () => isLogged('answers again'));
  await ownServers(app).askAt(`127.0.0.1:${second.http}`, 'DROP DATABASE own SYNC', 'default');
  const states = () => listKnownServers(app.db).map(({ state, reason }) => `${state} ${reason}`.trim());
  await until('it is left out', () => states()[1] === 'lacking empty');
  assert.equal(states()[0], 'complete');
});

test('a check that a fill overtakes does not take the filled server for an empty one', async (t) => {
  const { app, second, states, check } = await stageReplicas(t);
  const { db, clock, config } = app;
  const { nodes } = await connect(config.engine ?? '', db, clock);
  t.after(nodes.close);
  const [, node] = nodes.all;
  assert.ok(node);
  async function askOne<Row>(of: Node, sql: string): Promise<Row[]> {
    if (!sql.includes('system.tables')) return await nodes.askOne<Row>(of, sql);
    await ask(second, 'DROP TABLE own.mark SYNC');
    const found = await nodes.askOne<Row>(of, sql);
    db.run("UPDATE cluster_server SET state = 'lacking', reason = 'empty', beat = 0 WHERE replica = 1");
    await hereOn(app, 'cluster', 'fill', nameOf(second));
    await check();
    return found;
  }
  await compareMark({ db, nodes: { ...nodes, askOne, shards: nodes.shards }, clock, log: () => {} }, node);
  assert.deepEqual(states(), ['complete', 'complete']);
});
