import assert from 'node:assert/strict';
import { test } from 'node:test';
import { furnish } from '../furnish.ts';
import { program } from '../program.ts';
import { visitors } from './importing.ts';

test('what comes in from another program is read where the file is -', async (t) => {
  const daybook = program(t);
  await furnish(daybook.db);
  const args = ['import', 'example.com', '-', '--format', 'ndjson'];
  const nothing = await daybook.run(args);
  assert.deepEqual([nothing.code, nothing.stderr], [1, 'daybook: -: no hits to import\n']);
  const input = visitors({ 1: 3_000, 2: 1 }).trimEnd();
  assert.match(await daybook.print(args, { input }), /^3001 hits of 2 days imported/);
});
