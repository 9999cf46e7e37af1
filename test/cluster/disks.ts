import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { listKnownServers } from '../../src/store/cluster/cluster-servers.ts';
import { appendTo, pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { folder, startApp, type TestApp } from '../support/helpers.ts';
import { until } from '../support/program.ts';
import { nameOf } from './growing.ts';
import { startServers } from './names.ts';
import { ask, CLUSTER, rowsOn, type Server } from './servers.ts';

let count = 0;
const placeOf = ({ folder: own }: Server, name: string): string => join(own, 'backups', name);

/** What a server has now. It can be put on any server, which then has a copy of that disk. */
export async function keepDisk(from: Server) {
  const name = `disk${count++}`;
  mkdirSync(placeOf(from, ''), { recursive: true });
  await ask(from, `BACKUP DATABASE own TO File('${name}')`);
  return {
    async putOn(to: Server): Promise<void> {
      if (to !== from) cpSync(placeOf(from, name), placeOf(to, name), { recursive: true });
      await loseDisk(to);
      await ask(to, `RESTORE DATABASE own FROM File('${name}')`);
    },
  };
}

export const loseDisk = (server: Server): Promise<void> => ask(server, 'DROP DATABASE IF EXISTS own SYNC');

/** Restarts a server with an older disk. It ran before for some seconds, because ClickHouse tells its uptime in seconds. */
export async function restartOn(disk: Awaited<ReturnType<typeof keepDisk>>, server: Server): Promise<void> {
  const readUptime = async () => (await rowsOn<{ n: number }>(server, 'default', 'SELECT uptime() AS n'))[0]?.n ?? 0;
  await until('it runs for some seconds', async () => (await readUptime()) > 3);
  await disk.putOn(server);
  await server.kill();
  await server.start();
}

export const nameEngine = (names: readonly string[]): string =>
  `clickhouse://${names.join()}/own?cluster=${CLUSTER}&ack=reachable`;

/** An application with a hit of today on the replicas of one shard. */
export async function stageReplicas(t: TestContext, replicas = 2) {
  const servers = await startServers(t, replicas);
  const app = await startApp(t, { engine: nameEngine(servers.map(nameOf)) });
  const { siteId, owner } = app;
  const come = (day = TODAY) => appendTo(app.engine, [pageview({ siteId, day })]);
  await come();
  await app.engine.upkeep.checkServers();
  const [first, second] = servers as [Server, Server];
  return {
    ...{ app, servers, first, second, come },
    states: ({ db }: Pick<TestApp, 'db'> = app) =>
      listKnownServers(db).map(({ state, reason }) => `${state} ${reason}`.trim()),
    check: () => app.engine.upkeep.checkServers(),
    copy() {
      const path = join(folder(t), 'copy.db');
      app.db.run('VACUUM INTO ?', path);
      return path;
    },
    countHits: async (asking: Pick<TestApp, 'ask'> = app, day = TODAY) => {
      const path = `/api/v1/sites/${siteId}/stats/overview?range=${date(day)}~${date(day)}`;
      const { status, body } = await asking.ask('GET', path, { token: owner.token });
      return status === 200 ? body.data.pageviews : body.error.code;
    },
  };
}
