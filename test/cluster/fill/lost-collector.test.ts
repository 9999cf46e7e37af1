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

test('a replica that lacks hits of a lost collector answers no query once the other one is back', async (t) => {
  const servers = await startServers(t, 2);
  const [first, second] = servers as [Server, Server];
  const [one, two] = await Promise.all([startName(t, first), startName(t, second)]);
  const app = await stage(t, { engine: nameEngine([one.name, two.name]) });
  const { engine, clock } = app;
  const counts = async () => (await Promise.all(servers.map(countRows))).map(([own]) => own?.n).join();
  const collector = await app.collector('one', { ack: 'disk' });
  await collector.view('/a');
  await until('both replicas have the hit', async () => (await counts()) === '1,1');
  await collector.look();
  one.lead(undefined);
  clock.pass(120);
  await collector.view('/b');
  await until('one replica has both hits', async () => (await counts()) === '1,2');
  await collector.look();
  await collector.stop();
  assert.equal((await app.figures()).pageviews, 2);
  app.lose('one');
  two.lead(undefined);
  one.lead(first);
  const isAway = (count: number) => async () => {
    await app.owner.ask('GET', `/sites/${app.siteId}/stats/overview`);
    return engine.upkeep.listAwayServers().length === count;
  };
  await until('only the replica answers', async () => (await isAway(1)()) && (await app.figures())?.pageviews === 1);
  two.lead(second);
  await until('both answer', isAway(0));
  assert.equal((await app.figures()).pageviews, 2);
  assert.equal(await counts(), '1,2');
});
