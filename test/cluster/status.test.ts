import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { Cluster } from '../../src/api/cluster.ts';
import { changeServerState, listServers } from '../../src/store/cluster/cluster-servers.ts';
import { TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { until } from '../support/program.ts';
import { stageServers } from './asking.ts';
import { stage } from './collecting.ts';

test('cluster page: the owner sees each server with its place and figures, what waits, and copies of open days', async (t) => {
  const app = await stageServers(t);
  const { owner, manager, stranger, hosts } = app;
  const ask = async (): Promise<Cluster> => {
    const { status, body } = await owner.ask('GET', '/cluster');
    assert.equal(status, 200);
    assert.ok(v.is(Cluster, body.data), JSON.stringify(body.data));
    return body.data;
  };
  const { servers, senders } = await ask();
  assert.deepEqual(
    servers.map(({ url, shard, replica, state, answers, finding }) => [
      url,
      shard,
      replica,
      state,
      answers,
      finding.says,
    ]),
    hosts.map((host, i) => [`http://${host}/`, Math.floor(i / 2) + 1, (i % 2) + 1, 'complete', true, 'complete']),
  );
  for (const { lag, figures } of servers) {
    assert.ok(lag !== null && lag < 60);
    assert.ok(figures && figures.parts > 0 && figures.memory > 0 && (figures.disk_free ?? 0) > 0);
  }
  assert.deepEqual(
    senders.map(({ name, closed, silence }) => [name, closed, silence]),
    [[null, null, 0]],
  );
  await app.visitors();
  await until('today is copied', async () => (await ask()).copies.some(({ state }) => state === 'current'));
  const { copies, copy_count } = await ask();
  assert.deepEqual([copies, copy_count], [[{ site: 'example.com', day: date(TODAY), rows: 12, state: 'current' }], 1]);
  for (const person of [manager, stranger]) assert.equal((await person.ask('GET', '/cluster')).status, 403);
});

test('cluster page: a server that lacks rows has its remedy', async (t) => {
  const app = await stageServers(t);
  const [, second] = listServers(app.db);
  assert.ok(second);
  app.db.write(() => changeServerState(app.db, second.url, { state: 'lacking', reason: 'empty', now: 1_764_000_000 }));
  app.db.run('UPDATE cluster_server SET beat = 0 WHERE url = ?', second.url);
  const { body } = await app.owner.ask('GET', '/cluster');
  const [complete, lacking] = (body.data as Cluster).servers;
  assert.deepEqual([complete?.state, complete?.finding.fine], ['complete', true]);
  assert.deepEqual([lacking?.state, lacking?.finding.fine], ['lacking', false]);
  assert.equal(lacking?.finding.remedy_codes?.[0]?.code, 'fill_server');
  assert.equal(lacking?.finding.remedy_codes?.length, 1);
});

test('cluster page: a collector is shown with what waits in its outbox and whether it accepts hits', async (t) => {
  const app = await stage(t);
  const one = await app.collector('one');
  await one.view('/a');
  const find = async () => {
    const { body } = await app.owner.ask('GET', '/cluster');
    return (body.data as Cluster).senders.find(({ name }) => name === 'one');
  };
  await until('the collector reported', async () => (await find())?.bytes !== null);
  const { closed, lag, silence, bytes } = (await find()) ?? assert.fail();
  assert.equal(closed, null);
  assert.ok((lag ?? 99) < 60 && (silence ?? 99) < 60 && (bytes ?? 0) > 0);
});
