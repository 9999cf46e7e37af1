import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import { lowerPriority, PRIORITY_BELOW_NORMAL } from '../lib/priority.ts';

/**
 * Returns the words that start this program as another process. For example, `node dist/daybook.mjs`, or only the path
 * of the executable. From source it is `node src/main.ts`.
 */
export function findProgram(): [string, ...string[]] {
  if (isSea()) return [process.execPath];
  const here = fileURLToPath(import.meta.url);
  return [process.execPath, here.endsWith('.ts') ? fileURLToPath(new URL('../main.ts', import.meta.url)) : here];
}

/** The database file, and the URL of the cluster if a cluster stores the hits. */
export type ProgramPlace = { path: string; engine: string | undefined };

/**
 * Starts a command of this program in a process of its own, after requests and hits in priority. Its environment has
 * only the place of the data and `settings`. The URL of a cluster has a password, so it is no argument.
 */
export function startProgram(
  words: readonly string[],
  { path, engine }: ProgramPlace,
  settings: Record<string, string> = {},
): ChildProcessWithoutNullStreams {
  const [file, ...own] = findProgram();
  const child = spawn(file, [...own, ...words], {
    env: {
      DAYBOOK_DB: path,
      TMPDIR: tmpdir(),
      ...(engine === undefined ? {} : { DAYBOOK_ENGINE: engine }),
      ...settings,
    },
    stdio: 'pipe',
    windowsHide: true,
  });
  if (child.pid !== undefined) lowerPriority(PRIORITY_BELOW_NORMAL, child.pid);
  child.stdin.on('error', () => {});
  return child;
}
