import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../../src/lib/time.ts';
import { hereOn } from '../../cli/here.ts';
import { TODAY } from '../../collect/stage.ts';
import { emptyApp } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { keepDisk, loseDisk, nameEngine, stageReplicas } from '../disks.ts';
import { nameOf } from '../growing.ts';
import { countRows, startName } from '../names.ts';
import { rowsOn } from '../servers.ts';

test('a server that responds late, with a copy of a disk, is left out and can be filled without a restart', async (t) => {
  const { app, first, second, states, check, countHits, come } = await stageReplicas(t);
  const disk = await keepDisk(first);
  await disk.putOn(second);
  await second.kill();
  await app.restart();
  await second.start();
  await until('it is left out', () => states()[1] === 'lacking restored');
  await come();
  await hereOn(app, 'cluster', 'fill', nameOf(second));
  await check();
  assert.deepEqual([states(), await countHits()], [['complete', 'complete'], 2]);
  assert.deepEqual(await countRows(second), [{ n: 2 }]);
});

test('a server that gets a copy of a disk while the primary runs is left out', async (t) => {
  const { first, second, states, check, countHits, come, app } = await stageReplicas(t);
  const disk = await keepDisk(first);
  await disk.putOn(second);
  await check();
  await until('it is left out', () => states()[1] === 'lacking restored');
  await come();
  assert.deepEqual([states()[0], await countHits(), await countRows(second)], ['complete', 2, [{ n: 1 }]]);
  await hereOn(app, 'cluster', 'fill', nameOf(second));
  assert.deepEqual([states(), await countRows(second)], [['complete', 'complete'], [{ n: 2 }]]);
});

test('a server that missed a statement, and has a copy of a disk now, waits for the command that fills it', async (t) => {
  const { app, first, second, states } = await stageReplicas(t);
  const disk = await keepDisk(first);
  const lack = (reason: string) =>
    app.db.run("UPDATE cluster_server SET state = 'lacking', reason = ? WHERE replica = 1", reason);
  lack('empty');
  await disk.putOn(second);
  lack('missed');
  await until('the reason is known', () => states()[1] === 'lacking restored');
});

test('a server with a disk of a server that was removed is left out, and the primary starts', async (t) => {
  const { app, first, second, states, countHits } = await stageReplicas(t, 3);
  const disk = await keepDisk(first);
  await hereOn(app, 'cluster', 'remove', nameOf(first));
  await disk.putOn(second);
  await app.restart();
  assert.deepEqual([states(), await countHits()], [['lacking restored', 'complete'], 1]);
});

test('of two servers with new names and copies of one disk, the one with the newer copy is used', async (t) => {
  const { app, servers, first, second, states, come, check, countHits } = await stageReplicas(t);
  const older = await keepDisk(first);
  await come();
  await app.restart();
  await check();
  await older.putOn(second);
  const names = await Promise.all(servers.map((server) => startName(t, server)));
  await app.restart(nameEngine(names.map(({ name }) => name)));
  assert.deepEqual([states(), await countHits()], [['complete', 'lacking restored'], 2]);
});

test('a backup that is restored on the other replica is used once that is accepted, and no hit counts twice', async (t) => {
  const { app, first, second, states, check, countHits, come } = await stageReplicas(t);
  app.clock.pass(DAY);
  assert.equal((await app.engine.upkeep.seal()).days, 1);
  await check();
  const disk = await keepDisk(first);
  await loseDisk(first);
  await disk.putOn(second);
  await assert.rejects(
    app.restart(),
    /no server of shard 1 has all its hits: \S+ has a new disk, or was emptied, \S+ has an older disk.*daybook cluster accept/,
  );
  await hereOn(app, 'cluster', 'accept', nameOf(second));
  await app.restart();
  assert.deepEqual(states(), ['lacking empty', 'complete'].toReversed());
  await come(TODAY + 1);
  assert.deepEqual([await countHits(), await countHits(app, TODAY + 1)], [1, 1]);
  await hereOn(app, 'cluster', 'fill', nameOf(first));
  assert.deepEqual(states(), ['complete', 'complete']);
  const read = (sql: string) => Promise.all([first, second].map((server) => rowsOn(server, 'own', sql)));
  assert.deepEqual(await read('SELECT count() AS n FROM visit'), [[{ n: 1 }], [{ n: 1 }]]);
  assert.deepEqual(await read('SELECT argMax(place, beat) AS place FROM mark'), [
    [{ place: '0/1' }],
    [{ place: '0/0' }],
  ]);
});

test('a server is not accepted while its name leads to the other replica', async (t) => {
  const { app, servers, first, second } = await stageReplicas(t);
  const names = await Promise.all(servers.map((server) => startName(t, server)));
  await app.restart(nameEngine(names.map(({ name }) => name)));
  await app.engine.upkeep.checkServers();
  app.db.run("UPDATE cluster_server SET state = 'lacking', reason = 'restored'");
  const accept = () => hereOn(app, 'cluster', 'accept', names[0]?.name ?? '');
  for (const [i, { lead }] of names.entries()) lead([second, first][i]);
  const isRefused = (error: Error) => /leads to replica 2 of shard 1, and should lead to replica 1/.test(error.message);
  // The first try may find a connection that was closed.
  await until('it is refused', () => accept().then(() => assert.fail('it was accepted'), isRefused));
  for (const [i, { lead }] of names.entries()) lead([first, second][i]);
  await accept();
});

test('an adoption leaves out a server that has a copy of a disk', async (t) => {
  const { app, first, second, copy, states } = await stageReplicas(t);
  const db = copy();
  const disk = await keepDisk(first);
  await disk.putOn(second);
  await app.engine.close();
  const config = { ...app.config, db };
  await hereOn({ config }, 'cluster', 'adopt', '--yes');
  const adopted = await emptyApp(t, { engine: config.engine ?? '' }, { from: db });
  await until('it is filled', async () => {
    await adopted.engine.upkeep.checkServers();
    return states(adopted).join() === 'complete,complete';
  });
  assert.match(adopted.log.join(), new RegExp(`being filled.*${nameOf(second)}`));
});
