import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { readMessagesFirst } from '../../src/http/messages.ts';

test('who connects before there is an application is answered by node', async (t) => {
  const server = createServer((_, answer) => answer.end('node'));
  const read = readMessagesFirst(server, {
    ...{ app: undefined, connections: new Map(), accepted: 0, isStopping: false, isClosing: false },
    ...{ nextId: () => 'id', date: () => '' },
  });
  server.on('connection', (socket) => {
    const { isIdle, look } = read(socket);
    look();
    assert.equal(isIdle(), false);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/day`, {
    method: 'POST',
    body: '{}',
    headers: { connection: 'close' },
  });
  assert.equal(await answer.text(), 'node');
});
