import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/program.ts';
import { stage } from './collecting.ts';

test('what a collector drops for a block counts for that block, also after both have started again', async (t) => {
  const app = await stage(t);
  const { owner, viewer, stranger, siteId, clock } = app;
  const path = `/sites/${siteId}/blocks`;
  const add = async (value: string): Promise<number> =>
    (await owner.ask('POST', path, { kind: 'page', value })).body.data.id;
  const count = async (): Promise<number[]> =>
    (await viewer.ask('GET', path)).body.data.map(({ dropped }: { dropped: number }) => dropped);
  const id = await add('/a');
  await add('/b');
  const one = await app.collector('one');
  const two = await app.collector('two');
  for (const page of ['/a', '/a', '/b']) assert.equal(await one.view(page), 'blocked');
  assert.equal(await two.view('/a'), 'blocked');
  assert.equal(await two.view('/c'), undefined);
  await one.intake.ship();
  await two.intake.ship();
  await until('both have sent their counts', async () => (await count()).join() === '3,1');

  await one.stop();
  await app.close();
  await app.restart();
  await app.open();
  const again = await app.collector('one');
  assert.equal(await again.view('/b'), 'blocked');
  await again.intake.ship();
  await until('the count goes on', async () => (await count()).join() === '3,2');
  assert.equal((await stranger.ask('GET', path)).status, 404);

  assert.equal((await owner.ask('DELETE', `${path}/${id}`)).status, 204);
  clock.pass(1);
  await again.look();
  assert.equal(await again.view('/a'), undefined);
  assert.deepEqual(await count(), [2]);
});
