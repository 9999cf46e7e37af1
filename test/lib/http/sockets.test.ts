import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openSockets } from '../../../src/lib/http/sockets.ts';
import { until } from '../../support/program.ts';

const HOST = '127.0.0.1';
const isLinux = process.platform === 'linux' ? false : 'only Linux spreads connections over sockets';

async function open(t: TestContext, port = 0) {
  const server = createServer((_, answer) => answer.end('hello'));
  const sockets = await openSockets(server, { host: HOST, port });
  t.after(async () => {
    server.closeAllConnections();
    await sockets.close();
  });
  return { server, ...sockets };
}

test('hundreds of connections that come at once are accepted in few turns of the event loop', {
  skip: isLinux,
}, async (t) => {
  const { server, port } = await open(t);
  let accepted = 0;
  server.on('connection', () => accepted++);
  const clients = Array.from({ length: 256 }, () => connect(port, HOST).on('error', () => {}));
  t.after(() => {
    for (const client of clients) client.destroy();
  });
  let turns = 0;
  for (; accepted < clients.length; turns++) await turn();
  t.diagnostic(`${turns} turns`);
  assert.ok(turns < 128, `${turns} turns`);
});

test('a request is answered whichever socket its connection came by', async (t) => {
  const { port } = await open(t);
  for (let n = 0; n < 40; n++) {
    const answer = await fetch(`http://${HOST}:${port}/`, { headers: { connection: 'close' } });
    assert.equal(await answer.text(), 'hello');
  }
});

test('a port that another server listens on is refused', async (t) => {
  const { port } = await open(t);
  await assert.rejects(open(t, port), { code: 'EADDRINUSE' });
});

test('once it is closed nothing listens there any more', async (t) => {
  const server = createServer();
  const { port, close } = await openSockets(server, { host: HOST, port: 0 });
  await close();
  let failed = 0;
  for (let n = 0; n < 40; n++) connect(port, HOST).on('error', () => failed++);
  await until('all are refused', () => failed === 40);
  await open(t, port);
});
