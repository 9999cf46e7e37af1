import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { collectGarbage } from '../../src/lib/garbage.ts';

test('what nobody needs any more is freed, and what somebody needs is not', async () => {
  const lists = Array.from({ length: 10 }, () => new Float64Array(1_000));
  const watched = lists.map((list) => new WeakRef(list));
  const kept = lists.splice(7);
  lists.length = 0;
  // What was looked at lives until the turn ends.
  await turn();
  collectGarbage();
  assert.deepEqual(
    watched.map((list) => list.deref() !== undefined),
    [...Array(7).fill(false), ...Array(3).fill(true)],
  );
  assert.equal(kept.length, 3);
});
