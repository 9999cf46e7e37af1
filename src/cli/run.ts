// The run of a command line: finds the command, parses its words, runs it, and returns the exit code.
//
// The exit code 0 is success, 1 is a refusal or a failure, and 2 is a mistake in the words. Output may contain text from files
// and visitors. So control characters are removed from it (test/cli/printable.test.ts). src/main.ts calls `run`.

import { resolve } from 'node:path';
import { mayUnpackBeside } from '../embedded/native.ts';
import { version } from '../embedded/version.ts';
import { Problem, Refusal, USAGE } from '../lib/errors.ts';
import { findNearest } from '../lib/nearest.ts';
import { makePrintable } from '../lib/printable.ts';
import { makeRefusal } from '../store/file/open-file.ts';
import { commandsUnder, findCommand, type Io, parse } from './command.ts';
import { COMMAND_GROUPS, commands } from './commands.ts';
import { helpFor } from './help.ts';
import { showTime } from './progress.ts';

/** On an older Node, libraries crash without a clear message. So older versions are refused first. */
const OLDEST_NODE = 22;

const HELP = ['--help', '-h'];

/** Returns the exit code. A failure is explained on standard error. */
export async function run(argv: readonly string[], terminal: Io): Promise<number> {
  const io = clean(terminal);
  try {
    await runOrThrow(argv, io);
    return 0;
  } catch (error) {
    const isExpected = error instanceof Refusal || error instanceof Problem;
    io.explain(isExpected ? `daybook: ${error.message}` : String((error as Error).stack ?? error));
    return error instanceof Refusal ? error.exitCode : 1;
  }
}

const isSqliteError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_');

/**
 * Finds the SQLite error that ended a command. The engine throws a Problem, which has the SQLite error as its `cause`
 * (test/main.program.test.ts).
 */
const sqliteErrorIn = (error: unknown): unknown => [error, (error as Partial<Error>)?.cause].find(isSqliteError);

async function runOrThrow(argv: readonly string[], io: Io): Promise<void> {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) < OLDEST_NODE) {
    throw new Refusal(`node ${node} is too old; run npx daybook in the project folder, which uses the bundled node`);
  }
  const [first = '--help'] = argv;
  const words = argv.filter((word) => !word.startsWith('-'));
  if (first === 'help') return io.print(helpFor(COMMAND_GROUPS, words.slice(1)));
  if (HELP.includes(first)) return io.print(helpFor(COMMAND_GROUPS, []));
  if (first === '--version' || first === 'version') return io.print(version);
  if (first.startsWith('-')) {
    const suggestion = findNearest(first, ['--help', '--version']) ?? '--help';
    throw new Refusal(`unknown flag ${first}; did you mean ${suggestion}?`, USAGE);
  }
  // A word such as "user" begins several commands, but is no command itself. `user --help` prints the help on all
  // commands that begin with the word.
  const isGroup = words.length === 1 && !commands.some(({ name }) => name === first);
  if (isGroup && commandsUnder(commands, words).length > 0 && argv.some((word) => HELP.includes(word))) {
    return io.print(helpFor(COMMAND_GROUPS, words));
  }
  const [command, rest] = findCommand(commands, argv);
  const invocation = parse(command, rest, io);
  if (!invocation) return io.print(helpFor(COMMAND_GROUPS, command.name.split(' ')));
  mayUnpackBeside(invocation.config.db);
  const shown = command.isUntimed ? undefined : showTime(process.stderr, `daybook ${command.name}`);
  try {
    await command.run(invocation);
  } catch (error) {
    const sqliteError = sqliteErrorIn(error);
    throw sqliteError === undefined ? error : makeRefusal(resolve(invocation.config.db), sqliteError);
  } finally {
    shown?.end();
  }
}

/** Removes control characters from all output, because it may contain text from files and visitors (test/cli/printable.test.ts). */
const clean = (io: Io): Io => ({
  ...io,
  print: (line) => io.print(makePrintable(line)),
  explain: (line) => io.explain(makePrintable(line)),
});
