import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { removeSent } from '../../../src/cluster/outbox/parcels.ts';
import { listCuts, measureProgress, takeCut } from '../../../src/cluster/outbox/progress.ts';
import { findLeastShipped, listLate } from '../../../src/cluster/upkeep/collectors-progress.ts';
import type { Server } from '../../../src/store/cluster/cluster-servers.ts';
import { openOutbox } from '../../../src/store/cluster/outbox.ts';
import { addPiece, findLastToSend, findReceipt, setReceipt } from '../../../src/store/cluster/outbox-pieces.ts';
import { setSequence } from '../../../src/store/cluster/outbox-sender.ts';
import { folder } from '../../support/helpers.ts';

const NOW = { next: 64_000, until: 1_000 };

/** One shard with three replicas, an outbox with four pieces, and how many of them each replica has. */
function stage(t: TestContext, states: readonly Server['state'][], have: readonly number[]) {
  const { db, close } = openOutbox(join(folder(t), 'outbox.db'), 'one');
  t.after(close);
  const servers = states.map(
    (state, replica): Server => ({ url: `http://${replica}/`, shard: 0, replica, state, fill: 7 }),
  );
  const activity = { shard: 0, kind: 'activity' };
  db.write(() => {
    for (let n = 1; n <= 4; n++) addPiece(db, activity, { at: n * 100, seq: n * 640 }, `{"seq":${n * 640}}\n`);
    setSequence(db, 4 * 640 + 64);
    for (const [replica, done] of have.entries()) setReceipt(db, { ...activity, replica }, { done, sending: null });
  });
  return { db, servers, activity };
}

test('progress: a sender tells how far each server is; what a lacking one has holds nothing up', (t) => {
  const { db, servers } = stage(t, ['complete', 'lacking', 'complete'], [4, 0, 2]);
  assert.deepEqual(measureProgress(db, servers, NOW), {
    ...{ next: 3 * 640, until: 300 },
    servers: [
      { url: 'http://0/', ...NOW },
      { url: 'http://2/', next: 3 * 640, until: 300 },
    ],
  });
  // Without a complete server nothing of a shard is anywhere.
  const lacking = servers.map((one): Server => ({ ...one, state: 'lacking' }));
  assert.deepEqual(measureProgress(db, lacking, NOW), { next: 640, until: 100, servers: [] });
});

test('progress: pieces go when all servers have them that they are kept for', (t) => {
  const { db, activity } = stage(t, ['complete', 'lacking', 'complete'], [4, 0, 2]);
  const first = () => findLastToSend(db, activity, { after: 0, end: 9 }, 0);
  removeSent(db, 0, 'activity', [0, 1, 2]);
  assert.equal(first(), 1);
  removeSent(db, 0, 'activity', []);
  assert.equal(first(), 1, 'without anybody to send to, all of it is kept');
  removeSent(db, 0, 'activity', [0, 2]);
  assert.equal(first(), 3);
});

test('progress: a request is limited in bytes, also where a character has several', (t) => {
  const { db } = stage(t, ['complete'], [4]);
  const stream = { shard: 1, kind: 'activity' };
  const ids = db.write(() => [1, 2, 3].map((n) => addPiece(db, stream, { at: n, seq: n }, 'ü'.repeat(10))));
  const findLast = (most: number) => findLastToSend(db, stream, { after: 0, end: 99 }, most);
  assert.deepEqual([findLast(39), findLast(40), findLast(60)], ids);
});

test('progress: a server that is filled gets what comes after the cut, and the cut is made once for each copy', (t) => {
  const { db, servers, activity } = stage(t, ['complete', 'filling', 'complete'], [3, 4, 2]);
  const [, filling] = servers;
  assert.ok(filling);
  assert.deepEqual(listCuts(db, servers), [], 'not told before it is made');
  takeCut(db, filling, servers);
  // What both complete ones have is copied: the first two pieces. Of the others nothing waits.
  const seqs = { activity: 3 * 640, crawled: 4 * 640 + 128, dropped: 4 * 640 + 128 };
  assert.deepEqual(listCuts(db, servers), [{ url: 'http://1/', fill: 7, seqs }]);
  assert.deepEqual(findReceipt(db, { ...activity, replica: 1 }), { done: 2, sending: null });
  db.write(() => setReceipt(db, { ...activity, replica: 1 }, { done: 3, sending: null }));
  takeCut(db, filling, servers);
  assert.equal(findReceipt(db, { ...activity, replica: 1 }).done, 3);
  takeCut(db, { ...filling, fill: 8 }, servers);
  assert.equal(findReceipt(db, { ...activity, replica: 1 }).done, 2);
});

test('progress: days wait for the sender that is furthest back, and a server is late when others of its shard have more', () => {
  const nodes = [0, 1, 2].map((i) => ({ url: `http://${i}/`, shard: i === 2 ? 1 : 0, replica: i }));
  const at = (...untils: number[]) => untils.map((until, i) => ({ url: `http://${i}/`, next: until * 64, until }));
  const own = { ...NOW, servers: at(1_000, 1_000, 1_000), reason: 'own' };
  const one = { ...NOW, servers: at(995, 300, 990), reason: 'one' };
  assert.deepEqual(findLeastShipped([own, one], nodes), { until: 300, next: 300 * 64, reason: 'one' });
  assert.deepEqual(listLate([own, one], nodes), [nodes[1]]);
  // A collector that is away is late with all of them, and no server is to blame.
  const silent = { ...NOW, servers: at(100, 100, 100), reason: 'silent' };
  assert.deepEqual(listLate([own, silent], nodes), []);
  // Of which one has said nothing yet, that is no sign.
  const young = { ...NOW, servers: at(1_000), reason: 'young' };
  assert.deepEqual(listLate([own, young], nodes), []);
  assert.equal(findLeastShipped([own, young], nodes).until, 0);
});
