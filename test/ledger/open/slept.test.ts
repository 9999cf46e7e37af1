// A machine that sleeps for a day in the middle of a compaction or sealing. Meanwhile another process sweeps what was
// staged long ago.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  beginCompaction,
  type Compaction,
  type CompactionStep,
  showShards,
  stageShards,
} from '../../../src/ledger/open/compaction.ts';
import { sweep } from '../../../src/ledger/upkeep/sweep.ts';
import { finish } from '../../../src/lib/steps.ts';
import { DAY } from '../../../src/lib/time.ts';
import {
  assertSound,
  bookOf,
  compute,
  crowd,
  foldOnce,
  NOW,
  rowsIn,
  seal,
  sealOnce,
  sweepAll,
  TINY,
  YESTERDAY,
} from '../stage.ts';

const SITE_DAY = { siteId: 1, day: YESTERDAY };
const AWAKE = NOW + 2 * DAY;

test('slept: a compaction shows no shard of which a blob was deleted', async (t) => {
  const { take, db, counted } = bookOf(t);
  await take(...crowd(5));
  const begun = beginCompaction(db, SITE_DAY, TINY);
  const step = begun?.steps.next().value as CompactionStep;
  const staged = finish(stageShards(db, SITE_DAY, step.shards, NOW));
  const sweeping = sweep(db, AWAKE);
  while (rowsIn(db, 'open_blob', "name = 'again'") > 0) sweeping.next();
  assert.equal(showShards(db, SITE_DAY, begun?.compaction as Compaction, { ...step, staged }), false);
  assert.deepEqual(counted(), { [YESTERDAY]: 5 });
});

test('slept: a day whose staged slice was deleted stays open with its shards', async (t) => {
  const { take, db, counted } = bookOf(t);
  await take(...crowd(5));
  foldOnce(db, SITE_DAY, TINY);
  const sealing = seal(db, SITE_DAY, compute(db, SITE_DAY));
  sealing.next();
  sweepAll(db, AWAKE);
  while (!sealing.next().done);
  assert.deepEqual(counted(), { [YESTERDAY]: 5 });
  assert.equal(sealOnce(db, SITE_DAY), true);
  assert.deepEqual(counted(), { [YESTERDAY]: 5 });
  assertSound(db);
});
