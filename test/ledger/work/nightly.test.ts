import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MONTH_NAMES } from '../../../src/ledger/sealed/month.ts';
import { nightly } from '../../../src/ledger/work/nightly.ts';
import { makeTasks, type Tasks } from '../../../src/ledger/work/tasks.ts';
import { DAY, formatDay } from '../../../src/lib/time.ts';
import type { Db } from '../../../src/store/db.ts';
import type { Threads } from '../../../src/threads/pool.ts';
import { activityOf, append, type Hit, pageview, TODAY } from '../../collect/stage.ts';
import { openSite } from '../../stats/stage.ts';
import { startApp } from '../../support/helpers.ts';
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
  assert.match(failed[0]?.reason ?? '', /open_blob \w+ of open_shard \d+ is damaged/);
  assert.ok(rowsIn(db, 'open_shard', `site_id = ${siteId} AND state = 'shown'`) > 1);
  assert.ok(rowsIn(db, 'hit', `site_id = ${siteId}`) > 9);
  assert.equal(rowsIn(db, 'open_shard', `site_id = ${strangerSiteId}`), 0);
  assert.ok(rowsIn(db, 'sealed_day', `site_id = ${strangerSiteId} AND state = 'shown'`) > 1);
  assert.match(app.log.join(''), /an open day was not compacted; it is tried again/);
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
