import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DAY, MINUTE } from '../../src/lib/time.ts';
import { noTotals } from '../../src/stats/aggregates.ts';
import { listServers } from '../../src/store/cluster/cluster-servers.ts';
import { hereOn } from '../cli/here.ts';
import { appendTo, pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { FIREFOX, folder, startApp } from '../support/helpers.ts';
import { until } from '../support/program.ts';
import { ownServers } from './asking.ts';
import { CLUSTER, hostsOf, startCluster } from './servers.ts';

/** An application over servers of its own, two shards with two replicas, of which some go away. */
async function stage(t: TestContext, ack: string) {
  const servers = await startCluster(folder(t), 2, 2);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const app = await startApp(t, { engine: `clickhouse://${hostsOf(servers)}/own?cluster=${CLUSTER}&ack=${ack}` });
  const { owner, siteId } = app;
  const { askAt } = ownServers(app);
  const hosts = servers.map(({ http }) => `127.0.0.1:${http}`);
  return {
    ...app,
    servers,
    store: (day: number, from: number, count: number, site = siteId) =>
      appendTo(
        app.engine,
        Array.from({ length: count }, (_, i) => pageview({ siteId: site, day, visitor: from + i })),
      ),
    async figures(day: number) {
      const { status, body } = await owner.ask(
        'GET',
        `/sites/${siteId}/stats/overview?range=${date(day)}~${date(day)}`,
      );
      assert.equal(status, 200);
      return body.data.visitors;
    },
    states: () => listServers(app.db).map(({ state }) => state),
    countAt: async (i: number, sql: string) => Number(await askAt(hosts[i] ?? '', sql)),
  };
}

/** The second replica of each shard. */
const SECOND = [1, 3];
const WITHOUT = ['complete', 'lacking', 'complete', 'lacking'];

test('one replica of each shard down or silent: days are sealed, codes and sites go, files are imported, and later they are filled', async (t) => {
  const app = await stage(t, 'reachable');
  const { servers, store, clock, engine, db, siteId, strangerSiteId } = app;
  await store(TODAY, 0, 10);
  await store(TODAY, 0, 10, strangerSiteId);
  const [silent, dead] = SECOND.map((i) => servers[i]);
  assert.ok(silent && dead);
  const pid = silent.pid();
  process.kill(pid, 'SIGSTOP');
  await dead.kill();
  // One more of each shard, which the others do not get.
  await store(TODAY, 10, 2);
  clock.pass(DAY);
  assert.deepEqual(await engine.upkeep.seal(), { days: 2, failed: [] });
  assert.deepEqual(app.states(), WITHOUT);
  assert.equal(await app.figures(TODAY), 12);
  clock.pass(61);
  await engine.upkeep.sweep();
  for (const i of [0, 2]) assert.equal(await app.countAt(i, 'SELECT count() FROM activity'), 0);
  await engine.upkeep.deleteSite(strangerSiteId);
  for (const i of [0, 2]) assert.equal(await app.countAt(i, `SELECT count() FROM visit WHERE site <> ${siteId}`), 0);
  const sums = { ...noTotals(), visitors: 7, visits: 8, pageviews: 9 };
  const days = [TODAY - 9];
  const content = {
    today: TODAY + 1,
    texts: [],
    days,
    readSums: (day: number) => ({ day, totals: sums, counts: new Map() }),
  };
  await engine.imports.add(siteId, content, { replace: false });
  assert.equal(await app.figures(TODAY - 9), 7);
  await store(TODAY + 1, 0, 4);
  assert.equal(await app.figures(TODAY + 1), 4);
  assert.equal(db.one<{ n: number }>('SELECT count(*) AS n FROM sealed_day')?.n, 2);
  // They are there again, get everything, and answer for the others.
  process.kill(pid, 'SIGCONT');
  await dead.start();
  await until('they are filled', () => app.states().every((state) => state === 'complete'));
  await store(TODAY + 1, 4, 4);
  await Promise.all([servers[0]?.kill(), servers[2]?.kill()]);
  assert.deepEqual([await app.figures(TODAY), await app.figures(TODAY + 1)], [12, 8]);
  clock.pass(DAY);
  assert.deepEqual(await engine.upkeep.seal(), { days: 1, failed: [] });
  assert.equal(await app.figures(TODAY + 1), 8);
  for await (const { faults } of engine.upkeep.recount()) assert.deepEqual(faults, []);
});

test('a day waits ten minutes for a replica that is away, so that a restart at midnight fills nothing anew', async (t) => {
  const app = await stage(t, 'reachable');
  const { servers, store, clock, engine } = app;
  await store(TODAY, 0, 10);
  // From noon to a minute after midnight.
  clock.pass(DAY / 2 + MINUTE);
  await servers[1]?.kill();
  const night = await engine.upkeep.seal();
  assert.deepEqual([night.days, night.failed.map(({ waits }) => waits)], [0, [true]]);
  assert.deepEqual(app.states(), ['complete', 'complete', 'complete', 'complete']);
  await servers[1]?.start();
  await until('it is sealed', async () => (await engine.upkeep.seal()).days === 1);
  assert.deepEqual(app.states(), ['complete', 'complete', 'complete', 'complete']);
  assert.equal(await app.figures(TODAY), 10);
});

test('a day that ended half a minute ago is not reported as waiting, because its last hits still come', async (t) => {
  const { store, clock, engine } = await stage(t, 'reachable');
  await store(TODAY, 0, 10);
  clock.pass(DAY / 2 + 20);
  assert.deepEqual(await engine.upkeep.seal(), { days: 0, failed: [] });
});

test('daybook cluster: a complete server that does not answer is named, with what to do', async (t) => {
  const app = await stage(t, 'reachable');
  await app.servers[1]?.kill();
  const { printed } = await hereOn(app, 'cluster');
  const told = printed.map((line) => line.replace(/^\S+ +/, ''));
  const silent = /^1 {6}complete {2}does not answer\. Start the server, or .* lost, see "If you lose a server" in docs/;
  assert.match(told[1] ?? '', silent);
  assert.deepEqual(
    told.filter((_, i) => i !== 1),
    ['1      complete  complete', '2      complete  complete', '2      complete  complete'],
  );
});

test('a deletion of days waits ten minutes for a replica that is away, and then goes on without it', async (t) => {
  const app = await stage(t, 'reachable');
  const { servers, store, clock, engine, db, siteId } = app;
  await store(TODAY, 0, 10);
  clock.pass(DAY);
  await engine.upkeep.seal();
  clock.pass(61);
  await engine.upkeep.sweep();
  await servers[1]?.kill();
  await engine.upkeep.deleteDays(siteId, { from: TODAY, to: TODAY + 1 });
  assert.equal(await app.figures(TODAY), 0);
  await assert.rejects(engine.upkeep.sweep());
  assert.deepEqual(app.states(), ['complete', 'complete', 'complete', 'complete']);
  clock.pass(11 * MINUTE);
  await engine.upkeep.sweep();
  assert.deepEqual(app.states(), ['complete', 'lacking', 'complete', 'complete']);
  assert.deepEqual(db.all('SELECT * FROM deletion'), []);
});

test('ack=replicas: while a replica is away a hit is answered 503 with its name, and /readyz says so; ack=reachable takes it', async (t) => {
  const app = await stage(t, 'replicas');
  const { servers, store, ask } = app;
  await store(TODAY, 0, 2);
  const message = { site: 'example.com', url: 'https://example.com/a' };
  const hit = () => ask('POST', '/day', { body: message, headers: { 'user-agent': FIREFOX } });
  assert.deepEqual([(await hit()).status, (await ask('GET', '/readyz')).status], [202, 200]);
  await servers[3]?.kill();
  // The first finds out; the others are not stored.
  await until('it is known', async () => (await ask('GET', '/readyz')).status === 503 || (await hit()).status === 503);
  const refused = await hit();
  const named = `The cluster server 127.0.0.1:${servers[3]?.http} does not answer. Try again shortly.`;
  assert.deepEqual([refused.status, refused.body.error.message], [503, named]);
  assert.equal((await ask('GET', '/readyz')).body.error.message, named);
  await servers[3]?.start();
  await until('it is back', async () => (await ask('GET', '/readyz')).status === 200);
  assert.equal((await hit()).status, 202);
});
