import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildQueries } from '../../../src/cluster/queries.ts';
import { connect } from '../../../src/cluster/servers/connect.ts';
import { TODAY } from '../../collect/stage.ts';
import { stageServers } from '../asking.ts';

test('the states of many days ask a server eight questions at once at most, and end with their request', async (t) => {
  const app = await stageServers(t);
  const { db, siteId } = app;
  for (let back = 2; back < 32; back++) await app.come(TODAY - back, 1);
  const { nodes } = await connect(app.config.engine ?? '', db, app.clock);
  t.after(nodes.close);
  let [running, most] = [0, 0];
  const ask: typeof nodes.ask = async (...words) => {
    most = Math.max(most, ++running);
    return await nodes.ask<never>(...words).finally(() => running--);
  };
  const { listDayStatus } = buildQueries({ db, nodes: { ...nodes, ask } });
  const range = { from: TODAY - 40, to: TODAY + 1 };
  const days = await listDayStatus(siteId, range);
  assert.deepEqual([days.length, days.map(({ visitors }) => visitors).reduce((sum, one) => sum + one)], [32, 62]);
  assert.ok(most <= 8, `${most} at once`);
  await assert.rejects(listDayStatus(siteId, range, AbortSignal.abort()));
});
