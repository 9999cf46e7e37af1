import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { crawledNow, startDaybook } from '../integrations/crawled.ts';
import { DAYBOOK, until } from '../program.ts';
import { line, started } from './access-log.ts';

test('what a pipe has brought is written down while it is silent', async (t) => {
  const { daybook, crawled } = await started(t);
  const child = spawn(process.execPath, [...DAYBOOK, 'logs', 'example.com', '-'], { cwd: daybook.folder, env: {} });
  t.after(() => child.kill('SIGKILL'));
  child.stdin.write(line('/one'));
  await until('the first is counted', () => crawled()['2026-03-10 gptbot /one'] === 1);
  child.stdin.write(line('/two'));
  await until('the second is counted', () => crawled()['2026-03-10 gptbot /two'] === 1);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'close'), [0, null]);
});

test('it works beside a server that counts the same pages', async (t) => {
  const { daybook, token, log, count } = await started(t);
  const { url } = await daybook.serve();
  const send = async (path: string) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify([{ url: `https://example.com${path}`, agent: 'GPTBot' }]);
    return (await fetch(`${url}/api/v1/sites/example.com/crawls`, { method: 'POST', headers, body })).status;
  };
  assert.equal(await send('/one'), 202);
  writeFileSync(log, line('/one') + line('/two'));
  assert.equal(await count(log), 2);
  assert.equal(await send('/two'), 202);
  appendFileSync(log, line('/one') + line('/two'));
  assert.equal(await count(log), 2);
  assert.deepEqual(crawledNow(daybook.db), { 'gptbot /one': 3, 'gptbot /two': 3 });
});

test('--follow counts what is added, also where the log is moved away, missing, begun anew or emptied', async (t) => {
  const { daybook, log, crawled } = await started(t);
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
