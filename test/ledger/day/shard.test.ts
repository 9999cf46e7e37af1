import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { sessionize } from '../../../src/ledger/day/sessionize.ts';
import { ALL_VISITORS, loadColumns, type Shard, takeShardRows } from '../../../src/ledger/day/shard.ts';
import { collectGarbage } from '../../../src/lib/garbage.ts';
import { TODAY } from '../../collect/stage.ts';
import { rowsOf } from '../rows.ts';
import { bookOf, crowd, foldOnce, YESTERDAY } from '../stage.ts';

function settled(): { part: Shard; madeOf: WeakRef<object>[] } {
  const rows = takeShardRows(rowsOf(1_000), ALL_VISITORS, { first: 0, since: 0 });
  const folded = sessionize(TODAY, rows);
  return { part: loadColumns(folded), madeOf: [new WeakRef(rows), new WeakRef(folded)] };
}

test('a part with all its columns in memory keeps nothing of what it was made of', async () => {
  const { part, madeOf } = settled();
  // What was looked at lives until the turn ends, and the collector may need more than one.
  for (let turns = 0; turns < 50 && madeOf.some((one) => one.deref()); turns++) {
    await turn();
    collectGarbage();
  }
  assert.deepEqual(
    madeOf.map((one) => one.deref()),
    [undefined, undefined],
  );
  assert.equal(part.codes().length, 1_000);
  assert.equal(part.column('page').codes.length, 1_000);
});

test('much that came to one part is folded before anybody asks, and counts as it came', async (t) => {
  const { db, take, counted } = bookOf(t);
  const limits = { rows: 1_000, hits: 100_000, sealedHits: 100_000, kept: 0 };
  await take(...crowd(1_000));
  assert.ok(foldOnce(db, { siteId: 1, day: YESTERDAY }, limits));
  assert.deepEqual(counted(), { [YESTERDAY]: 1_000 });
  for (const sum of [6_000, 11_000, 11_010]) {
    await take(...crowd(sum - (counted()[YESTERDAY] ?? 0), { page: '/again' }));
    assert.deepEqual(counted(), { [YESTERDAY]: sum });
  }
});
