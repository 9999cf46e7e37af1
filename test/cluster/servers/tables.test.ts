import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../../src/lib/time.ts';
import { appendTo, pageview, TODAY } from '../../collect/stage.ts';
import { until } from '../../support/program.ts';
import { COMPLETE, stageServers } from '../asking.ts';

const SITE_DAY = `1 AS site, ${TODAY} AS day`;
/** A row of each table. */
const ROWS = {
  ...Object.fromEntries(['activity', 'brought', 'visit', 'tally'].map((table) => [table, SITE_DAY])),
  crawled: `${SITE_DAY}, 1 AS requests`,
  dropped: `${SITE_DAY}, 1 AS hits`,
  mark: "'other' AS installation",
};

/** What is written, merged or changed on a server, and is not on its disk then. */
async function listUnsynced({ hosts, askAt }: Awaited<ReturnType<typeof stageServers>>): Promise<string[]> {
  const [first = ''] = hosts;
  const readSynced = () => askAt(first, "SELECT sum(value) FROM system.events WHERE event = 'FileSync'");
  const unsynced: string[] = [];
  for (const [table, row] of Object.entries(ROWS)) {
    const names = row.replaceAll(/[^,]+ AS /g, '');
    const insert = `INSERT INTO ${table} (${names}) SETTINGS insert_deduplicate = 0 SELECT ${row}`;
    for (const sql of [insert, insert, `OPTIMIZE TABLE ${table} FINAL`]) {
      const before = await readSynced();
      await askAt(first, sql);
      if ((await readSynced()) === before) unsynced.push(sql);
    }
  }
  return unsynced;
}

test('what ClickHouse has taken is on its disk, and still is after parts are merged', async (t) => {
  const app = await stageServers(t);
  assert.deepEqual(await listUnsynced(app), []);
  // Without these settings the test would see it.
  for (const table of Object.keys(ROWS))
    await app.run(
      `ALTER TABLE ${table} RESET SETTING fsync_after_insert, fsync_part_directory, min_rows_to_fsync_after_merge`,
    );
  assert.notDeepEqual(await listUnsynced(app), []);
});

test('a visit of before a new list has an empty value for each of its hits', async (t) => {
  const app = await stageServers(t);
  await app.run('ALTER TABLE visit DROP COLUMN h_hostname, DROP COLUMN h_scroll');
  await app.restart();
  const count = (condition: string) => app.sum(`SELECT countIf(${condition}) FROM visit`);
  await until('the list is there', async () => (await count("has(h_hostname, '')").catch(() => 0)) > 0);
  for (const list of ['h_hostname', 'h_scroll']) assert.equal(await count(`length(${list}) <> length(h_second)`), 0);
  assert.equal(await count('arraySum(h_scroll) > 0'), 0);
});

test('a server whose tables lack columns of a newer daybook takes no rows until it has them, and loses no text', async (t) => {
  const app = await stageServers(t);
  const [, second = ''] = app.hosts;
  const NEW = ['browser_version', 'utm_term', 'language'];
  for (const table of ['activity', 'brought', 'visit'])
    for (const name of NEW) await app.askAt(second, `ALTER TABLE ${table} DROP COLUMN ${name}`);
  const hits = Array.from({ length: 10 }, (_, visitor) => pageview({ siteId: app.siteId, visitor, language: 'de' }));
  await appendTo(app.engine, hits);
  assert.equal(await app.askAt(second, `SELECT count() FROM activity WHERE day = ${TODAY}`), '6');
  await app.restart();
  await until(
    'the rows are there',
    async () => (await app.sum("SELECT countIf(language = 'de') FROM activity")) === 20,
  );
  assert.equal(new Set(await app.run('SELECT sum(cityHash64(*)) FROM activity')).size, 2);
  app.clock.pass(DAY);
  assert.equal(await app.seal(), 1);
  assert.deepEqual(app.states(), COMPLETE);
});
