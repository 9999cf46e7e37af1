import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
// It replaces the global `Response`, as in the server.
import '@hono/node-server';
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

test('a statement with texts is sent as a form, also in the server, where another package replaces Response', async (t) => {
  let sent = '';
  const server = createServer(async (request, response) => {
    sent = `${request.headers['content-type']} ${await text(request)}`;
    response.writeHead(200, { 'X-ClickHouse-Query-Id': '1' }).end('1');
  }).listen(0);
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const send = buildSend(parseAddress('clickhouse://user:word@127.0.0.1:9/daybook'));
  assert.equal(await send(url, 'SELECT {p0:String}', { values: { p0: '/a\n' } }), '1');
  assert.match(sent, /^multipart\/form-data; boundary=/);
  assert.match(sent, /name="query"\r\n\r\nSELECT \{p0:String\}\r\n/);
  assert.match(sent, /name="param_p0"\r\n\r\n\/a\\n\r\n/);
});

test('a statement with texts, whose time was over before it was sent, is an error and does not end the process', async () => {
  const send = buildSend(parseAddress('clickhouse://user:word@127.0.0.1:9/daybook'));
  const signal = AbortSignal.abort();
  await assert.rejects(send('http://127.0.0.1:9', 'SELECT {p0:String}', { values: { p0: '/' }, signal }), /aborted/);
  // An error that nobody can catch would arrive now, and fail this test.
  await turn();
});
