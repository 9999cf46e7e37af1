import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { TODAY } from '../collect/stage.ts';
import { furnish } from '../furnish.ts';
import { program } from '../program.ts';
import { date } from '../stats/days.ts';
import { line, started, UMAMI, visitors } from './importing.ts';

test('a line that cannot be read is named, and nothing is brought in', async (t) => {
  const { bring, serve } = await started(t);
  const { days } = await serve();
  const good = visitors({ 1: 2 });
  for (const [bad, message] of [
    ['{', /^daybook: line 3: must be a JSON object/],
    [line(TODAY - 1, { url: '' }), /^daybook: line 3: url: is required/],
    [line(TODAY + 1), /^daybook: line 3: at: must be in the past/],
    [line(TODAY - 1, { referer: 'https://x.org' }), /^daybook: line 3: "referer": is not known/],
  ] as const) {
    const { code, stdout, stderr } = await bring(`${good}${bad}\n${good}`);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, message);
  }
  assert.deepEqual(await days(), {});
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

test('another format is imported with a summary of what was accepted, and what was skipped and why', async (t) => {
  const { daybook, file, serve } = await started(t);
  writeFileSync(file, UMAMI);
  const args = ['import', 'example.com', file, '--format', 'umami'];
  const { days, stop } = await serve();
  const summary = `4 records read: 2 accepted, 2 skipped
accepted: 1 pageview, 1 event, ${date(TODAY - 2)} to ${date(TODAY - 2)}
skipped: 2 (another host), first on line 4`;
  assert.equal(await daybook.print([...args, '--dry-run']), `${summary}\ndry run: nothing was imported`);
  assert.deepEqual(await days(), {});
  assert.equal(await daybook.print(args), `2 hits of 1 day imported (import 1)\n${summary}`);
  assert.deepEqual(await days(), { 2: 1 });
  assert.match(await daybook.print([...args, '--from', 'old.example']), /^2 hits of 1 day imported \(import 2\)/);
  assert.deepEqual(await days(), { 1: 1, 2: 1 });
  await stop();
  assert.equal(await daybook.print(['check']), '2 sealed days counted again, 0 differ');
});
