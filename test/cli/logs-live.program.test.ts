import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { crawledIn, startDaybook } from '../integrations/crawled.ts';
import { DAYBOOK, program, until } from '../support/program.ts';
import { line, startedIn } from './access-log.ts';

test('what a pipe has brought is written down while it is silent', async (t) => {
  const { daybook, crawled } = await startedIn(program(t));
  const child = spawn(process.execPath, [...DAYBOOK, 'logs', 'example.com', '-'], { cwd: daybook.folder, env: {} });
  t.after(() => child.kill('SIGKILL'));
  child.stdin.write(line('/one'));
  await until('the first is counted', () => crawled()['2026-03-10 gptbot /one'] === 1);
  child.stdin.write(line('/two'));
  await until('the second is counted', () => crawled()['2026-03-10 gptbot /two'] === 1);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'close'), [0, null]);
});

test('--follow counts what is added, also where the log is moved away, missing, begun anew or emptied', async (t) => {
  const { daybook, log, crawled } = await startedIn(program(t));
  writeFileSync(log, '');
  const following = startDaybook(t, daybook, 'logs', 'example.com', log, '--follow');
  const added = async (file: string, path: string) => {
    appendFileSync(file, line(path));
    await until(`${path} is counted`, () => crawled()[`2026-03-10 gptbot ${path}`] === 1);
  };
  await added(log, '/1');
  await added(log, '/2');
  renameSync(log, `${log}.1`);
  await added(`${log}.1`, '/moved');
  await added(log, '/new');
  await added(`${log}.1`, '/late');
  await added(log, '/newer');
  copyFileSync(log, `${log}.copy`);
  truncateSync(log);
  await added(log, '/emptied');
  rmSync(log);
  await added(log, '/made');
  const { code, output } = await following.stop();
  const sum = Object.values(crawled()).reduce((all, requests) => all + requests, 0);
  assert.equal(code, 0);
  assert.equal(output, `${sum} lines read, ${sum} requests of AI crawlers counted\nGPTBot ${sum}\n`);
  assert.equal(Math.max(...Object.values(crawled())), 1);
  // Nothing of it is new to another run.
  for (const file of [log, `${log}.copy`]) {
    assert.match(await daybook.print(['logs', 'example.com', file]), /^0 lines read/);
  }
});

test('--follow counts the former host and the new one after the site has got another domain', async (t) => {
  const { daybook, log, crawled } = await startedIn(program(t));
  const hosts = (path: string): string =>
    ['example.com', 'new.example', 'other.example']
      .map((host) => line(`${path}/${host}`, 'GPTBot', `${host} `))
      .join('');
  writeFileSync(log, hosts('/before'));
  const following = startDaybook(t, daybook, 'logs', 'example.com', log, '--follow');
  await until('the first is counted', () => Object.keys(crawled()).length > 0);
  await daybook.print(['site', 'change', 'example.com', '--domain', 'new.example']);
  appendFileSync(log, hosts('/after'));
  await until(
    'the new host is counted',
    () => crawledIn(daybook.db, 'new.example')['2026-03-10 gptbot /after/new.example'] === 1,
  );
  await following.stop();
  assert.deepEqual(Object.keys(crawledIn(daybook.db, 'new.example')).sort(), [
    '2026-03-10 gptbot /after/example.com',
    '2026-03-10 gptbot /after/new.example',
    '2026-03-10 gptbot /before/example.com',
  ]);
});
