import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { furnish } from '../support/furnish.ts';
import { type Program, program } from '../support/program.ts';
import { missing } from '../support/web-servers.ts';
import {
  CRAWLER_AGENTS,
  crawledNow,
  freePort,
  integration,
  PEOPLE,
  type Running,
  start,
  untilListening,
  visit,
} from './crawled.ts';

const skip = missing('caddy', 'version');

/** Caddy with the file of integrations/ and two pages. */
async function serving(t: TestContext, { folder }: Program): Promise<{ port: number; caddy: Running }> {
  const port = await freePort();
  const root = join(folder, 'www');
  mkdirSync(root, { recursive: true });
  for (const name of ['index.html', 'page', 'robots.txt', 'style.css', 'café']) writeFileSync(join(root, name), name);
  const site = integration('Caddyfile', {
    'example.com {': `http://example.com:${port} {`,
    '/var/www/html': root,
    '/var/log/caddy': folder,
  });
  writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}\n${site}`);
  const caddy = start(t, ['caddy', 'run', '--config', 'Caddyfile', '--adapter', 'caddyfile'], folder);
  await untilListening(port);
  return { port, caddy };
}

test('Caddy writes what daybook logs counts, once, also when it begins a new log and the old one is packed', {
  skip,
}, async (t) => {
  const daybook = program(t);
  await furnish(daybook.db);
  const log = join(daybook.folder, 'access.log');
  const first = await serving(t, daybook);
  const expected: Record<string, number> = {};
  for (const { id, agent } of CRAWLER_AGENTS) {
    assert.equal(await visit(first.port, '/page?q=1', agent), 200);
    expected[`${id} /page`] = 1;
  }
  for (const agent of PEOPLE) assert.equal(await visit(first.port, '/page', agent), 200);
  assert.equal(await visit(first.port, '/missing/', 'GPTBot/1.2'), 404);
  assert.equal(await visit(first.port, '/robots.txt', 'GPTBot/1.2'), 200);
  assert.equal(await visit(first.port, '/caf%C3%A9', 'an agent of "quotes" and \\: GPTBot'), 200);
  assert.equal(await visit(first.port, '/style.css', 'GPTBot/1.2'), 200);
  Object.assign(expected, { 'gptbot /missing': 1, 'gptbot /robots.txt': 1, 'gptbot /caf%C3%A9': 1 });
  await first.caddy.stop();
  const lines = CRAWLER_AGENTS.length + PEOPLE.length + 4;
  const summary = await daybook.print(['logs', 'example.com', log]);
  assert.match(summary, new RegExp(`^${lines} lines read, ${CRAWLER_AGENTS.length + 3} requests of AI crawlers`));
  assert.deepEqual(crawledNow(daybook.db), expected);

  renameSync(log, `${log}.1`);
  const second = await serving(t, daybook);
  assert.equal(await visit(second.port, '/page', 'GPTBot/1.2'), 200);
  await second.caddy.stop();
  writeFileSync(`${log}.1.gz`, gzipSync(readFileSync(`${log}.1`)));
  for (const [file, read] of [
    [log, 1],
    [`${log}.1.gz`, 0],
  ] as const) {
    assert.match(
      await daybook.print(['logs', 'example.com', file]),
      new RegExp(`^${read} lines? read, ${read} requests?`),
    );
  }
  assert.deepEqual(crawledNow(daybook.db), { ...expected, 'gptbot /page': 2 });
});
