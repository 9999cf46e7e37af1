import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { furnish } from './support/furnish.ts';
import { DAYBOOK, PROGRAM, program } from './support/program.ts';

const COMMANDS = [
  'serve',
  'user add EMAIL',
  'user password EMAIL',
  'site add EMAIL DOMAIN',
  'token add EMAIL',
  'plan set NAME',
  'plan use EMAIL NAME',
  'plan end EMAIL',
  'site change DOMAIN',
  'backup FILE',
  'restore FILE',
  'doctor',
  'health',
];

test('without arguments the program shows its help, as it does for --help and help', async (t) => {
  const { run } = program(t);
  const answers = await Promise.all([run([]), run(['--help']), run(['help'])]);
  for (const { code, stdout, stderr } of answers) {
    assert.equal(code, 0);
    assert.equal(stderr, '');
    for (const command of COMMANDS) assert.ok(stdout.includes(`\n  ${command} `), `${command} is missing:\n${stdout}`);
    assert.equal(stdout, answers[0]?.stdout);
  }
});

test('--version prints the version of package.json alone', async (t) => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  assert.deepEqual(await program(t).run(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' });
});

test('an unknown command is an error that names the nearest one', async (t) => {
  const { run } = program(t);
  const typed: [string[], string][] = [
    [['serv'], 'serve'],
    [['user', 'ad', 'ann@example.com'], 'user add'],
    [['user', 'pasword', 'ann@example.com'], 'user password'],
    [['tokens', 'add'], 'token add'],
    [['plan', 'ends'], 'plan end'],
    [['site', 'aded'], 'site add'],
  ];
  for (const [args, meant] of typed) {
    const { code, stdout, stderr } = await run(args);
    const name = args.slice(0, 2).join(' ');
    assert.equal(stderr, `daybook: unknown command "${name}". Did you mean "${meant}"? See daybook --help\n`);
    assert.equal(code, 2);
    assert.equal(stdout, '');
  }
});

test('the first word of a command alone leads to the commands that begin with it', async (t) => {
  const { run } = program(t);
  for (const word of ['user', 'site', 'token', 'plan']) {
    const { code, stderr } = await run([word]);
    assert.equal(code, 2);
    assert.match(stderr, new RegExp(`^daybook: "${word}" takes one of (\\w+, )+\\w+. See daybook help ${word}\n$`));
  }
});

test('an unknown flag before any command is an error that names the nearest one', async (t) => {
  const { run } = program(t);
  for (const [typed, meant] of [
    ['--verson', '--version'],
    ['--hepl', '--help'],
  ] as const) {
    const { code, stdout, stderr } = await run([typed]);
    assert.equal(code, 2);
    assert.equal(stdout, '');
    assert.match(stderr, new RegExp(`^daybook: .*${typed}.*[Dd]id you mean "?${meant}.*\n$`));
  }
});

test('a disk that fills in the middle of a command is named with what to do', async (t) => {
  // A limit on the size of a file fails the write that crosses it, as a full disk does.
  const limited = program(t, { command: ['sh', '-c', 'ulimit -f 1500; exec "$0" "$@"', process.execPath, ...DAYBOOK] });
  await furnish(limited.db);
  const log = join(limited.folder, 'access.log');
  const lines = Array.from(
    { length: 20_000 },
    (_, n) =>
      `192.0.2.1 - - [02/Mar/2026:00:00:00 +0000] "GET /${n}/${'x'.repeat(200)} HTTP/1.1" 200 1 "-" "GPTBot/1.2"\n`,
  );
  writeFileSync(log, lines.join(''));
  const { code, stderr } = await limited.run(['logs', 'example.com', log]);
  assert.match(stderr, /^daybook: \S+daybook\.db: the disk (is full|cannot be read or written)\. [^\n]+\n$/);
  assert.equal(code, 78);
});

test('a reader that goes away early sees no stack trace', async () => {
  const child = spawn(process.execPath, [PROGRAM, '--help'], { env: {}, stdio: ['ignore', 'pipe', 'pipe'] });
  // Long before the program has begun to write.
  child.stdout.destroy();
  assert.equal(await text(child.stderr), '');
});
