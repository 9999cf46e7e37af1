import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { inEnglish } from '../../../src/lang/sentences.ts';
import { readCoded } from '../../../src/lib/http/fault.ts';
import { listKnownServers } from '../../../src/store/cluster/cluster-servers.ts';
import { addCollector, changeStatus } from '../../../src/store/cluster/collectors.ts';
import { hereOn } from '../../cli/here.ts';
import { TODAY } from '../../collect/stage.ts';
import { COMPLETE, stageServers } from '../asking.ts';

test('a server that was emptied is filled when that is asked for, and answers as before', async (t) => {
  const app = await stageServers(t);
  const [first = '', second = ''] = app.hosts;
  const before = await app.contentOf(first);
  await app.askAt(first, `DROP DATABASE ${app.database} SYNC`, 'default');
  await app.restart();
  await app.engine.upkeep.checkServers();
  assert.deepEqual(app.states(), ['lacking empty', ...COMPLETE.slice(1)]);
  const listed = async () => (await hereOn(app, 'cluster')).printed[0] ?? '';
  assert.match(
    await listed(),
    new RegExp(
      `^${first} +1 +lacking +not in use since .*: its disk is new or was emptied\\. Run daybook cluster fill ${first} to copy`,
    ),
  );
  const { printed } = await hereOn(app, 'cluster', 'fill', first);
  assert.deepEqual(printed, [`http://${first}/ has everything`]);
  assert.match(await listed(), new RegExp(`^${first} +1 +complete +complete$`));
  assert.deepEqual(app.states(), COMPLETE, app.log.join('\n'));
  assert.deepEqual(await app.contentOf(first), before);
  await app.come(TODAY, 15);
  await app.askAt(second, 'TRUNCATE TABLE mark');
  await app.engine.upkeep.checkServers();
  assert.deepEqual([app.states()[1], await app.visitors()], ['lacking empty', [20, 15]]);
});

test('a server that only missed something is filled by itself, and gets nothing twice', async (t) => {
  const app = await stageServers(t);
  const [first = '', second = ''] = app.hosts;
  app.db.run("UPDATE cluster_server SET state = 'lacking', reason = 'missed' WHERE url = ?", `http://${first}/`);
  await app.askAt(first, 'DELETE FROM visit WHERE 1');
  await app.askAt(first, `INSERT INTO tally SELECT * FROM tally`);
  await app.askAt(first, `INSERT INTO activity SELECT * FROM activity SETTINGS insert_deduplicate = 0`);
  assert.notDeepEqual(await app.contentOf(first), await app.contentOf(second));
  await app.engine.upkeep.checkServers();
  assert.deepEqual(app.states(), COMPLETE, app.log.join('\n'));
  assert.deepEqual(await app.contentOf(first), await app.contentOf(second));
  assert.deepEqual(await app.visitors(), [20, 12]);
});

test('a collector that says what cannot be keeps a server from being filled only while it says nothing of it', async (t) => {
  const app = await stageServers(t);
  const { db, engine } = app;
  const url = `http://${app.hosts[0]}/`;
  const told = { version: '1', run: 'a', now: 0, until: 0, parcelAt: null, bytes: 0, behind: [], visitors: null };
  /** It has sent everything that anybody could ever number, and its slice begins there. */
  const tell = (fill: number) => {
    const [next, until] = [Number.MAX_SAFE_INTEGER, 0];
    const seqs = { activity: next, crawled: next, dropped: next };
    const servers = app.hosts.map((host) => ({ url: `http://${host}/`, next, until }));
    const status = { ...told, next, servers, cuts: [{ url, fill, seqs }], closed: null };
    db.write(() => changeStatus(db, 1, { status, outbox: 'box', now: 0 }));
  };
  db.write(() => addCollector(db, { name: 'thief', hash: Buffer.alloc(32), now: 0 }));
  tell(0);
  db.run("UPDATE cluster_server SET state = 'lacking', reason = 'missed' WHERE url = ?", url);
  const filled = engine.upkeep.checkServers();
  const find = () => listKnownServers(db).find((one) => one.url === url) ?? assert.fail();
  while (inEnglish(readCoded(find().progress)) !== 'waiting for the collector thief') await pause(10);
  tell(find().fill);
  await filled;
  assert.deepEqual(app.states(), COMPLETE, app.log.join('\n'));
});

test('a complete server that differs from another is filled when that is asked for', async (t) => {
  const app = await stageServers(t);
  const [first = '', second = ''] = app.hosts;
  await app.askAt(first, 'ALTER TABLE activity DELETE WHERE visitor % 4 < 3 SETTINGS mutations_sync = 1');
  assert.notDeepEqual(await app.contentOf(first), await app.contentOf(second));
  const { printed } = await hereOn(app, 'cluster', 'fill', first);
  assert.deepEqual(printed, [`http://${first}/ has everything`]);
  assert.deepEqual(app.states(), COMPLETE, app.log.join('\n'));
  assert.deepEqual(await app.contentOf(first), await app.contentOf(second));
});

test('the last server of a shard that has everything is not filled', async (t) => {
  const app = await stageServers(t);
  const [first = '', second = ''] = app.hosts;
  app.db.run(
    "UPDATE cluster_server SET state = 'lacking', reason = 'empty', beat = 0 WHERE url = ?",
    `http://${second}/`,
  );
  const { printed } = await hereOn(app, 'cluster', 'fill', first);
  assert.deepEqual(printed, [`http://${first}/ has everything already, and no other server of its shard does`]);
});
