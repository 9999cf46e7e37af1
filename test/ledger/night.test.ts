import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, dayOf } from '../../src/lib/time.ts';
import { activityOf, append, type Hit, pageview, TODAY } from '../collect/stage.ts';
import { startApp } from '../helpers.ts';
import { openSite } from '../stats/stage.ts';
import { crowd, rowsIn, TINY, YESTERDAY } from './stage.ts';

const hitsOf = (siteId: number, count: number, from = 0): Hit[] =>
  Array.from({ length: count }, (_, i) => pageview({ siteId, visitor: from + i, second: 40_000 + i }));

/** Waits, as long as the test may take, until something is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('a server puts a large day into parts as it grows, and goes on after a restart', async (t) => {
  const app = await startApp(t, {}, { limits: TINY });
  const { siteId } = app;
  const rows = (): number => app.db.one<{ n: number }>('SELECT max(row_count) AS n FROM open_part')?.n ?? 0;
  await app.engine.append({ activities: hitsOf(siteId, 20).map(activityOf) });
  await until(() => rows() > 16);
  await app.restart();
  await app.engine.append({ activities: hitsOf(siteId, 20, 20).map(activityOf) });
  await until(() => rows() > 36);
  const { body } = await app.owner.ask('GET', `/sites/${siteId}/stats/overview?range=today`);
  assert.equal(body.data.visitors, 40);
});

test('what came before a server knew parts is put into them at its start', async (t) => {
  const app = await startApp(t, {}, { limits: TINY });
  const { store } = await openSite(app);
  await store(hitsOf(1, 30));
  assert.equal(rowsIn(app.db, 'open_part'), 0);
  await app.seal();
  assert.equal(rowsIn(app.db, 'open_part', `day = ${TODAY} AND state = 'shown'`) > 1, true);
});

test('a large day that cannot be sealed or folded stays open, and keeps no other site from it', async (t) => {
  const app = await startApp(t, {}, { limits: TINY });
  const { db, siteId, strangerSiteId, engine } = app;
  await append(db, crowd(30, { siteId }));
  await append(db, crowd(30, { siteId: strangerSiteId }));
  await engine.fold();
  db.run(`UPDATE open_piece SET data = zeroblob(length(data))
    WHERE open_part_id IN (SELECT id FROM open_part WHERE site_id = ${siteId})`);
  await append(db, crowd(9, { siteId }));
  await append(db, crowd(9, { siteId: strangerSiteId }));
  const { days, failed } = await engine.seal();
  assert.equal(days, 1);
  assert.deepEqual(
    failed.map(({ domain, day }) => [domain, day]),
    [['example.com', dayOf(YESTERDAY * DAY)]],
  );
  assert.match(failed[0]?.reason ?? '', /open_piece \w+ of open_part \d+ is damaged/);
  assert.ok(rowsIn(db, 'open_part', `site_id = ${siteId} AND state = 'shown'`) > 1);
  assert.ok(rowsIn(db, 'hit', `site_id = ${siteId}`) > 9);
  assert.equal(rowsIn(db, 'open_part', `site_id = ${strangerSiteId}`), 0);
  assert.ok(rowsIn(db, 'sealed_day', `site_id = ${strangerSiteId} AND state = 'shown'`) > 1);
  assert.match(app.log.join(''), /open day not put into parts; it is tried again/);
});
