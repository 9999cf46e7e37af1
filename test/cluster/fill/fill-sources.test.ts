import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listKnownServers } from '../../../src/store/cluster/cluster-servers.ts';
import { addCollector, changeStatus } from '../../../src/store/cluster/collectors.ts';
import { appendTo, pageview } from '../../collect/stage.ts';
import { folder, startApp } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { CLUSTER, hostsOf, startCluster } from '../servers.ts';

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
