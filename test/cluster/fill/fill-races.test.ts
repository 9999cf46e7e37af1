import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addCollector, changeStatus, findCollector, retireCollector } from '../../../src/store/cluster/collectors.ts';
import { listKnownServers } from '../../../src/store/cluster/cluster-servers.ts';
import { TODAY } from '../../collect/stage.ts';
import { until } from '../../program.ts';
import { COMPLETE, stageServers } from '../asking.ts';

const YESTERDAY = TODAY - 1;

const lack = ({ db }: Pick<Awaited<ReturnType<typeof stageServers>>, 'db'>, host = '') =>
  db.run("UPDATE cluster_server SET state = 'lacking', reason = 'missed' WHERE url = ?", `http://${host}/`);

test('a server that misses a removal while it is filled is filled anew', async (t) => {
  const app = await stageServers(t);
  const { db, engine } = app;
  const [first = '', second = ''] = app.hosts;
  const silent = { version: '1', run: 'a', now: 0, until: 0, next: 0, parcelAt: null, bytes: 0, behind: [] };
  db.write(() => addCollector(db, { name: 'silent', hash: Buffer.alloc(32), now: 0 }));
  const status = { ...silent, visitors: null, servers: [], cuts: [], closed: null };
  db.write(() => changeStatus(db, 1, { status, outbox: 'box', now: 0 }));
  lack(app, first);
  const filled = engine.keep();
  await until('it waits', () => listKnownServers(db)[0]?.progress === 'waits for the collector silent');
  await app.askAt(first, 'DROP TABLE crawled SYNC');
  await engine.forget(app.strangerSiteId);
  assert.deepEqual(app.states(), ['lacking missed', ...COMPLETE.slice(1)]);
  const collector = findCollector(db, 'silent') ?? assert.fail();
  db.write(() => retireCollector(db, collector, { now: 0, isLost: true }));
  await filled;
  await engine.keep();
  assert.deepEqual(app.states(), COMPLETE, app.log.join('\n'));
  assert.deepEqual(await app.contentOf(first), await app.contentOf(second));
});

test('a statement that a server goes on with keeps nothing of it once the server is filled', async (t) => {
  const app = await stageServers(t);
  const [first = '', second = ''] = app.hosts;
  // A row each half a second, as of a sealing that the primary gave up.
  const late = app
    .askAt(
      first,
      `INSERT INTO tally SELECT ${app.siteId}, ${YESTERDAY}, 1, 'pages', '', '/late', 1, 1 FROM numbers(30)
       WHERE sleepEachRow(0.5) = 0 SETTINGS max_block_size = 1`,
    )
    .catch(() => {});
  await until(
    'it runs',
    async () =>
      (await app.askAt(
        first,
        "SELECT count() FROM system.processes WHERE query LIKE '%/late%' AND query_kind = 'Insert'",
      )) === '1',
  );
  lack(app, first);
  await app.engine.keep();
  assert.deepEqual(app.states(), COMPLETE, app.log.join('\n'));
  await late;
  assert.deepEqual(await app.contentOf(first), await app.contentOf(second));
});
