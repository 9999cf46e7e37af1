import { statSync, writeFileSync } from 'node:fs';
import { Refusal } from './errors.ts';
import type { Log } from './log.ts';

/** Writes a secret into a new file that only its owner can read. Throws if the file exists already. */
export function writeSecretFile(path: string, secret: string): void {
  try {
    writeFileSync(path, `${secret}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new Refusal(`${path}: ${(error as Error).message}`);
  }
}

const OTHERS = 0o007;

/**
 * Warns if all users of the machine can read a secret file. A group may be meant to read it, so only the permission of
 * all others counts. Windows has no such permissions.
 */
export function warnOfOpenSecret(path: string | undefined, log: Log): void {
  if (path === undefined || process.platform === 'win32') return;
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & OTHERS) !== 0)
    log('everyone on this machine can read a secret', { file: path, remedy: `chmod 600 ${path}` });
}
