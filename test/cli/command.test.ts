import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { commands } from '../../src/cli/commands.ts';
import { nameVariable, OPTIONS, SERVER_OPTIONS } from '../../src/options.ts';
import { furnish } from '../support/furnish.ts';
import type { Program } from '../support/program.ts';
import { commandLine, here } from './here.ts';

/** What each command takes besides --help: settings, which have a variable too, and flags of its own. */
const COMMANDS: { words: string[]; settings: readonly string[]; flags: string[] }[] = [
  { words: ['serve'], settings: SERVER_OPTIONS, flags: [] },
  {
    words: ['collect'],
    settings: [
      ...[
        'primary',
        'secret-file',
        'outbox',
        'ack',
        'port',
        'host',
        'base-url',
        'trusted-proxies',
        'exclude-addresses',
      ],
      ...['script', 'flood', 'day-capacity', 'geoip', 'country-header', 'spam-list', 'metrics-token'],
    ],
    flags: [],
  },
  { words: ['cluster', 'adopt'], settings: ['db', 'engine'], flags: ['yes'] },
  { words: ['cluster', 'unknown'], settings: ['db', 'engine'], flags: ['delete'] },
  { words: ['collectors', 'add'], settings: ['db'], flags: ['secret-file'] },
  { words: ['site', 'list'], settings: ['db'], flags: ['json'] },
  { words: ['site', 'remove'], settings: ['db'], flags: ['yes'] },
  { words: ['user', 'add'], settings: ['db', 'base-url'], flags: ['password-stdin'] },
  { words: ['user', 'password'], settings: ['db', 'base-url'], flags: ['password-stdin'] },
  { words: ['site', 'add'], settings: ['db'], flags: ['time-zone'] },
  { words: ['token', 'add'], settings: ['db'], flags: ['name', 'abilities'] },
  { words: ['plan', 'set'], settings: ['db'], flags: ['sites', 'members', 'events'] },
  { words: ['plan', 'use'], settings: ['db'], flags: [] },
  { words: ['plan', 'end'], settings: ['db'], flags: [] },
];

/** A help text with each entry on one line. */
const unwrapped = (help: string): string => help.replaceAll(/\n {10,}/g, ' ');

/** What is said of a wrong call. */
type Refused = [words: string[], message: string];

async function assertRefused({ db }: Pick<Program, 'db'>, ...calls: Refused[]): Promise<void> {
  for (const [words, message] of calls) {
    await assert.rejects(here(db, ...words), { message, exitCode: 2 }, words.join(' '));
  }
}

test('the help of each command lists exactly its flags and their variables, and does nothing', async (t) => {
  const { run, db } = commandLine(t);
  const check = async ({ words, settings, flags }: (typeof COMMANDS)[number]) => {
    const { code, stdout, stderr } = await run([...words, '--help']);
    assert.equal(code, 0);
    assert.equal(stderr, '');
    assert.ok(stdout.startsWith(`daybook ${words.join(' ')} `), stdout);
    const rows = unwrapped(stdout)
      .split('\n')
      .filter((line) => line.startsWith('  --'));
    const listed = rows.map((row) => /--([\w-]+)/.exec(row)?.[1]);
    assert.deepEqual(listed, [...settings, ...flags, 'help']);
    for (const name of settings) {
      const row = rows.find((one) => one.startsWith(`  --${name} `));
      assert.match(row ?? '', new RegExp(`\\bor ${nameVariable(name)}\\)`));
    }
  };
  await Promise.all(COMMANDS.map(check));
  assert.equal(existsSync(db), false);
});

test('the help of serve shows the default of every setting that has one', async (t) => {
  const help = unwrapped(await commandLine(t).print(['serve', '--help']));
  for (const name of SERVER_OPTIONS.filter((option) => OPTIONS[option].fallback !== '')) {
    assert.match(help, new RegExp(`  --${name} .*\\(default ${OPTIONS[name].fallback.replaceAll('.', '\\.')}, `));
  }
});

test('the help of a command has no default and no variable that it does not use', async (t) => {
  const { print } = commandLine(t);
  assert.doesNotMatch(await print(['demo', '--help']), /daybook\.db|DAYBOOK_DB/);
  const health = unwrapped(await print(['health', '--help']));
  assert.match(health, /--host IP +IP address of the server to ask \(default 127\.0\.0\.1, or DAYBOOK_HOST\)/);
  assert.doesNotMatch(health, /listen on|free port/);
});

test('help is found however somebody looks for it', async (t) => {
  const { print, run } = commandLine(t);
  const serve = await print(['serve', '--help']);
  for (const words of [
    ['serve', '-h'],
    ['help', 'serve'],
    ['help', 'serve', '--help'],
  ]) {
    assert.equal(await print(words), serve, words.join(' '));
  }
  assert.equal(await print(['-h']), await print(['--help']));
  assert.match(await print(['help', 'user', 'add']), /^daybook user add EMAIL /);
  for (const words of [
    ['help', 'user'],
    ['user', '--help'],
    ['user', '-h'],
  ]) {
    const group = await print(words);
    assert.match(group, /^ {2}user add EMAIL .*\n/m);
    assert.doesNotMatch(group, /^ {2}site/m);
  }
  assert.equal(await print(['version']), await print(['--version']));
  const ofImport = await print(['help', 'import']);
  assert.equal(ofImport, await print(['import', '--help']));
  assert.match(ofImport, /^daybook import DOMAIN FILE [\s\S]*\nSee also:\n {2}import list DOMAIN /);
  assert.match((await run(['help', 'foo'])).stderr, /unknown command "foo". See daybook --help/);
});

test('help: commands stand in groups, and no line has more than 100 columns', async (t) => {
  const { print } = commandLine(t);
  const all = await print(['help']);
  assert.deepEqual(all.match(/^[A-Z]\w+$/gm), ['Server', 'People', 'Sites', 'Data', 'Cluster']);
  for (const { name } of commands) {
    assert.match(all, new RegExp(`^ {2}${name}( |$)`, 'm'));
    for (const line of [...(await print(['help', ...name.split(' ')])).split('\n'), ...all.split('\n')])
      assert.ok(line.length <= 100, line);
  }
});

test('an unknown command names what is near, or the commands of its group, and nothing else', async (t) => {
  await assertUnknown(t, {
    foo: 'unknown command "foo". See daybook --help',
    sites: 'unknown command "sites". Did you mean "site"? See daybook --help',
    site: '"site" takes one of add, list, change, remove. See daybook help site',
    'user frobnicate': '"user" takes one of add, password, email, change, list, remove. See daybook help user',
  });
});

async function assertUnknown(t: TestContext, messages: Record<string, string>): Promise<void> {
  const { run } = commandLine(t);
  for (const [typed, message] of Object.entries(messages)) {
    const { code, stderr } = await run(typed.split(' '));
    assert.deepEqual([code, stderr], [2, `daybook: ${message}\n`]);
  }
}

test('an unknown flag is an error that names the nearest one', async (t) => {
  const daybook = commandLine(t);
  await assertRefused(
    daybook,
    [['serve', '--prot', '1'], 'unknown flag --prot. Did you mean --port?'],
    [['serve', '--base-uri=x'], 'unknown flag --base-uri. Did you mean --base-url?'],
    [['user', 'add', '--hlep'], 'unknown flag --hlep. Did you mean --help?'],
    [['plan', 'set', 'x', '--site', '1'], 'unknown flag --site. Did you mean --sites?'],
  );
});

test('a flag of another command is unknown', async (t) => {
  const { run } = commandLine(t);
  const { code, stdout, stderr } = await run(['user', 'add', 'ann@example.com', '--port', '1']);
  assert.deepEqual([code, stdout], [2, '']);
  assert.equal(stderr, 'daybook: unknown flag --port. See daybook user add --help\n');
});

test('an unknown DAYBOOK_ variable is an error that names the nearest one', async (t) => {
  const { run, db } = commandLine(t);
  const stderr = 'daybook: unknown variable DAYBOOK_PROT. Did you mean DAYBOOK_PORT?\n';
  for (const args of [['serve'], ['user', 'add', 'ann@example.com']]) {
    assert.deepEqual(await run(args, { env: { DAYBOOK_PROT: '1' } }), { code: 2, stdout: '', stderr });
  }
  assert.equal(existsSync(db), false);
});

test('a missing argument is named together with all that the command takes', async (t) => {
  const daybook = commandLine(t);
  await assertRefused(
    daybook,
    [['user', 'add'], 'EMAIL is missing: daybook user add EMAIL'],
    [['site', 'add', 'ann@example.com'], 'DOMAIN is missing: daybook site add EMAIL DOMAIN'],
    [['plan', 'set', '--sites', '1'], 'NAME is missing: daybook plan set NAME'],
  );
});

test('an extra argument is an error', async (t) => {
  const daybook = commandLine(t);
  await assertRefused(
    daybook,
    [['serve', 'now'], 'unexpected argument "now". See daybook serve --help'],
    [
      ['plan', 'end', 'ann@example.com', 'bob@example.com'],
      'unexpected argument "bob@example.com". See daybook plan end --help',
    ],
  );
});

test('a flag that is given twice is an error', async (t) => {
  const daybook = commandLine(t);
  await assertRefused(
    daybook,
    [['serve', '--port', '1', '--port', '2'], '--port is given twice'],
    [['serve', '--port=1', '--port=1'], '--port is given twice'],
    [['user', 'add', 'ann@example.com', '--password-stdin', '--password-stdin'], '--password-stdin is given twice'],
  );
});

test('a flag without its value is an error, also when another flag stands behind it', async (t) => {
  const daybook = commandLine(t);
  await assertRefused(
    daybook,
    [['serve', '--port'], '--port needs N'],
    [['serve', '--port', '--db', 'other.db'], '--port needs N'],
    [['user', 'add', 'ann@example.com', '--db', '--password-stdin'], '--db needs FILE'],
  );
  assert.equal(existsSync(join(daybook.folder, '--password-stdin')), false);
});

test('a switch with a value is an error', async (t) => {
  await assertRefused(commandLine(t), [
    ['user', 'add', 'ann@example.com', '--password-stdin=yes'],
    '--password-stdin takes no value',
  ]);
});

test('a required flag that is missing is an error', async (t) => {
  const daybook = commandLine(t);
  await assertRefused(
    daybook,
    [['token', 'add', 'ann@example.com', '--abilities', 'read'], '--name NAME is required'],
    [['token', 'add', 'ann@example.com', '--name', 'x'], '--abilities LIST is required'],
  );
});

test('flags may stand before, between and behind the arguments, with a blank or an equals sign', async (t) => {
  const { print } = commandLine(t);
  await print(['user', 'add', '--db', 'here.db', 'ann@example.com']);
  assert.equal(await print(['site', 'add', 'ann@example.com', '--db=here.db', 'one.example']), '1');
  assert.equal(await print(['site', 'add', 'ann@example.com', 'two.example', '--db', 'here.db']), '2');
});

test('the file is ./daybook.db, or the one of DAYBOOK_DB, or the one of --db, which wins', async (t) => {
  const { print, folder } = commandLine(t);
  const files = () => ['daybook.db', 'variable.db', 'flag.db'].filter((name) => existsSync(join(folder, name)));
  const env = { DAYBOOK_DB: 'variable.db' };
  await print(['user', 'add', 'ann@example.com', '--db', 'flag.db'], { env });
  assert.deepEqual(files(), ['flag.db']);
  await print(['user', 'add', 'ann@example.com'], { env });
  assert.deepEqual(files(), ['variable.db', 'flag.db']);
  await print(['user', 'add', 'ann@example.com']);
  assert.deepEqual(files(), ['daybook.db', 'variable.db', 'flag.db']);
});

test('every command says in one line that there is no such user', async (t) => {
  const { db } = commandLine(t);
  await furnish(db);
  const calls = [
    ['user', 'password', 'nobody@example.com'],
    ['site', 'add', 'nobody@example.com', 'example.com'],
    ['token', 'add', 'nobody@example.com', '--name', 'x', '--abilities', 'read'],
    ['plan', 'use', 'nobody@example.com', 'self-hosted'],
    ['plan', 'end', 'nobody@example.com'],
  ];
  for (const args of calls) {
    const message = 'there is no user nobody@example.com. To add them, run daybook user add nobody@example.com';
    await assert.rejects(here(db, ...args), { message, exitCode: 1 }, args.join(' '));
  }
});

test('a command that can only be about something that is there makes no file', async (t) => {
  const { folder, db } = commandLine(t);
  const calls = [
    ['user', 'password', 'ann@example.com'],
    ['site', 'add', 'ann@example.com', 'example.com'],
    ['token', 'add', 'ann@example.com', '--name', 'x', '--abilities', 'read'],
    ['plan', 'use', 'ann@example.com', 'self-hosted'],
    ['plan', 'end', 'ann@example.com'],
  ];
  for (const args of calls) {
    const message = `${db}: there is no such file. Name another with --db`;
    await assert.rejects(here(db, ...args), { message, exitCode: 78 }, args.join(' '));
  }
  assert.deepEqual(readdirSync(folder), []);
});
