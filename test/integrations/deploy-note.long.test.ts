import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../cli/here.ts';
import { receiver } from '../mail/receiver.ts';
import { folder } from '../support/helpers.ts';

const ACTION = fileURLToPath(new URL('../../integrations/deploy-note', import.meta.url));
const ANN = 'ann@example.com';
const COMMIT = '1f2e3d4c5b6a79880123456789abcdef01234567';
/** The clock of the server stands at noon of this day (test/cli/here.ts). */
const AT = '2026-03-10T11:00:00Z';

const skip = ['bash', 'curl'].some((name) => spawnSync(name, ['--version']).error) && 'bash or curl is missing';

type Inputs = Record<string, string>;

/** The shell step of the action, and its environment: each variable is one input. */
function readStep(): { run: string; env: Record<string, string> } {
  const action = readFileSync(join(ACTION, 'action.yml'), 'utf8');
  const run = /^ {6}run: (.+)$/m.exec(action)?.[1] ?? '';
  const env = [...action.matchAll(/^ {8}(\w+): \$\{\{ inputs\.(\w+) \}\}$/gm)].map(([, name = '', input = '']) => [
    name,
    input,
  ]);
  return { run, env: Object.fromEntries(env) };
}

/** Runs the step as a runner does: each variable of the environment gets the value of its input. */
async function runStep(t: TestContext, inputs: Inputs) {
  const { run, env } = readStep();
  const own = Object.entries(env).map(([name, input]) => [name, inputs[input] ?? '']);
  const cwd = folder(t);
  const step = spawn('bash', ['-e', '-o', 'pipefail', '-c', run], {
    cwd,
    env: { PATH: process.env.PATH, GITHUB_ACTION_PATH: ACTION, ...Object.fromEntries(own) },
    stdio: 'pipe',
  });
  const [stdout, stderr, [code]] = await Promise.all([text(step.stdout), text(step.stderr), once(step, 'close')]);
  return { code: code as number, stdout, stderr, made: existsSync(join(cwd, 'made')) };
}

/** A server with a site, and a token that may only add notes. */
async function stage(t: TestContext) {
  const daybook = commandLine(t);
  await daybook.print(['user', 'add', ANN]);
  await daybook.print(['site', 'add', ANN, 'example.com']);
  const token = await daybook.print(['token', 'add', ANN, '--name', 'deploys', '--abilities', 'note']);
  const { url } = await daybook.serve();
  const inputs = { server: url, site: 'example.com', token, text: 'Deploy', commit: COMMIT, url: '', at: AT };
  return {
    inputs,
    add: (more: Inputs) => runStep(t, { ...inputs, ...more }),
    listTexts: async () =>
      JSON.parse(await daybook.print(['notes', 'example.com', '--json'])).map(({ text }: { text: string }) => text),
  };
}

test('deploy note: the step adds a note with its commit and its page', { skip }, async (t) => {
  const { add, inputs } = await stage(t);
  const page = 'https://git.example.com/site/commit/1f2e3d4?a="b"';
  const { code, stdout, stderr } = await add({
    ...{ server: `${inputs.server}/`, text: 'Release 7\n\nA body', url: page, effect: 'true' },
  });
  assert.equal(code, 0, stderr);
  const { date, text, url, effect } = JSON.parse(stdout).data;
  assert.deepEqual(
    { date, text, url, effect },
    { date: '2026-03-10', text: 'Release 7 A body 1f2e3d4', url: page.replaceAll('"', '%22'), effect: true },
  );
});

test('deploy note: a hostile text stays text, and runs nothing', { skip }, async (t) => {
  const { add, listTexts } = await stage(t);
  const hostile = [
    '$(touch made) `touch made` $IFS $HOME; touch made & | > made',
    `"quoted" 'single' \\" \\n {"a":1}","url":"https://bad.example"`,
    '-d @/etc/passwd --output made',
    '@/etc/passwd',
    '$' + '{{ secrets.TOKEN }} ::set-output name=a::b',
    'Größe 🎉 \u202e',
  ];
  for (const text of hostile) {
    const { code, stderr, made } = await add({ text, commit: '' });
    assert.deepEqual([code, made], [0, false], `${text}: ${stderr}`);
  }
  assert.deepEqual(await listTexts(), hostile);
  await add({ text: 'a\r\n\tb\u2028c\u0007', commit: '$(touch made)' });
  assert.equal((await listTexts()).at(-1), 'a b c $(touch');
  for (const site of ['../../account', 'example.com/notes?x=', 'example.com#']) {
    const { code, stdout } = await add({ site });
    assert.deepEqual([code, JSON.parse(stdout).error.code], [22, 'not_found'], site);
  }
});

test('deploy note: a long text is cut before its commit, and an empty one is a deploy', { skip }, async (t) => {
  const { add, listTexts } = await stage(t);
  for (const text of ['🎉'.repeat(300), '', 'Revert 1f2e3d4']) assert.equal((await add({ text })).code, 0);
  assert.deepEqual(await listTexts(), [`${'🎉'.repeat(192)} 1f2e3d4`, 'Deploy 1f2e3d4', 'Revert 1f2e3d4']);
});

test('deploy note: a failure fails the step with the answer of the server, and never prints the token', {
  skip,
}, async (t) => {
  const { add, inputs } = await stage(t);
  const wrong = `${inputs.token}x`;
  const refused = await add({ token: wrong });
  assert.deepEqual([refused.code, JSON.parse(refused.stdout).error.code], [22, 'unauthenticated']);
  const future = await add({ at: '2026-03-11T11:00:00Z' });
  assert.deepEqual([future.code, Object.keys(JSON.parse(future.stdout).error.fields)], [22, ['at']]);
  const nowhere = await add({ server: 'http://127.0.0.1:9' });
  assert.notEqual(nowhere.code, 0);
  const file = await add({ server: 'file:///etc' });
  assert.notEqual(file.code, 0);
  for (const { stdout, stderr } of [refused, future, nowhere, file]) {
    assert.ok(!`${stdout}${stderr}`.includes(inputs.token.split('|')[1] ?? ''));
  }
});

test('deploy note: without a moment, the note is of now', { skip }, async (t) => {
  const { url, received, state } = await receiver(t, '');
  state.status = 201;
  const { code, stderr } = await runStep(t, { server: url, site: 'example.com', token: '1|x', text: 'Deploy' });
  assert.equal(code, 0, stderr);
  assert.match(JSON.parse(received[0]?.body ?? '{}').at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('deploy note: all inputs come by the environment, and the example gives each required one', () => {
  const action = readFileSync(join(ACTION, 'action.yml'), 'utf8');
  const { run, env } = readStep();
  assert.ok(!run.includes('${{'), 'an expression in a command would be run');
  const inputs = [...action.matchAll(/^ {2}(\w+):\n {4}description: .*\n {4}(required|default)/gm)];
  assert.deepEqual(
    Object.values(env),
    inputs.map(([, name]) => name),
  );
  const example = readFileSync(join(ACTION, 'example.yml'), 'utf8');
  for (const [, name, kind] of inputs)
    if (kind === 'required') assert.match(example, new RegExp(`^ {10}${name}: `, 'm'));
});
