import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { listKnownServers } from '../../../src/store/cluster/cluster-servers.ts';
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

test('a retired collector that still runs without the primary sends no row to a server that was filled', async (t) => {
  const { engine, db, counts, alone, lose, log, reach } = await stageAlone(t);
  lose('one');
  await until('the second replica is filled', async () => {
    await engine.upkeep.checkServers();
    return (await counts()) === '3,3' && listKnownServers(db).every(({ state }) => state === 'complete');
  });
  reach();
  await until('it learns that it is retired, or sends', async () => {
    await alone.look();
    return log.some((line) => line.includes('says that this collector is retired')) || (await counts()) !== '3,3';
  });
  assert.equal(await counts(), '3,3');
  await assert.rejects(alone.view('/d'), { code: 'unavailable' });
  assert.equal(await counts(), '3,3');
});
