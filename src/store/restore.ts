import { copyFileSync, existsSync, linkSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { syncPath } from '../lib/disk.ts';
import { Refusal } from '../lib/errors.ts';
import type { Steps } from '../lib/steps.ts';
import { assertOurs, writeCopy } from './backup.ts';
import { assertPlace, explained, lock } from './open.ts';

const DAMAGED = ['SQLITE_NOTADB', 'SQLITE_CORRUPT'];

/** Moves what lies in the WAL into the file, so that it is one whole; a damaged one stays as it is. Nobody else may have it open. */
function close(path: string): void {
  const file = new Database(path, { timeout: 0 });
  try {
    file.pragma('journal_mode = DELETE');
  } catch (error) {
    const code = error instanceof Database.SqliteError ? error.code : '';
    if (!DAMAGED.some((one) => code.startsWith(one))) throw error;
  } finally {
    file.close();
  }
}

/** Gives a file another name as well, so that there is never a moment without one under the first. */
function alsoAs(path: string, other: string): void {
  rmSync(other, { force: true });
  try {
    linkSync(path, other);
  } catch {
    // Some file systems know no second names.
    copyFileSync(path, other);
    syncPath(other);
  }
}

/** No copy holds a salt. */
function forgetSalt(path: string): void {
  const file = new Database(path);
  try {
    for (const pragma of ['secure_delete = ON', 'journal_mode = MEMORY']) file.pragma(pragma);
    file.exec('DELETE FROM salt');
  } catch {
    // Of a damaged file nobody reads one.
  } finally {
    file.close();
  }
}

/** Puts one file in the place of another, which is kept under the name that this gives. */
function replaceFile(path: string, by: string): string {
  const kept = `${path}.before-restore`;
  close(path);
  alsoAs(path, kept);
  rmSync(`${kept}-wal`, { force: true });
  // Left where they are, they would be taken for a part of the new file.
  if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${kept}-wal`);
  rmSync(`${path}-shm`, { force: true });
  renameSync(by, path);
  syncPath(dirname(path));
  forgetSalt(kept);
  return kept;
}

/**
 * Puts a copy where the program's file is or will be; gives the name under which the one before is kept. A kill at any
 * moment leaves the old or the new. Held by test/store/restore.test.ts.
 */
export function* restore(copy: string, file: string, { replace = false } = {}): Steps<string | undefined> {
  const from = resolve(copy);
  const isThere = existsSync(file);
  const path = isThere ? realpathSync(file) : resolve(file);
  explained(path, () => assertPlace(path));
  if (!existsSync(from)) throw new Refusal(`${from}: there is no such file`);
  explained(from, () => assertOurs(from));
  if (realpathSync(from) === path) throw new Refusal(`${from}: this is the file itself; name a copy of it`);
  if (isThere && !replace) {
    throw new Refusal(`${path}: there is a file already; --replace puts the copy in its place, and keeps it beside`);
  }
  const held = explained(path, () => lock(path, 'a server is running on it; stop that first'));
  const unfinished = `${path}.restoring`;
  try {
    yield* writeCopy(from, unfinished);
    if (isThere) return explained(path, () => replaceFile(path, unfinished));
    renameSync(unfinished, path);
    syncPath(dirname(path));
    return undefined;
  } finally {
    rmSync(unfinished, { force: true });
    held.close();
  }
}
