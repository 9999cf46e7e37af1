import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MONTH_NAMES } from '../../../src/ledger/sealed/month.ts';
import { nightly } from '../../../src/ledger/work/nightly.ts';
import { makeTasks, type Tasks } from '../../../src/ledger/work/tasks.ts';
import { DAY, formatDay } from '../../../src/lib/time.ts';
import { noTotals } from '../../../src/stats/aggregates.ts';
import type { Db } from '../../../src/store/db.ts';
import type { Threads } from '../../../src/threads/pool.ts';
import { activityOf, append, type Hit, pageview, TODAY } from '../../collect/stage.ts';
import { openSite } from '../../stats/stage.ts';
import { startApp } from '../../support/helpers.ts';
import { rowsOf } from '../rows.ts';
import { bookOf, crowd, NOW, rowsIn, TINY, YESTERDAY } from '../stage.ts';

const hitsOf = (siteId: number, count: number, from = 0): Hit[] =>
  Array.from({ length: count }, (_, i) => pageview({ siteId, visitor: from + i, second: 40_000 + i }));

/** Waits, as long as the test may take, until something is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('a server puts a large day into parts as it grows, and goes on after a restart', async (t) => {
  const app = await startApp(t, {}, { limits: TINY });
  const { siteId } = app;
  const rows = (): number => app.db.one<{ n: number }>('SELECT max(row_count) AS n FROM open_shard')?.n ?? 0;
  await app.engine.intake.append({ activities: hitsOf(siteId, 20).map(activityOf) });
  await until(() => rows() > 16);
  await app.restart();
  await app.engine.intake.append({ activities: hitsOf(siteId, 20, 20).map(activityOf) });
  await until(() => rows() > 36);
  const { body } = await app.owner.ask('GET', `/sites/${siteId}/stats/overview?range=today`);
  assert.equal(body.data.visitors, 40);
});

test('what came before a server knew parts is put into them at its start', async (t) => {
  const app = await startApp(t, {}, { limits: TINY });
  const { store } = await openSite(app);
  await store(hitsOf(1, 30));
  assert.equal(rowsIn(app.db, 'open_shard'), 0);
  await app.seal();
  assert.equal(rowsIn(app.db, 'open_shard', `day = ${TODAY} AND state = 'shown'`) > 1, true);
});

test('a large day that cannot be sealed or folded stays open, and keeps no other site from it', async (t) => {
  const app = await startApp(t, {}, { limits: TINY });
  const { db, siteId, strangerSiteId, engine } = app;
  await append(db, crowd(30, { siteId }));
  await append(db, crowd(30, { siteId: strangerSiteId }));
  await engine.upkeep.compact();
  db.run(`UPDATE open_blob SET data = zeroblob(length(data))
    WHERE open_shard_id IN (SELECT id FROM open_shard WHERE site_id = ${siteId})`);
  await append(db, crowd(9, { siteId }));
  await append(db, crowd(9, { siteId: strangerSiteId }));
  const { days, failed } = await engine.upkeep.seal();
  assert.equal(days, 1);
  assert.deepEqual(
    failed.map(({ domain, day }) => [domain, day]),
    [['example.com', formatDay(YESTERDAY * DAY)]],
  );
  assert.match(failed[0]?.reason ?? '', /\d{4}-\d\d-\d\d: open_blob \w+ is damaged/);
  assert.ok(rowsIn(db, 'open_shard', `site_id = ${siteId} AND state = 'shown'`) > 1);
  assert.ok(rowsIn(db, 'hit', `site_id = ${siteId}`) > 9);
  assert.equal(rowsIn(db, 'open_shard', `site_id = ${strangerSiteId}`), 0);
  assert.ok(rowsIn(db, 'sealed_day', `site_id = ${strangerSiteId} AND state = 'shown'`) > 1);
  assert.match(app.log.join(''), /an open day was not compacted. The server tries again/);
});

test('a day of which an import has only heartbeats is not due for ever', async (t) => {
  const { db, siteId, clock, engine } = await startApp(t);
  const readRows = () => {
    const rows = rowsOf(3);
    rows.engaged.fill(5);
    return rows;
  };
  await engine.imports.add(siteId, { today: TODAY, texts: ['', '/i'], days: [TODAY], readRows }, { replace: false });
  clock.jump(DAY);
  assert.deepEqual(await engine.upkeep.seal(), { days: 0, failed: [] });
  assert.equal(rowsIn(db, 'hit'), 0);
});

test('a damaged day keeps no other site from losing its visitor codes, and no import from being taken', async (t) => {
  const app = await startApp(t);
  const { db, siteId, strangerSiteId, engine } = app;
  await append(db, crowd(3, { siteId, day: TODAY - 20 }));
  assert.equal(await app.seal(), 1);
  db.run("UPDATE rollup SET data = zeroblob(length(data)) WHERE name = 'pages'");
  // A late hit, so that the month is to be added up again.
  await append(db, crowd(1, { siteId, day: TODAY - 19 }));
  await append(db, crowd(3, { siteId: strangerSiteId }));
  assert.equal(await app.seal(), 2);
  assert.equal(rowsIn(db, 'hit'), 0);
  assert.match(
    app.log.join(''),
    /a month was not added up[^\n]+"site":1,"month":"2026-02","reason":"[^"]+: rollup pages/,
  );
  const readSums = (day: number) => ({ day, totals: noTotals(), counts: new Map() });
  const file = { today: TODAY, texts: [''], days: [TODAY - 50], readSums };
  await engine.imports.remove(strangerSiteId, await engine.imports.add(strangerSiteId, file, { replace: false }));
});

test('a damaged day keeps no other site from its sums without excluded visits', async (t) => {
  const app = await startApp(t);
  const { db, siteId, strangerSiteId, engine, owner, stranger } = app;
  for (const id of [siteId, strangerSiteId]) {
    await append(db, crowd(2, { siteId: id, country: 'DE' }));
  }
  assert.equal(await app.seal(), 2);
  db.run(`UPDATE sealed_blob SET crc = crc + 1 WHERE name = 'os'
    AND sealed_day_id IN (SELECT id FROM sealed_day WHERE site_id = ${siteId})`);
  for (const [id, { ask }] of [[siteId, owner] as const, [strangerSiteId, stranger] as const]) {
    const exclusion = { from: formatDay(YESTERDAY * DAY), filters: { country: 'DE' } };
    assert.equal((await ask('POST', `/sites/${id}/exclusions`, exclusion)).status, 201);
  }
  await assert.rejects(engine.upkeep.remakeSums(), /\d{4}-\d\d-\d\d: sealed_blob os is damaged/);
  const summed = (id: number) =>
    rowsIn(db, 'excluded_rollup', `sealed_day_id IN (SELECT id FROM sealed_day WHERE site_id = ${id})`);
  assert.equal(summed(siteId), 0);
  assert.ok(summed(strangerSiteId) > 0);
});

test('a day that stays open because hits came while it was sealed is named', async (t) => {
  const { db } = bookOf(t);
  await append(db, crowd(3));
  const { tasks } = makeTasks(db);
  let isLate = true;
  const workers: Threads<Tasks> = {
    size: 1,
    async run(_, name, input) {
      const done = tasks[name](input as never) as never;
      if (name === 'beginSeal' && isLate) await append(db, crowd(1));
      return done;
    },
    close: async () => {},
  };
  const clock = { now: () => NOW * 1000, tick: () => 0 };
  const night = () =>
    nightly({ db, clock, trust: { look: () => true }, log: () => {}, readers: workers, sealers: () => workers });
  const day = formatDay(YESTERDAY * DAY);
  assert.deepEqual(await night(), {
    days: 0,
    failed: [{ domain: 'site1.example', day, reason: 'hits came meanwhile' }],
  });
  isLate = false;
  assert.deepEqual(await night(), { days: 1, failed: [] });
});

test('months are added up by a thread, and here one blob at a time is written', async (t) => {
  const { db } = bookOf(t);
  await append(
    db,
    [TODAY - 40, TODAY - 39, YESTERDAY].flatMap((day) => crowd(5, { day })),
  );
  const { tasks } = makeTasks(db);
  const [asked, writes]: [string[], number[]] = [[], []];
  let since = 0;
  const watched: Db = {
    ...db,
    write(work) {
      since++;
      return db.write(work);
    },
  };
  const workers: Threads<Tasks> = {
    size: 1,
    async run(_, name, input) {
      if (name === 'addMonth') writes.push(since);
      since = 0;
      asked.push(name);
      return tasks[name](input as never) as never;
    },
    close: async () => {},
  };
  const clock = { now: () => NOW * 1000, tick: () => 0 };
  const trust = { look: () => true };
  await nightly({ db: watched, clock, trust, log: () => {}, readers: workers, sealers: () => workers });
  assert.equal(asked.filter((name) => name === 'addMonth').length, MONTH_NAMES.length);
  assert.deepEqual(new Set(writes.slice(1)), new Set([1]));
  assert.equal(rowsIn(db, 'month_rollup'), MONTH_NAMES.length);
});
