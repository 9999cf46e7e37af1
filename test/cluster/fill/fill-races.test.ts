import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addImport, markImportGone } from '../../../src/catalog/imports.ts';
import { forgetRemovedSites } from '../../../src/jobs/jobs.ts';
import { inEnglish } from '../../../src/lang/sentences.ts';
import { readCoded } from '../../../src/lib/http/fault.ts';
import { DAY, HOUR, MINUTE, seconds } from '../../../src/lib/time.ts';
import { noTotals } from '../../../src/stats/aggregates.ts';
import { listKnownServers, wantFill } from '../../../src/store/cluster/cluster-servers.ts';
import { addCollector, changeStatus, findCollector, retireCollector } from '../../../src/store/cluster/collectors.ts';
import { TODAY } from '../../collect/stage.ts';
import { until } from '../../support/program.ts';
import { COMPLETE, stageGates, stageServers } from '../asking.ts';

const YESTERDAY = TODAY - 1;

/** A file with the sums of a day. */
const SUMS = {
  today: TODAY,
  texts: [],
  days: [TODAY - 9],
  readSums: (day: number) => ({
    day,
    totals: { ...noTotals(), visitors: 4, visits: 4, pageviews: 6 },
    counts: new Map([['pages', [{ event: '', value: '/a', visitors: 4, hits: 6 }]]]),
  }),
};

const lack = ({ db }: Pick<Awaited<ReturnType<typeof stageServers>>, 'db'>, host = '') =>
  db.run("UPDATE cluster_server SET state = 'lacking', reason = 'missed' WHERE url = ?", `http://${host}/`);

test('a server that misses a removal while it is filled is filled anew', async (t) => {
  const app = await stageServers(t);
  const { db, engine } = app;
  const [first = '', second = ''] = app.hosts;
  const silent = { version: '1', run: 'a', now: 0, until: 0, next: 0, parcelAt: null, bytes: 0, behind: [] };
  db.write(() => addCollector(db, { name: 'silent', hash: Buffer.alloc(32), now: 0 }));
  const status = { ...silent, visitors: null, servers: [], cuts: [], closed: null };
  db.write(() => changeStatus(db, 1, { status, outbox: 'box', now: 0 }));
  lack(app, first);
  const filled = engine.upkeep.checkServers();
  const isWaiting = () => {
    const progress = listKnownServers(db)[0]?.progress ?? '';
    return inEnglish(readCoded(progress)) === 'waiting for the collector silent';
  };
  await until('it waits', isWaiting);
  await app.askAt(first, 'DROP TABLE crawled SYNC');
  await engine.upkeep.deleteSite(app.strangerSiteId);
  assert.deepEqual(app.states(), ['lacking missed', ...COMPLETE.slice(1)]);
  const collector = findCollector(db, 'silent') ?? assert.fail();
  db.write(() => retireCollector(db, collector, { now: 0, isLost: true }));
  await filled;
  await engine.upkeep.checkServers();
  assert.deepEqual(app.states(), COMPLETE, app.log.join('\n'));
  assert.deepEqual(await app.contentOf(first), await app.contentOf(second));
});

test('a statement that a server goes on with keeps nothing of it once the server is filled', async (t) => {
  const app = await stageServers(t);
  const [first = '', second = ''] = app.hosts;
  // A row each half a second, as of a sealing that the primary gave up.
  const late = app
    .askAt(
      first,
      `INSERT INTO tally SELECT ${app.siteId}, ${YESTERDAY}, 1, 'pages', '', '/late', 1, 1 FROM numbers(30)
       WHERE sleepEachRow(0.5) = 0 SETTINGS max_block_size = 1`,
    )
    .catch(() => {});
  await until(
    'it runs',
    async () =>
      (await app.askAt(
        first,
        "SELECT count() FROM system.processes WHERE query LIKE '%/late%' AND query_kind = 'Insert'",
      )) === '1',
  );
  lack(app, first);
  await app.engine.upkeep.checkServers();
  assert.deepEqual(app.states(), COMPLETE, app.log.join('\n'));
  await late;
  assert.deepEqual(await app.contentOf(first), await app.contentOf(second));
});

test('an import is refused whose rows a server may have missed while it was filled', async (t) => {
  const app = await stageGates(t);
  const { engine, siteId, watch } = app;
  const [first = '', second = ''] = app.hosts;
  const shard = siteId % 2;
  const [own = '', other = ''] = shard === 0 ? [first, second] : app.hosts.slice(2);
  const imported = Promise.withResolvers<void>();
  const compared = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  lack(app, own);
  app.db.write(() => wantFill(app.db, `http://${own}/`));
  watch(async (sql, when) => {
    if (when === 'before' && sql.startsWith('INSERT INTO tally FORMAT')) {
      began.resolve();
      await compared.promise;
    }
    if (when === 'before' && sql.startsWith('INSERT INTO mark') && app.states().includes('filling')) {
      compared.resolve();
      await imported.promise;
    }
    return false;
  });
  const bringing = engine.imports.add(siteId, SUMS, { replace: false }).then(
    () => 'imported',
    (error: Error) => error.message,
  );
  await began.promise;
  const filled = engine.upkeep.checkServers();
  const outcome = await bringing;
  imported.resolve();
  await filled;
  assert.deepEqual(app.states(), COMPLETE, app.log.join('\n'));
  assert.match(outcome, /was filled during the import. Nothing was imported/);
  await engine.upkeep.sweep();
  const counts = "SELECT count() FROM tally WHERE value = '/a'";
  assert.deepEqual(await Promise.all([own, other].map((host) => app.askAt(host, counts))), ['0', '0']);
});

test('no server is filled by itself beside an import, but one whose filling was asked for is', async (t) => {
  const app = await stageServers(t);
  const { db, engine, siteId, clock } = app;
  const begin = () => db.write(() => addImport(db, siteId, { now: seconds(clock), today: TODAY }));
  const id = begin();
  lack(app, app.hosts[0]);
  await engine.upkeep.checkServers();
  assert.deepEqual(app.states(), ['lacking missed', ...COMPLETE.slice(1)]);
  db.write(() => markImportGone(db, siteId, id));
  await engine.upkeep.checkServers();
  assert.deepEqual(app.states(), COMPLETE, app.log.join('\n'));
  begin();
  lack(app, app.hosts[0]);
  db.write(() => wantFill(db, `http://${app.hosts[0]}/`));
  await engine.upkeep.checkServers();
  assert.deepEqual(app.states(), COMPLETE, app.log.join('\n'));
});

test('a server waits an hour for imports that follow one another, and not for ever', async (t) => {
  const app = await stageServers(t);
  const { db, engine, siteId, clock } = app;
  lack(app, app.hosts[0]);
  for (let quarters = 0; quarters <= 4; quarters++) {
    db.write(() => addImport(db, siteId, { now: seconds(clock), today: TODAY }));
    await engine.upkeep.checkServers();
    assert.equal(app.states()[0], quarters < 4 ? 'lacking missed' : 'complete', app.log.join('\n'));
    clock.pass(15 * MINUTE);
  }
});

test('rows of a sealing that a server writes after it failed are deleted', async (t) => {
  const app = await stageGates(t);
  const { engine, clock, watch } = app;
  const lateOnes: (() => Promise<string>)[] = [];
  let isCut = false;
  // From noon to a minute and a half after midnight.
  clock.pass(12 * HOUR + 1.5 * MINUTE);
  watch((sql, when) => {
    if (when !== 'before' || !sql.startsWith('INSERT INTO visit') || isCut) return false;
    isCut = true;
    lateOnes.push(() => Promise.any(app.hosts.map((host) => app.askAt(host, sql))));
    return true;
  });
  assert.deepEqual((await engine.upkeep.seal()).days, 0);
  watch(undefined);
  await engine.upkeep.sweep();
  await lateOnes[0]?.();
  for (let hours = 0; hours < 3; hours++) {
    clock.pass(HOUR);
    await engine.upkeep.seal();
    await engine.upkeep.sweep();
  }
  const parts = await app.run('SELECT toString(groupUniqArray(slice)) FROM visit');
  const known = app.db.all<{ id: number }>('SELECT id FROM sealed_day').map(({ id }) => id);
  for (const text of parts) for (const id of JSON.parse(text)) assert.ok(known.includes(id), `slice ${id}`);
});

test('what is imported for a site while it is deleted is deleted too', async (t) => {
  const app = await stageGates(t);
  const { engine, db, siteId, owner, clock, watch } = app;
  const [began, deleted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  watch(async (sql, when) => {
    if (when === 'before' && sql.startsWith('INSERT INTO tally FORMAT')) {
      began.resolve();
      await deleted.promise;
    }
    return false;
  });
  const bringing = assert.rejects(engine.imports.add(siteId, SUMS, { replace: false }), /the site was deleted/);
  await began.promise;
  assert.equal((await owner.ask('DELETE', `/sites/${siteId}`)).status, 204);
  await forgetRemovedSites(db, engine.upkeep);
  deleted.resolve();
  await bringing;
  watch(undefined);
  for (let hours = 0; hours < 3; hours++) {
    clock.pass(HOUR);
    await engine.upkeep.seal();
    await engine.upkeep.sweep();
  }
  const left = ['visit', 'tally', 'brought'].map((table) => `SELECT count() AS n FROM ${table} WHERE site = ${siteId}`);
  assert.equal(await app.sum(`SELECT sum(n) FROM (${left.join(' UNION ALL ')})`), 0);
  assert.deepEqual(db.all('SELECT * FROM sealed_day WHERE site_id = ?', siteId), []);
});

test('import: one that took over a day shows nothing and says so', async (t) => {
  const { engine, db, siteId, clock, watch } = await stageGates(t);
  let isLate = false;
  watch(async (sql, when) => {
    if (isLate && when === 'before' && sql.startsWith('INSERT INTO tally FORMAT')) await engine.upkeep.sweep();
    return false;
  });
  const days = [TODAY - 9, TODAY - 8];
  const written = () => {
    isLate = true;
    clock.pass(2 * DAY);
  };
  await assert.rejects(
    engine.imports.add(siteId, { ...SUMS, days }, { replace: false, written }),
    /the import took too long. Nothing was imported/,
  );
  assert.deepEqual(db.all("SELECT id FROM sealed_day WHERE state = 'shown' AND import_id IS NOT NULL"), []);
});

test('a server that does not take its mark at the end is filled anew, and not found to be empty a minute later', async (t) => {
  const app = await stageGates(t);
  const [first = ''] = app.hosts;
  let isRefused = false;
  app.watch((sql, when) => {
    if (isRefused || when !== 'before' || !sql.startsWith('INSERT INTO mark') || !app.states().includes('filling'))
      return false;
    // That of all servers, as where the primary was cut off.
    setImmediate(() => {
      isRefused = true;
    });
    return true;
  });
  lack(app, first);
  await app.engine.upkeep.checkServers();
  await until('all answer', () => app.engine.upkeep.listAwayServers?.().length === 0);
  await app.engine.upkeep.checkServers();
  assert.deepEqual(app.states(), COMPLETE, app.log.join('\n'));
  await app.engine.upkeep.checkServers();
  assert.deepEqual(app.states(), COMPLETE, app.log.join('\n'));
});
