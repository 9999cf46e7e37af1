import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import { openStore } from '../../src/store/file/open-file.ts';
import { listNotes } from '../../src/store/sites/notes.ts';
import { type Server, until } from '../support/program.ts';
import { assertProblem, bearer, open, repliesOf, servingProgram } from './serving.ts';

/** The head of a request with a body of so many bytes that adds a note. */
const noteHead = (site: number, token: string, length: number): string =>
  [
    `POST /api/v1/sites/${site}/notes HTTP/1.1`,
    'Host: a.test',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    '',
    '',
  ].join('\r\n');

const note = (words: string): string => JSON.stringify({ date: '2026-01-31', text: words });

/** True once nobody listens any more; asking may itself be cut off at that moment. */
const isClosed = ({ port }: Server) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => socket.destroy());
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
    socket.on('close', () => resolve(false));
  });

function textsIn(file: string, site: number): string[] {
  const store = openStore(file);
  try {
    return listNotes(store.db, site, '0000-01-01', '9999-12-31').map((one) => one.text);
  } finally {
    store.close();
  }
}

type Client = { added: string[]; failures: string[]; done: Promise<void> };

/** Adds one note after the other over a connection that is kept alive, until nobody listens any more. */
function client({ url }: Server, site: number, token: string, name: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { ...bearer(token), 'Content-Type': 'application/json' };
  const added: string[] = [];
  const failures: string[] = [];

  /** What went wrong, if anything did. */
  const add = (words: string) =>
    new Promise<string | undefined>((resolve) => {
      const asking = request(`${url}/api/v1/sites/${site}/notes`, { method: 'POST', agent, headers });
      const fail = (error: NodeJS.ErrnoException) =>
        resolve(`${error.code} (${asking.reusedSocket ? 'kept' : 'new'} connection)`);
      asking.on('error', fail);
      asking.on('response', (incoming) => {
        text(incoming).then((body) => {
          if (incoming.statusCode === 201 && body.includes(words)) added.push(words);
          else failures.push(`${incoming.statusCode} ${body}`);
          resolve(undefined);
        }, fail);
      });
      asking.end(note(words));
    });

  async function work() {
    for (let count = 0; ; count++) {
      const failure = await add(`${name}-${count}`);
      if (failure?.startsWith('ECONNREFUSED')) break;
      if (failure !== undefined) failures.push(failure);
    }
    agent.destroy();
  }
  return { added, failures, done: work() };
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: only tests of a suite run side by side
suite('stopping', { concurrency: 3 }, () => {
  for (let round = 1; round <= 3; round++) {
    test(`SIGTERM under load cuts nothing off and loses nothing (${round} of 3)`, async (t) => {
      const { server, file, token, site } = await servingProgram(t, ['--rate-limit', '0']);
      const clients = Array.from({ length: 20 }, (_, i) => client(server, site, token, `client-${i}`));
      await until('every client has added notes', () => clients.every(({ added }) => added.length >= 5));
      // The program gives up after 8 s, with another code.
      assert.equal(await server.stop(), 0);
      await Promise.all(clients.map(({ done }) => done));
      assert.deepEqual(
        clients.flatMap(({ failures }) => failures),
        [],
      );
      assert.equal(existsSync(`${file}-wal`), false);
      assert.deepEqual(textsIn(file, site).sort(), clients.flatMap(({ added }) => added).sort());
      assert.deepEqual(server.stderr, []);
    });
  }

  test('a request whose body is still arriving at SIGTERM is answered, and then the connection is closed', async (t) => {
    const { server, file, token, site } = await servingProgram(t);
    const socket = open(server);
    const body = note('slow');
    socket.write(noteHead(site, token, body.length) + body.slice(0, 10));
    // An answer on another connection says that the server has read what came before it.
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
    server.kill('SIGTERM');
    await until('nobody listens', () => isClosed(server));
    socket.write(body.slice(10));
    const [reply] = repliesOf(await buffer(socket));
    assert.equal(reply?.status, 201);
    assert.equal(reply.headers.connection, 'close');
    assert.equal(await server.ended, 0);
    assert.deepEqual(textsIn(file, site), ['slow']);
  });

  test('a connection that is kept alive takes one more request after SIGTERM, and is then closed', async (t) => {
    const { server, token } = await servingProgram(t);
    const ask = `GET /api/v1/account HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer ${token}\r\n`;
    const socket = open(server);
    // The request has begun, so that it does not matter how soon connections without one are closed.
    socket.write(`${ask}\r\n${ask}`);
    const received = buffer(socket);
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
    server.kill('SIGTERM');
    await until('nobody listens', () => isClosed(server));
    socket.write('\r\n');
    const replies = repliesOf(await received);
    assert.deepEqual(
      replies.map(({ status, headers }) => [status, headers.connection]),
      [
        [200, 'keep-alive'],
        [200, 'close'],
      ],
    );
    assert.equal(await server.ended, 0);
  });

  test('after SIGTERM the server is not ready, but alive, and says so to whoever is still connected', async (t) => {
    const { server } = await servingProgram(t);
    for (const path of ['/readyz', '/healthz']) assert.equal((await fetch(server.url + path)).status, 200);
    const [ready, alive] = ['/readyz', '/healthz'].map((path) => {
      const socket = open(server);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a.test\r\n`);
      return socket;
    }) as [Socket, Socket];
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
    server.kill('SIGTERM');
    await until('nobody listens', () => isClosed(server));
    for (const socket of [ready, alive]) socket.write('\r\n');
    const [unready] = repliesOf(await buffer(ready));
    assert.ok(unready);
    assertProblem(unready, 503, 'unavailable');
    assert.match(unready.headers['retry-after'] ?? '', /^[1-9]\d*$/);
    const [healthy] = repliesOf(await buffer(alive));
    assert.equal(healthy?.status, 200);
    assert.equal(await server.ended, 0);
  });

  for (const signals of [
    ['SIGTERM', 'SIGTERM'],
    ['SIGTERM', 'SIGINT'],
    ['SIGINT', 'SIGTERM'],
  ] as const) {
    test(`${signals[1]} after ${signals[0]} ends the program at once, even while a request hangs`, async (t) => {
      const { server, token, site } = await servingProgram(t);
      const socket = open(server);
      socket.on('error', () => {});
      socket.write(`${noteHead(site, token, 100)}{`);
      assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
      server.kill(signals[0]);
      await until('nobody listens', () => isClosed(server));
      server.kill(signals[1]);
      // Without the second signal the request would be given up after some seconds, and the code would be 0.
      assert.equal(await server.ended, 1);
    });
  }

  test('a request that hangs does not keep the program from ending', async (t) => {
    const { server, file, token, site } = await servingProgram(t);
    const hanging = open(server);
    hanging.on('error', () => {});
    hanging.write(`${noteHead(site, token, 100)}{`);
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
    assert.equal(await server.stop(), 0);
    assert.equal(existsSync(`${file}-wal`), false);
  });
});
