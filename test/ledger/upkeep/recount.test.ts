import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recount } from '../../../src/ledger/upkeep/recount.ts';
import { finish } from '../../../src/lib/steps.ts';
import { removeSite } from '../../../src/store/sites/sites.ts';
import { bookOf, crowd, sealOnce, sweepAll, sweepSites, YESTERDAY } from '../stage.ts';

// What it finds is held by test/cli/check.long.test.ts.

test('a day that goes while others are counted again is no damage', async (t) => {
  const { db, take } = bookOf(t);
  const days = [0, 1, 2].map((back) => YESTERDAY - back);
  for (const siteId of [1, 2]) {
    for (const day of days) {
      await take(...crowd(3, { siteId, day }));
      sealOnce(db, { siteId, day });
    }
  }
  const found = recount(db);
  const first = found.next();
  assert.ok(!first.done);
  assert.deepEqual(first.value.faults, []);
  // As an import that replaces a day leaves it, and then a site is deleted.
  db.run("UPDATE sealed_day SET state = 'gone' WHERE site_id = 1 AND day = ?", YESTERDAY - 1);
  sweepAll(db);
  const second = found.next();
  assert.ok(!second.done && second.value.day === YESTERDAY - 1);
  assert.deepEqual(second.value.faults, []);
  db.write(() => removeSite(db, 2));
  finish(sweepSites(db));
  for (const { faults } of found) assert.deepEqual(faults, []);
});
