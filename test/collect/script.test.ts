import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { stage } from './sending.ts';

test('the script is sent as it is best read, and may be kept for a day', async (t) => {
  const { app, ask } = await stage(t);
  const plain = await ask('GET', '/day.js');
  assert.equal(plain.status, 200);
  assert.equal(plain.headers.get('Content-Type'), 'text/javascript; charset=utf-8');
  assert.equal(plain.headers.get('Cache-Control'), 'public, max-age=86400');
  assert.equal(plain.headers.get('Vary'), 'Accept-Encoding');
  assert.equal(plain.headers.get('Content-Encoding'), null);
  assert.equal(plain.headers.get('Cross-Origin-Resource-Policy'), 'cross-origin');
  assert.match(plain.text, /currentScript/);
  assert.ok(Buffer.byteLength(plain.text) < 4_096);

  const unpack: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };
  const encodings: [accepted: string, encoding: string | null][] = [
    ['gzip, deflate, br, zstd', 'br'],
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=1.0, br;q=0.5', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0, gzip', 'gzip'],
    ['gzip, br;q=0.0', 'gzip'],
    ['br;q=0.001', 'br'],
    ['gzip;q=0', null],
    ['identity', null],
    ['deflate', null],
    ['brotli', null],
    ['', null],
  ];
  for (const [accepted, encoding] of encodings) {
    const incoming = { headers: { 'accept-encoding': accepted }, socket: {} };
    const answer = await app.hono.request('/day.js', {}, { incoming } as never);
    assert.equal(answer.headers.get('Content-Encoding'), encoding, accepted);
    assert.equal(answer.headers.get('ETag'), plain.headers.get('ETag'));
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.equal((unpack[encoding ?? ''] ?? ((same) => same))(bytes).toString(), plain.text);
  }
});

test('a browser that has the script already is told so', async (t) => {
  const { ask } = await stage(t);
  const tag = (await ask('GET', '/day.js')).headers.get('ETag') ?? '';
  assert.match(tag, /^W\/"[\w-]{16}"$/);
  for (const known of [tag, `"other", ${tag}`, `${tag},"other"`]) {
    const answer = await ask('GET', '/day.js', { headers: { 'if-none-match': known, 'accept-encoding': 'br' } });
    assert.deepEqual([answer.status, answer.text], [304, '']);
    assert.equal(answer.headers.get('ETag'), tag);
    assert.equal(answer.headers.get('Cache-Control'), 'public, max-age=86400');
  }
  assert.equal((await ask('GET', '/day.js', { headers: { 'if-none-match': '"other"' } })).status, 200);
  const head = await ask('HEAD', '/day.js');
  assert.deepEqual([head.status, head.text, head.headers.get('ETag')], [200, '', tag]);
});
