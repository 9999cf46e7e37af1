import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAYBOOK } from '../support/program.ts';

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Puts the command `daybook` into a new folder, as a shell finds it, and gives the folder. */
export function installIn(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const words = [process.execPath, ...DAYBOOK].map(quoted).join(' ');
  writeFileSync(join(bin, 'daybook'), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  return bin;
}
