import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import type { Config } from '../../../src/config.ts';
import { listen } from '../../../src/http/server.ts';
import { listKnownServers } from '../../../src/store/cluster/cluster-servers.ts';
import { listRetiredNumbers } from '../../../src/store/cluster/collectors.ts';
import { hereOn } from '../../cli/here.ts';
import { emptyApp, folder } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { stage } from '../collecting.ts';
import { nameEngine } from '../disks.ts';
import { nameOf } from '../growing.ts';
import { countRows, startName, startServers } from '../names.ts';
import type { Server } from '../servers.ts';

/** Gives a server another name in the outbox of a collector that does not run. */
function renameServer(outbox: string, before: string, after: string): void {
  const db = new Database(outbox);
  db.prepare('UPDATE cluster_server SET url = replace(url, ?, ?)').run(before, after);
  db.prepare('UPDATE sender SET engine = replace(engine, ?, ?)').run(before, after);
  db.close();
}

/**
 * A collector without contact to its primary. It has sent its last hits only to the first of two replicas. It has tried
 * to send the first of them to the second replica too, so it would ask that replica for this hit before it tries again.
 */
async function stageAlone(t: TestContext) {
  const servers = await startServers(t, 2);
  const [first, second] = servers as [Server, Server];
  const [toPrimary, toCollector] = await Promise.all([startName(t, second), startName(t, second)]);
  const app = await stage(t, { engine: nameEngine([nameOf(first), toPrimary.name]) });
  const counts = async () => (await Promise.all(servers.map(countRows))).map(([one]) => one?.n).join();
  const one = await app.collector('one', { ack: 'disk' });
  await one.view('/a');
  await until('both replicas have the hit', async () => (await counts()) === '1,1');
  await one.stop();
  await app.close();
  renameServer(app.outbox('one'), toPrimary.name, toCollector.name);
  toCollector.lead(undefined);
  const alone = await app.collector('alone', { ack: 'disk', outbox: app.outbox('one') });
  for (const [path, all] of [
    ['/b', '2,1'],
    ['/c', '3,1'],
  ] as const) {
    await alone.view(path);
    await until(`the first replica has ${path}`, async () => (await counts()) === all);
  }
  return { ...app, counts, alone, reach: () => toCollector.lead(second) };
}

type Stage = Awaited<ReturnType<typeof stageAlone>>;

/** Gives the collector up as lost, and waits until the second replica has its hits from the first one. */
async function loseAndFill({ engine, db, counts, lose }: Stage): Promise<void> {
  lose('one');
  await until('the second replica is filled', async () => {
    await engine.upkeep.checkServers();
    return (await counts()) === '3,3' && listKnownServers(db).every(({ state }) => state === 'complete');
  });
}

test('a retired collector that still runs without the primary sends no row to a server that was filled', async (t) => {
  const staged = await stageAlone(t);
  const { counts, alone, log, reach } = staged;
  await loseAndFill(staged);
  reach();
  await until('it learns that it is retired, or sends', async () => {
    await alone.look();
    return log.some((line) => line.includes('says that this collector is retired')) || (await counts()) !== '3,3';
  });
  assert.equal(await counts(), '3,3');
  await assert.rejects(alone.view('/d'), { code: 'unavailable' });
  assert.equal(await counts(), '3,3');
});

/** How a backup from before the collector was retired comes into use. */
const RESTORES = {
  restored: async () => {},
  adopted: (config: Config) => hereOn({ config }, 'cluster', 'adopt', '--yes'),
};

for (const [how, takeOver] of Object.entries(RESTORES))
  test(`a collector that was retired after a backup was made stays retired when the backup is ${how}`, async (t) => {
    const staged = await stageAlone(t);
    const { db, config, engine, counts, alone, close, log, reach } = staged;
    const backup = join(folder(t), 'backup.db');
    db.run('VACUUM INTO ?', backup);
    await loseAndFill(staged);
    await close();
    await engine.close();
    await takeOver({ ...config, db: backup });
    const restored = await emptyApp(t, { engine: config.engine ?? '' }, { from: backup });
    assert.deepEqual(listRetiredNumbers(restored.db, { isLost: true }), [1]);
    const place = { host: '127.0.0.1', port: Number(new URL(alone.primary).port), trust: config.trust };
    const runtime = { random: randomBytes, clock: restored.clock, log: () => {} };
    const primary = await listen(place, runtime, () => restored.app);
    t.after(() => primary.stop());
    reach();
    await until('it learns that it is retired, or sends', async () => {
      await alone.look();
      return log.some((line) => line.includes('unsent')) || (await counts()) !== '3,3';
    });
    assert.equal(await counts(), '3,3');
    await assert.rejects(alone.view('/d'), { code: 'unavailable' });
  });
