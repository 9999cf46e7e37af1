import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from '../../../src/cluster/servers/connect.ts';
import { hereOn } from '../../cli/here.ts';
import { TODAY } from '../../collect/stage.ts';
import { folder } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { stageGates, stageServers } from '../asking.ts';
import { keepDisk, restartOn, stageReplicas } from '../disks.ts';

test('a command asks a replica that refuses rows only after one that has them', async (t) => {
  const app = await stageServers(t);
  const [first = ''] = app.hosts;
  await app.askAt(first, 'ALTER TABLE activity MODIFY SETTING parts_to_throw_insert = 1');
  await app.come(TODAY, 30);
  await until('the primary knows', () => app.log.some((line) => line.includes('the cluster does not take hits')));
  const out = join(folder(t), 'hits.ndjson');
  await hereOn(app, 'export', 'example.com', '--format', 'ndjson', '--out', out);
  assert.equal(readFileSync(out, 'utf8').trim().split('\n').length, 20 + 12 + 30);
});

/** Puts back an older disk on a server: it lacks the hits of today, and its mark is older than the file notes. */
async function restoreOlderDisk({ askAt, db }: Awaited<ReturnType<typeof stageServers>>, host: string): Promise<void> {
  await askAt(host, `ALTER TABLE activity DELETE WHERE day = ${TODAY} SETTINGS mutations_sync = 1`);
  db.run('UPDATE cluster_server SET beat = beat + 1000 WHERE url = ?', `http://${host}/`);
}

test('a command does not ask a server that came back with an older disk', async (t) => {
  const app = await stageServers(t);
  await restoreOlderDisk(app, app.hosts[0] ?? '');
  const out = join(folder(t), 'hits.ndjson');
  await hereOn(app, 'export', 'example.com', '--format', 'ndjson', '--out', out);
  assert.equal(readFileSync(out, 'utf8').trim().split('\n').length, 20 + 12);
});

test('a command does not ask a server with an older disk that came back while the command ran', async (t) => {
  const app = await stageGates(t);
  const [first = ''] = app.hosts;
  await restoreOlderDisk(app, first);
  let asked = 0;
  app.watch(
    (sql, when, host) => when === 'before' && sql.startsWith('SELECT version()') && host === first && ++asked > 0,
  );
  const out = join(folder(t), 'hits.ndjson');
  await hereOn(app, 'export', 'example.com', '--format', 'ndjson', '--out', out);
  assert.equal(asked, 1);
  assert.equal(readFileSync(out, 'utf8').trim().split('\n').length, 20 + 12);
});

test('a command does not ask a server that was restarted with an older disk while the command ran', async (t) => {
  const { app, first, second, come, check } = await stageReplicas(t);
  const older = await keepDisk(second);
  await come();
  await check();
  const { nodes } = await connect(app.config.engine ?? '', app.db, app.clock);
  t.after(nodes.close);
  const count = () => nodes.ask<{ n: number }>('SELECT count() AS n FROM activity');
  await first.kill();
  await until('the second server answers', () =>
    count().then(
      () => true,
      () => false,
    ),
  );
  await restartOn(older, second);
  await assert.rejects(count(), { code: 'unavailable' });
  await first.start();
  assert.deepEqual(await count(), [{ n: 2 }]);
});
