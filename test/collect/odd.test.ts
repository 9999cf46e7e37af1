import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { listen } from '../../src/http/server.ts';
import { startApp } from '../support/helpers.ts';
import { BROWSER } from './stage.ts';

const PAGE = { site: 'example.com', url: 'https://example.com/' };
const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

/** The server over a socket, with somebody who may send lists to it. */
async function serving(t: TestContext) {
  const { app, clock, config, held, tokenOf, owner, siteId } = await startApp(t, { flood: '0' });
  const { port, stop } = await listen(
    { host: '127.0.0.1', port: 0, trust: config.trust },
    { random: randomBytes, clock, log: () => {} },
    () => app,
  );
  t.after(() => stop());
  const lists = { authorization: `Bearer ${tokenOf(owner, ['collect'])}`, 'content-type': 'application/json' };
  const places = [
    { path: '/day', headers: { ...BROWSER, 'content-type': 'text/plain' } },
    { path: `/api/v1/sites/${siteId}/hits`, headers: lists },
    { path: `/api/v1/sites/${siteId}/crawls`, headers: lists },
  ];
  const api = { authorization: `Bearer ${tokenOf(owner, ['write'])}`, 'content-type': 'application/json' };
  const objects = [`/api/v1/sites/${siteId}/funnels`, '/api/v1/tokens'].map((path) => ({ path, headers: api }));
  return { port, held, places, objects };
}

type Place = { port: number; path: string; headers: Record<string, string> };

/** What comes back for a body that may be refused before all of it is sent. */
async function send({ port, path, headers }: Place, body: Buffer | Iterable<Buffer>) {
  const sending = request({ host: '127.0.0.1', port, path, headers, method: 'POST' });
  sending.on('error', () => {});
  const answer = once(sending, 'response');
  let sent = 0;
  let isAnswered = false;
  sending.once('response', () => {
    isAnswered = true;
  });
  for (const piece of Buffer.isBuffer(body) ? [body] : body) {
    if (sending.destroyed || isAnswered) break;
    sent += piece.length;
    if (!sending.write(piece)) await Promise.race([once(sending, 'drain'), answer]);
  }
  sending.end();
  const [incoming] = await answer;
  const { error } = JSON.parse((await text(incoming)) || '{}');
  sending.destroy();
  const fields = Object.keys(error?.fields ?? {});
  return { status: incoming.statusCode as number, code: error?.code as string | undefined, fields, sent };
}

test('JSON that is 100,000 deep is refused', async (t) => {
  const { port, places, held } = await serving(t);
  for (const place of places) {
    const { status, code } = await send({ port, ...place }, Buffer.from(DEEP));
    const wanted = place.path === '/day' ? [413, 'payload_too_large'] : [422, 'invalid_request'];
    assert.deepEqual([status, code], wanted, place.path);
  }
  assert.equal((await held.hits()).length, 0);
});

test('of a body of 1 GB little more than the limit is taken, whether its length is announced or not', async (t) => {
  const { port, places, held } = await serving(t);
  const piece = Buffer.alloc(64 * 1024, '[');
  function* gigabyte() {
    for (let i = 0; i < 16 * 1024; i++) yield piece;
  }
  for (const place of places) {
    for (const announced of [{}, { 'content-length': String(2 ** 30) }]) {
      const asking = { port, path: place.path, headers: { ...place.headers, ...announced } };
      const { status, code, sent } = await send(asking, gigabyte());
      assert.deepEqual([status, code], [413, 'payload_too_large'], place.path);
      // What the system holds between the two counts as sent too.
      assert.ok(sent < 32 * 1024 * 1024, `${sent} bytes of ${place.path}`);
    }
  }
  assert.equal((await held.hits()).length, 0);
});

test('of a list with more entries than are taken none is looked at, wherever it stands', async (t) => {
  const { port, places, objects } = await serving(t);
  const many = (count: number) => `[${'{},'.repeat(count)}{}]`;
  const lists = places.filter(({ path }) => path !== '/day').map((place) => ({ place, body: many(340_000) }));
  const within = objects.map((place) => ({ place, body: `{"steps":${many(20_000)},"abilities":${many(100)}}` }));
  for (const { place, body } of [...lists, ...within]) {
    const { status, fields } = await send({ port, ...place }, Buffer.from(body));
    assert.equal(status, 422, place.path);
    assert.equal(fields.length, 1, place.path);
  }
});

test('a packed body is never unpacked', async (t) => {
  const { port, places, held } = await serving(t);
  const bomb = gzipSync(Buffer.alloc(4 * 1024 * 1024, ' '));
  for (const place of places) {
    const asking = { port, path: place.path, headers: { ...place.headers, 'content-encoding': 'gzip' } };
    const { status, code } = await send(asking, bomb);
    assert.deepEqual([status, code], [422, 'invalid_request'], place.path);
  }
  assert.equal((await held.hits()).length, 0);
});

test('a request that names another server in its first line gets nothing from there', async (t) => {
  const { port } = await serving(t);
  for (const target of [
    'http://other.example/api/v1/sites',
    'http://other.example:1/',
    'ftp://x/',
    '//other.example/',
  ]) {
    const socket = connect(port, '127.0.0.1');
    socket.end(`GET ${target} HTTP/1.1\r\nHost: ${PAGE.site}\r\nConnection: close\r\n\r\n`);
    const answer = await text(socket);
    assert.match(answer, /^HTTP\/1\.1 (200|303|400|401|404) /, target);
    assert.doesNotMatch(answer, /other\.example/, target);
  }
});
