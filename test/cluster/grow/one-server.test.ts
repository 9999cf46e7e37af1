import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openStore } from '../../../src/store/file/open-file.ts';
import { hereOn } from '../../cli/here.ts';
import { appendTo, pageview, TODAY } from '../../collect/stage.ts';
import { folder, startApp } from '../../support/helpers.ts';
import { nameOf, stageGrowth } from '../growing.ts';
import { CLUSTER, LATER, rowsOn, type Server, startCluster } from '../servers.ts';

const aliasOf = (server: Server): string => nameOf(server).replace('127.0.0.1', 'localhost');

test('add-shard: one server under two names is refused, and the command can be repeated', async (t) => {
  const app = await stageGrowth(t);
  const [spare] = app.spares;
  assert.ok(spare);
  const [name, alias] = [nameOf(spare), aliasOf(spare)];
  await assert.rejects(
    app.command('add-shard', `${name},${alias}`),
    new RegExp(`http://${name}/ and http://${alias}/ are one server`),
  );
  assert.deepEqual(app.states(), ['1 complete']);
  await app.command('add-shard', name);
  assert.deepEqual(app.states(), ['1 complete', '2 complete']);
});

test('add-replica: a server that was added while no primary runs is refused under another name', async (t) => {
  const app = await stageGrowth(t);
  const [spare] = app.spares;
  assert.ok(spare);
  const copy = join(folder(t), 'copy.db');
  app.db.run('VACUUM INTO ?', copy);
  openStore(copy).close();
  const stopped = { config: { ...app.config, db: copy, engine: app.address } };
  await hereOn(stopped, 'cluster', 'add-shard', nameOf(spare));
  await assert.rejects(
    hereOn(stopped, 'cluster', 'add-replica', aliasOf(spare), '--shard', '1'),
    new RegExp(`are one server. Name it only once, as ${nameOf(spare)}$`),
  );
});

/** Servers that know each other. */
async function startServers(t: TestContext, count: number): Promise<Server[]> {
  const servers = await startCluster(folder(t), 1, count);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  return servers;
}

test('--engine: one server under two names is refused', async (t) => {
  const [first] = await startServers(t, 1);
  assert.ok(first);
  for (const other of [nameOf(first), aliasOf(first)])
    await assert.rejects(
      startApp(t, { engine: `clickhouse://${nameOf(first)},${other}/own?cluster=${CLUSTER}` }),
      new RegExp(`^Error: http://.* and http://.*:${first.http}/ are one server. Name it only once`),
    );
});

test('--engine: a server that a command added is refused under another name, and keeps its hits', async (t) => {
  const [first, second] = await startServers(t, 2);
  assert.ok(first && second);
  const app = await startApp(t, { engine: `clickhouse://${nameOf(second)}/own?cluster=${LATER.rest}&ack=reachable` });
  await hereOn(app, 'cluster', 'replace', nameOf(second), nameOf(first));
  await appendTo(app.engine, [pageview({ siteId: app.siteId, day: TODAY })]);
  const later = (name: string) => app.restart(`clickhouse://${name}/own?cluster=${CLUSTER}&ack=reachable`);
  await assert.rejects(
    later(aliasOf(first)).then(() => hereOn(app, 'cluster', 'fill', aliasOf(first))),
    new RegExp(`are one server. Name it only once, as ${nameOf(first)}$`),
  );
  await later(nameOf(first));
  assert.deepEqual(await rowsOn(first, 'own', 'SELECT count() AS n FROM activity'), [{ n: 1 }]);
});
