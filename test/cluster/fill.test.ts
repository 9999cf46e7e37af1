import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hereOn } from '../cli/here.ts';
import { TODAY } from '../collect/stage.ts';
import { COMPLETE, stageServers } from './asking.ts';

test('a server that was emptied is filled when that is asked for, and answers as before', async (t) => {
  const app = await stageServers(t);
  const [first = '', second = ''] = app.hosts;
  const before = await app.contentOf(first);
  await app.askAt(first, `DROP DATABASE ${app.database} SYNC`, 'default');
  await app.restart();
  await app.engine.keep();
  assert.deepEqual(app.states(), ['lacking empty', ...COMPLETE.slice(1)]);
  const listed = async () => (await hereOn(app, 'cluster')).printed[0] ?? '';
  assert.match(
    await listed(),
    new RegExp(`^${first} +1 +lacking +lacking since .* new disk, .*; daybook cluster fill ${first} copies`),
  );
  const { printed } = await hereOn(app, 'cluster', 'fill', first);
  assert.deepEqual(printed, [`http://${first}/ has everything`]);
  assert.match(await listed(), new RegExp(`^${first} +1 +complete +complete$`));
  assert.deepEqual(app.states(), COMPLETE, app.log.join('\n'));
  assert.deepEqual(await app.contentOf(first), before);
  await app.come(TODAY, 15);
  await app.askAt(second, 'TRUNCATE TABLE mark');
  await app.engine.keep();
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
  await app.engine.keep();
  assert.deepEqual(app.states(), COMPLETE, app.log.join('\n'));
  assert.deepEqual(await app.contentOf(first), await app.contentOf(second));
  assert.deepEqual(await app.visitors(), [20, 12]);
});
