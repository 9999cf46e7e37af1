import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findReach } from '../../src/cluster/outbox/reach.ts';
import { freeBytes } from '../../src/lib/disk.ts';
import { findFirstWaiting } from '../../src/store/cluster/outbox-pieces.ts';
import { smallDisk } from '../support/disk.ts';
import { stage } from './collecting.ts';

/** Long pages, so that few hits are a parcel of some MB. */
const PAGE = `/${'long'.repeat(250)}`;
const AT_ONCE = 200;

test('a collector whose disk was filled to the last byte sends all that it acknowledged once the cluster is back', async (t) => {
  const disk = smallDisk(t, 128 * 1024);
  if (disk === undefined) return t.skip('it needs the right to mount a tmpfs');
  const app = await stage(t);
  const outbox = join(disk, 'outbox.db');
  const one = await app.collector('one', { ack: 'disk', outbox, flood: '0' });
  one.lookAtDisk();
  assert.ok(existsSync(`${outbox}.reserve`));
  // The cluster takes nothing from it.
  one.db.run("UPDATE sender SET engine = replace(engine, 'clickhouse://', 'clickhouse://default:wrong@'), tag = 'x'");
  await one.intake.turnTo(findReach(one.db));

  writeFileSync(join(disk, 'filler'), Buffer.alloc(freeBytes(disk) - 8 * 1024 * 1024));
  let taken = 0;
  for (let isFull = false; !isFull && taken < 20_000; ) {
    const tries = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => one.view(PAGE)));
    taken += tries.filter((one) => one.status === 'fulfilled' && one.value === undefined).length;
    isFull = tries.some(({ status }) => status === 'rejected');
  }
  assert.ok(taken > 2_000, `${taken}`);
  assert.equal(freeBytes(disk) < 1024 * 1024, true);
  one.lookAtDisk();
  assert.equal(one.gate.closed(), 'disk');
  await assert.rejects(one.view('/a'), { code: 'unavailable' });

  await one.look();
  await one.intake.ship();
  assert.equal(findFirstWaiting(one.db), undefined);
  assert.equal((await app.figures()).pageviews, taken);
  await one.look();
  assert.deepEqual(app.db.all('SELECT sum(events) AS events FROM usage'), [{ events: taken }]);
  assert.ok(app.log.some((line) => line.includes('the disk of the outbox is full')));

  one.lookAtDisk();
  assert.equal(one.gate.closed(), 'disk', 'something else has the disk');
  rmSync(join(disk, 'filler'));
  one.lookAtDisk();
  assert.equal(await one.view('/a'), undefined);
});
