import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../../../src/store/file/open-file.ts';
import { begin, hereOn } from '../../cli/here.ts';
import { appendTo, pageview, TODAY } from '../../collect/stage.ts';
import { folder, startApp } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { DATABASE, nameOf, stageGrowth } from '../growing.ts';
import { countRows, stageName, startName, startServers } from '../names.ts';
import { CLUSTER, LATER, rowsOn, type Server } from '../servers.ts';

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

test('fill: a server is not filled from itself, if its first name was silent at the start', async (t) => {
  const [first, second] = await startServers(t, 2);
  assert.ok(first && second);
  const { name, lead } = await startName(t, first);
  const app = await startApp(t, { engine: `clickhouse://${nameOf(second)}/own?cluster=${LATER.rest}&ack=reachable` });
  await hereOn(app, 'cluster', 'replace', nameOf(second), name);
  await appendTo(app.engine, [pageview({ siteId: app.siteId, day: TODAY })]);
  lead(undefined);
  await app.restart(`clickhouse://${nameOf(first)}/own?cluster=${CLUSTER}&ack=reachable`);
  lead(first);
  const filling = begin(app, 'cluster', 'fill', nameOf(first));
  await until('the name is not used', () => /are one server/.test(app.log.join()));
  await app.engine.upkeep.checkServers();
  filling.stop();
  await filling.done;
  assert.deepEqual(await countRows(first), [{ n: 1 }]);
});

test('fill: a server is not filled from itself, if its name leads to the other replica', async (t) => {
  const { second, name, lead, app } = await stageName(t, (engine) => startApp(t, { engine }), 'replicas');
  await appendTo(app.engine, [pageview({ siteId: app.siteId, day: TODAY })]);
  lead(second);
  const filling = begin(app, 'cluster', 'fill', name);
  await until('the fill was refused', () => /are one server/.test(app.log.join()));
  filling.stop();
  await filling.done;
  assert.deepEqual(await countRows(second), [{ n: 1 }]);
});

test('a name that leads to the other replica, after its server was silent, is not used', async (t) => {
  const { first, second, lead, app } = await stageName(t, (engine) => startApp(t, { engine }), 'reachable');
  const come = () => appendTo(app.engine, [pageview({ siteId: app.siteId, day: TODAY })]);
  await come();
  lead(undefined);
  await come();
  lead(second);
  await until('the name is not used', () => /leads to replica 2 of shard 1/.test(app.log.join()));
  await come();
  assert.deepEqual(await countRows(second), [{ n: 3 }]);
  lead(first);
  await until('all hits are there', async () => {
    app.clock.pass(5);
    const [row] = await countRows(first);
    return row?.n === 3;
  });
});

test('remove: a server is found by its name as it was typed, and again after that', async (t) => {
  const app = await stageGrowth(t);
  const [spare] = app.spares;
  assert.ok(spare);
  const name = aliasOf(spare).toUpperCase();
  await app.command('add-replica', name, '--shard', '1');
  const { printed } = await app.command('remove', name);
  assert.deepEqual(printed, [`http://${aliasOf(spare)}/ is removed. You can turn it off`]);
  assert.deepEqual((await app.command('remove', name)).printed, [`${name} was removed already`]);
});

test('remove: a server that is in the cluster again under another name keeps its mark', async (t) => {
  const app = await stageGrowth(t);
  const [spare] = app.spares;
  assert.ok(spare);
  const [name, alias] = [nameOf(spare), aliasOf(spare)];
  await app.command('add-replica', name, '--shard', '1');
  await app.command('remove', name);
  await rowsOn(spare, 'default', `DROP DATABASE ${DATABASE} SYNC`);
  await app.command('add-replica', alias, '--shard', '1');
  const marks = () => app.count(spare, 'mark', 'beat > 0');
  const before = await marks();
  await app.command('remove', name);
  assert.ok(before && (await marks()) === before);
});

test('fill: a server of another installation, to which the name leads, keeps its hits', async (t) => {
  const { first, second, lead, name, app } = await stageName(t, (engine) => startApp(t, { engine }), 'reachable');
  const [foreign] = await startServers(t, 1);
  assert.ok(first && second && foreign);
  const other = await startApp(t, { engine: `clickhouse://${nameOf(foreign)}/own?cluster=${CLUSTER}&ack=reachable` });
  await appendTo(other.engine, [pageview({ siteId: other.siteId, day: TODAY })]);
  lead(foreign);
  const filling = begin(app, 'cluster', 'fill', name);
  await until('the fill was tried', async () => {
    await app.engine.upkeep.checkServers();
    return /could not be filled/.test(app.log.join());
  });
  assert.match(app.log.join(), /could not be filled.*has the hits of another daybook\.db/);
  filling.stop();
  await filling.done;
  assert.deepEqual(await countRows(foreign), [{ n: 1 }]);
});
