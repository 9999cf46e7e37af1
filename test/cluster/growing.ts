import assert from 'node:assert/strict';
import { mock, type TestContext } from 'node:test';
import { listKnownServers } from '../../src/store/cluster/cluster-servers.ts';
import { findUndecided } from '../../src/store/cluster/divisions.ts';
import { begin, hereOn } from '../cli/here.ts';
import { appendTo, type Hit, pageview } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { folder, startApp } from '../support/helpers.ts';
import { until } from '../support/program.ts';
import { stage } from './collecting.ts';
import { CLUSTER, hostsOf, rowsOn, type Server, startCluster } from './servers.ts';

export const DATABASE = 'own';
const REPORTS = ['overview', 'timeseries', 'breakdown/pages', 'breakdown/countries', 'breakdown/entry_pages', 'bots'];

/** A cluster, and empty servers that are not in it. */
export async function startServers(t: TestContext, { shards = 1, replicas = 1, spares = 1 } = {}) {
  const own = await startCluster(folder(t), shards, replicas);
  const more = await Promise.all(Array.from({ length: spares }, () => startCluster(folder(t), 1, 1)));
  const all = [...own, ...more.flat()];
  t.after(() => Promise.all(all.map(({ kill }) => kill())));
  return {
    own,
    spares: more.flat(),
    address: `clickhouse://${hostsOf(own)}/${DATABASE}?cluster=${CLUSTER}&ack=reachable`,
    count: async (server: Server, table = 'activity', where = '1') => {
      const found = await rowsOn<{ n: number }>(server, DATABASE, `SELECT count() AS n FROM ${table} WHERE ${where}`);
      return found[0]?.n;
    },
  };
}

export const nameOf = (server: Server): string => hostsOf([server]);

/** A cluster with a collector, while a command adds a shard whose division is not decided yet. */
export async function stageUndecided(t: TestContext) {
  const { spares, address, own } = await startServers(t);
  const app = await stage(t, { engine: address });
  const collector = await app.collector('one');
  const [first, spare] = [own[0], spares[0]];
  assert.ok(first && spare);
  await collector.look();
  mock.timers.setTime(app.clock.now());
  const adding = begin(app, 'cluster', 'add-shard', nameOf(spare));
  await until('a division is proposed', () => findUndecided(app.db) !== undefined);
  return { app, collector, adding, first, spare, address };
}

/** Hits of some visitors on a day. A visitor comes again with a later call, or not. */
const hitsOf = (siteId: number, day: number, visitors: number, from = 0): Hit[] =>
  Array.from({ length: 2 * visitors }, (_, i) =>
    pageview({
      ...{ siteId, day, visitor: from + (i % visitors), second: 100 + 700 * i },
      ...{ page: `/${i % 5}`, country: ['DE', 'US', 'FR'][i % 3] ?? '' },
    }),
  );

/** An application on a cluster that grows, and one on a file that gets equal hits. */
export async function stageGrowth(t: TestContext, size: Parameters<typeof startServers>[1] = {}) {
  const servers = await startServers(t, size);
  const app = await startApp(t, { engine: servers.address });
  const twin = await startApp(t, { engine: '' });
  assert.equal(app.siteId, twin.siteId);
  const both = [app, twin];
  let first = Math.floor(app.clock.now() / 86_400_000) - 3;
  return Object.assign(app, servers, {
    twin,
    today: () => Math.floor(app.clock.now() / 86_400_000),
    async come(day: number, visitors: number, from = 0): Promise<void> {
      for (const one of both) await appendTo(one.engine, hitsOf(app.siteId, day, visitors, from));
    },
    pass(seconds: number): void {
      for (const { clock } of both) clock.pass(seconds);
    },
    async sealBoth(): Promise<void> {
      for (const one of both) await one.seal();
    },
    /** A command of the cluster, at the time of the application. */
    command(...words: string[]) {
      mock.timers.setTime(app.clock.now());
      return hereOn(app, 'cluster', ...words);
    },
    /** Hits of today come, batch after batch, until the work is done. */
    async comeWhile<Result>(work: () => Promise<Result>): Promise<Result> {
      const day = this.today();
      let isOver = false;
      const coming = (async () => {
        for (let from = 1_000; !isOver; from += 3) await this.come(day, 3, from);
      })();
      const result = await work().finally(() => {
        isOver = true;
      });
      await coming;
      return result;
    },
    states: () => listKnownServers(app.db).map(({ shard, state }) => `${shard + 1} ${state}`),
    /** The answers are those of the file. */
    async assertEqual(from = first): Promise<void> {
      first = from;
      const range = `range=${date(from)}~${date(from + 14)}`;
      for (const report of REPORTS) {
        const path = `/sites/${app.siteId}/stats/${report}?${range}`;
        const [own, other] = await Promise.all(both.map(({ owner }) => owner.ask('GET', path)));
        assert.equal(own?.status, 200, own?.text);
        assert.deepEqual(own?.body.data, other?.body.data, report);
      }
    },
  });
}
