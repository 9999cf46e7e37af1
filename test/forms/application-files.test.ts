import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { loadDashboard } from '../../src/embedded/dashboard.ts';
import { startApp, type TestApp } from '../support/helpers.ts';

/** The bytes of an answer as they go over the wire. */
async function bytesOf(
  { app }: TestApp,
  name: string,
  encodings?: string,
): Promise<{ headers: Headers; bytes: Buffer }> {
  const headers: Record<string, string> = encodings === undefined ? {} : { 'accept-encoding': encodings };
  const incoming = { headers, socket: { remoteAddress: '192.0.2.1' } };
  const response = await app.hono.request(`/assets/${name}`, { headers }, { incoming } as never);
  assert.equal(response.status, 200);
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

test('what the page loads is the same in every encoding, and is kept for good under its name', async (t) => {
  const app = await startApp(t);
  const { assets, script, texts, style } = await loadDashboard();
  const cookie = await app.signIn(app.owner);
  const { text } = await app.ask('GET', '/', { cookie });
  assert.ok(text.includes(`src="/assets/${script}"`) && text.includes(`href="/assets/${style}"`));
  assert.ok(text.includes(`<link rel="modulepreload" href="/assets/${texts.en}">`));
  assert.match(script, /^chunk-[0-9A-Z]{8}\.js$/);
  assert.match(style, /^style-[0-9A-Z]{8}\.css$/);
  for (const name of assets.keys()) {
    const plain = await bytesOf(app, name);
    const brotli = await bytesOf(app, name, 'gzip, deflate, br, zstd');
    const gzip = await bytesOf(app, name, 'gzip, deflate');
    assert.deepEqual(
      [plain, brotli, gzip].map(({ headers }) => headers.get('Content-Encoding')),
      [null, 'br', 'gzip'],
    );
    assert.ok(plain.bytes.length > 0, name);
    assert.ok(plain.bytes.equals(brotliDecompressSync(brotli.bytes)), name);
    assert.ok(plain.bytes.equals(gunzipSync(gzip.bytes)), name);
    for (const { headers, bytes } of [plain, brotli, gzip]) {
      assert.equal(headers.get('Content-Length'), String(bytes.length));
      assert.equal(headers.get('Cache-Control'), 'public, max-age=31536000, immutable');
      assert.equal(headers.get('Vary'), 'Accept-Encoding');
      assert.equal(headers.get('X-Content-Type-Options'), 'nosniff');
      assert.match(headers.get('Content-Type') ?? '', /^text\/(?:javascript|css); charset=utf-8$/);
    }
  }
  const head = await app.ask('HEAD', `/assets/${script}`);
  assert.deepEqual([head.status, head.text], [200, '']);
});

test('a name that is none of the files is not found', async (t) => {
  const app = await startApp(t);
  const { script } = await loadDashboard();
  const names = [
    'main.js',
    'main-.js',
    script.toLowerCase(),
    `${script}.map`,
    `${script}%00`,
    '__proto__',
    'constructor',
    'toString',
    '..%2f..%2fpackage.json',
    '%2e%2e%2fschema.sql',
    'main.tsx',
    '',
  ];
  for (const name of names) {
    const { status, body } = await app.ask('GET', `/assets/${name}`);
    assert.deepEqual([status, body.error.code], [404, 'not_found'], name);
  }
});

test('what the first view loads is three files of at most 60 kB', async () => {
  const { assets, script, texts, style } = await loadDashboard();
  const sizes = [script, style, texts.en].map((name) => {
    const { brotli = Buffer.alloc(0) } = assets.get(name) ?? {};
    return brotliCompressSync(brotliDecompressSync(brotli)).length;
  });
  const sum = sizes.reduce((all, one) => all + one, 0);
  assert.ok(sum > 20_000 && sum <= 60_000, `${sum} bytes: ${sizes.join(', ')}`);
});
