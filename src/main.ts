import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { mayUnpackBeside } from './assets/native.ts';
import { version } from './assets/version.ts';
import { findCommand, helpOn, helpOnAll, type Io, parse } from './cli/command.ts';
import { commands } from './cli/commands.ts';
import { Problem, Refusal, USAGE } from './lib/errors.ts';
import { nearest } from './lib/nearest.ts';
import { refusalOf } from './store/open.ts';

/** Supervisors kill a program 10 s after SIGTERM, so it ends by itself before that. */
const LONGEST_STOP_MS = 8_000;
const LONGEST_CRASH_MS = 2_000;

const explain = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const io: Io = {
  environment: process.env,
  print: (line) => process.stdout.write(`${line}\n`),
  explain,
  readInput: () => text(process.stdin),
  onStop(stop) {
    let asked = false;
    const ask = (exitCode: number, longest: number) => {
      if (asked) process.exit(exitCode || 1);
      asked = true;
      process.exitCode = exitCode;
      setTimeout(() => process.exit(1), longest).unref();
      stop();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => ask(0, LONGEST_STOP_MS));
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(event, (error) => {
        explain(JSON.stringify({ time: new Date().toISOString(), event, error: String(error?.stack ?? error) }));
        ask(1, LONGEST_CRASH_MS);
      });
    }
  },
};

/** The bundled libraries crash without a message on an older Node. */
const OLDEST_NODE = 22;

const isSqliteError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_');

/** The SQLite error that ended a command. The engine rejects with a Problem that has it as its cause (test/main.test.ts). */
const sqliteErrorIn = (error: unknown): unknown => [error, (error as Partial<Error>)?.cause].find(isSqliteError);

async function run(argv: string[]): Promise<void> {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) < OLDEST_NODE) {
    throw new Refusal(`node ${node} is too old; run npx daybook in the project folder, which uses the bundled node`);
  }
  const [first = '--help'] = argv;
  if (first === '--help' || first === 'help') return io.print(helpOnAll(commands));
  if (first === '--version') return io.print(version);
  if (first.startsWith('-')) {
    throw new Refusal(`unknown flag ${first}; did you mean ${nearest(first, ['--help', '--version'])}?`, USAGE);
  }
  const [command, rest] = findCommand(commands, argv);
  const invocation = parse(command, rest, io);
  if (!invocation) return io.print(helpOn(command));
  mayUnpackBeside(invocation.config.db);
  try {
    await command.run(invocation);
  } catch (error) {
    const sqliteError = sqliteErrorIn(error);
    throw sqliteError === undefined ? error : refusalOf(resolve(invocation.config.db), sqliteError);
  }
}

// Files hold personal data, so only their owner may read them.
process.umask(0o077);
// A closed pipe on stdout or stderr must not end the server.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});
run(process.argv.slice(2)).catch((error: unknown) => {
  const isExpected = error instanceof Refusal || error instanceof Problem;
  explain(isExpected ? `daybook: ${error.message}` : String((error as Error).stack ?? error));
  process.exitCode = error instanceof Refusal ? error.exitCode : 1;
});
