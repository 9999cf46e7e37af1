import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Messages } from '../../src/collect/mount.ts';
import { listen } from '../../src/http/server.ts';
import { readAddressList } from '../../src/lib/http/address.ts';
import { storedDrops } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { until } from '../support/program.ts';

const PROXY = '127.0.0.77';
const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: a.test\r\n\r\n';
/** A body that is still to come. */
const BEGUN = 'POST /day HTTP/1.1\r\nHost: a.test\r\nContent-Length: 10\r\n\r\n{';
/** A whole request that is never answered here. */
const HELD = 'POST /day HTTP/1.1\r\nHost: a.test\r\nX-Held: yes\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';

/** An answer that does not fit in what the systems of both sides hold back. */
const LONG = 'GET /long HTTP/1.1\r\nHost: a.test\r\n\r\n';
const LONG_BYTES = Buffer.alloc(16 * 1024 * 1024);

/** A server with room for so many connections; clients come from addresses of the machine itself. */
async function place(t: TestContext, settings = {}) {
  const app = await startApp(t, settings);
  const log: string[] = [];
  let begun = 0;
  const receive: Messages['receive'] = (incoming) => {
    begun++;
    if (incoming.headers['x-held'] !== undefined) return new Promise(() => {});
    return app.app.messages.receive(incoming);
  };
  const { hono } = app.app;
  const fetched: typeof hono.fetch = (request, ...more) => {
    if (!request.url.endsWith('/long')) return hono.fetch(request, ...more);
    begun++;
    return new Response(LONG_BYTES);
  };
  const { port, stop } = await listen(
    { host: '127.0.0.1', port: 0, trust: readAddressList(PROXY) },
    { random: randomBytes, clock: app.clock, log: (event, details) => log.push(`${event} ${JSON.stringify(details)}`) },
    () => ({ ...app.app, hono: { fetch: fetched } as typeof hono, messages: { ...app.app.messages, receive } }),
    { all: 60, network: 40 },
  );
  const sockets: Socket[] = [];
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await stop();
  });
  /** Opens a connection and sends something; resolves when the server has accepted it. */
  async function come(localAddress: string, bytes = ''): Promise<Socket> {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
    if (bytes !== '') socket.write(bytes);
    return socket;
  }
  /** Whether a request is answered; a connection that is turned away is closed without an answer. */
  async function isAnswered(socket: Socket): Promise<boolean> {
    if (socket.destroyed) return false;
    socket.write(HEALTH);
    const answer = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])]);
    return String(answer[0]).startsWith('HTTP/1.1 200');
  }
  const open = () => sockets.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded).length;
  return { ...app, begun: () => begun, port, stop, come, isAnswered, open, log };
}

const times = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, make));

test('crowd: silent connections of one IP address give way, and others do not notice', async (t) => {
  const { come, isAnswered, open, log, stop } = await place(t);
  for (const socket of await times(200, () => come('127.0.0.2'))) socket.resume();
  await until('no more than 40 of one network are open', () => open() <= 40);
  for (let n = 0; n < 20; n++) assert.equal(await isAnswered(await come(`127.0.0.${3 + n}`)), true);
  assert.equal(await isAnswered(await come('127.0.0.2')), true, 'and it gets in itself');
  assert.deepEqual(log, ['too many connections of one network. Those that waited longest are closed {"most":40}']);
  await stop();
  assert.match(log[1] ?? '', /^connections were too many, in all \{"times":\d+\}$/);
});

test('crowd: where all are full, whoever comes next is answered, and those that waited longest are closed', async (t) => {
  const { come, isAnswered, open, log } = await place(t);
  const [first] = await times(30, () => come('127.0.0.2'));
  first?.resume();
  await times(30, () => come('127.0.0.3'));
  for (let n = 0; n < 50; n++) assert.equal(await isAnswered(await come(`127.0.1.${n}`)), true, `client ${n}`);
  await until('no more than 60 are open', () => open() <= 60);
  assert.equal(first?.destroyed, true);
  assert.deepEqual(log, ['too many connections. Those that waited longest are closed {"most":60}']);
});

test('crowd: requests under way are not closed; one network with only such is turned away', async (t) => {
  const { come, isAnswered, begun } = await place(t);
  const busy = await times(40, () => come('127.0.0.2', HELD));
  await until('all have begun', () => begun() === 40);
  assert.equal(await isAnswered(await come('127.0.0.2')), false);
  assert.equal(await isAnswered(await come('127.0.0.3')), true);
  assert.equal(busy.filter(({ destroyed }) => destroyed).length, 0);
});

test('crowd: bodies that do not come give way to requests that do', async (t) => {
  const { come, isAnswered, open, begun } = await place(t);
  const waiting = [
    ...(await times(30, () => come('127.0.0.2', BEGUN))),
    ...(await times(30, () => come('127.0.0.3', BEGUN))),
  ];
  for (const socket of waiting) socket.resume();
  await until('all have begun', () => begun() === 60);
  for (let n = 0; n < 20; n++) assert.equal(await isAnswered(await come(`127.0.1.${n}`)), true, `client ${n}`);
  await until('no more than 60 are open', () => open() <= 60);
});

test('crowd: answers that nobody reads give way to clients that read', async (t) => {
  const { come, isAnswered, begun } = await place(t);
  const unread = await Promise.all(
    ['127.0.0.2', '127.0.0.3'].map((network) => times(30, async () => (await come(network, LONG)).pause())),
  );
  assert.equal(unread.flat().length, 60);
  await until('all have begun', () => begun() === 60);
  for (let n = 0; n < 20; n++) assert.equal(await isAnswered(await come(`127.0.1.${n}`)), true, `client ${n}`);
});

test('crowd: a trusted proxy has as many as there is room for', async (t) => {
  const { come, isAnswered } = await place(t);
  const carried = await times(55, () => come(PROXY));
  for (const socket of carried) assert.equal(await isAnswered(socket), true);
});

test('crowd: bodies that do not come through a trusted proxy give way, to it and to others', async (t) => {
  const { come, isAnswered, begun } = await place(t);
  await times(60, () => come(PROXY, BEGUN));
  await until('all have begun', () => begun() === 60);
  for (let n = 0; n < 10; n++) {
    assert.equal(await isAnswered(await come(PROXY)), true, `client ${n} of the proxy`);
    assert.equal(await isAnswered(await come(`127.0.1.${n}`)), true, `client ${n}`);
  }
});

test('crowd: a hit whose connection is reset at once is not counted as one without an IP address', async (t) => {
  const { port, db, siteId, come } = await place(t, { 'exclude-addresses': '127.0.0.0/8' });
  const body = JSON.stringify({ site: 'example.com', url: 'https://example.com/' });
  const hit = `POST /day HTTP/1.1\r\nHost: a.test\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\nAccept-Language: en\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  // In another process, while this one waits: the connections are gone before the server takes them.
  const client = `const { connect } = require('node:net');
    for (let n = 0; n < 30; n++) {
      const socket = connect(${port}, '127.0.0.1', () => socket.write(${JSON.stringify(hit)}, () => socket.resetAndDestroy()));
    }`;
  execFileSync(process.execPath, ['-e', client]);
  const last = await come('127.0.0.2', hit);
  assert.match(String(await once(last, 'data')), /^HTTP\/1\.1 202/);
  assert.deepEqual(db.all('SELECT * FROM hit'), []);
  assert.deepEqual(storedDrops(db, siteId), { excluded: 1 });
});

test('crowd: requests of one connection are answered one after another, so that unread answers fill no memory', async (t) => {
  const { come, isAnswered, begun } = await place(t);
  const socket = (await come('127.0.0.2', LONG.repeat(8))).pause();
  await until('the first has begun', () => begun() > 0);
  for (let n = 0; n < 20; n++) assert.equal(await isAnswered(await come('127.0.0.3')), true);
  assert.equal(begun(), 1);
  let bytes = 0;
  for await (const chunk of socket.resume()) {
    bytes += chunk.length;
    if (bytes > 8 * LONG_BYTES.length) break;
  }
  assert.equal(begun(), 8);
});

test('crowd: a request with a body that comes before the last answer ends the connection', async (t) => {
  const { come, isAnswered, begun } = await place(t);
  const socket = (await come('127.0.0.2', LONG)).pause();
  await until('the first has begun', () => begun() > 0);
  socket.write('POST /sign-in HTTP/1.1\r\nHost: a.test\r\nContent-Length: 2\r\n\r\n{');
  await once(socket.resume(), 'close');
  assert.equal(await isAnswered(await come('127.0.0.2')), true);
});
