import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { type Answer, readDirectly } from '../../src/http/fast-post.ts';
import { makePostReader } from '../../src/lib/http/simple-post.ts';
import { openReader } from '../../src/store/file/open-file.ts';
import { storedHits } from '../collect/stage.ts';
import { until } from '../support/program.ts';
import { chance } from '../support/random.ts';
import { open, type Reply, repliesOf, serving } from './serving.ts';

const AGENT =
  'User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0\r\nAccept-Language: en';
const bodyOf = (page: string) => JSON.stringify({ site: 'example.com', url: `https://example.com/${page}` });

/** The pages of what was stored, in the order of arrival. */
function pagesIn(file: string): string[] {
  const { db, close } = openReader(file);
  const pages = storedHits(db).map(({ page }) => page.slice(1));
  close();
  return pages;
}

/** A hit as a browser or a proxy sends it. */
const hit = (page: string, more = ''): string => {
  const body = bodyOf(page);
  return `POST /day HTTP/1.1\r\nHost: a.test\r\n${AGENT}\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;
};
/** The same in another form, which is not for the short way. */
const chunked = (page: string): string => {
  const body = bodyOf(page);
  const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  return `POST /day HTTP/1.1\r\nHost: a.test\r\n${AGENT}\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`;
};
const page = 'GET /healthz HTTP/1.1\r\nHost: a.test\r\n\r\n';
const last = 'GET /healthz HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n';

/** A connection, what it has brought so far, and one answer after another. */
function talk(t: TestContext, server: { port: number }) {
  const socket: Socket = open(server);
  t.after(() => socket.destroy());
  let received = '';
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1');
  });
  const count = () => received.split('HTTP/1.1 ').length - 1;
  return {
    socket,
    async say(bytes: string, answers = 1): Promise<Reply[]> {
      const before = count();
      socket.write(bytes, 'latin1');
      await until('there are answers', () => count() >= before + answers && /\r\n\r\n(?:\{.*\})?$/s.test(received));
      return repliesOf(Buffer.from(received, 'latin1')).slice(before);
    },
  };
}

const statuses = (replies: readonly Reply[]): number[] => replies.map(({ status }) => status);

test('hits follow each other on a connection, and everything else may follow them', async (t) => {
  const { server, file } = await serving(t);
  const { say } = talk(t, server);
  for (const name of ['one', 'two', 'three']) assert.deepEqual(statuses(await say(hit(name))), [202]);
  assert.deepEqual(statuses(await say(page)), [200]);
  assert.deepEqual(statuses(await say(hit('four'))), [202]);
  assert.deepEqual(statuses(await say(chunked('five'))), [202]);
  assert.deepEqual(pagesIn(file), ['one', 'two', 'three', 'four', 'five']);
});

test('an answer is the same by either way', async (t) => {
  const { server } = await serving(t);
  const answerTo = async (bytes: string): Promise<Reply> => {
    const socket = open(server);
    socket.write(bytes);
    const [reply, ...more] = repliesOf(await buffer(socket));
    assert.ok(reply && more.length === 0);
    assert.match(reply.headers['x-request-id'] ?? '', /^\w+-\w+$/);
    assert.match(reply.headers.date ?? '', /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
    const { 'x-request-id': _, date: __, ...headers } = reply.headers;
    return { ...reply, headers };
  };
  const bodies = ['{', '[]', '{}', bodyOf('x'), bodyOf('x').replace('"url"', '"uri"'), '\xff', 'x'.repeat(9_000)];
  bodies.push(bodyOf('x').replace('https://example.com', 'https://example.org'), '{"größe":1,"日本":2}');
  for (const type of ['text/plain', 'application/json; charset=utf-8', 'text/html']) {
    for (const body of bodies) {
      const head = (name: string) =>
        `POST ${name} HTTP/1.1\r\nHost: a.test\r\n${AGENT}\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;
      assert.deepEqual(
        await answerTo(head('/day')),
        await answerTo(head('http://a.test/day')),
        `${type} ${body.slice(0, 99)}`,
      );
    }
  }
});

test('in whatever pieces requests come, each is answered once, in order', async (t) => {
  const { server, file } = await serving(t, ['--flood', '0']);
  const random = chance(t);
  const names: string[] = [];
  for (let n = 0; n < 60; n++) {
    const socket = open(server);
    const wanted: number[] = [];
    let bytes = '';
    for (let more = Math.floor(random() * 6); more > 0; more--) {
      const name = `${n}-${more}`;
      const kind = random();
      if (kind < 0.8) names.push(name);
      bytes += kind < 0.6 ? hit(name) : kind < 0.8 ? chunked(name) : page;
      wanted.push(kind < 0.8 ? 202 : 200);
    }
    bytes += last;
    const received = buffer(socket);
    while (bytes !== '') {
      const length = random() < 0.5 ? hit(`${n}-1`).length : Math.ceil(random() * 400);
      socket.write(bytes.slice(0, length));
      bytes = bytes.slice(length);
      if (random() < 0.7) await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual(statuses(repliesOf(await received)), [...wanted, 200]);
  }
  assert.deepEqual(pagesIn(file), names);
});

test('who says that no more will come, or asks to close, gets the answer and the end', async (t) => {
  const { server, file } = await serving(t);
  const halfClosed = open(server);
  halfClosed.end(hit('one'));
  assert.deepEqual(statuses(repliesOf(await buffer(halfClosed))), [202]);
  const closing = open(server);
  closing.write(hit('two', 'Connection: close\r\n'));
  const [reply] = repliesOf(await buffer(closing));
  assert.equal(reply?.headers.connection, 'close');
  const silent = open(server);
  silent.end();
  assert.equal((await buffer(silent)).length, 0);
  const gone = open(server);
  gone.write(hit('three'));
  await once(gone, 'connect');
  gone.resetAndDestroy();
  const { say } = talk(t, server);
  assert.deepEqual(statuses(await say(hit('four'))), [202]);
  const pages = pagesIn(file).filter((name) => name !== 'three');
  assert.deepEqual(pages, ['one', 'two', 'four']);
});

test('a stop closes connections that brought hits and are idle, and one that brings another is answered for the last time', async (t) => {
  const { server, file } = await serving(t);
  const [idle, busy, slow] = [talk(t, server), talk(t, server), talk(t, server)];
  for (const { say } of [idle, busy]) await say(hit('before'));
  const ends = [idle, busy].map(({ socket }) => once(socket, 'close'));
  const late = chunked('late');
  slow.socket.write(late.slice(0, -10));
  const stopped = server.stop();
  const [reply] = await busy.say(hit('after'));
  assert.equal(reply?.status, 202);
  await Promise.all(ends);
  // By now those that are idle are closed, and this one is not.
  assert.deepEqual(statuses(await slow.say(late.slice(-10))), [202]);
  await stopped;
  assert.equal(pagesIn(file).length, 4);
});

/** A connection of which each answer waits until the test sends it. */
async function alone(t: TestContext, patience = { first: 2, next: 5 }) {
  const answers: (() => void)[] = [];
  const handed: string[] = [];
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = open(server.address() as AddressInfo);
  const [socket] = (await once(server, 'connection')) as [Socket];
  t.after(() => {
    for (const one of [client, socket]) one.destroy();
    server.close();
  });
  const reader = readDirectly(socket, {
    plainPost: makePostReader('/day'),
    answer: ({ body }) => {
      const { promise, resolve } = Promise.withResolvers<Answer>();
      answers.push(() => resolve({ bytes: `<${body}>`, isLast: false }));
      return promise;
    },
    handOver: (_, bytes) => void handed.push(bytes.toString('latin1')),
    patience,
  });
  let received = '';
  client.on('data', (bytes) => {
    received += bytes.toString('latin1');
  });
  return { client, socket, reader, answers, handed, received: () => received };
}

test('a connection that brings nothing is ended after some looks, and one that brought a message after more', async (t) => {
  const silent = await alone(t);
  for (let look = 0; look < 2; look++) silent.reader.look();
  assert.equal(silent.socket.destroyed, false);
  silent.reader.look();
  assert.equal(silent.socket.destroyed, true);

  const { client, socket, reader, answers, received } = await alone(t);
  client.write(hit('one'));
  await until('the message is read', () => answers.length === 1);
  for (let look = 0; look < 5; look++) reader.look();
  assert.equal(reader.isIdle(), false);
  answers[0]?.();
  await until('it is answered', () => received() !== '');
  assert.equal(reader.isIdle(), true);
  assert.equal(socket.destroyed, false);
  reader.look();
  assert.equal(socket.destroyed, true);
});

test('what comes before a message is answered waits for the answer, and what then is no message is handed over', async (t) => {
  const { client, socket, reader, answers, handed, received } = await alone(t);
  client.write(hit('one'));
  await until('the message is read', () => answers.length === 1);
  client.write(hit('two'));
  await until('more is there', () => socket.isPaused());
  client.write(page);
  assert.equal(answers.length, 1);
  answers[0]?.();
  await until('the second is read', () => answers.length === 2);
  assert.deepEqual(handed, []);
  answers[1]?.();
  await until('the rest is handed over', () => handed.length === 1);
  assert.deepEqual(handed, [page]);
  await until('both are answered', () => received() === `<${bodyOf('one')}><${bodyOf('two')}>`);
  for (let look = 0; look < 9; look++) reader.look();
  assert.equal(socket.destroyed, false);
  assert.equal(reader.isIdle(), false);
});
