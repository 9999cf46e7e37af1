import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listKnownServers } from '../../../src/store/cluster/cluster-servers.ts';
import { folder, startApp } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { ownServers } from '../asking.ts';
import { CLUSTER, hostsOf, startCluster } from '../servers.ts';

/** Below the minute after which the marks of all servers are compared. */
const SOON_MS = 40_000;

test('a server that stops or loses its data is noticed soon, although nobody asks for figures', async (t) => {
  const servers = await startCluster(folder(t), 1, 2);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const app = await startApp(t, { engine: `clickhouse://${hostsOf(servers)}/own?cluster=${CLUSTER}` });
  const [first, second] = servers;
  assert.ok(first && second);
  const isLogged = (event: string) =>
    app.log.some((line) => line.includes(`a server of the cluster ${event}","url":"http://127.0.0.1:${first.http}/`));
  await first.kill();
  await until('it is logged', () => isLogged('does not answer'), SOON_MS);
  await first.start();
  await until('it is logged', () => isLogged('answers again'), SOON_MS);
  await ownServers(app).askAt(`127.0.0.1:${second.http}`, 'DROP DATABASE own SYNC', 'default');
  const states = () => listKnownServers(app.db).map(({ state, reason }) => `${state} ${reason}`.trim());
  await until('it is left out', () => states()[1] === 'lacking empty', SOON_MS);
  assert.equal(states()[0], 'complete');
});
