import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Server, until } from '../test/support/program.ts';
import { clientOf, quantile } from './clients.ts';
import { scaled } from './scale.ts';
import { serving } from './serving.ts';
import { impatient, NOISE, rss, told } from './watch.ts';

const HEADERS_MS = 10_000;
const REQUEST_MS = 15_000;
/** How long an answer may lie about that nobody fetches: where the system has taken all of it, as long as any idle connection. */
const READ_MS = 66_000;
/** Between two looks of the server at its connections, and for what else happens on this machine. */
const LATE_MS = 3_000;
/** They do not all come at once. */
const IDLE_MS = HEADERS_MS + LATE_MS + 5_000;
/** Of one IP address. */
const MOST_CONNECTIONS = 2_000;
const SLOW = 20;
const WAVE = 100;

/** How many sockets the server holds, the one it listens on included. */
function sockets({ pid }: Server): number {
  const kinds = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return 'closed meanwhile';
    }
  });
  return kinds.filter((kind) => kind.startsWith('socket:')).length;
}

type Line = { socket: Socket; said: string; closed: Promise<number>; isOpen: boolean };

/** A connection by hand: what came back, and how long it stood. */
function line({ port }: Server): Line {
  const start = performance.now();
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const self: Line = {
    socket,
    said: '',
    isOpen: true,
    closed: new Promise((resolve) => {
      socket.on('close', () => {
        self.isOpen = false;
        resolve(performance.now() - start);
      });
    }),
  };
  socket.on('data', (bytes) => {
    self.said += bytes.toString('latin1');
  });
  // As somebody who wants to stay: the server has to close.
  socket.on('error', () => {});
  socket.on('end', () => socket.end());
  return self;
}

/** Many who connect, in waves that find room in the queue of any system: whom it turns away tries again seconds later. */
async function crowd(server: Server, count: number): Promise<Line[]> {
  const client = clientOf(server.port);
  const lines: Line[] = [];
  while (lines.length < count) {
    const wave = Array.from({ length: WAVE }, () => line(server));
    await Promise.all(
      wave.map(({ socket }) => new Promise((resolve) => socket.once('connect', resolve).once('error', resolve))),
    );
    // Who answers has taken in those who came before.
    assert.equal((await client.ask('GET', '/healthz')).status, 200);
    lines.push(...wave);
  }
  client.close();
  return lines;
}

test('H3 a thousand who send a header each 0.4 seconds are closed by the deadline, and others do not notice', async (t) => {
  const { server } = await serving(t, {});
  const lines = await crowd(server, 1_000);
  let isOver = false;
  const good = impatient(server, () => isOver);
  const ticks = setInterval(() => {
    for (const { socket, isOpen } of lines) if (isOpen && socket.writable) socket.write('X-A: b\r\n');
  }, 400);
  for (const { socket } of lines) socket.write('GET / HTTP/1.1\r\nHost: a.test\r\n');
  await pause(HEADERS_MS / 2);
  const memory = rss(server);
  const stood = await Promise.all(lines.map(({ closed }) => closed));
  clearInterval(ticks);
  isOver = true;
  const took = await good;
  t.diagnostic(`closed after ${(Math.min(...stood) / 1000).toFixed(1)} to ${(Math.max(...stood) / 1000).toFixed(1)} s`);
  t.diagnostic(`others: ${told(took)}`);
  t.diagnostic(`${memory.toFixed(0)} MB`);
  for (const { said } of lines) {
    // Who was about to write when it closed may not have read why.
    if (said !== '') assert.match(said, /^HTTP\/1\.1 408 [\s\S]*\r\n\r\n\{"error":\{"code":"request_timeout"/);
  }
  assert.ok(lines.filter(({ said }) => said !== '').length > 900);
  assert.ok(Math.max(...stood) < HEADERS_MS + LATE_MS);
  assert.ok(quantile(took, 0.99) < 50 * NOISE);
});

/** 1 B/s of a body that was announced as larger. */
async function slowBody(server: Server, token: string): Promise<number> {
  const slow = line(server);
  const { socket, closed } = slow;
  const head = `POST /api/v1/sites HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer ${token}`;
  socket.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`);
  const ticks = setInterval(() => socket.writable && socket.write('{'), 1_000);
  const stood = await closed;
  clearInterval(ticks);
  if (slow.said !== '') assert.match(slow.said, /^HTTP\/1\.1 408 /);
  return stood;
}

async function alive({ port }: Server): Promise<void> {
  const client = clientOf(port);
  assert.equal((await client.ask('GET', '/healthz')).status, 200);
  client.close();
}

/** Asks for so much in one piece that the answers would fill the memory; how much more of it the server then holds, in MB. */
async function greedy(server: Server): Promise<number> {
  const before = rss(server);
  const lines = Array.from({ length: 50 }, () => line(server));
  for (const { socket } of lines) {
    socket.pause();
    socket.write('GET /api/v1/openapi.json HTTP/1.1\r\nHost: a.test\r\n\r\n'.repeat(1_000));
  }
  await pause(1_000);
  await alive(server);
  const more = rss(server) - before;
  for (const { socket } of lines) socket.destroy();
  return more;
}

/** Ask for much at once and never read; how long until the server has let go of them. */
async function slowReaders(server: Server, before: number): Promise<number> {
  await until('nobody else is there', () => sockets(server) === before);
  const start = performance.now();
  const lines = Array.from({ length: 20 }, () => line(server));
  for (const { socket } of lines) {
    socket.pause();
    socket.write(`GET /api/v1/openapi.json HTTP/1.1\r\nHost: a.test\r\n\r\n`.repeat(16));
  }
  await until('they are connected', () => sockets(server) >= before + lines.length);
  while (sockets(server) > before) {
    assert.ok(performance.now() - start < READ_MS + LATE_MS, 'nobody reads, and the server still waits');
    await pause(100);
  }
  for (const { socket } of lines) socket.destroy();
  return performance.now() - start;
}

/** Says that no more will come in the middle of a request. */
async function halfOpen(server: Server): Promise<number> {
  const { socket, closed } = line(server);
  socket.end('POST /day HTTP/1.1\r\nHost: a.test\r\nContent-Length: 10\r\n\r\n{');
  return closed;
}

/** How long the server keeps connections on which nothing comes, beside so many others. */
async function idle(t: TestContext, server: Server, others: number): Promise<number> {
  const start = performance.now();
  const lines = await crowd(server, scaled(5_000, 10_000));
  await until(
    'those beyond the limit are closed',
    () => lines.filter(({ isOpen }) => isOpen).length <= MOST_CONNECTIONS,
  );
  t.diagnostic(
    `idle: ${lines.length} came, ${lines.filter(({ isOpen }) => isOpen).length} stay, ${sockets(server)} sockets, ${rss(server).toFixed(0)} MB`,
  );
  assert.ok(lines.filter(({ isOpen }) => isOpen).length > MOST_CONNECTIONS * 0.9);
  while (sockets(server) > others && performance.now() - start < IDLE_MS) await pause(100);
  const stood = performance.now() - start;
  for (const { socket } of lines) socket.destroy();
  return stood;
}

test('H4 who sends slowly, reads nothing, closes half or says nothing is let go of, and no more come than are allowed', async (t) => {
  const { server, token } = await serving(t, {});
  const before = sockets(server);
  const most = (values: number[]) => Math.max(...values);
  const half = await Promise.all(Array.from({ length: 20 }, () => halfOpen(server)));
  assert.ok(most(half) < LATE_MS);
  const more = await greedy(server);
  t.diagnostic(`50,000 large answers that nobody reads: ${more.toFixed(0)} MB more`);
  assert.ok(more < 1_000);
  if (scaled(0, 1) === 1) t.diagnostic(`nobody reads: ${((await slowReaders(server, before)) / 1000).toFixed(1)} s`);
  const slow = Promise.all(Array.from({ length: SLOW }, () => slowBody(server, token)));
  const stood = await idle(t, server, before + SLOW);
  const body = await slow;
  t.diagnostic(`half-open ${most(half).toFixed(0)} ms, slow body ${(most(body) / 1000).toFixed(1)} s`);
  t.diagnostic(`idle ${(stood / 1000).toFixed(1)} s`);
  assert.ok(most(body) < REQUEST_MS + LATE_MS);
  assert.ok(stood < IDLE_MS, `${stood} ms`);
  await until('nothing is left open', () => sockets(server) === before);
  await alive(server);
  // Where a limit is reached this may be said, and nothing else.
  const others = server.stderr.filter((line) => !line.includes('Those that waited longest are closed'));
  assert.deepEqual(others, []);
});
