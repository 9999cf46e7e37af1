import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { computeFingerprint, makeFingerprintKey, makeScanner, WINDOW } from '../../src/lib/fingerprint.ts';

/** Scans content in pieces of a size. */
function scan(content: Buffer, secrets: readonly Buffer[], piece: number): number[] {
  const key = makeFingerprintKey(randomBytes);
  const found = new Set<number>();
  const sought = secrets.map((secret) => computeFingerprint(key, secret));
  const scanner = makeScanner(key, sought, found);
  const buffer = Buffer.alloc(WINDOW + piece);
  for (let at = 0; at < content.length; at += piece) {
    scanner.scan(buffer, content.copy(buffer, WINDOW, at, at + piece));
  }
  return [...found].sort((a, b) => a - b);
}

test('fingerprints: each of many secrets is found wherever it begins, also across pieces, and no other', () => {
  const secrets = Array.from({ length: 200 }, () => randomBytes(32));
  for (const piece of [1, 7, 32, 100, 4_096]) {
    assert.deepEqual(scan(Buffer.concat([randomBytes(20_000), Buffer.alloc(5_000)]), secrets, piece), []);
    for (const at of [0, 1, 31, 32, 33, 4_080, 9_968]) {
      const content = randomBytes(10_000);
      const index = at % secrets.length;
      secrets[index]?.copy(content, at);
      assert.deepEqual(scan(content, secrets, piece), [index], `${piece} ${at}`);
      content[at + 31] = (content[at + 31] as number) ^ 1;
      assert.deepEqual(scan(content, secrets, piece), []);
    }
  }
});
