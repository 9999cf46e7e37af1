import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeInTurns } from '../../src/lib/turns.ts';

test('all items are taken in their order, and other work has a turn between two parts', async () => {
  const log: unknown[] = [];
  setImmediate(() => log.push('another request'));
  await takeInTurns([1, 2, 3, 4, 5], 2, (some) => log.push(some));
  assert.deepEqual(log, [[1, 2], 'another request', [3, 4], [5]]);
  await takeInTurns([], 2, () => assert.fail());
});
