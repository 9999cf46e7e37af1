import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { HOUR } from '../../../src/lib/time.ts';
import { listKnownServers } from '../../../src/store/cluster/cluster-servers.ts';
import { until } from '../../support/program.ts';
import { stage } from '../collecting.ts';
import { nameEngine, stageReplicas } from '../disks.ts';
import { nameOf } from '../growing.ts';
import { countRows, startServers } from '../names.ts';
import { ask, rowsOn, type Server } from '../servers.ts';

const LACK = "UPDATE cluster_server SET state = 'lacking', reason = 'missed' WHERE replica = 1";
const EMPTY = 'TRUNCATE TABLE own.activity';

const loseOutbox = ({ config }: { config: { db: string } }): void => {
  for (const end of ['', '-wal', '-shm']) rmSync(`${config.db}.outbox${end}`, { force: true });
};

for (const [where, isDown] of Object.entries({ answer: false, 'do not answer': true }))
  test(`after a lost outbox and with a clock behind, rows with higher numbers are copied, if servers ${where} at the start`, async (t) => {
    const { app, servers, second, states, come, check } = await stageReplicas(t);
    const stop = async () => {
      if (isDown) await Promise.all(servers.map(({ kill }) => kill()));
      loseOutbox(app);
    };
    app.clock.jump(-HOUR);
    await app.restart(undefined, stop);
    if (isDown) await Promise.all(servers.map(({ start }) => start()));
    await ask(second, EMPTY);
    app.db.run(LACK);
    await until('it is filled', async () => {
      await check();
      return states()[1] === 'complete';
    });
    await come();
    const sql = 'SELECT count() AS n, uniqExact(seq) AS numbers FROM activity';
    for (const server of servers) assert.deepEqual(await rowsOn(server, 'own', sql), [{ n: 2, numbers: 2 }]);
  });

test('with a clock behind, a fill copies rows of a retired collector, and waits for no sender until the clock has caught up', async (t) => {
  const servers = await startServers(t, 2);
  const [, second] = servers as [Server, Server];
  const app = await stage(t, { engine: nameEngine(servers.map(nameOf)) });
  const { db, clock } = app;
  const [one, two] = [await app.collector('one'), await app.collector('two')];
  await one.view('/a');
  await two.view('/b');
  await two.stop();
  app.lose('two');
  const before = clock.now();
  clock.jump(-HOUR);
  await ask(second, EMPTY);
  db.run(LACK);
  await until('it is filled', async () => {
    // The primary reads its settings for collectors anew when its clock has moved.
    clock.pass(1);
    await one.look();
    void app.engine.upkeep.checkServers();
    return listKnownServers(db).every(({ state }) => state === 'complete');
  });
  assert.ok(clock.now() < before);
  assert.deepEqual(await Promise.all(servers.map(countRows)), [[{ n: 2 }], [{ n: 2 }]]);
});
