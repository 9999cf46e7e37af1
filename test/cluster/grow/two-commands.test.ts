import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { listServers } from '../../../src/store/cluster/cluster-servers.ts';
import { begin, hereOn } from '../../cli/here.ts';
import { folder } from '../../support/helpers.ts';
import { gatesOf } from '../gates.ts';
import { nameOf, stageGrowth, stageUndecided } from '../growing.ts';
import { startCluster } from '../servers.ts';

test('two commands at once that remove the two servers of a shard leave one of them', async (t) => {
  const app = await stageGrowth(t, { replicas: 2, spares: 0 });
  await app.come(app.today(), 5);
  mock.timers.setTime(app.clock.now());
  const removing = app.own.map((one) => begin(app, 'cluster', 'remove', nameOf(one)));
  const ended = await Promise.race([
    Promise.allSettled(removing.map(({ done }) => done)),
    new Promise<undefined>((resolve) => setTimeout(resolve, 20_000, undefined)),
  ]);
  for (const { stop } of removing) stop();
  assert.deepEqual(ended?.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  assert.deepEqual(app.states(), ['1 complete']);
  await app.assertEqual();
});

test('two commands at once that add one replica add it once', async (t) => {
  const app = await stageGrowth(t);
  const [spare] = app.spares;
  assert.ok(spare);
  await app.come(app.today(), 5);
  mock.timers.setTime(app.clock.now());
  const add = () => hereOn(app, 'cluster', 'add-replica', nameOf(spare), '--shard', '1');
  const both = await Promise.all([add(), add()]);
  for (const { printed } of both) assert.deepEqual(printed, [`http://${nameOf(spare)}/ has everything`]);
  assert.deepEqual(app.states(), ['1 complete', '1 complete']);
  await app.assertEqual();
});

test('a command that takes a new shard back while another adds a replica to it leaves no server there', async (t) => {
  const { app, adding, spare } = await stageUndecided(t);
  const ended = assert.rejects(adding.done, /shard 2 was removed/);
  const [more] = await startCluster(folder(t), 1, 1);
  assert.ok(more);
  t.after(() => more.kill());
  const gate = await gatesOf(t, [more]);
  const takeBack = () => hereOn(app, 'cluster', 'remove', nameOf(spare));
  let taken: ReturnType<typeof takeBack> | undefined;
  gate.watch(async (sql) => {
    if (!sql.startsWith('CREATE DATABASE')) return false;
    taken ??= takeBack();
    await taken;
    return false;
  });
  await assert.rejects(
    hereOn(app, 'cluster', 'add-replica', gate.hosts, '--shard', '2'),
    /no server of shard 2 has everything/,
  );
  await Promise.all([taken, ended]);
  assert.equal(listServers(app.db).length, 1);
});
