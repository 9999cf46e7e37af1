import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openStore } from '../../src/store/file/open-file.ts';
import { changeSwitch } from '../../src/store/sites/sites.ts';
import { crawledIn, crawledNow } from '../integrations/crawled.ts';
import { NOON } from '../support/helpers.ts';
import { CHROME, line, lines, started } from './access-log.ts';
import { here } from './here.ts';

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

test('requests from excluded addresses are left out and told of, by a flag and by a variable', async (t) => {
  const { daybook, log, crawled } = await started(t);
  writeFileSync(log, `${lines(2)}${line('/page', CHROME)}${lines(1).replace('192.0.2.1', '203.0.113.7')}`);
  const stdout =
    '4 lines read, 1 request of AI crawlers counted\nGPTBot 1\n2 requests from excluded IP addresses left out\n';
  const args = ['logs', 'example.com', log];
  const answer = { code: 0, stdout, stderr: '' };
  assert.deepEqual(await daybook.run([...args, '--exclude-addresses', '192.0.2.0/24']), answer);
  assert.deepEqual(crawled(), { '2026-03-10 gptbot /page': 1 });
  writeFileSync(log, lines(2).replace('192.0.2.1', '203.0.113.7'));
  const asked = await daybook.run(args, { env: { DAYBOOK_EXCLUDE_ADDRESSES: '192.0.2.1' } });
  assert.match(asked.stdout, /^2 lines read, 1 request .*\n.*\n1 request from excluded IP addresses left out\n$/);
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

test('lines that cannot be read are counted, with the number that the first has in the file', async (t) => {
  const { daybook, log, crawled } = await started(t);
  writeFileSync(log, `${lines(2)}nonsense\n${lines(1)}GPTBot\n`);
  const first = await daybook.run(['logs', 'example.com', log]);
  assert.deepEqual(first, {
    code: 0,
    stdout: '5 lines read, 3 requests of AI crawlers counted\nGPTBot 3\n',
    stderr: '2 lines cannot be read. The first is line 3\n',
  });
  appendFileSync(log, `${lines(1)}nonsense\n`);
  assert.equal(
    (await daybook.run(['logs', 'example.com', log])).stderr,
    '1 line cannot be read. The first is line 7\n',
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
    [1, 'there is no site nobody.example. To add it, run daybook site add', ['nobody.example', log]],
    [1, `${log}.1: there is no such file`, ['example.com', `${log}.1`]],
    [1, `${log}.1: there is no such file`, ['example.com', `${log}.1`, '--follow']],
    [1, `${daybook.folder}: this is a folder`, ['example.com', daybook.folder]],
    [
      1,
      'this is no access log in the formats combined, caddy, json or cloudfront. To use a format anyway, name it with --format',
      ['example.com', strange],
    ],
    [1, `${packed}: a gzip file does not grow. Leave out --follow`, ['example.com', packed, '--follow']],
    [2, '--format takes combined, caddy, json, cloudfront, not "nginx"', ['example.com', log, '--format', 'nginx']],
    [2, '--follow takes a file. A pipe is always read to its end', ['example.com', '-', '--follow']],
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
  assert.equal(stderr, 'daybook: example.com does not count AI crawlers (track_crawlers). Turn this on first\n');
  assert.deepEqual(crawledIn(daybook.db), {});
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
