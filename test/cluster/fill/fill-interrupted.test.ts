import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillServer } from '../../../src/cluster/fill/fill.ts';
import { connect } from '../../../src/cluster/servers/connect.ts';
import { COMPLETE, stageServers } from '../asking.ts';

test('a fill that ended while it made the tables anew begins again by itself', async (t) => {
  const app = await stageServers(t);
  const { db, clock, engine } = app;
  const { nodes } = await connect(app.config.engine ?? '', db, clock);
  t.after(nodes.close);
  const [, node] = nodes.all;
  assert.ok(node);
  const setReason = (reason: string) =>
    db.run("UPDATE cluster_server SET state = 'lacking', reason = ? WHERE url = ?", reason, node.url);
  setReason('empty');
  const stop = new AbortController();
  const steps = { prepare: 0 };
  const isFilled = await fillServer(
    {
      ...{ db, nodes, clock, log: () => {}, nextNumber: () => 0, listSenders: () => [] },
      assertOwn: async () => {},
      async prepare() {
        if (++steps.prepare < 2) return;
        stop.abort();
        throw new Error('the primary ends here');
      },
      inTurn: (work) => work(),
      stop: stop.signal,
    },
    node,
  );
  assert.equal(isFilled, false);
  setReason('missed');
  await engine.upkeep.checkServers();
  assert.deepEqual(app.states(), COMPLETE);
});
