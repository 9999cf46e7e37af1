import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../support/program.ts';
import { keepDisk, loseDisk, nameEngine, stageReplicas } from '../disks.ts';
import { startName } from '../names.ts';

test('a server that gets its own disk back is filled with what it missed', async (t) => {
  const { second, states, come, check, countHits } = await stageReplicas(t);
  const disk = await keepDisk(second);
  await loseDisk(second);
  await check();
  assert.deepEqual(states(), ['complete', 'lacking empty']);
  await come();
  await disk.putOn(second);
  await until('it is filled', async () => {
    await check();
    return states()[1] === 'complete';
  });
  assert.equal(await countHits(), 2);
});

test('a server that gets an older disk waits for the command that fills it', async (t) => {
  const { app, second, states, check, come } = await stageReplicas(t);
  const older = await keepDisk(second);
  await check();
  await come();
  await older.putOn(second);
  await check();
  await app.restart();
  for (let looks = 0; looks < 3; looks++) await check();
  assert.deepEqual(states(), ['complete', 'lacking restored']);
});

test('a primary starts again once the right disks are back', async (t) => {
  const { app, servers, states, countHits } = await stageReplicas(t);
  const disks = await Promise.all(servers.map(keepDisk));
  for (const server of servers) await loseDisk(server);
  await assert.rejects(app.restart(), /no server of shard 1 has all its hits: .* was emptied/);
  for (const [i, server] of servers.entries()) await disks[i]?.putOn(server);
  await app.restart();
  assert.deepEqual([states(), await countHits()], [['complete', 'complete'], 1]);
});

test('of two lost disks, only the one of the server that was complete last lets the primary start', async (t) => {
  const { app, first, second, states, come, check, countHits } = await stageReplicas(t);
  const disks = [await keepDisk(first)];
  await loseDisk(first);
  await check();
  await come();
  await check();
  disks.push(await keepDisk(second));
  await loseDisk(second);
  await assert.rejects(app.restart(), /no server of shard 1 has all its hits/);
  await disks[0]?.putOn(first);
  await assert.rejects(app.restart(), /no server of shard 1 has all its hits/);
  await disks[1]?.putOn(second);
  await app.restart();
  assert.deepEqual([states()[1], await countHits()], ['complete', 2]);
});

test('a primary that started while two names were swapped, one of a server without data, starts once they are right', async (t) => {
  const { app, servers, first, second, states, check, countHits } = await stageReplicas(t);
  const names = await Promise.all(servers.map((server) => startName(t, server)));
  const engine = nameEngine(names.map(({ name }) => name));
  await app.restart(engine);
  await loseDisk(second);
  await check();
  assert.deepEqual(states(), ['complete', 'lacking empty']);
  for (const [i, { lead }] of names.entries()) lead([second, first][i]);
  // The first start may find connections that were closed. Then it takes the servers for silent ones.
  const isRefused = () =>
    app.restart().then(
      () => false,
      () => true,
    );
  await until('the start is refused', isRefused);
  for (const [i, { lead }] of names.entries()) lead([first, second][i]);
  const starts = () =>
    app.restart().then(
      () => true,
      () => false,
    );
  await until('it starts', starts);
  assert.deepEqual([states(), await countHits()], [['complete', 'lacking empty'], 1]);
});
