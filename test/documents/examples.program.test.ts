import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { FIREFOX, folder, NOON } from '../support/helpers.ts';
import { COMPILED, DAYBOOK, program } from '../support/program.ts';
import { type Example, examplesIn, PAGES, textOf } from './documents.ts';

/** The server of the documents. */
const ORIGIN = 'http://127.0.0.1:8377';
const DAYS = 40;
const VISITORS = 12;
const DAY_MS = 86_400_000;

/** The past of example.com: of three visitors two read a second page, and the first of each day signs up. */
function* past(): Generator<string> {
  for (let ago = DAYS; ago > 0; ago--)
    for (let n = 0; n < VISITORS; n++) {
      const visitor = { visitor: `v${n}`, country: n % 3 === 0 ? 'DE' : 'US', device: 'Desktop', browser: 'Firefox' };
      const at = (minute: number) => new Date(NOON - ago * DAY_MS + (n * 5 + minute) * 60_000).toISOString();
      const referrer = n % 2 === 0 ? 'https://search.example/' : '';
      yield JSON.stringify({ at: at(0), url: 'https://example.com/', referrer, ...visitor });
      if (n % 3 < 2) yield JSON.stringify({ at: at(1), url: `https://example.com/blog/${n % 4}`, ...visitor });
      if (n === 0)
        yield JSON.stringify({ at: at(2), url: 'https://example.com/', event: 'signup', label: 'pro', ...visitor });
    }
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** The file that every page begins with: somebody, a site and its past. */
async function made(t: TestContext): Promise<string> {
  const { db, print } = program(t);
  await print(['user', 'add', 'you@example.com', '--password-stdin'], { input: 'a password of examples' });
  await print(['site', 'add', 'you@example.com', 'example.com']);
  await print(['import', 'example.com', '-', '--format', 'ndjson'], { input: [...past()].join('\n') });
  return db;
}

/** Runs the examples of a page one after another in one shell, with a server, and gives what each printed. */
async function printed(t: TestContext, examples: readonly Example[], file: string): Promise<string[]> {
  const daybook = program(t);
  copyFileSync(file, daybook.db);
  const server = await daybook.serve(['--mcp']);
  const bin = join(folder(t), 'bin');
  mkdirSync(bin);
  const words = [process.execPath, ...DAYBOOK].map(quoted).join(' ');
  writeFileSync(join(bin, 'daybook'), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  const script = examples
    .map(({ command }) => `${command}\nprintf '\\0'\n`)
    .join('')
    .replaceAll(ORIGIN, server.url);
  const env = { ...COMPILED, PATH: `${bin}:/usr/bin:/bin`, DAYBOOK_PORT: String(server.port), AGENT: FIREFOX };
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd: daybook.folder, env, stdio: 'pipe' });
  shell.stdin.end();
  const [stdout, stderr, [code]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'close')]);
  assert.equal(code, 0, `${stdout}\n${stderr}`);
  return stdout.replaceAll(server.url, ORIGIN).split('\0').slice(0, -1);
}

/** What the documents say is printed, in which … is any text. */
const patternOf = (prints: string): RegExp =>
  new RegExp(
    `^${prints
      .trimEnd()
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('[^]*?')}$`,
  );

test('the examples of every page print what the page says', async (t) => {
  const file = await made(t);
  for (const page of PAGES)
    await t.test(page, async (t) => {
      const examples = examplesIn(textOf(`docs/${page}.md`));
      const answers = await printed(t, examples, file);
      assert.equal(answers.length, examples.length);
      examples.forEach(({ command, prints }, i) => {
        if (prints !== undefined) assert.match((answers[i] ?? '').trimEnd(), patternOf(prints), command);
      });
    });
});
