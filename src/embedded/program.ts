import { isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';

/**
 * Returns the words that start this program as another process. For example, `node dist/daybook.mjs`, or only the path
 * of the executable. From source it is `node src/main.ts`.
 */
export function findProgram(): [string, ...string[]] {
  if (isSea()) return [process.execPath];
  const here = fileURLToPath(import.meta.url);
  return [process.execPath, here.endsWith('.ts') ? fileURLToPath(new URL('../main.ts', import.meta.url)) : here];
}
