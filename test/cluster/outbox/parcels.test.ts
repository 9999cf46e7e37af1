import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sendNext } from '../../../src/cluster/outbox/parcels.ts';
import { parseAddress } from '../../../src/cluster/servers/address.ts';
import { connect } from '../../../src/cluster/servers/connect.ts';
import { buildSend } from '../../../src/cluster/servers/send.ts';
import { addPiece, findReceipt, openOutbox, setReceipt } from '../../../src/store/cluster/outbox.ts';
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

test('a parcel of any table counts once, however many came since its answer was lost', async (t) => {
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
