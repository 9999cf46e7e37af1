import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { crawledIn } from '../integrations/crawled.ts';
import { DAYBOOK, PROGRAM, program, until } from '../support/program.ts';
import { lines, mixed, startedIn } from './access-log.ts';

test('standard input and pipes count each time', async (t) => {
  const { daybook, log, crawled } = await startedIn(program(t));
  writeFileSync(log, lines(3).trimEnd());
  const args = ['logs', 'example.com', '-'];
  const stdout = '3 lines read, 3 requests of AI crawlers counted\nGPTBot 3\n';
  for (let i = 0; i < 2; i++) {
    assert.deepEqual(await daybook.run(args, { input: readFileSync(log, 'utf8') }), { code: 0, stdout, stderr: '' });
  }
  const packed = await daybook.run(args, { input: gzipSync(readFileSync(log)) });
  assert.deepEqual(packed, { code: 0, stdout, stderr: '' });
  const command = `${process.execPath} ${PROGRAM} logs example.com <(cat ${log})`;
  const bash = spawn('bash', ['-c', command], { cwd: daybook.folder, env: {}, stdio: 'ignore' });
  assert.deepEqual(await once(bash, 'close'), [0, null]);
  assert.deepEqual(crawled(), { '2026-03-10 gptbot /page': 12 });
});

test('killed at any moment it loses nothing and doubles nothing', async (t) => {
  const { daybook, log, logs } = await startedIn(program(t));
  const { text, counts } = mixed(60_000);
  writeFileSync(log, text);
  const sum = () => Object.values(crawledIn(daybook.db)).reduce((all, requests) => all + requests, 0);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4_000 }), async (more) => {
      const enough = sum() + more;
      const child = spawn(process.execPath, [...DAYBOOK, 'logs', 'example.com', log], { cwd: daybook.folder, env: {} });
      const ended = once(child, 'close');
      await until('it has counted some', () => child.exitCode !== null || sum() >= enough);
      child.kill('SIGKILL');
      await ended;
    }),
    { numRuns: 3, endOnFailure: true },
  );
  await logs(log);
  assert.deepEqual(crawledIn(daybook.db), counts);
});

test('two at the same file at once count it once', async (t) => {
  const { daybook, log, logs } = await startedIn(program(t));
  const { text, counts } = mixed(40_000);
  writeFileSync(log, text);
  for (const { code, stderr } of await Promise.all([1, 2].map(() => daybook.run(['logs', 'example.com', log])))) {
    if (code !== 0) assert.equal(stderr, 'daybook: another daybook logs is reading the same file\n');
  }
  await logs(log);
  assert.deepEqual(crawledIn(daybook.db), counts);
});
