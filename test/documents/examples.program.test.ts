import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { FIREFOX, folder } from '../support/helpers.ts';
import { COMPILED, program } from '../support/program.ts';
import { type Example, examplesIn, PAGES, textOf } from './documents.ts';
import { installIn } from './installed.ts';

/** The server of the documents. */
const ORIGIN = 'http://127.0.0.1:8377';

/** Runs the examples of a page one after another in one shell, beside `daybook demo --docs`, and gives what each printed. */
async function printed(t: TestContext, examples: readonly Example[]): Promise<string[]> {
  const daybook = program(t);
  const server = await daybook.serve(['--docs'], { command: 'demo' });
  const bin = installIn(folder(t));
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
  for (const page of PAGES)
    await t.test(page, async (t) => {
      const examples = examplesIn(textOf(`docs/${page}.md`));
      const answers = await printed(t, examples);
      assert.equal(answers.length, examples.length);
      examples.forEach(({ command, prints }, i) => {
        if (prints !== undefined) assert.match((answers[i] ?? '').trimEnd(), patternOf(prints), command);
      });
    });
});
