import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { furnish } from '../support/furnish.ts';
import { PROGRAM, program } from '../support/program.ts';

test('what is written to a pipe comes whole, and whoever stops reading gets no error', async (t) => {
  const daybook = program(t);
  await furnish(daybook.db);
  const lines = Array.from({ length: 20_000 }, (_, i) =>
    JSON.stringify({ at: `${date(TODAY - 3)}T00:00:00Z`, url: `https://example.com/${i}`, visitor: `${i}` }),
  );
  await daybook.print(['import', 'example.com', '-', '--format', 'ndjson'], { input: lines.join('\n') });
  const text = await daybook.print(['export', 'example.com', '--format', 'ndjson']);
  const urls = text.split('\n').map((line) => (JSON.parse(line) as { url: string }).url);
  assert.equal(new Set(urls).size, 20_000);
  const command = `"${process.execPath}" "${PROGRAM}" export example.com --format ndjson --db "${daybook.db}" | head -n 1`;
  const { stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
  assert.equal(stdout.split('\n').length, 2);
  assert.equal(stderr, '');
});
