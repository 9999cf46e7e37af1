import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sendNext } from '../../../src/cluster/outbox/parcels.ts';
import { parseAddress } from '../../../src/cluster/servers/address.ts';
import { connect } from '../../../src/cluster/servers/connect.ts';
import { buildSend } from '../../../src/cluster/servers/send.ts';
import { openOutbox } from '../../../src/store/cluster/outbox.ts';
import { addPiece, findReceipt, setReceipt } from '../../../src/store/cluster/outbox-pieces.ts';
import { openStore } from '../../../src/store/file/open-file.ts';
import { TODAY } from '../../collect/stage.ts';
import { furnish } from '../../support/furnish.ts';
import { folder } from '../../support/helpers.ts';
import { CLUSTER, hostsOf, startCluster } from '../servers.ts';

const CLOCK = { now: () => TODAY * 86_400_000, tick: () => 0 };
const SUMS = { activity: 'count()', crawled: 'sum(requests)', dropped: 'sum(hits)' };
const ROWS = {
  activity: { visitor: 1 },
  crawled: { crawler: 'GPTBot', page: '/', requests: 5 },
  dropped: { reason: 'bot', hits: 5 },
};

/** An outbox, and one server with the tables of a cluster. */
async function stage(t: TestContext) {
  const servers = await startCluster(folder(t), 1, 1);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const text = `clickhouse://${hostsOf(servers)}/own?cluster=${CLUSTER}`;
  const address = parseAddress(text);
  const send = buildSend(address);
  const url = address.urls[0] ?? '';
  const file = join(folder(t), 'daybook.db');
  await furnish(file);
  const store = openStore(file);
  t.after(store.close);
  const { nodes } = await connect(text, store.db, CLOCK);
  t.after(nodes.close);
  const { db, close } = openOutbox(join(folder(t), 'outbox.db'), 'one');
  t.after(close);
  const [node] = nodes.all;
  assert.ok(node);
  return { nodes, node, db, send, url };
}

test('a parcel of any table counts once, however many came since its answer was lost', async (t) => {
  const { nodes, node, db, send, url } = await stage(t);
  for (const kind of ['activity', 'crawled', 'dropped'] as const) {
    const sum = async () => Number(await send(url, `SELECT ${SUMS[kind]} FROM ${kind}`));
    const receiver = { shard: 0, replica: 0, kind };
    const row = JSON.stringify({ site: 1, day: TODAY, seq: 64, ...ROWS[kind] });
    const id = db.write(() => addPiece(db, receiver, { at: 1, seq: 64 }, `${row}\n`));
    assert.ok(await sendNext({ db, nodes, name: 'one', clock: CLOCK }, node, kind, id));
    const after = await sum();
    assert.equal(after, kind === 'activity' ? 1 : 5);
    // ClickHouse forgets the names of the parcels before, and merges what it has.
    await send(url, `ALTER TABLE ${kind} MODIFY SETTING non_replicated_deduplication_window = 1`);
    for (const seq of [128, 192]) {
      const line = JSON.stringify({ site: 1, day: TODAY, seq, ...ROWS[kind] });
      await nodes.insert(node, kind, line, `other-${kind}-${seq}`);
    }
    await send(url, `OPTIMIZE TABLE ${kind} FINAL`);
    const all = await sum();
    assert.equal(all, after + (kind === 'activity' ? 2 : 10));
    db.write(() => setReceipt(db, receiver, { done: 0, sending: id }));
    assert.ok(await sendNext({ db, nodes, name: 'one', clock: CLOCK }, node, kind, id));
    assert.deepEqual([await sum(), findReceipt(db, receiver)], [all, { done: id, sending: null }], kind);
  }
});

test('a parcel whose pieces were deleted while its server was left out holds up none that comes later', async (t) => {
  const { nodes, node, db, send, url } = await stage(t);
  const receiver = { shard: 0, replica: 0, kind: 'activity' };
  const add = (seq: number) => {
    const row = JSON.stringify({ site: 1, day: TODAY, seq, ...ROWS.activity });
    return db.write(() => addPiece(db, receiver, { at: 1, seq }, `${row}\n`));
  };
  const first = add(64);
  db.write(() => setReceipt(db, receiver, { done: 0, sending: first }));
  db.run('DELETE FROM piece');
  const last = add(128);
  const sendOne = () => sendNext({ db, nodes, name: 'one', clock: CLOCK }, node, 'activity', last);
  assert.deepEqual([await sendOne(), await sendOne(), await sendOne()], [true, true, false]);
  assert.equal(await send(url, 'SELECT groupArray(seq) FROM activity'), '[128]\n');
});

test('what waits in an older copy of an outbox counts once, though it was sent in another parcel since', async (t) => {
  const { nodes, node, db, send, url } = await stage(t);
  const receiver = { shard: 0, replica: 0, kind: 'activity' };
  const add = (seq: number) => {
    const row = JSON.stringify({ site: 1, day: TODAY, seq, ...ROWS.activity });
    return db.write(() => addPiece(db, receiver, { at: 1, seq }, `${row}\n`));
  };
  const sendTo = (end: number, former: number) =>
    sendNext({ db, nodes, name: 'one', clock: CLOCK, former }, node, 'activity', end);
  const [, second = 0, third = 0] = [64, 128, 192].map(add);
  assert.ok(await sendTo(third, 0));
  // The copy was made before the third.
  db.run('DELETE FROM piece WHERE id = ?', third);
  db.write(() => setReceipt(db, receiver, { done: 0, sending: null }));
  const fourth = add(256);
  while (await sendTo(fourth, second));
  assert.equal(await send(url, 'SELECT arraySort(groupArray(seq)) FROM activity'), '[64,128,192,256]\n');
});
