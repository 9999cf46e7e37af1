import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { findReach } from '../../src/cluster/outbox/reach.ts';
import { openOutbox } from '../../src/store/cluster/outbox.ts';
import { changeSender } from '../../src/store/cluster/outbox-sender.ts';
import { folder } from '../support/helpers.ts';

test('reach: a collector asks only servers that the primary calls complete', (t) => {
  const { db, close } = openOutbox(join(folder(t), 'outbox.db'), 'one');
  t.after(close);
  const states = { one: 'complete', two: 'lacking', three: 'filling' };
  db.write(() => {
    changeSender(db, { number: 1, engine: 'clickhouse://one:1,two:1,three:1/daybook', tag: '' });
    for (const [replica, [name, state]] of Object.entries(states).entries()) {
      const sql = 'INSERT INTO cluster_server (url, shard, replica, state, fill) VALUES (?, 0, ?, ?, 0)';
      db.run(sql, `http://${name}:1/`, replica, state);
    }
  });
  const { nodes } = findReach(db);
  t.after(() => nodes.close());
  assert.deepEqual(
    nodes.listComplete().map(({ url }) => url),
    ['http://one:1/'],
  );
});
