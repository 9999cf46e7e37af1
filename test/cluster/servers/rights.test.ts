// daybook runs as the user whom docs/cluster.md creates, with exactly the rights of that statement.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DAY } from '../../../src/lib/time.ts';
import { listServers } from '../../../src/store/cluster/cluster-servers.ts';
import { appendTo, pageview, TODAY } from '../../collect/stage.ts';
import { fencesIn, textOf } from '../../documents/documents.ts';
import { rowsOf } from '../../ledger/rows.ts';
import { date } from '../../stats/days.ts';
import { folder, startApp } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { CLUSTER, hostsOf, startCluster, type Users } from '../servers.ts';

/** The grants of a text, each of one right, such as `GRANT SELECT ON system.parts`. */
function splitGrants(text: string, grant: RegExp): string[] {
  return [...text.matchAll(grant)].flatMap(([, rights = '']) => {
    // `SELECT, INSERT ON daybook.*` shares its database, and `SELECT ON a, SELECT ON b` does not.
    const [database] = rights.match(/ON daybook\.\*$/) ?? [];
    return rights
      .split(', ')
      .map((right) => `GRANT ${right.replace(/ ON daybook.*/, '')}${database ? ` ${database}` : ''}`);
  });
}

const STATEMENTS = fencesIn(textOf('docs/cluster.md')).find(({ language }) => language === 'sql')?.code ?? '';
const GRANTS = splitGrants(STATEMENTS, /GRANT ([^;]*) TO daybook;/g);
const password = 'secret';

/** The user of the document, and for each right a user without it. */
const USERS: Users = {
  daybook: { password, grants: GRANTS },
  ...Object.fromEntries(
    GRANTS.map((grant, i) => [`without${i}`, { password, grants: GRANTS.filter((one) => one !== grant) }]),
  ),
};

async function stage(t: TestContext) {
  const servers = await startCluster(folder(t), 1, 2, USERS);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const engineOf = (user: string) => `clickhouse://${user}:${password}@${hostsOf(servers)}/daybook?cluster=${CLUSTER}`;
  return { servers, engineOf };
}

const REPORTS = [
  'overview',
  'timeseries',
  'breakdown/pages',

  'goals',
  'realtime',
  'bots',
  'days',
];

test('rights: with the rights of the document, hits are counted, sealed, imported, filled and deleted', async (t) => {
  const { servers, engineOf } = await stage(t);
  const app = await startApp(t, { engine: engineOf('daybook') });
  const { engine, siteId, owner, clock, db } = app;
  const come = (day: number, count: number) =>
    appendTo(
      engine,
      Array.from({ length: count }, (_, visitor) => pageview({ siteId, day, visitor })),
    );
  const askAll = async () => {
    for (const report of REPORTS) {
      const { status } = await owner.ask(
        'GET',
        `/sites/${siteId}/stats/${report}?range=${date(TODAY - 9)}~${date(TODAY)}`,
      );
      assert.equal(status, 200, report);
    }
  };
  await come(TODAY - 1, 20);
  await engine.intake.append({ crawls: [{ siteId, day: TODAY, crawler: 'GPTBot', page: '/', requests: 2 }] });
  await app.seal();
  await come(TODAY, 12);
  await askAll();
  const content = { today: TODAY, texts: ['', '/imported'], days: [TODAY - 5], readRows: () => rowsOf(3, { page: 1 }) };
  const id = await engine.imports.add(siteId, content, { replace: false });
  assert.equal(await engine.imports.remove(siteId, id), undefined);
  await engine.upkeep.sweep();

  // A replica misses a night, and is filled.
  const [, second] = servers;
  await second?.kill();
  clock.pass(DAY);
  const states = () => listServers(db).map(({ state }) => state);
  await until('the night went on without the replica', async () => {
    clock.pass(600);
    await engine.upkeep.seal();
    return states().includes('lacking');
  });
  await second?.start();
  await until('the replica is filled', async () => {
    await engine.upkeep.checkServers();
    return states().every((state) => state === 'complete');
  });
  await askAll();
  await engine.upkeep.deleteDays(siteId, { from: TODAY - 1, to: TODAY });
  await engine.upkeep.sweep();
  for await (const { faults } of engine.upkeep.recount()) assert.deepEqual(faults, []);
  await engine.upkeep.deleteSite(siteId);
  const figures = await engine.upkeep.examineServers();
  assert.ok(figures.every(({ load }) => load?.diskTotal && load.memoryLimit));
});

test('rights: the ready-made user has the rights of the document', () => {
  assert.deepEqual(splitGrants(textOf('deploy/cluster/users.xml'), /<query>GRANT ([^<]*)<\/query>/g), GRANTS);
});

test('rights: each right that is missing is named at the start, with the statement that gives it', async (t) => {
  const { servers, engineOf } = await stage(t);
  const empty = (http: number) =>
    fetch(`http://127.0.0.1:${http}/`, { method: 'POST', body: 'DROP DATABASE daybook SYNC' });
  const isHelpful = (grant: string) => /mutations|disks|metrics|server_settings/.test(grant);
  assert.equal(GRANTS.length, 18);
  for (const [i, grant] of GRANTS.entries()) {
    const wanted = `${grant} TO without${i}`;
    if (isHelpful(grant)) {
      const { log, engine } = await startApp(t, { engine: engineOf(`without${i}`) });
      assert.ok(
        log.some((line) => line.includes(`"run":"${wanted}"`)),
        wanted,
      );
      assert.ok((await engine.upkeep.examineServers()).every(({ answers, load }) => answers && !load));
      // The next file is another installation.
      await Promise.all(servers.map(({ http }) => empty(http)));
      continue;
    }
    await assert.rejects(startApp(t, { engine: engineOf(`without${i}`) }), (error: Error) => {
      assert.match(error.message, /^http:\/\/127\.0\.0\.1:\d+\/: the user without\d+ lacks rights\. Run there: /);
      assert.ok(error.message.endsWith(wanted), error.message);
      assert.ok(!error.message.includes('\n'));
      return true;
    });
  }
});
