import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listKnownServers } from '../../../src/store/cluster/cluster-servers.ts';
import { addCollector, changeStatus } from '../../../src/store/cluster/collectors.ts';
import { begin } from '../../cli/here.ts';
import { appendTo, pageview } from '../../collect/stage.ts';
import { folder, startApp } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { stage } from '../collecting.ts';
import { countRows, startName, startServers } from '../names.ts';
import { CLUSTER, hostsOf, type Server, startCluster } from '../servers.ts';

test('a fill waits for no source that has not all hits, while another has', async (t) => {
  const servers = await startCluster(folder(t), 1, 3);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const engine = `clickhouse://${hostsOf(servers)}/own?cluster=${CLUSTER}&ack=reachable`;
  const app = await startApp(t, { engine });
  const { db, siteId } = app;
  await appendTo(app.engine, [pageview({ siteId })]);
  const urls = servers.map(({ http }) => `http://127.0.0.1:${http}/`);
  const [, , third = ''] = urls;
  db.write(() => addCollector(db, { name: 'one', hash: Buffer.alloc(32), now: 0 }));
  const fillOf = () => listKnownServers(db).find(({ url }) => url === third)?.fill ?? 0;
  /** The collector has sent all to the second and the third, and nothing to the first, as where that hangs. */
  const tell = () => {
    const reached = urls.slice(1).map((url) => ({ url, next: 2 ** 52, until: 0 }));
    const status = {
      ...{ version: '1', run: 'a', now: 0, until: 0, next: 0, parcelAt: null, bytes: 0, behind: [], visitors: null },
      servers: reached,
      cuts: [{ url: third, fill: fillOf(), seqs: { activity: 1, crawled: 1, dropped: 1 } }],
      closed: null,
    };
    db.write(() => changeStatus(db, 1, { status, outbox: 'box', now: 0 }));
  };
  tell();
  db.run("UPDATE cluster_server SET state = 'lacking', reason = 'missed' WHERE url = ?", third);
  const filled = app.engine.upkeep.checkServers();
  await until('it is filled', () => listKnownServers(db).some(({ state }) => state === 'filling'));
  tell();
  await filled;
  assert.deepEqual(
    listKnownServers(db).map(({ state }) => state),
    ['complete', 'complete', 'complete'],
    app.log.join('\n'),
  );
});

test('a server that alone has hits of a silent collector is not filled before the other replica has them', async (t) => {
  const servers = await startServers(t, 2);
  const names = await Promise.all(servers.map((server) => startName(t, server)));
  const [first, second] = servers;
  const [own, other] = names;
  assert.ok(first && second && own && other);
  const engine = `clickhouse://${own.name},${other.name}/own?cluster=${CLUSTER}`;
  const app = await stage(t, { engine });
  const count = async (server: Server) => (await countRows(server))[0]?.n;
  const one = await app.collector('one', { ack: 'disk' });
  await one.view('/a');
  await until('both replicas have the hit', async () => (await count(first)) === 1 && (await count(second)) === 1);
  other.lead(undefined);
  app.clock.pass(120);
  await one.view('/b');
  await until('one replica has both hits', async () => (await count(first)) === 2);
  app.clock.pass(120);
  await one.look();
  await one.stop();
  other.lead(second);
  await until('the other replica is back', async () => {
    await app.engine.upkeep.checkServers();
    return app.engine.upkeep.listAwayServers().length === 0;
  });
  const { db } = app;
  const filling = begin(app, 'cluster', 'fill', own.name);
  const states = () => listKnownServers(db).map(({ state }) => state);
  const look = () =>
    Promise.race([app.engine.upkeep.checkServers(), until('a fill has begun', () => states().includes('filling'))]);
  // The first call ends a look of the filler that may run already. The second call looks anew.
  for (let looks = 0; looks < 2; looks++) await look();
  assert.deepEqual([await count(first), states(), (await app.figures()).pageviews], [2, ['complete', 'complete'], 2]);
  // A server that missed a statement waits too.
  filling.stop();
  await filling.done;
  db.run("UPDATE cluster_server SET state = 'lacking', reason = 'missed', is_wanted = 0 WHERE replica = 0");
  for (let looks = 0; looks < 2; looks++) await look();
  assert.equal(await count(first), 2);
  const again = await app.collector('one', { ack: 'disk' });
  await until('it is filled', async () => {
    // The primary reads its settings for collectors anew when its clock has moved.
    app.clock.pass(1);
    await again.look();
    void app.engine.upkeep.checkServers();
    return states().join() === 'complete,complete';
  });
  assert.deepEqual([await count(first), await count(second), (await app.figures()).pageviews], [2, 2, 2]);
});
