import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { loadScript, loadVitalsScript } from '../../src/embedded/script.ts';

test('the script that sites embed takes less than 1,100 bytes, and the documents say how many', async () => {
  const { brotli } = await loadScript();
  assert.ok(brotli.length < 1100, `${brotli.length} bytes`);
  for (const name of ['README.md', 'CHANGELOG.md', 'docs/figures.md', 'docs/privacy.md']) {
    assert.match(readFileSync(name, 'utf8'), new RegExp(`${brotli.length.toLocaleString('en')} bytes`), name);
  }
});

test('all forms of the script are the same program', async () => {
  const { text, brotli, gzip } = await loadScript();
  assert.equal(brotliDecompressSync(brotli).toString(), text);
  assert.equal(gunzipSync(gzip).toString(), text);
  assert.ok(gzip.length < text.length);
});

test('the script leaves nothing behind but what it says: one block, whose names stay inside', async () => {
  const { text } = await loadScript();
  assert.match(text, /^\{.*\}$/s);
  // Outside of a function, these names would become names of the page, even from a block.
  assert.doesNotMatch(text, /\b(?:var|function) /);
  assert.doesNotMatch(text, /cookie|sendBeacon|XMLHttpRequest|eval|import|require/i);
});

test('the script is made once, and its tag is a weak one, because it stands for each of the forms', async () => {
  const one = await loadScript();
  assert.equal(await loadScript(), one);
  assert.match(one.etag, /^W\/"[\w-]{16}"$/);
});

test('the script of web vitals is one closed expression with its library, and loads nothing', async () => {
  const { text, brotli } = await loadVitalsScript();
  assert.equal(brotliDecompressSync(brotli).toString(), text);
  assert.match(text, /^(?:"use strict";)?\(\(\)=>\{.*\}\)\(\);$/s);
  assert.doesNotMatch(text, /cookie|XMLHttpRequest|eval\(|import[ (]|require\(/i);
  assert.ok(brotli.length < 4_000, `${brotli.length} bytes`);
});
