import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { parseAddress } from '../../../src/cluster/servers/address.ts';
import { buildLoads } from '../../../src/cluster/servers/loads.ts';
import { examine } from '../../../src/doctor/examine.ts';
import { addGauges } from '../../../src/metrics/gauges.ts';
import { makeMeters } from '../../../src/metrics/meters.ts';
import { appendTo, pageview } from '../../collect/stage.ts';
import { folder, startApp } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { ownServers, stageGates, stageServers } from '../asking.ts';
import { CLUSTER, hostsOf, startCluster } from '../servers.ts';

const METRIC = /^daybook_cluster_server_(\w+)\{server="([^"]+)"\} (\S+)$/gm;

/** The lines of /metrics about servers: for each server, its figures by name. */
async function metricsOf({ db, engine, clock, config }: Awaited<ReturnType<typeof startApp>>) {
  const meters = makeMeters(clock);
  addGauges(meters, { db, path: config.db, clock, waiting: () => 0, streams: { count: () => 0 }, ...engine });
  const lines = [...(await meters.text()).matchAll(METRIC)];
  const of = Map.groupBy(lines, ([, , url = '']) => url);
  return (host: string) =>
    Object.fromEntries((of.get(`http://${host}/`) ?? []).map(([, name, , value]) => [name, Number(value)]));
}

test('server figures: each server says its parts, disk, memory and queries, and doctor has nothing to say', async (t) => {
  const app = await stageServers(t);
  const figures = await app.engine.upkeep.examineServers();
  assert.deepEqual(
    figures.map(({ url }) => url),
    app.hosts.map((host) => `http://${host}/`),
  );
  for (const { answers, load, lag } of figures) {
    assert.ok(answers && load?.diskFree && load.diskTotal && load.memoryLimit);
    assert.ok(load.parts > load.partitionParts && load.partitionParts > 0, JSON.stringify(load));
    assert.ok(load.memory > 0 && load.memory < load.memoryLimit && load.diskFree < load.diskTotal);
    assert.equal(load.failedMutations, 0);
    assert.ok(lag !== undefined && lag < 60);
  }
  const metrics = await metricsOf(app);
  for (const host of app.hosts) {
    const { up, lag_seconds: lag, ...others } = metrics(host);
    assert.equal(up, 1);
    assert.ok((lag ?? 60) < 60);
    assert.deepEqual(Object.keys(others).sort(), [
      ...['answer_seconds', 'away', 'complete', 'disk_bytes', 'disk_free_bytes', 'filling', 'memory_bytes'],
      ...['memory_limit_bytes', 'mutations', 'mutations_failed', 'partition_parts', 'parts', 'queries'],
    ]);
  }
});

test('server figures: a deletion that fails is counted on its server only, and doctor says where to look', async (t) => {
  const app = await stageServers(t);
  const { db, engine, clock, config, hosts, askAt } = app;
  const [host = ''] = hosts;
  await askAt(host, 'ALTER TABLE visit DELETE WHERE throwIf(site >= 0) SETTINGS mutations_sync = 0');
  await until('the deletion has failed', async () => {
    const failed =
      "SELECT count() FROM system.mutations WHERE latest_fail_reason <> '' AND database = currentDatabase()";
    return (await askAt(host, failed)) === '1';
  });
  const metrics = await metricsOf(app);
  assert.deepEqual(
    hosts.map((one) => metrics(one).mutations_failed),
    [1, 0, 0, 0],
  );
  const findings = await examine({ config, db, ...engine, clock, path: config.db });
  const { says, remedy } = findings.find(({ name }) => name === 'cluster') ?? assert.fail();
  assert.equal(says, `http://${host}/ cannot finish 1 deletion`);
  assert.match(remedy ?? '', new RegExp(`^See latest_fail_reason in system.mutations on ${host},`));
  await askAt(host, 'KILL MUTATION WHERE database = currentDatabase() SYNC');
});

test('server figures: many who ask at once cost one request a server', async (t) => {
  const app = await stageGates(t);
  const asked: string[] = [];
  app.watch((sql, when) => {
    if (when === 'before' && sql.includes('system.disks')) asked.push(sql);
    return false;
  });
  const { examineServers } = app.engine.upkeep;
  const all = await Promise.all([examineServers(), examineServers(), examineServers()]);
  await examineServers();
  assert.deepEqual(
    all.flat().map(({ answers }) => answers),
    Array(12).fill(true),
  );
  assert.equal(asked.length, app.hosts.length);
});

test('server figures: a server that hangs has none, and the others have theirs', async (t) => {
  const servers = await startCluster(folder(t), 1, 2);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const app = await startApp(t, { engine: `clickhouse://${hostsOf(servers)}/own?cluster=${CLUSTER}` });
  await appendTo(app.engine, [pageview({ siteId: app.siteId })]);
  const [first] = servers;
  process.kill(first?.pid() ?? 0, 'SIGSTOP');
  const figures = await app.engine.upkeep.examineServers();
  assert.deepEqual(
    figures.map(({ answers, load }) => [answers, load !== undefined]),
    [
      [false, false],
      [true, true],
    ],
  );
  const metrics = await metricsOf(app);
  const [silent = '', other = ''] = ownServers(app).hosts;
  assert.deepEqual([metrics(silent).up, metrics(silent).parts], [0, undefined]);
  assert.equal(metrics(other).up, 1);
  process.kill(first?.pid() ?? 0, 'SIGCONT');
});

test('server figures: a program that answers in the place of a server adds no lines to /metrics', async (t) => {
  const own = { parts: 1, partitionParts: 1, mutations: 0, failedMutations: 0, memory: 1, queries: 1 };
  const row = { ...own, diskFree: 1, diskTotal: 2, memoryLimit: null };
  let said = '';
  const lying = createServer((_, answer) => answer.writeHead(200, { 'x-clickhouse-query-id': 'x' }).end(said));
  await new Promise<void>((resolve) => lying.listen(0, '127.0.0.1', resolve));
  t.after(() => lying.close());
  const url = `http://127.0.0.1:${(lying.address() as AddressInfo).port}/`;
  const address = parseAddress('clickhouse://127.0.0.1:1/own');
  const ask = async (figures: unknown) => {
    said = JSON.stringify(figures);
    return (await buildLoads(address, () => [{ url }], { now: Date.now, tick: () => 0 })())[0];
  };
  assert.deepEqual(await ask(row), { url, answers: true, load: { ...row, seconds: 0 } });
  for (const lie of [{ ...row, parts: '1\nforged 1' }, { ...row, memory: -1 }, { ...row, diskFree: {} }, own, [1]])
    assert.deepEqual(await ask(lie), { url, answers: false, load: undefined }, JSON.stringify(lie));
});
