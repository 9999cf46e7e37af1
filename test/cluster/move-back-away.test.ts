import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../src/store/file/open-file.ts';
import { keepDays } from '../../src/store/sites/sites.ts';
import { append, pageview, TODAY } from '../collect/stage.ts';
import { furnish } from '../support/furnish.ts';
import { folder } from '../support/helpers.ts';
import { program } from '../support/program.ts';
import { CLUSTER, hostsOf, rowsOn, startCluster } from './servers.ts';

test('a move back says that a server that is away kept its hits, and the next run deletes them', async (t) => {
  const servers = await startCluster(folder(t), 1, 2);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const [first, second] = servers;
  assert.ok(first && second);
  const { db: path, print, run } = program(t);
  await furnish(path);
  const engine = `clickhouse://${hostsOf(servers)}/moved?cluster=${CLUSTER}`;
  const back = ['move', '--to', 'file', '--engine', engine];
  const { db, close } = openStore(path);
  t.after(close);
  await append(db, [pageview({ day: TODAY - 1 }), pageview()]);
  await print(['seal']);
  await print(['move', '--to', engine]);

  await second.kill();
  const { code, stderr } = await run(back);
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`everything was moved, but the old place still has hits: .*:${second.http}`));
  assert.match(stderr, /You can start the server without --engine/);
  assert.deepEqual(db.one('SELECT count(*) AS n FROM hit'), { n: 1 });
  await second.start();
  const sql = 'SELECT (SELECT count() FROM activity) + (SELECT count() FROM visit) AS n';
  const countLeft = () =>
    Promise.all(servers.map(async (one) => (await rowsOn<{ n: number }>(one, 'moved', sql))[0]?.n));
  assert.deepEqual(await countLeft(), [0, 2]);

  // The first server is empty. The second server still has the hits.
  assert.match((await run(['move', '--to', engine])).stderr, /has hits already/);
  assert.match(await print(back), /The hits in the old place are now deleted/);
  assert.deepEqual(await countLeft(), [0, 0]);
  assert.match(await print(['move', '--to', engine]), /1 sealed day and 1 hit of open days moved/);
});

test('a move that is run again after one replica failed leaves the sums of a day once on each', async (t) => {
  const servers = await startCluster(folder(t), 1, 2);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const { db: path, print, run } = program(t);
  await furnish(path);
  const engine = `clickhouse://${hostsOf(servers)}/moved?cluster=${CLUSTER}`;
  const { db, close } = openStore(path);
  t.after(close);
  await append(db, [pageview({ day: TODAY - 10 })]);
  keepDays(db, 1, 5);
  await print(['seal']);
  await print(['seal']);
  assert.deepEqual(db.one('SELECT count(*) AS n FROM sealed_day WHERE has_hits = 0'), { n: 1 });
  db.run("CREATE TRIGGER cut BEFORE INSERT ON moved_day BEGIN SELECT RAISE(ABORT, 'cut off'); END");
  assert.match((await run(['move', '--to', engine])).stderr, /cut off/);
  db.run('DROP TRIGGER cut');
  // The first server did not get the rows, as if it had failed.
  const [first] = hostsOf(servers).split(',');
  await fetch(`http://${first}/?database=moved`, { method: 'POST', body: 'TRUNCATE TABLE tally' });
  await print(['move', '--to', engine]);
  const sql = 'SELECT count() AS n FROM tally';
  const [one, other] = await Promise.all(servers.map((server) => rowsOn<{ n: number }>(server, 'moved', sql)));
  assert.deepEqual(one, other);
});
