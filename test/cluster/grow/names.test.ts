import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../../src/lib/time.ts';
import { appendTo, pageview, TODAY } from '../../collect/stage.ts';
import { startApp } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { stage } from '../collecting.ts';
import { nameOf } from '../growing.ts';
import { countRows, startName, startServers } from '../names.ts';
import { CLUSTER, rowsOn } from '../servers.ts';

test('a name leads to the other replica: a sealed day counts its visits once', async (t) => {
  const [first, second] = await startServers(t, 2);
  assert.ok(first && second);
  const { name, lead } = await startName(t, first);
  const app = await startApp(t, {
    engine: `clickhouse://${name},${nameOf(second)}/own?cluster=${CLUSTER}&ack=replicas`,
  });
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
  const [first, second] = await startServers(t, 2);
  assert.ok(first && second);
  const { name, lead } = await startName(t, first);
  const app = await stage(t, { engine: `clickhouse://${name},${nameOf(second)}/own?cluster=${CLUSTER}&ack=reachable` });
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
  const [first, second] = await startServers(t, 2);
  assert.ok(first && second);
  const { name, lead } = await startName(t, first);
  const engine = `clickhouse://${name},${nameOf(second)}/own?cluster=${CLUSTER}&ack=reachable`;
  const app = await startApp(t, { engine });
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
