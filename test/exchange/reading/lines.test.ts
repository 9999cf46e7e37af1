import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { excerpt, lineRefusal, lineSplitter } from '../../../src/exchange/reading/lines.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import { openLog } from '../../../src/logs/files.ts';
import { folder } from '../../support/helpers.ts';

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof Refusal);
    return error.message;
  }
  return assert.fail('it was read');
}

/** The lines that come out when the bytes come in chunks of a size. */
function cut(bytes: Buffer, size = bytes.length): [string, number][] {
  const found: [string, number][] = [];
  const lines = lineSplitter((line, number) => found.push([line, number]));
  // One memory for all chunks, as a file is read.
  const memory = Buffer.alloc(Math.max(1, size));
  for (let at = 0; at < bytes.length; at += size) {
    const length = bytes.copy(memory, 0, at, at + size);
    lines.feed(memory.subarray(0, length));
  }
  lines.end();
  return found;
}

test('any text comes back line by line, however it is cut into chunks', () => {
  const line = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' })).map((text) => text.replaceAll('\n', ' '));
  fc.assert(
    fc.property(fc.array(line), fc.boolean(), fc.integer({ min: 1, max: 40 }), (texts, isEnded, size) => {
      const lines = texts.map((text) => text.replace(/^\ufeff/, ''));
      while (!isEnded && lines.at(-1) === '') lines.pop();
      const bytes = Buffer.from(lines.join('\n') + (isEnded && lines.length > 0 ? '\n' : ''));
      assert.deepEqual(
        cut(bytes, size),
        lines.map((text, i) => [text, i + 1]),
      );
    }),
    { numRuns: 500 },
  );
});

test('a byte order mark at the start is skipped, also where it comes in pieces', () => {
  for (const size of [1, 2, 100]) {
    assert.deepEqual(cut(Buffer.from('\ufeff{}\né'), size), [
      ['{}', 1],
      ['é', 2],
    ]);
  }
});

test('what is not UTF-8 is refused with its line, after the lines before it', () => {
  const bytes = Buffer.concat([Buffer.from('{}\né\n'), Buffer.of(0x22, 0xe9, 0x22), Buffer.from('\n{}\n')]);
  for (const size of [1, 5, 100]) {
    const seen: string[] = [];
    const lines = lineSplitter((line) => seen.push(line));
    const message = refusal(() => {
      for (let at = 0; at < bytes.length; at += size) lines.feed(bytes.subarray(at, at + size));
    });
    assert.equal(message, 'line 3: must be text in UTF-8');
    assert.deepEqual(seen, ['{}', 'é']);
  }
  assert.equal(
    refusal(() => cut(Buffer.of(0x7b, 0xff))),
    'line 1: must be text in UTF-8',
  );
});

test('a line of 64 KB is taken, and a longer one refused as soon as it shows', () => {
  const longest = 'x'.repeat(65_536);
  const message = 'line 2: must have at most 65536 bytes. Write each hit on its own line';
  for (const size of [1_000, 65_536, 200_000]) {
    assert.deepEqual(cut(Buffer.from(`${longest}\n${longest}`), size), [
      [longest, 1],
      [longest, 2],
    ]);
    assert.equal(
      refusal(() => cut(Buffer.from(`{}\n${longest}x\n{}`), size)),
      message,
    );
    assert.equal(
      refusal(() => cut(Buffer.from(`{}\n${longest}x`), size)),
      message,
    );
  }
  let chunks = 0;
  const lines = lineSplitter(() => {});
  refusal(() => {
    for (; chunks < 100; chunks++) lines.feed(Buffer.alloc(1_000, 'x'));
  });
  assert.equal(chunks, 65);
});

async function linesOf(t: TestContext, bytes: Buffer): Promise<string[]> {
  const path = join(folder(t), 'hits.ndjson');
  writeFileSync(path, bytes);
  const found: string[] = [];
  const lines = lineSplitter((line) => found.push(line));
  const file = openLog(path);
  for await (const chunk of file.bytes(0)) lines.feed(chunk);
  lines.end();
  file.close();
  return found;
}

test('a file is read the same plain and packed', async (t) => {
  const expected = Array.from({ length: 2_000 }, (_, i) => JSON.stringify({ label: `${i} ü` }));
  const bytes = Buffer.from(expected.join('\n'));
  assert.deepEqual(await linesOf(t, bytes), expected);
  assert.deepEqual(await linesOf(t, gzipSync(bytes)), expected);
  await assert.rejects(linesOf(t, gzipSync(bytes).subarray(0, -20)), /it is cut off or damaged/);
});

test('a refusal names the line, and what is wrong in it from the outside in', () => {
  assert.equal(lineRefusal(3, 'at', 'is required').message, 'line 3: at: is required');
});

test('a value is shown in quotes, cut, and without invisible characters', () => {
  assert.equal(excerpt('a "b"\n'), '"a \\"b\\"\\n"');
  assert.equal(excerpt(7), '7');
  assert.equal(excerpt('\u200bé\u2028'), '"\\u{200b}é\\u{2028}"');
  assert.equal(excerpt('x'.repeat(100)), `"${'x'.repeat(60)}…`);
});
