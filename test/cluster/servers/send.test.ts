import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { parseAddress } from '../../../src/cluster/servers/address.ts';
import { buildSend, readRows } from '../../../src/cluster/servers/send.ts';

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

test('a statement with texts, whose time was over before it was sent, is an error and does not end the process', async () => {
  const send = buildSend(parseAddress('clickhouse://user:word@127.0.0.1:9/daybook'));
  const signal = AbortSignal.abort();
  await assert.rejects(send('http://127.0.0.1:9', 'SELECT {p0:String}', { values: { p0: '/' }, signal }), /aborted/);
  // An error that nobody can catch would arrive now, and fail this test.
  await turn();
});
