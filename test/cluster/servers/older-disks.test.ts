import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../support/program.ts';
import { stage } from '../collecting.ts';
import { keepDisk, nameEngine } from '../disks.ts';
import { countRows, startName, startServers } from '../names.ts';
import type { Server } from '../servers.ts';

test('a collector sends no hits to a server that came back with an older disk', async (t) => {
  const [server] = (await startServers(t, 1)) as [Server];
  const { name, lead } = await startName(t, server);
  const app = await stage(t, { engine: nameEngine([name]) });
  const one = await app.collector('one', { ack: 'disk' });
  const count = async () => (await countRows(server))[0]?.n;
  const arrive = async (path: string, hits: number) => {
    await one.view(path);
    await until(`${path} is there`, async () => (await count()) === hits);
  };
  await arrive('/a', 1);
  const older = await keepDisk(server);
  await app.engine.upkeep.checkServers();
  await arrive('/b', 2);
  const own = await keepDisk(server);
  lead(undefined);
  await one.view('/c');
  const wrongDisk = app.restart(undefined, async () => {
    await older.putOn(server);
    lead(server);
    await until(
      'the collector has seen the disk',
      async () => (await count()) === 2 || app.log.some((line) => line.includes('older disk')),
    );
  });
  await assert.rejects(wrongDisk, /no server of shard 1 has all its hits/);
  await own.putOn(server);
  await app.restart();
  await until('all hits are there', async () => (await count()) === 3);
  assert.equal((await app.figures()).pageviews, 3);
});
