// Starts a command of this program in a process of its own, for exports, imports and SQL.
//
// Invariant: `startProgram` never throws, even if the process cannot start or the system ends it. `ended` says why
// (test/embedded/program.test.ts).
//
// Example: `startProgram(['export', 'example.com'], place)` returns the bytes of the export as `stdout`, and 0 as
// `ended`.
import { type ChildProcess, spawn } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { isSea } from 'node:sea';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { endFirst, lowerPriority, PRIORITY_BELOW_NORMAL } from '../lib/priority.ts';

/**
 * Returns the words that start this program as another process. Examples are `node dist/daybook.mjs`, or only the path
 * of the executable. From source, the words are `node src/main.ts`.
 */
export function findProgram(): [string, ...string[]] {
  if (isSea()) return [process.execPath];
  const here = fileURLToPath(import.meta.url);
  return [process.execPath, here.endsWith('.ts') ? fileURLToPath(new URL('../main.ts', import.meta.url)) : here];
}

/** The database file, and the URL of the cluster if a cluster stores the hits. */
export type ProgramPlace = { path: string; engine: string | undefined };

/** The process of a command. If the system could not start the process, `stdout` and `said` are empty. */
export type StartedProgram = {
  /** Writes a text to standard input. */
  send(text: string): void;
  /** Writes a text to standard input, and closes it. */
  give(text: string): void;
  stdout: Readable;
  /** What the command wrote to standard error. This promise never rejects. */
  said: Promise<string>;
  /**
   * The exit code, or the signal that ended the process, or why it did not start, such as ENOENT. This promise never
   * rejects.
   */
  ended: Promise<number | string>;
  stop(): void;
};

/**
 * Starts a command of this program in a process of its own, with a lower priority than requests and hits. The process
 * gets only a few environment variables: the path of the database file, the URL of the cluster, two folders (for
 * temporary files and for compiled code), and `settings`. The URL of a cluster has a password, so it is in the
 * environment and not among the arguments.
 *
 * The system may refuse a process, because memory is full or too many files are open. Then `ended` says so, and nothing
 * is thrown (test/embedded/program.test.ts).
 */
export function startProgram(
  words: readonly string[],
  { path, engine }: ProgramPlace,
  settings: Record<string, string> = {},
): StartedProgram {
  const [file, ...own] = findProgram();
  // `compiled` is the folder in which this version of Node caches compiled code. NODE_COMPILE_CACHE must name the
  // parent of this folder.
  const compiled = getCompileCacheDir();
  const env = {
    DAYBOOK_DB: path,
    TMPDIR: tmpdir(),
    ...(engine === undefined ? {} : { DAYBOOK_ENGINE: engine }),
    ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) }),
    ...settings,
  };
  const { promise: ended, resolve: end } = Promise.withResolvers<number | string>();
  const fail = ({ code, message }: NodeJS.ErrnoException): void => end(code ?? message);
  let child: ChildProcess | undefined;
  try {
    child = spawn(file, [...own, ...words], { env, stdio: 'pipe', windowsHide: true });
    child.on('error', fail);
    child.once('exit', (code, signal) => end(code ?? signal ?? 'killed'));
  } catch (error) {
    fail(error as NodeJS.ErrnoException);
  }
  if (child?.pid !== undefined) {
    lowerPriority(PRIORITY_BELOW_NORMAL, child.pid);
    // Up to four uploads run at once. Together, they may need more memory than the machine has. Then the system should
    // end one of these processes, and not the server.
    endFirst(child.pid);
  }
  child?.stdin?.on('error', () => {});
  return {
    send: (input) => void child?.stdin?.write(input),
    give: (input) => void child?.stdin?.end(input),
    stdout: child?.stdout ?? Readable.from([]),
    said: child?.stderr ? text(child.stderr).catch(() => '') : Promise.resolve(''),
    ended,
    stop: () => void child?.kill('SIGKILL'),
  };
}
