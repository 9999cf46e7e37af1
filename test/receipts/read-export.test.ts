import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NODE_CRYPTO } from '../../src/receipts/node-crypto.ts';
import { digestExport, type ReadExport, UnreadableExport } from '../../src/receipts/read-export.ts';
import { readReceipts } from '../../src/receipts/read-receipts.ts';

test('saved receipts: a deeply nested file has none', () => {
  assert.equal(readReceipts(`${'{"data":'.repeat(100_000)}1${'}'.repeat(100_000)}`), undefined);
  assert.deepEqual(readReceipts('{"data":{"receipts":[1]}}\n{"data":{"receipts":[2]}}'), [1, 2]);
  assert.deepEqual(readReceipts('{"data":[1]}'), [1]);
});

const digest = (...pieces: string[]) =>
  digestExport(
    NODE_CRYPTO,
    (async function* () {
      yield* pieces;
    })(),
  );

const HEAD = 'at,url,visitor,visit';
const row = (url: string): string => `2026-01-05T10:00:00Z,${url},2026-01-05-1,1`;

test('an export: cells in quotation marks are read like others', async () => {
  const plain = await digest(`${HEAD}\n${row('https://example.com/a')}\n`);
  for (const text of [`${HEAD}\n${row('"https://example.com/a"')}\n`, `${HEAD}\r\n${row('https://example.com/a')}\r\n`])
    assert.deepEqual(await digest(text), plain);
  const quoted = await digest(`${HEAD}\n${row('"https://example.com/""a"",\n""b"""')}\n`);
  assert.deepEqual(
    quoted,
    await digest(
      JSON.stringify({
        ...{ at: '2026-01-05T10:00:00Z', url: 'https://example.com/"a",\n"b"' },
        ...{ visitor: '2026-01-05-1', visit: 1 },
      }),
    ),
  );
});

test('an export: a line that another program reads in another way is left out, and a whole file is refused', async () => {
  const object = JSON.stringify({ visitor: '2026-01-05-1', visit: 1 });
  const FORGED: Record<string, [text: string, line: number]> = {
    'text behind a cell': [`${HEAD}\n${row('"https://example.com/a"/b')}\n`, 2],
    'a quotation mark in a cell': [`${HEAD}\n${row('https://example.com/a"b"')}\n`, 2],
    'two columns of one name': [`url,${HEAD}\nhttps://example.com/b,${row('https://example.com/a')}\n`, 1],
  };
  for (const [name, [text, line]] of Object.entries(FORGED))
    await assert.rejects(digest(text), (error) => error instanceof UnreadableExport && error.line === line, name);
  const LEFT_OUT: Record<string, [text: string, unreadable: ReadExport['unreadable']]> = {
    'an object among rows': [`${HEAD}\n${row('/a')}\n${object}\n`, { line: 3, count: 1 }],
    'a row among objects': [`${object}\n${HEAD}\n${row('/a')}\n`, { line: 2, count: 2 }],
    'a visitor without the one before': [
      `${HEAD}\n${row('/a')}\n${row('/b').replace('-1,', '-3,')}\n`,
      { line: 3, count: 1 },
    ],
    'a day a second time': [
      `${HEAD}\n${row('/a')}\n${row('/b').replace('05-1', '06-1')}\n${row('/c')}\n`,
      { line: 4, count: 1 },
    ],
    'a number that is no number': [`${HEAD},engaged\n${row('/a')},1\n${row('/b')}, \n`, { line: 3, count: 1 }],
    'an open quotation mark': [
      `${HEAD}\n${row('"/a\n"')}\n${row('"/b')}\n${row('"/c"')}\n${row('/d')}\n`,
      { line: 4, count: 1 },
    ],
    'a quotation mark that is open at the end': [
      `${HEAD}\n${row('/a')}\n${row('"/b')}\n${row('/c')}\n`,
      { line: 3, count: 1 },
    ],
  };
  for (const [name, [text, unreadable]] of Object.entries(LEFT_OUT))
    assert.deepEqual((await digest(text)).unreadable, unreadable, name);
});

test('an export: a record without an end is refused after 1 MB', async () => {
  const piece = 'a line\n'.repeat(10_000);
  for (const first of [`${HEAD}\n"`, '{"visitor":"']) {
    let read = 0;
    async function* pieces() {
      yield first;
      for (; read < 1_000; read++) yield first.startsWith('{') ? piece.replaceAll('\n', ' ') : piece;
    }
    await assert.rejects(digestExport(NODE_CRYPTO, pieces()), UnreadableExport);
    assert.ok(read < 20, `${read} pieces were read`);
  }
});
