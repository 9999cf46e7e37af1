// Runs a command line: finds the command, parses its words, calls its function, and returns the exit code.
//
// The exit code 0 means success. 1 means a refusal or a failure, and 2 means a mistake in the words. Control characters
// in the output are escaped, because the output may contain text from files and visitors (test/cli/printable.test.ts).
// src/main.ts calls `run`.

import { resolve } from 'node:path';
import { mayUnpackBeside } from '../embedded/native.ts';
import { version } from '../embedded/version.ts';
import { Problem, Refusal, USAGE } from '../lib/errors.ts';
import { findNearest } from '../lib/nearest.ts';
import { makePrintable } from '../lib/printable.ts';
import { isSqliteError } from '../store/db.ts';
import { makeRefusal } from '../store/file/explain-errors.ts';
import { audited } from './audit.ts';
import { commandsUnder, findCommand, type Io, parse } from './command.ts';
import { COMMAND_GROUPS, commands } from './commands.ts';
import { helpFor } from './help.ts';
import { showTime } from './progress.ts';

/** The oldest version of Node that works. On older versions, libraries crash without a clear message. */
const OLDEST_NODE = 22;

const HELP = ['--help', '-h'];

/** Runs a command line, and returns the exit code. Prints the reason of a failure on standard error. */
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

/**
 * Finds the SQLite error in an error. An engine throws a Problem whose `cause` is the SQLite error
 * (test/main.program.test.ts).
 */
const sqliteErrorIn = (error: unknown): unknown => [error, (error as Partial<Error>)?.cause].find(isSqliteError);

async function runOrThrow(argv: readonly string[], io: Io): Promise<void> {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) < OLDEST_NODE) {
    throw new Refusal(`node ${node} is too old. Run npx daybook in the project folder, which uses the bundled node`);
  }
  const [first = '--help'] = argv;
  const words = argv.filter((word) => !word.startsWith('-'));
  if (first === 'help') return io.print(helpFor(COMMAND_GROUPS, words.slice(1)));
  if (HELP.includes(first)) return io.print(helpFor(COMMAND_GROUPS, []));
  if (first === '--version' || first === 'version') return io.print(version);
  if (first.startsWith('-')) {
    const suggestion = findNearest(first, ['--help', '--version']) ?? '--help';
    throw new Refusal(`unknown flag ${first}. Did you mean ${suggestion}?`, USAGE);
  }
  // A word such as "user" begins several commands, but is not a command itself. `user --help` prints the help on all
  // commands that begin with this word.
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
    await audited(command, invocation);
  } catch (error) {
    const sqliteError = sqliteErrorIn(error);
    throw sqliteError === undefined ? error : makeRefusal(resolve(invocation.config.db), sqliteError);
  } finally {
    shown?.end();
  }
}

/**
 * Escapes control characters, because the output may contain text from files and visitors (test/cli/printable.test.ts).
 */
const clean = (io: Io): Io => ({
  ...io,
  print: (line) => io.print(makePrintable(line)),
  explain: (line) => io.explain(makePrintable(line)),
});
