import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { cancelShard } from '../../../src/cluster/grow/divide.ts';
import { seconds } from '../../../src/lib/time.ts';
import { listServers } from '../../../src/store/cluster/cluster-servers.ts';
import { listDivisions } from '../../../src/store/cluster/divisions.ts';
import { openStore } from '../../../src/store/file/open-file.ts';
import { hereOn } from '../../cli/here.ts';
import { appendTo, pageview, TODAY } from '../../collect/stage.ts';
import { emptyApp, folder, startApp } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { ownServers } from '../asking.ts';
import { nameOf, stageGrowth, stageUndecided } from '../growing.ts';

const VISITORS = 12;

for (const [begun, title] of [
  [false, 'before its first day'],
  [true, 'on its first day'],
] as const)
  test(`a new shard: an older file that adopts the cluster ${title} divides the visitors of today as before`, async (t) => {
    const app = await startApp(t);
    const { siteId, db } = app;
    const day = begun ? TODAY : TODAY + 2;
    const come = (to: Pick<typeof app, 'engine'>) =>
      appendTo(
        to.engine,
        Array.from({ length: VISITORS }, (_, visitor) => pageview({ siteId, day: TODAY, visitor })),
      );
    db.run('INSERT INTO division (day, shards) VALUES (0, 1), (?, 2)', day);
    await come(app);
    await app.engine.upkeep.checkServers();
    const older = join(folder(t), 'older.db');
    db.run('VACUUM INTO ?', older);
    const file = openStore(older);
    // The file is from before the shard was added.
    file.db.run('DELETE FROM cluster_server WHERE shard = 1');
    file.db.run('DELETE FROM division');
    file.close();
    await hereOn({ config: { ...app.config, db: older } }, 'cluster', 'adopt', '--yes');
    const restored = await emptyApp(t, { engine: app.config.engine ?? '' }, { from: older });
    restored.clock.pass(60);
    await come(restored);
    const { sum } = ownServers(app);
    const rows = () => sum('SELECT count() FROM activity');
    // Each shard has two replicas.
    await until('all hits are there', async () => (await rows()) === 2 * 2 * VISITORS);
    assert.equal(await sum('SELECT uniqExact(visitor) FROM activity'), 2 * VISITORS, 'no visitor is on two shards');
    const expected = { day: begun ? TODAY : TODAY + 2, shards: 2 };
    assert.deepEqual(listDivisions(restored.db), [{ day: 0, shards: 1 }, expected]);
  });

test('a new shard: a file that takes it back while the server is off is not taken for an old backup', async (t) => {
  const { app, adding, first, address } = await stageUndecided(t);
  const { askAt } = ownServers(app);
  await until(
    'the marks name two shards',
    async () => (await askAt(nameOf(first), 'SELECT max(shards) FROM mark')) === '2',
  );
  const older = join(folder(t), 'older.db');
  app.db.run('VACUUM INTO ?', older);
  const file = openStore(older);
  const [, server] = listServers(file.db);
  assert.ok(server);
  assert.equal(cancelShard(file.db, server, seconds(app.clock)), true);
  file.close();
  adding.stop();
  await adding.done;
  const restarted = await emptyApp(t, { engine: address }, { from: older });
  assert.equal(listServers(restarted.db).length, 1);
});

test('replace: an older file that still names the removed server is refused, because newer hits are elsewhere', async (t) => {
  const app = await stageGrowth(t);
  const [first, spare] = [app.own[0], app.spares[0]];
  assert.ok(first && spare);
  await app.come(app.today(), 5);
  await app.engine.upkeep.checkServers();
  const older = join(folder(t), 'older.db');
  app.db.run('VACUUM INTO ?', older);
  await app.command('replace', nameOf(first), nameOf(spare));
  await app.come(app.today(), 7, 100);
  await assert.rejects(
    emptyApp(t, { engine: app.address }, { from: older }),
    /no server of shard 1 has all its hits: .* has a new disk, or was emptied/,
  );
  await app.assertEqual();
});
