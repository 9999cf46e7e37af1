import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readGoogleTables } from '../../../src/exchange/products/google-tables.ts';
import { folder } from '../../support/helpers.ts';
import { report } from './google.ts';

test('a small file that unpacks to more than fits in memory is refused, whatever it is full of', async (t) => {
  const path = join(folder(t), 'bomb');
  const limits = { rows: 1_000, bytes: 10 * 1024 * 1024 };
  const row = '20260101,1,1,1\n';
  const answer = report(['date'], ['activeUsers'], Array(1_001).fill(['20260101', 1]));
  for (const [text, message] of [
    [Buffer.alloc(limits.bytes + 1, '\n'), 'the file has more than 10 MB unpacked. Import fewer days at a time'],
    [
      `Date,Active users,Sessions,Views\n${row.repeat(1_001)}`,
      'the file has more than 1000 rows. Import fewer days at a time',
    ],
    [JSON.stringify(answer), 'the file has more than 1000 rows. Import fewer days at a time'],
    [
      `Date${',x'.repeat(99)}\n${`20260101${',1'.repeat(99)}\n`.repeat(81)}`,
      'the file has more than 8000 cells. Import fewer days or columns at a time',
    ],
  ] as const) {
    writeFileSync(path, gzipSync(text));
    await assert.rejects(readGoogleTables(path, limits), { message });
  }
});
