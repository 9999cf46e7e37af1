import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../../src/lib/time.ts';
import { listKnownServers, wantFill } from '../../../src/store/cluster/cluster-servers.ts';
import { openStore } from '../../../src/store/file/open-file.ts';
import { keepDays } from '../../../src/store/sites/sites.ts';
import { hereOn } from '../../cli/here.ts';
import { appendTo, pageview, TODAY } from '../../collect/stage.ts';
import { rowsOf } from '../../ledger/rows.ts';
import { emptyApp, type TestApp } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { COMPLETE, stageServers } from '../asking.ts';

test('rows of a site that the file never had stay, and those of a deleted site go', async (t) => {
  const app = await stageServers(t);
  await app.run(
    `INSERT INTO activity (site, day, seq, visitor, page) SELECT 999, ${TODAY}, 1, number, '/' FROM numbers(5)`,
  );
  const rowsOf = (site: number) => app.sum(`SELECT count() FROM activity WHERE site = ${site}`);
  await app.engine.upkeep.seal();
  assert.equal(await rowsOf(999), 4 * 5);
  app.db.write(() => app.db.run('DELETE FROM site WHERE id = ?', app.siteId));
  await app.engine.upkeep.sweep();
  assert.deepEqual([await rowsOf(999), await rowsOf(app.siteId)], [4 * 5, 0]);
});

test('a cluster is refused to the file of another installation, and loses nothing by that', async (t) => {
  const app = await stageServers(t);
  const count = () => app.sum('SELECT (SELECT count() FROM activity) + (SELECT count() FROM visit)');
  const before = await count();
  const { engine = '' } = app.config;
  await assert.rejects(emptyApp(t, { engine }), /has the hits of another daybook\.db. Name that file with --db/);
  // Where it was made before there were marks, too.
  await app.run('TRUNCATE TABLE mark');
  await assert.rejects(emptyApp(t, { engine }), /has the hits of another daybook\.db/);
  assert.equal(await count(), before);
});

test('a cluster is refused to an older copy of its file, which does not know its sites or days', async (t) => {
  const app = await stageServers(t);
  const older = app.copy();
  await app.startFrom(older);
  await app.restart();
  app.site(app.owner, 'third.example');
  await app.engine.upkeep.checkServers();
  await assert.rejects(
    app.startFrom(older),
    /has sites, imports or sealed days that this daybook\.db does not know. The file is an old backup/,
  );
});

test('a cluster is refused to an older copy that does not know an import of today, so that its hits count once', async (t) => {
  const app = await stageServers(t);
  const older = app.copy();
  const content = { today: TODAY, texts: ['', '/imported'], days: [TODAY], readRows: () => rowsOf(5) };
  await app.engine.imports.add(app.siteId, content, { replace: false });
  await assert.rejects(app.startFrom(older), /has sites, imports or sealed days that this daybook\.db does not know/);
  await hereOn({ config: { ...app.config, db: older } }, 'cluster', 'adopt', '--yes');
  const restored = await app.startFrom(older);
  await restored.engine.imports.add(app.siteId, content, { replace: false });
  const [imported] = await restored.engine.imports.list(app.siteId);
  assert.equal(imported?.hits, 5);
});

test('with an older copy a server that was left out since is filled before it answers', async (t) => {
  const app = await stageServers(t);
  const older = app.copy();
  const [first = ''] = app.hosts;
  app.db.run(
    "UPDATE cluster_server SET state = 'lacking', reason = 'restored', beat = 0 WHERE url = ?",
    `http://${first}/`,
  );
  await app.engine.upkeep.checkServers();
  await app.come(TODAY, 30);
  const restored = await app.startFrom(older);
  await until('it is filled', () => restored.log.some((line) => line.includes('has everything')));
  assert.deepEqual(
    listKnownServers(restored.db).map(({ state }) => state),
    COMPLETE,
  );
  assert.ok(restored.log.some((line) => line.includes('is being filled') && line.includes(first)));
});

test('an older copy waits for a server that does not answer, because that server may be the newest', async (t) => {
  const app = await stageServers(t);
  const older = app.copy();
  const [, second = ''] = app.hosts;
  const nowhere = '127.0.0.1:9';
  const file = openStore(older);
  file.db.run('UPDATE cluster_server SET url = ? WHERE url = ?', `http://${nowhere}/`, `http://${second}/`);
  file.close();
  const engine = app.config.engine?.replace(second, nowhere) ?? '';
  await app.engine.upkeep.checkServers();
  await assert.rejects(
    emptyApp(t, { engine }, { from: older }),
    /old backup, and http:\/\/127\.0\.0\.1:9\/ could not be checked\. That server may have newer data/,
  );
});

test('an older copy says of days whose visits were deleted since that only their sums are left', async (t) => {
  const app = await stageServers(t);
  await app.come(TODAY - 10, 30);
  await app.seal();
  const older = app.copy();
  app.db.write(() => keepDays(app.db, app.siteId, 3));
  await app.engine.upkeep.seal();
  app.clock.pass(61);
  await app.engine.upkeep.sweep();
  await app.engine.upkeep.checkServers();
  const leftOut = async ({ engine }: Pick<TestApp, 'engine'>) => {
    const range = { from: TODAY - 10, to: TODAY };
    const filters = { page: { is: ['/'] } };
    return (await engine.queries.measure({ report: 'overview', siteId: app.siteId, range, filters })).leftOut;
  };
  const restored = await app.startFrom(older);
  assert.deepEqual([await leftOut(app), await leftOut(restored)], [[TODAY - 10], [TODAY - 10]]);
  await hereOn({ config: { ...app.config, db: older } }, 'cluster', 'adopt', '--yes');
  assert.deepEqual(await leftOut(await app.startFrom(older)), [TODAY - 10]);
});

test('a server that was emptied is left out, and the answers stay whole', async (t) => {
  const app = await stageServers(t);
  assert.deepEqual([app.states(), await app.visitors()], [COMPLETE, [20, 12]]);
  const [first, second] = app.hosts;
  await app.askAt(first ?? '', `DROP DATABASE ${app.database} SYNC`, 'default');
  await app.restart();
  assert.deepEqual(
    [app.states(), await app.visitors()],
    [
      ['lacking empty', ...COMPLETE.slice(1)],
      [20, 12],
    ],
  );
  await app.come(TODAY, 12);
  assert.deepEqual(await app.visitors(), [20, 12]);
  // While it runs: the last one that has the hits of the shard is never answered for by nobody.
  await app.askAt(second ?? '', 'TRUNCATE TABLE mark');
  await app.engine.upkeep.checkServers();
  assert.deepEqual(app.states(), ['lacking empty', 'lacking empty', ...COMPLETE.slice(2)]);
  assert.equal(await app.visitors(), 'unavailable');
  await assert.rejects(
    app.startFrom(app.copy()),
    /no server of shard 1 has all its hits: .* has a new disk, or was emptied, /,
  );
});

test('a server that was emptied while the primary runs is left out without a new start', async (t) => {
  const app = await stageServers(t);
  const [first = ''] = app.hosts;
  await app.askAt(first, `DROP DATABASE ${app.database} SYNC`, 'default');
  await app.engine.upkeep.checkServers();
  assert.deepEqual(
    [app.states(), await app.visitors()],
    [
      ['lacking empty', ...COMPLETE.slice(1)],
      [20, 12],
    ],
  );
});

test('a command makes no server answer that was emptied, not even before the primary has looked', async (t) => {
  const app = await stageServers(t);
  const [first = '', , third = ''] = app.hosts;
  for (const host of [first, third]) await app.askAt(host, `DROP DATABASE ${app.database} SYNC`, 'default');
  await hereOn({ config: app.config }, 'check');
  assert.deepEqual(await app.visitors(), [20, 12]);
  await app.engine.upkeep.checkServers();
  assert.deepEqual(app.states(), ['lacking empty', 'complete', 'lacking empty', 'complete']);
});

/** Gives the first server back the mark that it has now, once a newer one was written: as a disk of before would. */
async function ageFirst(app: Awaited<ReturnType<typeof stageServers>>): Promise<void> {
  const [first = ''] = app.hosts;
  await app.askAt(first, 'CREATE TABLE older AS mark');
  await app.askAt(first, 'INSERT INTO older SELECT * FROM mark ORDER BY beat DESC LIMIT 1');
  await app.engine.upkeep.checkServers();
  await app.askAt(first, 'EXCHANGE TABLES older AND mark');
}

test('a server with an older disk is left out', async (t) => {
  const app = await stageServers(t);
  await ageFirst(app);
  await app.engine.upkeep.checkServers();
  assert.deepEqual(
    [app.states(), await app.visitors()],
    [
      ['lacking restored', ...COMPLETE.slice(1)],
      [20, 12],
    ],
  );
});

test('a server with an older disk gets no new mark while another is filled, and no other is filled from it', async (t) => {
  const app = await stageServers(t);
  const [, second = '', third = ''] = app.hosts;
  const lack = (host: string) =>
    app.db.run("UPDATE cluster_server SET state = 'lacking', reason = 'missed' WHERE url = ?", `http://${host}/`);
  await ageFirst(app);
  lack(third);
  assert.equal((await hereOn(app, 'cluster', 'fill', third)).printed[0], `http://${third}/ has everything`);
  await app.engine.upkeep.checkServers();
  assert.deepEqual(app.states(), ['lacking restored', ...COMPLETE.slice(1)], app.log.join('\n'));
  lack(second);
  app.db.run("UPDATE cluster_server SET state = 'complete', reason = '' WHERE shard = 0 AND replica = 0");
  app.db.write(() => wantFill(app.db, `http://${second}/`));
  await until('it is not filled', () =>
    app.log.some((line) => /did not take its mark|(could not|cannot) be filled/.test(line)),
  );
  assert.notEqual(app.states()[1], 'complete');
});

test('an older copy takes a cluster over with a command, and what it does not know is deleted by one that names how much', async (t) => {
  const app = await stageServers(t);
  const older = app.copy();
  const third = app.site(app.owner, 'third.example');
  await appendTo(app.engine, [pageview({ siteId: third, day: TODAY - 1 }), pageview({ siteId: third })]);
  await app.seal();
  await app.engine.upkeep.checkServers();
  const rowsOf = (site: number) =>
    app.sum(
      `SELECT (SELECT count() FROM activity WHERE site = ${site}) + (SELECT count() FROM visit WHERE site = ${site})`,
    );
  const kept = await rowsOf(third);
  const config = { ...app.config, db: older };
  const run = async (...words: string[]) => (await hereOn({ config }, ...words)).printed.join('\n');

  assert.match(
    await run('cluster', 'adopt'),
    /^site 3: \d+ rows\n\d+ rows would stay, but reports would not count them\. Add --yes/,
  );
  await run('cluster', 'adopt', '--yes');
  const restored = await app.startFrom(older);
  await restored.engine.upkeep.seal();
  await restored.engine.upkeep.sweep();
  assert.equal(await rowsOf(third), kept);
  assert.ok(restored.site(app.owner, 'fourth.example') > third);

  // What failed once may be on one replica alone.
  const [, second = ''] = app.hosts;
  await app.askAt(second, `INSERT INTO visit (site, day, slice) SELECT 1, ${TODAY}, 99999 FROM numbers(7)`);
  assert.match(await run('cluster', 'unknown'), /^sealed days of example\.com: 7 rows$/m);
  const [rows = ''] = /\d+(?= rows in all)/.exec(await run('cluster', 'unknown')) ?? [];
  await assert.rejects(run('cluster', 'unknown', '--delete', String(Number(rows) + 1)), /Nothing was deleted/);
  assert.equal(await rowsOf(third), kept);
  await run('cluster', 'unknown', '--delete', rows);
  assert.equal(await rowsOf(third), 0);
  assert.equal(await app.askAt(second, 'SELECT count() FROM visit WHERE slice = 99999'), '0');
  assert.equal(await run('cluster', 'unknown'), 'the file knows all rows on the cluster');
});

test('a primary that still runs after a copy of its file was started elsewhere seals and deletes nothing', async (t) => {
  const app = await stageServers(t);
  const other = await app.startFrom(app.copy());
  await assert.rejects(hereOn(app, 'move', '--to', 'file'), /another daybook server started later/);
  for (const { clock } of [app, other]) clock.pass(DAY);
  assert.equal(await other.seal(), 1);
  const too = await app.seal().catch((error: Error) => error.message);
  const range = { from: TODAY, to: TODAY + 1 };
  const pages = { report: 'breakdown', breakdown: 'pages', offset: 0, limit: 10 } as const;
  const { rows } = await other.engine.queries.measure({ ...pages, siteId: app.siteId, range, filters: {} });
  assert.deepEqual(
    rows.map(({ visitors }) => visitors),
    [12],
  );
  assert.match(String(too), /another daybook server started later with a copy of this daybook\.db/);
  await assert.rejects(app.engine.upkeep.sweep(), /another daybook server started later/);
  other.clock.pass(61);
  await other.engine.upkeep.sweep();
  assert.equal(await app.sum(`SELECT count() FROM activity`), 0);
});
