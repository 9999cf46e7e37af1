import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { listKnownServers } from '../../../src/store/cluster/cluster-servers.ts';
import { folder, startApp } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { ownServers } from '../asking.ts';
import { CLUSTER, hostsOf, startCluster } from '../servers.ts';

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
