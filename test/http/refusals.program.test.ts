import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import { until } from '../support/program.ts';
import { REFUSED } from './refused.ts';
import { assertProblem, big, lines, repliesOf, send, servingProgram } from './serving.ts';

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: only tests of a suite run side by side
suite('what never becomes a request', { concurrency: 3 }, () => {
  test('headers or a body that do not come are answered with 408', async (t) => {
    const { server, token } = await servingProgram(t);
    const head = `POST /api/v1/sites HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    const begun = ['GET /healthz HTTP/1.1\r\nHost: a.test\r\n', `${head}Content-Length: 50\r\n\r\n{"domain`];
    for (const reply of await Promise.all(begun.map((bytes) => send(server, bytes)))) {
      assertProblem(reply, 408, 'request_timeout');
      assert.equal(reply.headers.connection, 'close');
    }
    assert.deepEqual(server.stderr, []);
  });

  test('what the parser refuses is answered in the shape of the API, and the connection is closed', async (t) => {
    const { server, token } = await servingProgram(t);
    for (const [what, [bytes, status, code]] of Object.entries(REFUSED)) {
      await t.test(what, async () => {
        const reply = await send(server, bytes(token));
        assertProblem(reply, status, code);
        assert.equal(reply.headers.connection, 'close');
      });
    }
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
    assert.deepEqual(server.stderr, []);
  });

  test('headers of a little less than 16 KiB are taken', async (t) => {
    const { server } = await servingProgram(t);
    const reply = await send(server, lines('GET /healthz HTTP/1.1', 'Host: a.test', `A: ${big(16_000)}`));
    assert.equal(reply.status, 200);
  });

  test('HTTP/1.0 needs no Host', async (t) => {
    const { server } = await servingProgram(t);
    const reply = await send(server, 'GET /healthz HTTP/1.0\r\n\r\n');
    assert.equal(reply.status, 200);
    assert.equal(reply.body, '{"data":{"status":"ok"}}');
  });

  test('who asks for a tunnel and goes away does not harm the server', async (t) => {
    const { server } = await servingProgram(t);
    const call = () =>
      new Promise((resolve) => {
        const socket = connect(server.port, '127.0.0.1', () => {
          socket.write('CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n', () => socket.resetAndDestroy());
        });
        socket.on('error', () => {}).on('close', resolve);
      });
    // The reset has to come before the server's answer, which it does most times.
    for (let i = 0; i < 100; i++) await call();
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
    assert.deepEqual(server.stderr, []);
  });

  test('who asks for a tunnel and never closes it is let go of', async (t) => {
    const { server } = await servingProgram(t);
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    t.after(() => socket.destroy());
    socket.write('CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n');
    await once(socket.resume(), 'end');
    await until('the server has closed its side too', () => {
      socket.write('hello?');
      return socket.destroyed;
    });
  });

  test('who asks for a tunnel and never closes it does not keep the program from ending', async (t) => {
    const { server, file } = await servingProgram(t);
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    t.after(() => socket.destroy());
    socket.write('CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n');
    const [reply] = repliesOf(await buffer(socket));
    assert.equal(reply?.status, 400);
    assert.equal(await server.stop(), 0);
    assert.equal(existsSync(`${file}-wal`), false);
  });
});
