import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { buildGate } from '../../src/collectors/gate.ts';
import { makeRoomToOpen, watchReserve } from '../../src/collectors/reserve.ts';
import { freeBytes } from '../../src/lib/disk.ts';
import { openOutbox } from '../../src/store/cluster/outbox.ts';
import { addPiece } from '../../src/store/cluster/outbox-pieces.ts';
import { smallDisk } from '../support/disk.ts';

const MIB = 1024 * 1024;

/** An outbox on a disk of its own; undefined where none may be mounted. */
function stage(t: TestContext, mib: number) {
  const disk = smallDisk(t, mib * 1024);
  if (disk === undefined) return undefined;
  const path = join(disk, 'outbox.db');
  const open = () => {
    makeRoomToOpen(path);
    return openOutbox(path, 'one');
  };
  const outbox = open();
  t.after(() => outbox.close());
  const gate = buildGate(() => true);
  const log: string[] = [];
  const look = watchReserve(outbox, {
    gate,
    intake: { countWaiting: () => 0 },
    random: randomBytes,
    log: (line) => log.push(line),
  });
  return {
    ...{ ...outbox, open, look, gate, log },
    free: () => freeBytes(disk),
    hasReserve: () => existsSync(`${path}.reserve`),
    fill: (left: number) => writeFileSync(join(disk, 'filler'), Buffer.alloc(freeBytes(disk) - left)),
    empty: () => rmSync(join(disk, 'filler')),
  };
}

test('a collector takes hits while it has its reserve, and gives it up when the disk is nearly full', (t) => {
  const one = stage(t, 128);
  if (!one) return t.skip('it needs the right to mount a tmpfs');
  const { look, gate, free, hasReserve, fill, empty, log } = one;
  look();
  assert.deepEqual([gate.closed(), hasReserve()], [null, true]);
  fill(17 * MIB);
  look();
  assert.deepEqual([gate.closed(), hasReserve()], [null, true]);
  empty();
  fill(15 * MIB);
  look();
  assert.deepEqual([gate.closed(), hasReserve()], ['disk', false]);
  assert.ok(free() > 46 * MIB);
  look();
  assert.deepEqual([gate.closed(), hasReserve()], ['disk', false]);
  empty();
  look();
  assert.deepEqual([gate.closed(), hasReserve()], [null, true]);
  assert.equal(log.length, 2, log.join('\n'));
});

test('an outbox that has drained gives its room back to the disk, so that hits are taken again', (t) => {
  const one = stage(t, 128);
  if (!one) return t.skip('it needs the right to mount a tmpfs');
  const { db, look, gate } = one;
  look();
  const lines = 'x'.repeat(MIB);
  let pieces = 0;
  while (gate.closed() === null) {
    db.write(() => addPiece(db, { shard: 0, kind: 'activity' }, { at: 1, seq: pieces++ }, lines));
    db.emptyWal();
    look();
  }
  assert.ok(pieces > 60, `${pieces}`);
  // A parcel at a time, as it is sent.
  for (let id = 16; id <= pieces + 16; id += 16) {
    db.write(() => db.run('DELETE FROM piece WHERE id <= ?', id));
    assert.equal(gate.closed(), 'disk');
  }
  look();
  assert.equal(gate.closed(), null);
});

test('an outbox opens on a disk that something else has filled, because it has a reserve', (t) => {
  const one = stage(t, 96);
  if (!one) return t.skip('it needs the right to mount a tmpfs');
  const { look, fill, close, open, gate } = one;
  look();
  assert.equal(gate.closed(), null);
  close();
  fill(0);
  const again = open();
  again.db.write(() => addPiece(again.db, { shard: 0, kind: 'activity' }, { at: 1, seq: 1 }, 'x'));
  again.close();
});
