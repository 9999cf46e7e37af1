import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../src/store/file/open-file.ts';
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
