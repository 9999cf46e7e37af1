import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { startApp } from '../support/helpers.ts';

type Icon = { src: string; sizes: string; type: string; purpose: string };

test('install: anybody may read the manifest, and its icons are what it says', async (t) => {
  const { app, ask, signIn, owner } = await startApp(t);
  const { text } = await ask('GET', '/', { cookie: await signIn(owner) });
  assert.ok(text.includes('<link rel="manifest" href="/assets/manifest.webmanifest">'));
  assert.ok(text.includes('<link rel="apple-touch-icon" href="/assets/icon-180.png">'));

  const manifest = await ask('GET', '/assets/manifest.webmanifest');
  assert.equal(manifest.status, 200);
  assert.equal(manifest.headers.get('Content-Type'), 'application/manifest+json');
  const { icons, start_url, display, shortcuts } = JSON.parse(manifest.text);
  assert.deepEqual([start_url, display], ['/', 'standalone']);
  for (const { url } of shortcuts) {
    assert.equal((await ask('GET', url, { cookie: await signIn(owner) })).status, 200, url);
  }
  assert.deepEqual(
    (icons as Icon[]).map(({ sizes }) => sizes),
    ['180x180', '192x192', '512x512'],
  );
  for (const { src, sizes } of icons as Icon[]) {
    const response = await app.hono.request(src, {}, { incoming: { headers: {}, socket: {} } } as never);
    assert.deepEqual([response.status, response.headers.get('Content-Type')], [200, 'image/png']);
    const { width, height, pixel } = readPng(Buffer.from(await response.arrayBuffer()));
    assert.equal(`${width}x${height}`, sizes);
    const at = (x: number, y: number) => pixel(Math.floor((x * width) / 16), Math.floor((y * width) / 16));
    assert.deepEqual([at(0, 0), at(4, 9), at(4, 5), at(8, 5), at(15.9, 15.9)], [0, 1, 0, 1, 0], sizes);
  }
});

test('install: the names of shortcuts are in the language of the browser', async (t) => {
  const { ask } = await startApp(t);
  const names = async (language: string) => {
    const { text, headers } = await ask('GET', '/assets/manifest.webmanifest', {
      headers: { 'accept-language': language },
    });
    assert.equal(headers.get('Vary'), 'Accept-Language');
    const { lang, shortcuts } = JSON.parse(text);
    return [lang, ...shortcuts.map(({ name }: { name: string }) => name)];
  };
  assert.deepEqual(await names('en'), ['en', 'All sites', 'Account']);
  assert.deepEqual(await names('de-CH,de;q=0.9'), ['de', 'Alle Websites', 'Konto']);
  assert.deepEqual(await names('fr'), ['fr', 'Tous les sites', 'Compte']);
  assert.deepEqual(await names('es'), ['es', 'Todos los sitios', 'Cuenta']);
});

/** Reads a PNG file with a palette. `pixel` gives the number of its colour. */
function readPng(bytes: Buffer) {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const at = bytes.indexOf('IDAT');
  const rows = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)));
  assert.equal(rows.length, height * (width + 1));
  return { width, height, pixel: (x: number, y: number) => rows[y * (width + 1) + 1 + x] };
}
