import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../../src/lib/time.ts';
import { until } from '../../support/program.ts';
import { stage } from '../collecting.ts';
import { nameEngine } from '../disks.ts';
import { nameOf } from '../growing.ts';
import { countRows, startName, startServers } from '../names.ts';
import type { Server } from '../servers.ts';

test('a replica that lacks the last seconds of a lost collector is filled, and the day is sealed', async (t) => {
  const servers = await startServers(t, 2);
  const [first, second] = servers as [Server, Server];
  const { name, lead } = await startName(t, first);
  const app = await stage(t, { engine: nameEngine([name, nameOf(second)]) });
  const { engine, clock } = app;
  const counts = async () => (await Promise.all(servers.map(countRows))).map(([one]) => one?.n).join();
  const one = await app.collector('one', { ack: 'disk' });
  await one.view('/a');
  await until('both replicas have the hit', async () => (await counts()) === '1,1');
  lead(undefined);
  await one.view('/b');
  await until('one replica has both hits', async () => (await counts()) === '1,2');
  clock.pass(5);
  await one.stop();
  app.lose('one');
  lead(first);
  await until('the replica is back', async () => {
    await engine.upkeep.checkServers();
    return engine.upkeep.listAwayServers().length === 0;
  });
  clock.pass(DAY);
  assert.deepEqual([await counts(), await engine.upkeep.seal()], ['2,2', { days: 1, failed: [] }]);
});
