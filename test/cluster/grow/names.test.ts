import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Cluster } from '../../../src/api/cluster.ts';
import { DAY } from '../../../src/lib/time.ts';
import { changeServerState } from '../../../src/store/cluster/cluster-servers.ts';
import { begin } from '../../cli/here.ts';
import { appendTo, pageview, TODAY } from '../../collect/stage.ts';
import { startApp } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { stage } from '../collecting.ts';
import { nameOf } from '../growing.ts';
import { countRows, stageName, startName, startServers } from '../names.ts';
import { CLUSTER, rowsOn } from '../servers.ts';

test('a name leads to the other replica: a sealed day counts its visits once', async (t) => {
  const { first, second, name, lead, app } = await stageName(t, (engine) => startApp(t, { engine }), 'replicas');
  await appendTo(app.engine, [pageview({ siteId: app.siteId, day: TODAY })]);
  lead(undefined);
  await app.engine.upkeep.checkServers();
  assert.deepEqual(app.engine.upkeep.listAwayServers(), [`http://${name}/`]);
  lead(second);
  app.clock.pass(DAY);
  await until('the day is sealed', async () => (await app.engine.upkeep.seal()).days === 1);
  const sealed = await app.owner.ask('GET', `/sites/${app.siteId}/stats/overview?range=2026-03-10~2026-03-10`);
  assert.equal(sealed.body.data.pageviews, 1);
  const countVisits = 'SELECT count() AS n FROM visit';
  assert.deepEqual(await rowsOn(second, 'own', countVisits), [{ n: 1 }]);
  lead(first);
  await until('the silent server has the visit too', async () => {
    await app.engine.upkeep.checkServers();
    return (await rowsOn<{ n: number }>(first, 'own', countVisits))[0]?.n === 1;
  });
});

test('a name leads to the other replica: a collector loses no hit, and sends none twice', async (t) => {
  const { first, second, lead, app } = await stageName(t, (engine) => stage(t, { engine }), 'reachable');
  const one = await app.collector('one');
  await one.view('/a');
  lead(undefined);
  await one.view('/b');
  lead(second);
  for (const path of ['/c', '/d', '/e']) await one.view(path);
  assert.deepEqual(await countRows(second), [{ n: 5 }]);
  lead(first);
  await until('all hits are there', async () => (await countRows(first))[0]?.n === 5);
  assert.deepEqual(await countRows(second), [{ n: 5 }]);
});

test('a name that was silent at the start and led to the other replica is used once it is right', async (t) => {
  const staged = await stageName(t, (engine) => startApp(t, { engine }), 'reachable');
  const { first, second, lead, engine, app } = staged;
  const come = () => appendTo(app.engine, [pageview({ siteId: app.siteId, day: TODAY })]);
  await come();
  lead(undefined);
  await app.restart(engine);
  await come();
  lead(second);
  await until('the name is not used', () => /a server of the cluster is not used/.test(app.log.join()));
  await come();
  assert.deepEqual(await countRows(second), [{ n: 3 }]);
  lead(first);
  await until('all hits are there', async () => (await countRows(first))[0]?.n === 3);
  assert.deepEqual(await countRows(second), [{ n: 3 }]);
});

/** Two replicas with a name each. `come` takes a hit. */
async function startNamed(t: TestContext, ack: string) {
  const [first, second] = await startServers(t, 2);
  assert.ok(first && second);
  const [one, two] = [await startName(t, first), await startName(t, second)];
  const engine = `clickhouse://${one.name},${two.name}/own?cluster=${CLUSTER}&ack=${ack}`;
  const app = await startApp(t, { engine });
  const come = () => appendTo(app.engine, [pageview({ siteId: app.siteId, day: TODAY })]);
  const haveAll = (n: number) =>
    until('both servers have all hits', async () => {
      await app.engine.upkeep.checkServers();
      const rows = (await Promise.all([first, second].map(countRows))).flat();
      assert.ok(rows.every((row) => row.n <= n));
      return rows.every((row) => row.n === n);
    });
  const areAway = (...names: { name: string }[]) =>
    until('these servers are not used', async () => {
      await app.engine.upkeep.checkServers();
      return app.engine.upkeep.listAwayServers().join() === names.map(({ name }) => `http://${name}/`).join();
    });
  const states = () => app.db.all<{ state: string }>('SELECT state FROM cluster_server').map(({ state }) => state);
  return { app, first, second, one, two, engine, come, haveAll, areAway, states };
}

test('a name that leads to the other replica, without a failed statement, is not used', async (t) => {
  const { first, second, one, come, haveAll, areAway, states } = await startNamed(t, 'reachable');
  await come();
  one.lead(second);
  await come();
  assert.deepEqual([await countRows(first), await countRows(second)], [[{ n: 1 }], [{ n: 2 }]]);
  one.lead(first);
  await haveAll(2);
  one.lead(second);
  await areAway(one);
  one.lead(first);
  await come();
  await haveAll(3);
  assert.deepEqual(states(), ['complete', 'complete']);
});

test('a wrong name does not keep the server out of use to which it leads', async (t) => {
  const { app, first, second, one, two, come, haveAll, areAway } = await startNamed(t, 'reachable');
  await come();
  one.lead(second);
  await come();
  two.lead(undefined);
  await areAway(one, two);
  two.lead(second);
  await areAway(one);
  const { servers } = (await app.owner.ask('GET', '/cluster')).body.data as Cluster;
  assert.deepEqual(
    servers.map(({ finding }) => finding.says),
    ['answers, but is not used', 'complete'],
  );
  await come();
  assert.deepEqual(await countRows(second), [{ n: 3 }]);
  one.lead(first);
  await haveAll(3);
});

test('a wrong name is noticed while the right name of its server does not respond', async (t) => {
  const { app, first, second, one, two, come, haveAll, areAway } = await startNamed(t, 'disk');
  await come();
  await haveAll(1);
  one.lead(undefined);
  two.lead(undefined);
  await areAway(one, two);
  await come();
  one.lead(second);
  await until('the log says why', () => /leads to replica 2 of shard 1, and should lead to/.test(app.log.join()));
  await areAway(one, two);
  assert.deepEqual(await countRows(second), [{ n: 1 }]);
  one.lead(first);
  two.lead(second);
  await haveAll(2);
});

test('two names that swap are noticed, and hits wait until they are right', async (t) => {
  const { first, second, one, two, come, haveAll, areAway, states } = await startNamed(t, 'disk');
  await come();
  await haveAll(1);
  one.lead(second);
  two.lead(first);
  await come();
  await areAway(one, two);
  assert.deepEqual([await countRows(first), await countRows(second)], [[{ n: 1 }], [{ n: 1 }]]);
  one.lead(first);
  two.lead(second);
  await haveAll(2);
  assert.deepEqual(states(), ['complete', 'complete']);
});

test('a fill while two names are swapped takes no hit from the complete server, and ends once they are right', async (t) => {
  const { app, first, second, one, two, come, haveAll, states } = await startNamed(t, 'reachable');
  await come();
  await haveAll(1);
  one.lead(undefined);
  await come();
  const url = `http://${one.name}/`;
  app.db.write(() => changeServerState(app.db, url, { state: 'lacking', reason: 'missed', now: 1 }));
  one.lead(second);
  two.lead(first);
  const filling = begin(app, 'cluster', 'fill', one.name);
  await until('the fill was tried', async () => {
    await app.engine.upkeep.checkServers();
    return /could not be filled/.test(app.log.join());
  });
  assert.match(app.log.join(), /could not be filled.*leads to replica 2 of shard 1, and should lead to replica 1/);
  assert.deepEqual(await countRows(second), [{ n: 2 }]);
  one.lead(first);
  two.lead(second);
  await haveAll(2);
  await until('the server is complete', () => states().join() === 'complete,complete');
  filling.stop();
  await filling.done;
});

test('a server that missed something at a wrong name is filled once the name is right', async (t) => {
  const { app, first, second, one, come, haveAll, states } = await startNamed(t, 'reachable');
  await come();
  await haveAll(1);
  one.lead(second);
  app.clock.pass(DAY);
  await until('the day is sealed', async () => (await app.engine.upkeep.seal()).days === 1);
  assert.deepEqual(states().toSorted(), ['complete', 'lacking']);
  // The first call ends a look of the filler that may run already. The second call looks anew.
  for (let looks = 0; looks < 2; looks++) await app.engine.upkeep.checkServers();
  assert.deepEqual(app.db.all("SELECT reason FROM cluster_server WHERE state = 'lacking'"), [{ reason: 'missed' }]);
  one.lead(first);
  await until('the server is filled', async () => {
    await app.engine.upkeep.checkServers();
    return states().join() === 'complete,complete';
  });
});

test('a name that leads to a replica with a new disk gets no hits there', async (t) => {
  const { app, first, second, one, engine, come } = await startNamed(t, 'disk');
  await come();
  await rowsOn(second, 'default', 'DROP DATABASE own SYNC');
  // The start makes empty tables there, which have no mark.
  await app.restart(engine);
  one.lead(second);
  await appendTo(app.engine, [pageview({ siteId: app.siteId, day: TODAY })]);
  await until('the hit is not sent', () => /does not take hits/.test(app.log.join()));
  one.lead(first);
  await until('the server has the hit', async () => (await countRows(first))[0]?.n === 2);
  assert.deepEqual(await countRows(second), [{ n: 0 }]);
});

test('a name that leads to a replica with a new disk: a collector loses no hit', async (t) => {
  const { first, second, name, lead, engine, app } = await stageName(t, (own) => stage(t, { engine: own }), 'disk');
  const one = await app.collector('one', { ack: 'disk' });
  await one.view('/a');
  await until('the hit is there', async () => (await countRows(first))[0]?.n === 1);
  await rowsOn(second, 'default', 'DROP DATABASE own SYNC');
  await app.restart(engine);
  assert.ok(name);
  lead(second);
  await one.view('/b');
  await until('the collector cannot send it', () => /does not take hits/.test(app.log.join()));
  lead(first);
  await until('the server has the hit', async () => (await countRows(first))[0]?.n === 2);
  assert.deepEqual(await countRows(second), [{ n: 0 }]);
});

test('a name that leads to a server of another installation gets no hits there', async (t) => {
  const { app, first, one, come } = await startNamed(t, 'disk');
  const [foreign] = await startServers(t, 1);
  assert.ok(foreign);
  await startApp(t, { engine: `clickhouse://${nameOf(foreign)}/own?cluster=${CLUSTER}` });
  await come();
  one.lead(foreign);
  await come();
  await until('the hit is not sent', () => /does not take hits/.test(app.log.join()));
  one.lead(first);
  await until('the server has the hits', async () => (await countRows(first))[0]?.n === 2);
  assert.deepEqual(await countRows(foreign), [{ n: 0 }]);
});

test('a name that leads to a server of another installation: a collector sends no hit there', async (t) => {
  const { first, lead, app } = await stageName(t, (engine) => stage(t, { engine }), 'disk');
  const [foreign] = await startServers(t, 1);
  assert.ok(foreign);
  const other = await startApp(t, { engine: `clickhouse://${nameOf(foreign)}/own?cluster=${CLUSTER}` });
  await other.engine.upkeep.checkServers();
  const one = await app.collector('one', { ack: 'disk' });
  await one.view('/a');
  await until('the hit is there', async () => (await countRows(first))[0]?.n === 1);
  lead(foreign);
  await one.view('/b');
  await until('the collector cannot send it', () => /does not take hits/.test(app.log.join()));
  lead(first);
  await until('the server has the hit', async () => (await countRows(first))[0]?.n === 2);
  assert.deepEqual(await countRows(foreign), [{ n: 0 }]);
});
