import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { furnish } from '../support/furnish.ts';
import { PROGRAM, program } from '../support/program.ts';
import { type Counts, CRAWLER_AGENTS, crawledNow, freePort, PEOPLE, start, untilListening, visit } from './crawled.ts';

const skip = spawnSync('php', ['-v']).error ? 'PHP is not installed: apt-get install php-cli' : false;

test('the file for PHP reports each crawler and no browser', { skip }, async (t) => {
  // PHP says when, by the clock of the machine.
  const daybook = program(t, { command: [process.execPath, PROGRAM] });
  const token = await furnish(daybook.db);
  const { url } = await daybook.serve();
  const temporary = join(daybook.folder, 'tmp');
  mkdirSync(temporary);
  const file = fileURLToPath(new URL('../../integrations/daybook-crawls.php', import.meta.url));
  writeFileSync(
    join(daybook.folder, 'index.php'),
    `<?php
    define('DAYBOOK_SERVER', '${url}');
    define('DAYBOOK_SITE', 'example.com');
    define('DAYBOOK_TOKEN', '${token}');
    require '${file}';
    http_response_code($_SERVER['REQUEST_URI'] === '/missing' ? 404 : 200);
    echo 'page';`,
  );
  const port = await freePort();
  start(t, ['php', '-d', `sys_temp_dir=${temporary}`, '-S', `127.0.0.1:${port}`, 'index.php'], daybook.folder);
  await untilListening(port);

  const expected: Counts = { 'gptbot /missing': 1, 'gptbot /caf%C3%A9': 1 };
  for (const { id, agent } of CRAWLER_AGENTS) {
    assert.equal(await visit(port, '/page?q=1', agent), 200);
    expected[`${id} /page`] = 1;
  }
  for (const agent of PEOPLE) await visit(port, '/page', agent);
  assert.equal(await visit(port, '/missing', 'GPTBot "quoted"'), 404);
  await visit(port, '/style.css', 'GPTBot');

  // The first one goes at once and the others wait for the pause to be over, which is when the file says so.
  const [name = ''] = readdirSync(temporary);
  const waiting = join(temporary, name);
  writeFileSync(waiting, readFileSync(waiting, 'utf8').replace(/^\d+/, '1'));
  await visit(port, '/caf%C3%A9', 'GPTBot');
  assert.deepEqual(crawledNow(daybook.db), expected);
});
