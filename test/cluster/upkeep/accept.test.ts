import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { MINUTE } from '../../../src/lib/time.ts';
import { listKnownServers } from '../../../src/store/cluster/cluster-servers.ts';
import { openStore } from '../../../src/store/file/open-file.ts';
import { hereOn } from '../../cli/here.ts';
import { TODAY } from '../../collect/stage.ts';
import { stageServers } from '../asking.ts';

const YESTERDAY = { from: TODAY - 1, to: TODAY };

/** An application whose first server misses something of the sealed day before the other server of its shard is lost. */
async function stageLoss(t: TestContext) {
  const app = await stageServers(t);
  const [first = '', second = '', third = '', fourth = ''] = app.hosts;
  const leave = (host: string, reason: 'restored' | 'empty') =>
    // Without a noted mark, nothing shows that the disk of the server is its own. So the server is not filled by itself.
    app.db.run(
      'UPDATE cluster_server SET state = ?, reason = ?, beat = 0 WHERE url = ?',
      ...['lacking', reason, `http://${host}/`],
    );
  return Object.assign(app, {
    first,
    loseSecond: () => leave(second, 'empty'),
    // With the reason 'missed', the application would fill the server within 2 s.
    missFirst: () => leave(first, 'restored'),
    /** The other shard has no complete server either, though its third server has everything. */
    leaveOthers() {
      for (const host of [third, fourth]) leave(host, 'restored');
    },
    ...{ third, fourth },
    /** Accepts servers, and gives the visitors of yesterday and how many days are sealed after that. */
    async accept(hosts: readonly string[] = [first]) {
      leave(second, 'empty');
      const path = app.copy();
      for (const host of hosts) await hereOn({ config: { ...app.config, db: path } }, 'cluster', 'accept', host);
      const restored = await app.startFrom(path);
      const pages = { report: 'breakdown', breakdown: 'pages', offset: 0, limit: 10 } as const;
      const asked = { siteId: 1, range: YESTERDAY, filters: {} };
      const { rows } = await restored.engine.queries.measure({ ...pages, ...asked });
      const countVisitors = async () =>
        (await restored.engine.queries.measure({ report: 'overview', ...asked })).totals[0]?.visitors;
      const before = await countVisitors();
      restored.clock.pass(11 * MINUTE);
      const { days } = await restored.engine.upkeep.seal();
      for await (const { faults } of restored.engine.upkeep.recount()) assert.deepEqual(faults, []);
      return { visitors: [...rows.map(({ visitors }) => visitors), before, await countVisitors()], days };
    },
  });
}

test('after a server is accepted that missed a sweep, the hits of the sealed day count once', async (t) => {
  const app = await stageLoss(t);
  app.missFirst();
  app.clock.pass(61);
  await app.engine.upkeep.sweep();
  assert.deepEqual(await app.accept(), { visitors: [20, 20, 20], days: 0 });
});

test('after a server is accepted that missed a sealing, the hits of its day still count', async (t) => {
  const app = await stageLoss(t);
  app.missFirst();
  for (const table of ['visit', 'tally']) await app.askAt(app.first, `DELETE FROM ${table} WHERE 1`);
  app.clock.pass(61);
  await app.engine.upkeep.sweep();
  assert.deepEqual(await app.accept(), { visitors: [20, 20, 20], days: 1 });
});

test('after a server is accepted that missed a sealing a minute ago, the hits of its day still count', async (t) => {
  const app = await stageLoss(t);
  app.missFirst();
  for (const table of ['visit', 'tally']) await app.askAt(app.first, `DELETE FROM ${table} WHERE 1`);
  assert.deepEqual(await app.accept(), { visitors: [20, 20, 20], days: 1 });
});

test('after a server is accepted a minute after a sealing, the hits of the sealed day count once', async (t) => {
  const app = await stageLoss(t);
  app.missFirst();
  assert.deepEqual(await app.accept(), { visitors: [20, 20, 20], days: 0 });
});

for (const isSwept of [true, false])
  for (const isFirst of [true, false])
    test(`after a server of each shard is accepted, hits of a day count that one of them did not seal: ${isSwept ? 'swept' : 'not swept'}, ${isFirst ? 'that one first' : 'that one last'}`, async (t) => {
      const app = await stageLoss(t);
      app.missFirst();
      for (const table of ['visit', 'tally']) await app.askAt(app.first, `DELETE FROM ${table} WHERE 1`);
      app.clock.pass(61);
      if (isSwept) await app.engine.upkeep.sweep();
      app.leaveOthers();
      const hosts = isFirst ? [app.first, app.third] : [app.third, app.first];
      assert.deepEqual(await app.accept(hosts), { visitors: [20, 20, 20], days: 1 });
    });

test('after a server without any rows is accepted last, the hits of a day that another shard did not seal count', async (t) => {
  const app = await stageLoss(t);
  app.missFirst();
  for (const table of ['visit', 'tally']) await app.askAt(app.first, `DELETE FROM ${table} WHERE 1`);
  app.leaveOthers();
  for (const host of [app.third, app.fourth]) await app.askAt(host, `DROP DATABASE ${app.database} SYNC`, 'default');
  assert.deepEqual(await app.accept([app.first, app.third]), { visitors: [10, 10, 10], days: 1 });
});

test('a server that does not answer is not accepted', async (t) => {
  const app = await stageLoss(t);
  app.missFirst();
  app.loseSecond();
  const nowhere = '127.0.0.1:9';
  const config = { ...app.config, db: app.copy(), engine: app.config.engine?.replace(app.first, nowhere) };
  const file = openStore(config.db);
  t.after(() => file.close());
  file.db.run('UPDATE cluster_server SET url = ? WHERE url = ?', `http://${nowhere}/`, `http://${app.first}/`);
  await assert.rejects(hereOn({ config }, 'cluster', 'accept', nowhere), /must answer/);
  assert.equal(listKnownServers(file.db)[0]?.state, 'lacking');
});
