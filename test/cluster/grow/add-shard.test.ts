import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../../src/lib/time.ts';
import { listDivisions } from '../../../src/store/cluster/divisions.ts';
import { date } from '../../stats/days.ts';
import { nameOf, stageGrowth } from '../growing.ts';

test('add-shard: a cluster grows from one shard to three while hits come in, and answers as a file on each day', async (t) => {
  const app = await stageGrowth(t, { spares: 2 });
  const [, second, third] = [app.own[0], ...app.spares];
  assert.ok(second && third);
  const begin = app.today();
  await app.come(begin, 20);
  // The first time zone is in the next day already. So the division begins a day later.
  let isGrowing = true;
  const coming = (async () => {
    for (let from = 20; isGrowing; from += 5) await app.come(begin, 5, from);
  })();
  const grown = await app.command('add-shard', nameOf(second));
  isGrowing = false;
  await coming;
  const said = (day: number, shards: number) =>
    `from ${date(day)} on, visitors are divided among ${shards} shards. Earlier days stay where they are`;
  assert.deepEqual(grown.printed, [said(begin + 2, 2)]);
  assert.deepEqual(app.states(), ['1 complete', '2 complete']);
  await app.assertEqual();
  for (const [day, onSecond] of [
    [begin + 1, 0],
    [begin + 2, 20],
  ] as const) {
    app.pass(DAY);
    await app.come(day, 20);
    assert.equal(await app.count(second, 'activity', `day = ${day}`), onSecond);
    await app.assertEqual();
    await app.sealBoth();
    await app.assertEqual();
  }
  const again = await app.command('add-shard', nameOf(third));
  assert.deepEqual(again.printed, [said(begin + 4, 3)]);
  // Late hits of former days go where the others of these days are.
  for (const day of [begin + 1, begin + 2]) await app.come(day, 10, 15);
  assert.deepEqual(
    await Promise.all(app.spares.map((one) => app.count(one, 'activity', `day <= ${begin + 1}`))),
    [0, 0],
  );
  for (let n = 0; n < 2; n++) {
    app.pass(DAY);
    await app.come(app.today(), 30);
    await app.assertEqual();
    await app.sealBoth();
    await app.assertEqual();
  }
  assert.equal(await app.count(third, 'activity', `day = ${begin + 4} AND visitor % 3 = 2`), 20);
  assert.deepEqual(listDivisions(app.db), [
    { day: 0, shards: 1 },
    { day: begin + 2, shards: 2 },
    { day: begin + 4, shards: 3 },
  ]);
  // The option --engine names only the first server.
  await app.restart();
  await app.come(app.today(), 10, 40);
  await app.assertEqual();
  const repeated = await app.command('add-shard', nameOf(third));
  assert.deepEqual(repeated.printed, again.printed);
});
