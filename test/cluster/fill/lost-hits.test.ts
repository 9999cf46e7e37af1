import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../../src/lib/time.ts';
import { listKnownServers } from '../../../src/store/cluster/cluster-servers.ts';
import { hereOn } from '../../cli/here.ts';
import { until } from '../../support/program.ts';
import { stage } from '../collecting.ts';
import { countRows, startName, startServers } from '../names.ts';
import { CLUSTER, type Server } from '../servers.ts';

test('a server that alone has hits of a lost collector is filled only by the word of an operator', async (t) => {
  const servers = await startServers(t, 2);
  const [first, second] = servers as [Server, Server];
  const [own, other] = await Promise.all([startName(t, first), startName(t, second)]);
  const app = await stage(t, { engine: `clickhouse://${own.name},${other.name}/own?cluster=${CLUSTER}` });
  const { db, engine } = app;
  const count = async (server: Server) => (await countRows(server))[0]?.n;
  const state = () => listKnownServers(db)[0]?.state;
  const one = await app.collector('one', { ack: 'disk' });
  await one.view('/a');
  await until('both replicas have the hit', async () => (await count(first)) === 1 && (await count(second)) === 1);
  other.lead(undefined);
  await one.view('/b');
  await until('one replica has both hits', async () => (await count(first)) === 2);
  await one.stop();
  app.lose('one');
  db.run("UPDATE cluster_server SET state = 'lacking', reason = 'missed' WHERE replica = 0");
  other.lead(second);
  await until('the other replica is back', async () => {
    await engine.upkeep.checkServers();
    return engine.upkeep.listAwayServers().length === 0;
  });
  const line = `only http://${own.name}/ has some hits of a collector that was retired with --lost. A fill would delete them. To fill this server anyway, run daybook cluster fill ${own.name}`;
  await until('the log says why', async () => {
    await engine.upkeep.checkServers();
    return state() !== 'lacking' || app.primaryLog.some((one) => one.includes(line));
  });
  assert.deepEqual([state(), await count(first)], ['lacking', 2]);
  await hereOn(app, 'cluster', 'fill', own.name);
  assert.deepEqual([state(), await count(first)], ['complete', 1]);
});

test('a server without such hits is filled by itself, also after a collector was lost', async (t) => {
  const servers = await startServers(t, 2);
  const [, second] = servers as [Server, Server];
  const hosts = servers.map(({ http }) => `127.0.0.1:${http}`).join();
  const app = await stage(t, { engine: `clickhouse://${hosts}/own?cluster=${CLUSTER}` });
  const one = await app.collector('one');
  await one.view('/a');
  await one.stop();
  app.lose('one');
  app.db.run("UPDATE cluster_server SET state = 'lacking', reason = 'missed' WHERE replica = 1");
  await until('it is filled', async () => {
    await app.engine.upkeep.checkServers();
    return listKnownServers(app.db)[1]?.state === 'complete';
  });
  assert.equal((await countRows(second))[0]?.n, 1);
});

test('a server that was away when the day was sealed keeps the hits that it alone has of a lost collector', async (t) => {
  const servers = await startServers(t, 2);
  const [first, second] = servers as [Server, Server];
  const [own, other] = await Promise.all([startName(t, first), startName(t, second)]);
  const app = await stage(t, { engine: `clickhouse://${own.name},${other.name}/own?cluster=${CLUSTER}` });
  const { db, engine, clock } = app;
  const count = async (server: Server) => (await countRows(server))[0]?.n;
  const state = () => listKnownServers(db)[0]?.state;
  const one = await app.collector('one', { ack: 'disk' });
  await one.view('/a');
  await until('both replicas have the hit', async () => (await count(first)) === 1 && (await count(second)) === 1);
  await one.look();
  other.lead(undefined);
  clock.pass(2 * MINUTE);
  await one.view('/b');
  await until('one replica has both hits', async () => (await count(first)) === 2);
  clock.pass(2 * MINUTE);
  await one.stop();
  own.lead(undefined);
  db.run("UPDATE cluster_server SET state = 'lacking', reason = 'missed' WHERE replica = 0");
  app.lose('one');
  other.lead(second);
  const isBack = async () => {
    await engine.upkeep.checkServers();
    return engine.upkeep.listAwayServers().length === 0;
  };
  await until('the other replica is back', isBack);
  clock.pass(DAY);
  assert.deepEqual(await engine.upkeep.seal(), { days: 1, failed: [] });
  clock.pass(HOUR);
  await engine.upkeep.sweep();
  assert.equal(await count(second), 0);
  own.lead(first);
  await until('it is filled, or the log says why it is not', async () => {
    await engine.upkeep.checkServers();
    return state() === 'complete' || app.primaryLog.some((line) => line.includes('retired with --lost'));
  });
  assert.deepEqual([state(), await count(first)], ['lacking', 2]);
  const { explained } = await hereOn(app, 'cluster', 'fill', own.name);
  const warning = `http://${own.name}/ alone has some hits of a collector that was retired with --lost. The fill deletes them`;
  assert.equal(explained[0], warning);
});
