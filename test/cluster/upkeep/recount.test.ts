import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../../src/lib/time.ts';
import { DIMENSIONS } from '../../../src/stats/dimensions.ts';
import { VERSION } from '../../../src/store/file/migrations.ts';
import { removeSite } from '../../../src/store/sites/sites.ts';
import { appendTo, pageview, TODAY } from '../../collect/stage.ts';
import { rowsOf } from '../../ledger/rows.ts';
import { date } from '../../stats/days.ts';
import { folder, startApp } from '../../support/helpers.ts';
import { ownServers, stageGates } from '../asking.ts';
import { CLUSTER, hostsOf, startCluster } from '../servers.ts';

/** Of so many sealed days a night recounts three. */
const DAYS = 75;

test('a recount asks a server that hangs once, and not for each day', async (t) => {
  const servers = await startCluster(folder(t), 1, 2);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const app = await startApp(t, { engine: `clickhouse://${hostsOf(servers)}/own?cluster=${CLUSTER}` });
  const { engine, siteId, clock } = app;
  const days = Array.from({ length: DAYS }, (_, i) => TODAY - 1 - i);
  await engine.imports.add(
    siteId,
    { today: TODAY, texts: ['', '/'], days, readRows: () => rowsOf(1) },
    { replace: false },
  );
  process.kill(servers[1]?.pid() ?? 0, 'SIGSTOP');
  const begun = performance.now();
  assert.deepEqual(await engine.upkeep.recountSome(), { days: 3, faulty: [] });
  const seconds = (performance.now() - begun) / 1000;
  process.kill(servers[1]?.pid() ?? 0, 'SIGCONT');
  assert.ok(seconds < 15, `it took ${seconds} s`);
  clock.pass(DAY);
  assert.equal((await engine.upkeep.recountSome()).days, 3);
});

test('a night recounts other days in place of damaged ones', async (t) => {
  const app = await startApp(t);
  const { engine, siteId, db } = app;
  const days = Array.from({ length: 4 }, (_, i) => TODAY - 1 - i);
  await engine.imports.add(
    siteId,
    { today: TODAY, texts: ['', '/'], days, readRows: () => rowsOf(1) },
    { replace: false },
  );
  db.run('UPDATE sealed_day SET visits = 9 WHERE day <= ?', TODAY - 3);
  const night = async () => {
    const { days: count, faulty } = await engine.upkeep.recountSome();
    return [count, faulty.map(({ day }) => TODAY - day)];
  };
  // Each night counts one day, and one more for each damaged one.
  assert.deepEqual(await night(), [3, [4, 3]]);
  assert.deepEqual(await night(), [3, [4, 3]]);
  const checked = db.one<{ n: number }>('SELECT count(*) AS n FROM sealed_day WHERE recounted_at IS NOT NULL');
  assert.equal(checked?.n, 2);
});

test('a site that is deleted while its day is recounted is no damage', async (t) => {
  const app = await stageGates(t);
  let deleted: Promise<void> | undefined;
  app.watch(async (sql, when) => {
    if (when === 'before' && sql.includes('cityHash64(visitor')) {
      deleted ??= Promise.resolve(app.db.write(() => removeSite(app.db, app.siteId))).then(() =>
        app.engine.upkeep.deleteSite(app.siteId),
      );
      await deleted;
    }
    return false;
  });
  assert.deepEqual(await app.engine.upkeep.recountSome(), { days: 1, faulty: [] });
  app.watch(undefined);
  assert.ok(deleted);
});

test('a day that was sealed before there was a dimension is sound, and has its value empty', async (t) => {
  const app = await startApp(t);
  const { engine, siteId, owner } = app;
  const { run } = ownServers(app);
  const hits = Array.from({ length: 5 }, (_, visitor) => pageview({ siteId, day: TODAY - 1, visitor }));
  await appendTo(engine, hits);
  await app.seal();
  Object.assign(DIMENSIONS.hostname, { since: VERSION + 1 });
  t.after(() => Object.assign(DIMENSIONS.hostname, { since: undefined }));
  await run("DELETE FROM tally WHERE dimension = 'hostnames'");
  for await (const { faults } of engine.upkeep.recount()) assert.deepEqual(faults, []);
  const path = `/sites/${siteId}/stats/breakdown/hostnames?range=${date(TODAY - 1)}~${date(TODAY - 1)}`;
  assert.deepEqual((await owner.ask('GET', path)).body.data.rows, [{ value: '', visitors: 5 }]);
});
