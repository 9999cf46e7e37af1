import { copyFileSync, existsSync, linkSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { syncPath } from '../../lib/disk.ts';
import { Refusal, UNUSABLE } from '../../lib/errors.ts';
import type { Steps } from '../../lib/steps.ts';
import { assertApart, assertOurs, moveAside, writeCopy } from './backup.ts';
import { lackIn } from './lack.ts';
import { assertPlace, explained, lock } from './open-file.ts';

const DAMAGED = ['SQLITE_NOTADB', 'SQLITE_CORRUPT'];

/** Moves the WAL into the file, so that it is complete by itself; a damaged one stays as it is. Nobody else may have it open. */
function moveWalInto(path: string): void {
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

/** Gives a file a second name, so that the first one never points to nothing while the file is replaced. */
function addName(path: string, other: string): void {
  rmSync(other, { force: true });
  try {
    linkSync(path, other);
  } catch {
    // Some file systems have no hard links.
    copyFileSync(path, other);
    syncPath(other);
  }
}

/** The file that is kept is a copy, and no copy holds a salt. */
function forgetSalt(path: string): void {
  const file = new Database(path);
  try {
    for (const pragma of ['secure_delete = ON', 'journal_mode = MEMORY']) file.pragma(pragma);
    file.exec('DELETE FROM salt');
  } catch {
    // A damaged file may have no readable salt.
  } finally {
    file.close();
  }
}

/** Puts one file in the place of another, which is kept; gives the name that it is kept under. */
function replaceFile(path: string, by: string): string {
  const kept = `${path}.before-restore`;
  moveWalInto(path);
  addName(path, kept);
  moveAside(path, kept);
  renameSync(by, path);
  syncPath(dirname(path));
  forgetSalt(kept);
  return kept;
}

/** Each part of a copy may be sound, and one missing. */
function assertComplete(from: string, copy: string): void {
  const lack = lackIn(copy);
  if (lack === undefined) return;
  throw new Refusal(`${from}: the copy is not complete (${lack}); use an earlier one`, UNUSABLE);
}

/**
 * Puts a copy in the place of the server's file, whether that exists or not; gives the name that the old one is kept under. A
 * kill at any moment leaves the old or the new file. Held by test/store/file/restore.test.ts.
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
  const unfinished = `${path}.restoring`;
  assertApart(from, unfinished);
  const held = explained(path, () => lock(path, 'a server is running on it; stop that first'));
  try {
    yield* writeCopy(from, unfinished);
    assertComplete(from, unfinished);
    if (isThere) return explained(path, () => replaceFile(path, unfinished));
    moveAside(path);
    renameSync(unfinished, path);
    syncPath(dirname(path));
    return undefined;
  } finally {
    rmSync(unfinished, { force: true });
    held.close();
  }
}
