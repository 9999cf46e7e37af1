import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findInstallation, nameInstallation } from '../../src/store/cluster/installation.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { noteUpkeep } from '../../src/store/server/upkeep.ts';
import { append, pageview, TODAY } from '../collect/stage.ts';
import { furnish } from '../support/furnish.ts';
import { program } from '../support/program.ts';
import { ownServers } from './asking.ts';
import { CLUSTER } from './servers.ts';

test('a move that was cut off after the switch is ended by the next run, there and back', async (t) => {
  const { db: path, print, run } = program(t);
  await furnish(path, ['example.com']);
  const engine = `clickhouse://${process.env.TEST_CLUSTER}/moved?cluster=${CLUSTER}`;
  const { sum, askAt, hosts } = ownServers({ config: { engine } as Parameters<typeof ownServers>[0]['config'] });
  t.after(() => Promise.all(hosts.map((host) => askAt(host, 'DROP DATABASE IF EXISTS moved SYNC', 'default'))));
  const { db, close } = openStore(path);
  t.after(close);
  await append(db, [pageview({ day: TODAY - 1 }), pageview()]);
  await print(['seal']);
  const countLeft = () =>
    db.one<{ n: number }>('SELECT (SELECT count(*) FROM hit) + (SELECT count(*) FROM sealed_blob) AS n')?.n;

  db.run("CREATE TRIGGER cut BEFORE DELETE ON hit BEGIN SELECT RAISE(ABORT, 'cut off'); END");
  assert.match((await run(['move', '--to', engine])).stderr, /cut off/);
  db.run('DROP TRIGGER cut');
  assert.notEqual(countLeft(), 0);
  assert.match(await print(['move', '--to', engine]), /The hits in the old place are now deleted/);
  assert.equal(countLeft(), 0);
  assert.match((await run(['move', '--to', engine])).stderr, /are on a cluster already/);

  await print(['move', '--to', 'file', '--engine', engine]);
  assert.notEqual(countLeft(), 0);
  await askAt(hosts[0] ?? '', 'INSERT INTO activity (site, day, visitor) VALUES (1, 1, 1)');
  const places = [...hosts.map((host) => `http://${host}/`), 'moved'].join(' ');
  noteUpkeep(db, 'moving', { at: 0, fine: true, words: `emptying ${places}` });
  // Another primary started with a copy of the file from before the switch. The hits on the cluster are its own.
  nameInstallation(db);
  const { name, beat } = findInstallation(db) ?? { name: '', beat: 0 };
  const mark = `INSERT INTO mark (installation, beat, shards, place) VALUES ('${name}', ${beat + 9}, 2, '0/0')`;
  await askAt(hosts[0] ?? '', mark);
  const back = ['move', '--to', 'file', '--engine', engine];
  assert.match((await run(back)).stderr, /another daybook server started later/);
  assert.equal(await sum('SELECT count() FROM activity'), 1);
  await askAt(hosts[0] ?? '', 'TRUNCATE TABLE mark');
  assert.match(await print(back), /The hits in the old place are now deleted/);
  assert.equal(await sum('SELECT count() FROM activity'), 0);
  assert.notEqual(countLeft(), 0);
});
