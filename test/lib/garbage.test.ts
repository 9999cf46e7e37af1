import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { collectGarbage, keepHeapSmall } from '../../src/lib/garbage.ts';

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

/** Makes 480 MB of garbage that lives too long for V8's memory for young objects. Gives by how much the heap grew. */
async function makeGarbage(): Promise<number> {
  collectGarbage();
  const before = getHeapStatistics().used_heap_size;
  const kept: number[][] = [];
  let most = 0;
  for (let i = 0; i < 3_000; i++) {
    kept[i % 300] = new Array(20_000).fill(i);
    if (i % 10 === 0) await turn();
    most = Math.max(most, getHeapStatistics().used_heap_size);
  }
  return most - before;
}

test('while work keeps the heap small, V8 collects garbage earlier, and later as before', async () => {
  const usual = await makeGarbage();
  const small = await keepHeapSmall(makeGarbage);
  const again = await makeGarbage();
  assert.ok(small < usual && small < again, `${small}, ${usual} and ${again} bytes`);
  await assert.rejects(
    keepHeapSmall(() => Promise.reject(new Error('full'))),
    /full/,
  );
});
