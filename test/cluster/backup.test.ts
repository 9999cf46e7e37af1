// The statements of docs/cluster.md back up and restore a whole cluster, together with the file of the primary.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { examine } from '../../src/doctor/examine.ts';
import { DAY } from '../../src/lib/time.ts';
import { hereOn } from '../cli/here.ts';
import { appendTo, pageview, TODAY } from '../collect/stage.ts';
import { fencesIn, textOf } from '../documents/documents.ts';
import { date } from '../stats/days.ts';
import { emptyApp, folder, startApp } from '../support/helpers.ts';
import { ownServers } from './asking.ts';
import { CLUSTER, hostsOf, type Server, startCluster } from './servers.ts';

const STATEMENTS = fencesIn(textOf('docs/cluster.md')).flatMap(({ language, code }) =>
  language === 'sql' ? code : [],
);
const findStatement = (verb: string): string =>
  STATEMENTS.find((one) => one.startsWith(verb))?.replace(/;\s*$/, '') ?? assert.fail(`no ${verb} in the document`);

const backupsOf = ({ folder: place }: Server): string => join(place, 'backups');

async function stage(t: TestContext) {
  const servers = await startCluster(folder(t), 2, 2);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const engine = `clickhouse://${hostsOf(servers)}/daybook?cluster=${CLUSTER}&ack=reachable`;
  const app = await startApp(t, { engine });
  const { siteId } = app;
  const comeTo = (to: Pick<typeof app, 'engine'>, day: number, count: number, from = 0) =>
    appendTo(
      to.engine,
      Array.from({ length: count }, (_, i) => pageview({ siteId, day, visitor: from + i })),
    );
  await comeTo(app, TODAY, 40);
  app.clock.pass(DAY);
  assert.deepEqual(await app.engine.upkeep.seal(), { days: 1, failed: [] });
  await app.engine.upkeep.checkServers();
  await comeTo(app, TODAY + 1, 7);
  return { app, servers, engine, comeTo };
}

type App = Awaited<ReturnType<typeof stage>>['app'];

/** Makes both backups as the document says. Gives the backup of the file. */
async function backUp(t: TestContext, { app, servers }: { app: App; servers: readonly Server[] }): Promise<string> {
  const file = join(folder(t), 'backup.db');
  app.db.run('VACUUM INTO ?', file);
  // The mark of each server goes on meanwhile.
  app.clock.pass(120);
  await app.engine.upkeep.checkServers();
  const { askAt, hosts } = ownServers(app);
  for (const [i, server] of servers.entries()) {
    mkdirSync(backupsOf(server), { recursive: true });
    if (server.replica === 0) await askAt(hosts[i] ?? '', findStatement('BACKUP'));
  }
  return file;
}

/** The marks are left out, because each names another place. */
const CONTENT = ['visit', 'tally']
  .map((table) => `SELECT '${table}', count(), sum(cityHash64(*)) FROM ${table}`)
  .join(' UNION ALL ');

/** Restores the backup on one server of each shard, as the document says, or on all servers, which makes copies of a disk. */
const RESTORES = { 'one server of each shard': ({ replica }: Server) => replica === 0, 'all servers': () => true };

for (const [where, isRestored] of Object.entries(RESTORES))
  test(`backup: the servers and the file are lost, and both backups bring back all sealed days on ${where}`, (t) =>
    loseAll(t, isRestored));

async function loseAll(t: TestContext, isRestored: (server: Server) => boolean): Promise<void> {
  const { app, servers, engine, comeTo } = await stage(t);
  const { siteId, owner } = app;
  const figures = async (asking: Pick<App, 'ask'>, day: number) => {
    const path = `/api/v1/sites/${siteId}/stats/breakdown/pages?range=${date(day)}~${date(day)}`;
    const { status, body } = await asking.ask('GET', path, { token: owner.token });
    assert.equal(status, 200);
    return body.data.rows;
  };
  const before = await figures(app, TODAY);
  const backup = await backUp(t, { app, servers });

  const { hosts, askAt, run } = ownServers(app);
  for (const host of hosts) await askAt(host, 'DROP DATABASE daybook SYNC', 'default');
  for (const [i, server] of servers.entries()) {
    const source = servers.find(({ shard, replica }) => shard === server.shard && replica === 0);
    assert.ok(source);
    if (source !== server) cpSync(backupsOf(source), backupsOf(server), { recursive: true });
    if (isRestored(server)) await askAt(hosts[i] ?? '', findStatement('RESTORE'), 'default');
  }

  const restored = await emptyApp(t, { engine }, { from: backup });
  restored.clock.pass(DAY);
  await restored.engine.upkeep.checkServers();
  assert.deepEqual(await figures(restored, TODAY), before);
  assert.deepEqual(await figures(restored, TODAY + 1), []);
  for await (const { faults } of restored.engine.upkeep.recount()) assert.deepEqual(faults, []);
  const { db, config, clock } = restored;
  for (const [i, { replica }] of servers.entries())
    if (replica > 0) await hereOn(restored, 'cluster', 'fill', hosts[i] ?? '');
  const content = await run(CONTENT);
  assert.deepEqual([content[0], content[2]], [content[1], content[3]]);
  const findings = await examine({ config, db, ...restored.engine, clock, path: config.db });
  assert.equal(findings.find(({ name }) => name === 'cluster')?.says, '4 servers, all complete and answering');

  // Counting goes on, and the next night compares the replicas.
  await comeTo(restored, TODAY + 1, 5, 100);
  restored.clock.pass(DAY);
  assert.deepEqual(await restored.engine.upkeep.seal(), { days: 1, failed: [] });
  assert.equal((await figures(restored, TODAY + 1))[0]?.visitors, 5);
}
