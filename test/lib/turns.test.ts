import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeInTurns } from '../../src/lib/turns.ts';

test('all items are taken in their order, and other work has a turn between two parts', async () => {
  const log: unknown[] = [];
  const taken = takeInTurns([1, 2, 3, 4, 5], 2, (some) => log.push(some));
  setImmediate(() => log.push('another request'));
  await taken;
  assert.deepEqual(log.slice(0, 1), [[1, 2]]);
  assert.ok(log.indexOf('another request') < log.length - 1, 'not only after the last part');
  assert.deepEqual(log.filter(Array.isArray), [[1, 2], [3, 4], [5]]);
  await takeInTurns([], 2, () => assert.fail());
});
