import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { smallDisk } from '../support/disk.ts';
import { furnish } from '../support/furnish.ts';
import { PROGRAM, program } from '../support/program.ts';

const writeHits = (length: number): string =>
  Array.from({ length }, (_, i) =>
    JSON.stringify({ at: `${date(TODAY - 3)}T00:00:00Z`, url: `https://example.com/${i}`, visitor: `${i}` }),
  ).join('\n');

test('what is written to a pipe comes whole, and whoever stops reading gets no error', async (t) => {
  const daybook = program(t);
  await furnish(daybook.db);
  const input = writeHits(20_000);
  await daybook.print(['import', 'example.com', '-', '--format', 'ndjson'], { input });
  const text = await daybook.print(['export', 'example.com', '--format', 'ndjson']);
  const urls = text.split('\n').map((line) => (JSON.parse(line) as { url: string }).url);
  assert.equal(new Set(urls).size, 20_000);
  const command = `"${process.execPath}" "${PROGRAM}" export example.com --format ndjson --db "${daybook.db}" | head -n 1`;
  const { stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
  assert.equal(stdout.split('\n').length, 2);
  assert.equal(stderr, '');
});

test('what does not fit on the disk leaves no part of an export, and no command calls it a success', async (t) => {
  const daybook = program(t);
  await furnish(daybook.db);
  await daybook.print(['import', 'example.com', '-', '--format', 'ndjson'], { input: writeHits(100) });
  const disk = smallDisk(t, 4);
  if (disk === undefined) return t.skip('it needs the right to mount a tmpfs');
  const args = [PROGRAM, 'export', 'example.com', '--format', 'ndjson', '--db', daybook.db];
  const whole = spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout;
  assert.ok(whole.length > 4096);
  const out = join(disk, 'hits.ndjson');
  const part = spawnSync(process.execPath, [...args, '--out', out], { encoding: 'utf8' });
  assert.match(part.stderr, /^daybook: .*hits\.ndjson: ENOSPC/);
  assert.equal(part.status, 1);
  assert.deepEqual(readdirSync(disk), []);
  for (const command of ['export example.com --format ndjson', 'user list', 'site list']) {
    const line = `"${process.execPath}" "${PROGRAM}" ${command} --db "${daybook.db}" > /dev/full`;
    const { status, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
    assert.match(stderr, /^daybook: the output: ENOSPC.*$/m, command);
    assert.equal(status, 1, command);
  }
});

test('a damaged file leaves no empty export, which would stand in the way of the next', async (t) => {
  const daybook = program(t);
  await furnish(daybook.db);
  await daybook.print(['import', 'example.com', '-', '--format', 'ndjson'], { input: writeHits(100) });
  const file = new Database(daybook.db);
  file.exec('DELETE FROM sealed_blob');
  file.close();
  const out = `${daybook.db}.ndjson`;
  const args = [PROGRAM, 'export', 'example.com', '--format', 'ndjson', '--db', daybook.db, '--out', out];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.match(stderr, /is missing. Run daybook check/);
  assert.equal(status, 1);
  assert.ok(!existsSync(out));
});

test('an export that has no place to go says so in one line', async (t) => {
  const daybook = program(t);
  await furnish(daybook.db);
  await daybook.print(['import', 'example.com', '-', '--format', 'ndjson'], { input: writeHits(20_000) });
  for (const format of ['ndjson', 'csv', 'plausible']) {
    for (const [out, reason] of [
      [daybook.db, /^daybook: .*: the file exists already. Name a new one\n$/],
      [join(daybook.folder, 'none', 'out'), /^daybook: .*: the folder does not exist. Create it first\n$/],
    ] as const) {
      const { code, stderr } = await daybook.run(['export', 'example.com', '--format', format, '--out', out]);
      assert.match(stderr, reason);
      assert.equal(code, 1);
    }
  }
});
