import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { stampDays } from '../../src/catalog/sealed-days.ts';
import { startApp } from '../support/helpers.ts';

const DAYS = 50_000;

test('sealed days: looking for changed ones gives other requests a turn, and sees each change', async (t) => {
  const { db, siteId } = await startApp(t);
  db.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO sealed_day (site_id, day, state, staged_at, format, has_hits, visitors, visits, pageviews, events, bounces, seconds)
     SELECT ?, i, 'shown', 0, 1, 1, 0, 0, 0, 0, 0, 0 FROM n`,
    DAYS,
    siteId,
  );
  const stamp = async (): Promise<string> => JSON.stringify(await stampDays(db));
  let isOver = false;
  const stamping = stamp().finally(() => {
    isOver = true;
  });
  await turn();
  assert.equal(isOver, false);
  const seen = new Set([await stamping]);
  assert.ok(seen.has(await stamp()));
  const CHANGES = [
    "UPDATE sealed_day SET state = 'reopened' WHERE day = 7",
    'UPDATE sealed_day SET has_hits = 0 WHERE day = 30000',
    'DELETE FROM sealed_day WHERE day = 49999',
    'DELETE FROM sealed_day',
  ];
  for (const [i, change] of CHANGES.entries()) {
    db.run(change);
    seen.add(await stamp());
    assert.equal(seen.size, i + 2, change);
  }
});
