import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { furnish } from '../support/furnish.ts';
import { type Program, program, until } from '../support/program.ts';
import { missing, nginxCommand } from '../support/web-servers.ts';
import {
  CRAWLER_AGENTS,
  crawledNow,
  freePort,
  integration,
  PEOPLE,
  type Running,
  start,
  startDaybook,
  untilListening,
  visit,
} from './crawled.ts';

const skip = missing('nginx', '-v');

/** nginx with the file of integrations/ and two pages. */
async function serving(
  t: TestContext,
  { folder }: Program,
): Promise<{ port: number; nginx: Running; pid: () => number }> {
  const port = await freePort();
  const root = join(folder, 'www');
  mkdirSync(root);
  for (const name of ['index.html', 'page', 'robots.txt', 'style.css', 'café']) writeFileSync(join(root, name), name);
  const crawls = integration('nginx.conf', {
    'listen 80': `listen 127.0.0.1:${port}`,
    '/var/www/html': root,
    '/var/log/nginx': folder,
  });
  const nginx = start(t, nginxCommand(folder, crawls), folder);
  await untilListening(port);
  return { port, nginx, pid: () => Number(readFileSync(join(folder, 'pid'), 'utf8')) };
}

test('nginx writes what daybook logs counts: each crawler, also for what is not there, and no browser', {
  skip,
}, async (t) => {
  const daybook = program(t);
  for (const name of ['daybook.db', 'other.db']) await furnish(join(daybook.folder, name));
  const { port, nginx } = await serving(t, daybook);

  const expected: Record<string, number> = {};
  for (const { id, agent } of CRAWLER_AGENTS) {
    assert.equal(await visit(port, '/page?q=1', agent), 200);
    expected[`${id} /page`] = 1;
  }
  for (const agent of PEOPLE) assert.equal(await visit(port, '/page', agent), 200);
  assert.equal(await visit(port, '/missing/', 'GPTBot/1.2'), 404);
  assert.equal(await visit(port, '/robots.txt', 'GPTBot/1.2', 'www.example.com'), 200);
  assert.equal(await visit(port, '/caf%C3%A9', 'an agent of "quotes", \\ and é: GPTBot'), 200);
  assert.equal(await visit(port, '/style.css', 'GPTBot/1.2'), 200);
  assert.equal(await visit(port, '/', 'Googlebot/2.1'), 200);
  Object.assign(expected, { 'gptbot /missing': 1, 'gptbot /robots.txt': 1, 'gptbot /caf%C3%A9': 1 });
  assert.equal(await visit(port, '/', 'GPTBot/1.2', 'stranger.example'), 200);
  await nginx.stop('SIGQUIT');

  const written = readFileSync(join(daybook.folder, 'crawls.log'), 'utf8').trim().split('\n');
  assert.equal(written.length, CRAWLER_AGENTS.length + 6);
  const summary = await daybook.print(['logs', 'example.com', 'crawls.log', '--format', 'json']);
  assert.match(
    summary,
    new RegExp(`^${written.length} lines read, ${CRAWLER_AGENTS.length + 3} requests of AI crawlers`),
  );
  assert.deepEqual(crawledNow(daybook.db), expected);

  // The usual log names no host, so that the stranger's request, the last one, would count.
  const usual = readFileSync(join(daybook.folder, 'access.log'), 'utf8').trim().split('\n');
  writeFileSync(join(daybook.folder, 'usual.log'), usual.slice(0, -1).join('\n'));
  await daybook.print(['logs', 'example.com', 'usual.log', '--db', 'other.db']);
  assert.deepEqual(crawledNow(join(daybook.folder, 'other.db')), expected);
});

test('a log that nginx is told to begin anew is followed, with what it writes before it hears of it', {
  skip,
}, async (t) => {
  const daybook = program(t);
  await furnish(daybook.db);
  const { port, nginx, pid } = await serving(t, daybook);
  const log = join(daybook.folder, 'crawls.log');
  const following = startDaybook(t, daybook, 'logs', 'example.com', log, '--follow', '--format', 'json');
  const counted = (page: string) => () => crawledNow(daybook.db)[`claudebot ${page}`] === 1;

  await visit(port, '/one', 'ClaudeBot/1.0');
  await until('the first is counted', counted('/one'));
  renameSync(log, `${log}.1`);
  await visit(port, '/two', 'ClaudeBot/1.0');
  process.kill(pid(), 'SIGUSR1');
  await until('nginx has a new log', () => existsSync(log));
  await visit(port, '/three', 'ClaudeBot/1.0');
  for (const page of ['/two', '/three']) await until(`${page} is counted`, counted(page));
  await nginx.stop('SIGQUIT');

  const { code, output } = await following.stop();
  assert.deepEqual(
    { code, output },
    { code: 0, output: '3 lines read, 3 requests of AI crawlers counted\nClaudeBot 3\n' },
  );
});
