import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { listKnownServers } from '../../../src/store/cluster/cluster-servers.ts';
import { appendTo, pageview } from '../../collect/stage.ts';
import { startApp } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { nameEngine } from '../disks.ts';
import { nameOf } from '../growing.ts';
import { countRows, startName, startServers } from '../names.ts';
import type { Server } from '../servers.ts';

test('a server that lacks hits of a lost outbox is filled', async (t) => {
  const servers = await startServers(t, 2);
  const [first, second] = servers as [Server, Server];
  const { name, lead } = await startName(t, first);
  const app = await startApp(t, { engine: nameEngine([name, nameOf(second)]) });
  const come = () => appendTo(app.engine, [pageview({ siteId: app.siteId })]);
  const counts = async () => (await Promise.all(servers.map(countRows))).map(([one]) => one?.n);
  await come();
  await until('both have it', async () => (await counts()).join() === '1,1');
  lead(undefined);
  await come();
  assert.deepEqual(await counts(), [1, 2]);
  await app.restart(undefined, async () => {
    for (const end of ['', '-wal', '-shm']) rmSync(`${app.config.db}.outbox${end}`, { force: true });
    lead(first);
  });
  await until('all servers are complete', async () => {
    await app.engine.upkeep.checkServers();
    return listKnownServers(app.db).every(({ state }) => state === 'complete');
  });
  assert.deepEqual(await counts(), [2, 2]);
});
