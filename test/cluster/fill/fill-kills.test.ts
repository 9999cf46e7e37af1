import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { fillServer } from '../../../src/cluster/fill/fill.ts';
import { connect, prepare } from '../../../src/cluster/servers/connect.ts';
import type { Nodes } from '../../../src/cluster/servers/nodes.ts';
import { DAY } from '../../../src/lib/time.ts';
import { changeServerState, wantFill } from '../../../src/store/cluster/cluster-servers.ts';
import { openStore } from '../../../src/store/file/open-file.ts';
import { TODAY } from '../../collect/stage.ts';
import { emptyApp } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { stageReplicas } from '../disks.ts';
import { rowsOn } from '../servers.ts';

const CONTENT = ['activity', 'visit', 'tally']
  .map((table) => `SELECT '${table}' AS name, count() AS n, toString(sum(cityHash64(*))) AS hash FROM ${table}`)
  .join(' UNION ALL ');

/** Fills the second server of a file, and ends as a killed primary does at a statement. Gives false after the last one. */
async function fillUntil(
  t: TestContext,
  engine: string,
  path: string,
  clock: Parameters<typeof connect>[2],
  most: number,
) {
  const { db, close } = openStore(path);
  const { nodes, address } = await connect(engine, db, clock);
  t.after(nodes.close);
  const [, node] = nodes.all;
  assert.ok(node);
  const stop = new AbortController();
  let count = 0;
  const counted =
    <Words extends unknown[], Result>(work: (...words: Words) => Promise<Result>) =>
    async (...words: Words): Promise<Result> => {
      if (count++ < most) return await work(...words);
      stop.abort();
      throw new Error('the primary ends here');
    };
  const watched: Nodes = { ...nodes, run: counted(nodes.run), copy: counted(nodes.copy) };
  Object.defineProperty(watched, 'shards', { get: () => nodes.shards });
  db.write(() => {
    changeServerState(db, node.url, { state: 'lacking', reason: 'empty', now: 1 });
    wantFill(db, node.url);
  });
  await fillServer(
    {
      ...{ db, nodes: watched, clock, log: () => {}, nextNumber: () => 2 ** 52, listSenders: () => [] },
      assertOwn: async () => {},
      prepare: counted((one) => prepare(address, [one])),
      inTurn: (work) => work(),
      stop: stop.signal,
    },
    node,
  );
  close();
  return stop.signal.aborted;
}

test('a fill that was killed at any statement ends after the next start, and nothing counts twice', async (t) => {
  const { app, first, second, come, check, copy, countHits, states } = await stageReplicas(t);
  app.clock.pass(DAY);
  assert.equal((await app.engine.upkeep.seal()).days, 1);
  await come(TODAY + 1);
  await come(TODAY + 1);
  await check();
  let path = copy();
  await app.engine.close();
  const { config, clock } = app;
  const engine = config.engine ?? '';
  for (let most = 0; await fillUntil(t, engine, path, clock, most); most++) {
    const own = await emptyApp(t, { engine }, { from: path });
    own.clock.pass(DAY + 1);
    await until('it is filled', async () => {
      await own.engine.upkeep.checkServers();
      return states(own).join() === 'complete,complete';
    });
    const [there, here] = await Promise.all([first, second].map((server) => rowsOn(server, 'own', CONTENT)));
    assert.deepEqual(here, there, `killed at statement ${most}`);
    assert.deepEqual([await countHits(own), await countHits(own, TODAY + 1)], [1, 2]);
    path = `${path}x`;
    own.db.run('VACUUM INTO ?', path);
    await own.engine.close();
  }
});
