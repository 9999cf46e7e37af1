import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { openStore } from '../../src/store/open.ts';
import { changeSwitch } from '../../src/store/sites.ts';
import { furnish } from '../furnish.ts';
import { NOON } from '../helpers.ts';
import { type Counts, crawledIn, crawledNow, startDaybook } from '../integrations/crawled.ts';
import { DAYBOOK, PROGRAM, program, until } from '../program.ts';
import { here } from './here.ts';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

let moments = 0;

/** A line as a web server writes it, one after the other. */
function line(path: string, agent = 'GPTBot/1.2', host = ''): string {
  const second = moments++ % 86_400;
  const time = [second / 3_600, (second / 60) % 60, second % 60]
    .map((n) => String(Math.floor(n)).padStart(2, '0'))
    .join(':');
  return `${host}192.0.2.1 - - [10/Mar/2026:${time} +0000] "GET ${path} HTTP/1.1" 200 1234 "-" "${agent}"\n`;
}

const lines = (count: number, path = '/page'): string => Array.from({ length: count }, () => line(path)).join('');

/** Lines of which every fourth is a crawler's, and what they add up to. */
function mixed(count: number): { text: string; counts: Counts } {
  const counts: Counts = {};
  let text = '';
  for (let i = 0; i < count; i++) {
    const page = `/${i % 997}`;
    text += line(page, i % 4 === 0 ? 'GPTBot' : CHROME);
    const key = `2026-03-10 gptbot ${page}`;
    if (i % 4 === 0) counts[key] = (counts[key] ?? 0) + 1;
  }
  return { text, counts };
}

async function started(t: TestContext) {
  const daybook = program(t);
  const token = await furnish(daybook.db);
  const log = join(daybook.folder, 'access.log');
  const logs = async (...args: string[]) => (await here(daybook.db, 'logs', 'example.com', ...args)).printed.join('\n');
  const count = async (...args: string[]) => Number(/, (\d+) requests? of AI crawlers/.exec(await logs(...args))?.[1]);
  return { daybook, token, log, logs, count, crawled: () => crawledIn(daybook.db) };
}

test('it counts crawlers by day and page, and says what it has read', async (t) => {
  const { daybook, log, crawled } = await started(t);
  writeFileSync(log, `${lines(3)}${line('/page', CHROME)}${line('/x', 'ClaudeBot')}${line('/style.css')}`);
  assert.deepEqual(await daybook.run(['logs', 'EXAMPLE.com', log]), {
    code: 0,
    stdout: '6 lines read, 4 requests of AI crawlers counted\nGPTBot 3\nClaudeBot 1\n',
    stderr: '',
  });
  assert.deepEqual(crawled(), { '2026-03-10 claudebot /x': 1, '2026-03-10 gptbot /page': 3 });
});

test('a file counts once; what is added to it counts, under whatever name', async (t) => {
  const { daybook, log, logs, count, crawled } = await started(t);
  writeFileSync(log, lines(100));
  assert.equal(await count(log), 100);
  assert.equal(await logs(log), '0 lines read, 0 requests of AI crawlers counted');
  appendFileSync(log, lines(1));
  assert.equal(await count(log), 1);

  const moved = join(daybook.folder, 'moved');
  renameSync(log, moved);
  appendFileSync(moved, lines(2));
  writeFileSync(log, lines(3));
  assert.equal(await count(log), 3);
  assert.equal(await count(moved), 2);
  appendFileSync(moved, lines(4));
  writeFileSync(`${moved}.packed`, gzipSync(readFileSync(moved)));
  assert.equal(await count(`${moved}.packed`), 4);
  assert.equal(await count(moved), 0);
  assert.equal(await count(`${moved}.packed`), 0);
  assert.deepEqual(crawled(), { '2026-03-10 gptbot /page': 110 });
});

test('a file that was short when it was first read is known again when it has grown', async (t) => {
  const { log, count, crawled } = await started(t);
  for (const added of [1, 2, 4, 20, 40, 1]) {
    appendFileSync(log, lines(added));
    assert.equal(await count(log), added);
  }
  assert.deepEqual(crawled(), { '2026-03-10 gptbot /page': 68 });
});

test('a file that was emptied and written anew starts anew', async (t) => {
  const { log, count } = await started(t);
  for (const written of [50, 60, 2, 1]) {
    writeFileSync(log, lines(written));
    assert.equal(await count(log), written);
  }
});

test('an older copy of a file holds nothing new, and does not make the file count again', async (t) => {
  const { daybook, log, count } = await started(t);
  const copy = join(daybook.folder, 'copy');
  writeFileSync(log, lines(100));
  copyFileSync(log, copy);
  appendFileSync(log, lines(100));
  assert.equal(await count(log), 200);
  assert.equal(await count(copy), 0);
  assert.equal(await count(log), 0);
});

test('a last line without its end counts when it is whole, and once', async (t) => {
  const { log, logs, count } = await started(t);
  const [first, second, third] = [line('/1'), line('/2'), line('/3')];
  writeFileSync(log, first + second.slice(0, -20));
  assert.match(await logs(log), /^1 line read, 1 request /);
  appendFileSync(log, second.slice(-20, -1));
  assert.match(await logs(log), /^1 line read, 1 request /);
  appendFileSync(log, `\n${third}`);
  assert.match(await logs(log), /^1 line read, 1 request /);
  assert.equal(await count(log), 0);
});

test('a gzip file is known by its content, also one of several parts, and one that is cut off is an error', async (t) => {
  const { daybook, log, count } = await started(t);
  const packed = Buffer.concat([gzipSync(lines(10)), gzipSync(lines(20).trimEnd())]);
  writeFileSync(log, packed);
  assert.equal(await count(log), 30);
  writeFileSync(log, packed.subarray(0, -30));
  const { code, stderr } = await daybook.run(['logs', 'example.com', log]);
  assert.equal(code, 1);
  assert.match(stderr, /^daybook: [^\n]*access\.log: it is cut off or damaged \([^\n]*\)\n$/);
});

test('standard input and pipes count each time', async (t) => {
  const { daybook, log, crawled } = await started(t);
  writeFileSync(log, lines(3).trimEnd());
  const args = ['logs', 'example.com', '-'];
  const stdout = '3 lines read, 3 requests of AI crawlers counted\nGPTBot 3\n';
  for (let i = 0; i < 2; i++) {
    assert.deepEqual(await daybook.run(args, { input: readFileSync(log, 'utf8') }), { code: 0, stdout, stderr: '' });
  }
  const command = `${process.execPath} ${PROGRAM} logs example.com <(cat ${log})`;
  const bash = spawn('bash', ['-c', command], { cwd: daybook.folder, env: {}, stdio: 'ignore' });
  assert.deepEqual(await once(bash, 'close'), [0, null]);
  assert.deepEqual(crawled(), { '2026-03-10 gptbot /page': 9 });
});

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

test('lines that cannot be read are counted, with the number that the first has in the file', async (t) => {
  const { daybook, log, crawled } = await started(t);
  writeFileSync(log, `${lines(2)}nonsense\n${lines(1)}GPTBot\n`);
  const first = await daybook.run(['logs', 'example.com', log]);
  assert.deepEqual(first, {
    code: 0,
    stdout: '5 lines read, 3 requests of AI crawlers counted\nGPTBot 3\n',
    stderr: '2 lines cannot be read; the first is line 3\n',
  });
  appendFileSync(log, `${lines(1)}nonsense\n`);
  assert.equal(
    (await daybook.run(['logs', 'example.com', log])).stderr,
    '1 line cannot be read; the first is line 7\n',
  );
  assert.deepEqual(crawled(), { '2026-03-10 gptbot /page': 4 });
});

test('a log of several sites counts for each of them its own, once', async (t) => {
  const { daybook, log, count } = await started(t);
  await daybook.print(['site', 'add', 'ann@example.com', 'two.example']);
  const hosts = ['example.com:443', 'www.example.com:443', 'two.example:443', 'stranger.example:80'];
  writeFileSync(log, hosts.map((host) => line('/page', 'GPTBot', `${host} `)).join(''));
  assert.equal(await count(log), 2);
  assert.match(await daybook.print(['logs', 'two.example', log]), /, 1 request /);
  assert.equal(await count(log), 0);
  assert.deepEqual(crawledIn(daybook.db), { '2026-03-10 gptbot /page': 2 });
  assert.deepEqual(crawledIn(daybook.db, 'two.example'), { '2026-03-10 gptbot /page': 1 });
});

test('what cannot work is an error of one line', async (t) => {
  const { daybook, log } = await started(t);
  writeFileSync(log, lines(1));
  const strange = join(daybook.folder, 'strange');
  writeFileSync(strange, 'nonsense\n');
  const packed = join(daybook.folder, 'packed');
  writeFileSync(packed, gzipSync(lines(1)));
  const refusals: [code: number, message: string, args: string[]][] = [
    [1, 'there is no site nobody.example; daybook site add makes one', ['nobody.example', log]],
    [1, `${log}.1: there is no such file`, ['example.com', `${log}.1`]],
    [1, `${log}.1: there is no such file`, ['example.com', `${log}.1`, '--follow']],
    [1, `${daybook.folder}: this is a folder`, ['example.com', daybook.folder]],
    [
      1,
      'this is no access log in the formats combined, caddy or json; --format names one to insist on',
      ['example.com', strange],
    ],
    [1, `${packed}: a gzip file does not grow; leave out --follow`, ['example.com', packed, '--follow']],
    [2, '--format takes combined, caddy, json, not "nginx"', ['example.com', log, '--format', 'nginx']],
    [2, '--follow takes a file; a pipe is read to its end anyway', ['example.com', '-', '--follow']],
    [2, 'DOMAIN: Must be a host name such as example.com, without scheme, port or path.', ['1', log]],
  ];
  for (const [exitCode, message, args] of refusals) {
    await assert.rejects(here(daybook.db, 'logs', ...args), { message, exitCode }, args.join(' '));
  }

  const { db, close } = openStore(daybook.db);
  changeSwitch(db, 1, 'track_crawlers', false);
  close();
  const { code, stderr } = await daybook.run(['logs', 'example.com', log]);
  assert.equal(code, 1);
  assert.equal(stderr, 'daybook: example.com has track_crawlers switched off; switch it on first\n');
  assert.deepEqual(crawledIn(daybook.db), {});
});

test('killed at any moment it loses nothing and doubles nothing', async (t) => {
  const { daybook, log, logs } = await started(t);
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
  const { daybook, log, logs } = await started(t);
  const { text, counts } = mixed(40_000);
  writeFileSync(log, text);
  for (const { code, stderr } of await Promise.all([1, 2].map(() => daybook.run(['logs', 'example.com', log])))) {
    if (code !== 0) assert.equal(stderr, 'daybook: another daybook logs is reading the same file\n');
  }
  await logs(log);
  assert.deepEqual(crawledIn(daybook.db), counts);
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

test('under the former name of a renamed site its log is read for 30 days more, of the old and the new host', async (t) => {
  const { daybook, log, count, logs } = await started(t);
  const hosts = ['example.com', 'www.example.com', 'new.example', 'other.example'];
  writeFileSync(log, hosts.map((host) => line('/a', 'GPTBot', `${host} `)).join(''));
  await here(daybook.db, 'site', 'change', 'example.com', '--domain', 'new.example');
  assert.equal(await count(log), 3);
  const { db, close } = openStore(daybook.db);
  db.write(() => db.run('UPDATE former_domain SET until = ?', NOON / 1000));
  close();
  await assert.rejects(logs(log), { message: /there is no site example\.com/ });
});
