import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { furnish } from '../support/furnish.ts';
import { program } from '../support/program.ts';
import { visitors } from './importing.ts';

test('what is packed with gzip is unpacked where the file is -, and what is cut off is refused', async (t) => {
  const daybook = program(t);
  await furnish(daybook.db);
  const packed = gzipSync(visitors({ 1: 300 }));
  const args = ['import', 'example.com', '-', '--format', 'ndjson'];
  const cut = await daybook.run(args, { input: packed.subarray(0, -20) });
  assert.equal(cut.code, 1);
  assert.match(cut.stderr, /^daybook: the input is cut off or damaged \(/);
  assert.match(await daybook.print(args, { input: packed }), /^300 hits of 1 day imported/);
  const totals = gzipSync('Date,Active users,Sessions,Views\n20260102,7,8,15\n');
  const google = ['import', 'example.com', '-', '--format', 'ga4', '--dry-run'];
  assert.match(await daybook.print(google, { input: totals }), /^accepted: 7 visitors, 8 visits/);
});

test('what comes in from another program is read where the file is -', async (t) => {
  const daybook = program(t);
  await furnish(daybook.db);
  const args = ['import', 'example.com', '-', '--format', 'ndjson'];
  const nothing = await daybook.run(args);
  assert.deepEqual([nothing.code, nothing.stderr], [1, 'daybook: -: no hits to import\n']);
  const input = visitors({ 1: 3_000, 2: 1 }).trimEnd();
  assert.match(await daybook.print(args, { input }), /^3001 hits of 2 days imported/);
});
