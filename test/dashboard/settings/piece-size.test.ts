import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseSize } from '../../../src/dashboard/settings/piece-size.ts';

test('upload: pieces grow while the line is fast, shrink while it is slow, and stay in their bounds', () => {
  const KB = 1024;
  assert.equal(chooseSize(256 * KB, 100), 512 * KB);
  assert.equal(chooseSize(256 * KB, 3_000), 256 * KB);
  assert.equal(chooseSize(256 * KB, 6_000), 128 * KB);
  assert.equal(chooseSize(1024 * KB, 1), 1024 * KB);
  assert.equal(chooseSize(16 * KB, 20_000), 16 * KB);
});
