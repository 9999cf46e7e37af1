import assert from 'node:assert/strict';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { freeBytes } from '../../../src/lib/disk.ts';
import { listKnownServers } from '../../../src/store/cluster/cluster-servers.ts';
import { addCollector, changeStatus, findCollector, retireCollector } from '../../../src/store/cluster/collectors.ts';
import { appendTo, pageview } from '../../collect/stage.ts';
import { smallDisk } from '../../support/disk.ts';
import { folder, startApp } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { CLUSTER, hostsOf, startCluster } from '../servers.ts';

/**
 * Starts two servers. The second one has a small disk and lacks data, and a fill of it waits for a collector. Undefined
 * without the right to mount.
 */
async function lackOnSmallDisk(t: TestContext) {
  const disk = smallDisk(t, 512 * 1024);
  if (disk === undefined) return undefined;
  const at = folder(t);
  symlinkSync(disk, join(at, 'server1'));
  const servers = await startCluster(at, 1, 2);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const app = await startApp(t, { engine: `clickhouse://${hostsOf(servers)}/own?cluster=${CLUSTER}` });
  const { db, siteId, engine } = app;
  await appendTo(engine, [pageview({ siteId })]);
  const states = () => listKnownServers(db).map(({ state }) => state);
  db.write(() => addCollector(db, { name: 'silent', hash: Buffer.alloc(32), now: 0 }));
  const counts = { now: 0, until: 0, next: 0, parcelAt: null, bytes: 0, behind: [], servers: [], cuts: [] };
  const status = { version: '1', run: 'a', ...counts, visitors: null, closed: null };
  db.write(() => changeStatus(db, 1, { status, outbox: 'box', now: 0 }));
  db.run("UPDATE cluster_server SET state = 'lacking', reason = 'missed' WHERE url LIKE ?", `%:${servers[1]?.http}/`);
  const freeDisk = () => rmSync(join(disk, 'filler'));
  const fillDisk = (left: number) => writeFileSync(join(disk, 'filler'), Buffer.alloc(freeBytes(disk) - left));
  return { ...app, states, fillDisk, freeDisk };
}

test('a server whose disk is full is not filled, and no hits are kept for it', async (t) => {
  const lacking = await lackOnSmallDisk(t);
  if (lacking === undefined) return t.skip('it needs the right to mount a tmpfs');
  const { db, engine, log, states, fillDisk, freeDisk } = lacking;
  const refusals = () => log.filter((line) => /could not be filled.*NOT_ENOUGH_SPACE/.test(line)).length;

  // It waits for a collector when its disk becomes full.
  const filled = engine.upkeep.checkServers();
  await until('it is filled', () => states()[1] === 'filling');
  fillDisk(300_000);
  await until('it is given up', () => states()[1] === 'lacking');
  await filled;
  assert.deepEqual(states(), ['complete', 'lacking']);
  assert.equal(refusals(), 1, log.join('\n'));

  // It is full when the next fill would begin.
  await engine.upkeep.checkServers();
  assert.deepEqual(states(), ['complete', 'lacking']);
  assert.equal(refusals(), 2, log.join('\n'));

  freeDisk();
  const silent = findCollector(db, 'silent') ?? assert.fail();
  db.write(() => retireCollector(db, silent, { now: 0, isLost: true }));
  await engine.upkeep.checkServers();
  assert.deepEqual(states(), ['complete', 'complete'], log.join('\n'));
});

test('a server whose disk has room for single rows, but not for a parcel of hits, is not filled either', async (t) => {
  const lacking = await lackOnSmallDisk(t);
  if (lacking === undefined) return t.skip('it needs the right to mount a tmpfs');
  const { siteId, engine, log, states, fillDisk } = lacking;
  const filled = engine.upkeep.checkServers();
  await until('it is filled', () => states()[1] === 'filling');
  fillDisk(4_000_000);
  const page = `/${'long'.repeat(250)}`;
  const many = Array.from({ length: 9_000 }, (_, visitor) => pageview({ siteId, visitor, page: `${page}${visitor}` }));
  const taken = engine.intake.append({ activities: many });
  await until('it is given up', () => states()[1] === 'lacking');
  await Promise.all([filled, taken]);
  assert.ok(log.some((line) => /could not be filled.*NOT_ENOUGH_SPACE/.test(line)));
});
