import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { program } from '../program.ts';

test('the server does not start with a file of countries that it cannot read, and says why in one line', async (t) => {
  const { run, folder: cwd } = program(t);
  const path = join(cwd, 'countries.mmdb');
  writeFileSync(path, 'nothing of the kind');
  for (const file of [path, join(cwd, 'missing.mmdb')]) {
    const { code, stdout, stderr } = await run(['serve', '--port', '0', '--geoip', file]);
    assert.deepEqual([code, stdout], [78, '']);
    assert.match(stderr, /^daybook: --geoip: [^\n]+\n$/);
    assert.ok(stderr.includes(file), stderr);
  }
  assert.ok(!existsSync(`${cwd}/daybook.db-wal`));
});
