// The way of a command line: finds the command, parses its words, runs it, and gives the exit code.
//
// 0 is success, 1 a refusal or a failure, 2 a mistake in the words. All output is cleaned of control characters,
// because files and visitors put text into it (test/cli/printable.test.ts). src/main.ts calls it.

import { resolve } from 'node:path';
import { mayUnpackBeside } from '../embedded/native.ts';
import { version } from '../embedded/version.ts';
import { Problem, Refusal, USAGE } from '../lib/errors.ts';
import { findNearest } from '../lib/nearest.ts';
import { makePrintable } from '../lib/printable.ts';
import { makeRefusal } from '../store/file/open-file.ts';
import { commandsUnder, findCommand, type Io, parse } from './command.ts';
import { commands } from './commands.ts';
import { helpFor, helpOn } from './help.ts';

/** The oldest version of Node. Libraries crash on an older one without a message, so it is refused first. */
const OLDEST_NODE = 22;

const HELP = ['--help', '-h'];

/** Runs a command line, explains a failure, and gives the exit code. */
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

/** Finds the SQLite error that ended a command. An engine throws a Problem with that error as its cause (test/main.program.test.ts). */
const sqliteErrorIn = (error: unknown): unknown => [error, (error as Partial<Error>)?.cause].find(isSqliteError);

async function runOrThrow(argv: readonly string[], io: Io): Promise<void> {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) < OLDEST_NODE) {
    throw new Refusal(`node ${node} is too old; run npx daybook in the project folder, which uses the bundled node`);
  }
  const [first = '--help'] = argv;
  const words = argv.filter((word) => !word.startsWith('-'));
  if (first === 'help') return io.print(helpFor(commands, words.slice(1)));
  if (HELP.includes(first)) return io.print(helpFor(commands, []));
  if (first === '--version' || first === 'version') return io.print(version);
  if (first.startsWith('-')) {
    const suggestion = findNearest(first, ['--help', '--version']) ?? '--help';
    throw new Refusal(`unknown flag ${first}; did you mean ${suggestion}?`, USAGE);
  }
  // A group, such as `user --help`, is no command by itself, but has help.
  const isGroup = words.length === 1 && !commands.some(({ name }) => name === first);
  if (isGroup && commandsUnder(commands, words).length > 0 && argv.some((word) => HELP.includes(word))) {
    return io.print(helpFor(commands, words));
  }
  const [command, rest] = findCommand(commands, argv);
  const invocation = parse(command, rest, io);
  if (!invocation) return io.print(helpOn(command));
  mayUnpackBeside(invocation.config.db);
  try {
    await command.run(invocation);
  } catch (error) {
    const sqliteError = sqliteErrorIn(error);
    throw sqliteError === undefined ? error : makeRefusal(resolve(invocation.config.db), sqliteError);
  }
}

/** Cleans all output of control characters. Text of files and visitors stands in it (test/cli/printable.test.ts). */
const clean = (io: Io): Io => ({
  ...io,
  print: (line) => io.print(makePrintable(line)),
  explain: (line) => io.explain(makePrintable(line)),
});
