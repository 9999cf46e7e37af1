import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRows } from '../../../src/cluster/servers/send.ts';

test('answers of servers: other requests get a turn while few, but long rows are read', async () => {
  let turns = 0;
  let isOver = false;
  const look = (): void => {
    turns++;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  const text = `${JSON.stringify({ page: 'x'.repeat(20_000) })}\n`.repeat(1_000);
  assert.equal((await readRows(text)).length, 1_000);
  isOver = true;
  assert.ok(turns >= 15, `${turns}`);
});
