import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { listKnownServers } from '../../src/store/cluster/cluster-servers.ts';
import { appendTo, pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { emptyApp, folder, startApp, type TestApp } from '../support/helpers.ts';
import { gatesOf } from './gates.ts';
import { CLUSTER } from './servers.ts';

/** The ClickHouse servers of an app, which are asked without it. */
export function ownServers({ config }: Pick<TestApp, 'config'>) {
  const [, list = '', database = ''] = /^clickhouse:\/\/([^/]+)\/(\w+)/.exec(config.engine ?? '') ?? [];
  const hosts = list.split(',');
  async function askAt(host: string, sql: string, where = database): Promise<string> {
    const answer = await fetch(`http://${host}/?database=${where}`, { method: 'POST', body: sql });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text.trim();
  }
  const run = (sql: string) => Promise.all(hosts.map((host) => askAt(host, sql)));
  return {
    hosts,
    database,
    askAt,
    /** What each server says to a statement. */
    run,
    /** The sum of a number that each server says. */
    sum: async (sql: string) => (await run(sql)).reduce((sum, text) => sum + Number(text), 0),
  };
}

const CONTENT = ['activity', 'visit', 'tally']
  .map((table) => `SELECT '${table}', count(), sum(cityHash64(*)) FROM ${table}`)
  .join(' UNION ALL ');

const YESTERDAY = TODAY - 1;

const READS_TODAY = new RegExp(`day IN \\([\\d,]*\\b${TODAY}\\b`);

/** Tells whether ClickHouse has to make the visits of today for a statement. */
export const makesToday = (sql: string): boolean => sql.includes('arraySplit') && READS_TODAY.test(sql);

/** An application with visitors of yesterday, which is sealed, and of today. */
export async function stageServers(t: TestContext, config: { engine?: string } = {}) {
  const app = await startApp(t, config);
  const { owner, siteId } = app;
  const servers = ownServers(app);
  const come = (day: number, count: number) =>
    appendTo(
      app.engine,
      Array.from({ length: count }, (_, visitor) => pageview({ siteId, day, visitor })),
    );
  await come(YESTERDAY, 20);
  await app.seal();
  await app.engine.upkeep.checkServers();
  await come(TODAY, 12);
  return Object.assign(app, {
    ...servers,
    copy() {
      const path = join(folder(t), 'copy.db');
      app.db.run('VACUUM INTO ?', path);
      return path;
    },
    /** Another application over the same cluster, with a copy of a file. */
    startFrom: (from: string) => emptyApp(t, { engine: app.config.engine ?? '' }, { from }),
    come,
    /** What one server has, in numbers. */
    contentOf: async (host: string) => (await servers.askAt(host, CONTENT)).split('\n').sort(),
    /** The visitors of both days. */
    visitors: async () => {
      const path = `/sites/${siteId}/stats/timeseries?range=${date(YESTERDAY)}~${date(TODAY)}`;
      const { status, body } = await owner.ask('GET', path);
      return status === 200 ? body.data.points.map((one: { visitors: number }) => one.visitors) : body.error.code;
    },
    states: () => listKnownServers(app.db).map(({ state, reason }) => `${state} ${reason}`.trim()),
  });
}

export const COMPLETE = ['complete', 'complete', 'complete', 'complete'];

/** An application of `stageServers`, and a view of each statement before a server gets it. */
export async function stageGates(t: TestContext) {
  const hosts = process.env.TEST_CLUSTER?.split(',') ?? [];
  const gates = await gatesOf(
    t,
    hosts.map((host) => ({ http: Number(host.split(':')[1]) })),
  );
  const name = `gates_${randomBytes(8).toString('hex')}`;
  const engine = `clickhouse://${gates.hosts}/${name}?cluster=${CLUSTER}&ack=reachable`;
  t.after(() =>
    Promise.all(hosts.map((host) => fetch(`http://${host}/`, { method: 'POST', body: `DROP DATABASE ${name} SYNC` }))),
  );
  return { ...(await stageServers(t, { engine })), watch: gates.watch };
}
