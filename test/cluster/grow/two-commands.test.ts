import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { begin, hereOn } from '../../cli/here.ts';
import { nameOf, stageGrowth } from '../growing.ts';

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
