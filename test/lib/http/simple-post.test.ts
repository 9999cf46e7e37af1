import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { makePostReader } from '../../../src/lib/http/simple-post.ts';
import { malformed } from '../../http/malformed.ts';
import { chance } from '../../support/random.ts';

const read = makePostReader('/day');

/** A request with a line in place of another, or more lines. */
function request(
  changes: { start?: string; headers?: string[]; body?: string; length?: string; end?: string } = {},
): Buffer {
  const { start = 'POST /day HTTP/1.1', headers = [], body = '{"a":"ö"}', end = '\r\n' } = changes;
  const { length = String(Buffer.byteLength(body)) } = changes;
  return Buffer.from([start, 'Host: a.test', `Content-Length: ${length}`, ...headers, '', body].join(end));
}

test('a whole request is read, with its headers by their names in lower case', () => {
  const post = read(request({ headers: ['X-Forwarded-For: \t192.0.2.1 ', 'Empty:', 'USER-agent:Mozilla: 5'] }));
  assert.deepEqual(
    { ...post?.headers },
    {
      host: 'a.test',
      'content-length': '10',
      'x-forwarded-for': '192.0.2.1',
      empty: '',
      'user-agent': 'Mozilla: 5',
    },
  );
  assert.equal(post?.body.toString(), '{"a":"ö"}');
  assert.equal(post?.isLast, false);
  assert.equal(read(request({ headers: ['Connection: Close'] }))?.isLast, true);
  assert.equal(read(request({ headers: ['Connection: Keep-Alive'] }))?.isLast, false);
  assert.equal(read(request({ body: '' }))?.body.length, 0);
});

test('what could be read in another way, or is not whole, is not read at all', () => {
  const others: Parameters<typeof request>[0][] = [
    ...['POST /day HTTP/1.0', 'POST /day?x HTTP/1.1', 'POST /days HTTP/1.1', 'GET /day HTTP/1.1', 'post /day HTTP/1.1'],
    ...['POST  /day HTTP/1.1', 'POST http://a.test/day HTTP/1.1', ' POST /day HTTP/1.1', '\r\nPOST /day HTTP/1.1'],
  ].map((start) => ({ start }));
  others.push(
    ...['1', '11', '010', '+10', '10, 10', '0x0a', '1e1', '', '10 0'].map((length) => ({ length })),
    ...['Transfer-Encoding: chunked', 'transfer-encoding:identity', 'Expect: 100-continue', 'Upgrade: websocket'].map(
      one,
    ),
    ...[
      'Connection: upgrade',
      'Connection: close, x',
      'Connection:',
      'Connection: constructor',
      'Content-Length: 10',
      'HOST: b.test',
      'Trailer: x',
    ].map(one),
    ...[
      'A : b',
      ': b',
      'A',
      'A: \0',
      'A: \x7f',
      'A: \xe9',
      'A: b\n',
      'A: b\rB: c',
      ' folded',
      'A: b\r\n folded',
      'Ä: b',
    ].map(one),
    { end: '\n' },
    { headers: Array.from({ length: 70 }, (_, i) => `A${i}: b`) },
    { headers: [`A: ${'b'.repeat(17_000)}`] },
  );
  function one(line: string) {
    return { headers: [line] };
  }
  for (const changes of others) assert.equal(read(request(changes)), undefined, JSON.stringify(changes).slice(0, 80));
  const whole = request();
  for (let end = 0; end < whole.length; end++) assert.equal(read(whole.subarray(0, end)), undefined);
  assert.equal(read(Buffer.concat([whole, whole])), undefined);
  assert.equal(read(Buffer.concat([whole, Buffer.from('\r\n')])), undefined);
  assert.equal(read(Buffer.from(whole.toString('latin1').replace('Host: a.test\r\n', ''), 'latin1')), undefined);
});

test('a long head of any bytes takes linear time', () => {
  const bytes = [
    'A: '.repeat(5_000),
    ' '.repeat(15_000),
    ':'.repeat(15_000),
    '\r'.repeat(15_000),
    `A:${'\t '.repeat(7_000)}`,
  ];
  for (const text of bytes)
    for (let n = 0; n < 200; n++) assert.equal(read(request({ headers: [`${text}\0`] })), undefined);
});

/** What node makes of bytes: each request that is whole. */
async function node(t: TestContext) {
  const seen: { incoming: IncomingMessage; body: string }[] = [];
  const server = createServer({ requireHostHeader: false }, async (incoming, outgoing) => {
    seen.push({ incoming, body: (await buffer(incoming)).toString('latin1') });
    outgoing.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return async (bytes: Buffer) => {
    seen.length = 0;
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.end(bytes);
    await buffer(socket);
    return [...seen];
  };
}

test('whatever is read is to node the same one request, and so are all odd ones', async (t) => {
  const ask = await node(t);
  let count = 0;
  for (const { bytes } of malformed(chance(t), 'x')) {
    const text = bytes.toString('latin1');
    // Half of the generated ones have no chance, because they go elsewhere.
    const start = text.replace(/^POST \S+ /, 'POST /day ').replace(/^(GET|PATCH) \/\S* /, 'POST /day ');
    const changed = Buffer.from(start, 'latin1');
    const post = read(changed);
    if (!post) continue;
    const [one, ...more] = await ask(changed);
    assert.ok(one && more.length === 0, JSON.stringify(start));
    const { method, url, httpVersion, headers } = one.incoming;
    assert.deepEqual([method, url, httpVersion], ['POST', '/day', '1.1']);
    // Which node's object cannot have.
    Reflect.deleteProperty(post.headers, '__proto__');
    assert.deepEqual({ ...post.headers }, { ...headers }, JSON.stringify(start));
    assert.equal(post.body.toString('latin1'), one.body);
    if (++count === 300) break;
  }
});
