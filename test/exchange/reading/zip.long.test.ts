import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listZipped } from '../../../src/exchange/reading/zip.ts';
import { stage } from './packed.ts';
import { writeZip } from './zips.ts';

test('neither a text that is written nor one that is read is ever in memory as a whole', async (t) => {
  const PIECES = 256;
  const piece = 'a'.repeat(1024 * 1024);
  const { path } = stage(t);
  let most = 0;
  const look = () => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  const before = process.memoryUsage.rss();
  function* text() {
    for (let i = 0; i < PIECES; i++) {
      look();
      yield piece;
    }
  }
  await writeZip(path, [{ name: 'a.csv', text: text() }]);
  let length = 0;
  for await (const { bytes } of listZipped(path)) {
    for await (const chunk of bytes()) {
      length += chunk.length;
      look();
    }
  }
  assert.equal(length, PIECES * piece.length);
  assert.ok(most - before < length / 2, `${((most - before) / 1e6).toFixed(0)} MB for ${(length / 1e6).toFixed(0)}`);
});
