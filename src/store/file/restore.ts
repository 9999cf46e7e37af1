// Restore replaces the server's database file by a backup. The old file stays in its folder under the name
// `….before-restore`. If an earlier restore already used that name, the name is `….before-restore-2`.
//
// Invariant: if the process is killed, the server's file is either the old one or the new one. Neither file is ever
// used with the WAL of the other (test/store/file/restore.test.ts).
//
// Example: `daybook restore monday.db --db daybook.db --replace` writes `daybook.db.restoring`, and checks it. The old
// file gets the second name `daybook.db.before-restore`. Then one rename puts the new file in place. The command
// `restore` calls the function `restore`.

import {
  constants,
  copyFileSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { syncPath } from '../../lib/disk.ts';
import { Refusal, UNUSABLE } from '../../lib/errors.ts';
import type { Steps } from '../../lib/steps.ts';
import { assertApart, assertOurs, moveAside, writeCopy } from './backup.ts';
import { explainErrors } from './explain-errors.ts';
import { findLack } from './lack.ts';
import { takeLock } from './lock.ts';
import { assertName, assertPlace, followLink } from './place.ts';
import { moveWalInto } from './pragmas.ts';

/**
 * Replaces `file` by the backup `copy`. `file` need not exist. If `file` existed, returns the new name of the old file.
 */
export function* restore(copy: string, file: string, { replace = false } = {}): Steps<string | undefined> {
  const from = resolve(copy);
  // If `file` is a link, the file to which the link leads is replaced. Otherwise, the restored file would replace the
  // link, and might be on a different disk.
  const path = explainErrors(resolve(file), () => followLink(file));
  const isThere = existsSync(path);
  explainErrors(path, () => assertPlace(path));
  assertName(from);
  if (!existsSync(from)) throw new Refusal(`${from}: there is no such file`);
  explainErrors(from, () => assertOurs(from));
  if (realpathSync(from) === path) throw new Refusal(`${from}: this is the database file itself. Name a backup of it`);
  if (isThere && !replace) {
    throw new Refusal(
      `${path}: there is a file already. --replace puts the backup in its place, and renames the old file`,
    );
  }
  const unfinished = `${path}.restoring`;
  assertApart(from, unfinished);
  const held = explainErrors(path, () => takeLock(path, 'a server is running on it. Stop that first'));
  try {
    yield* writeCopy(from, unfinished);
    assertComplete(from, unfinished);
    const owner = statSync(isThere ? path : dirname(path));
    for (const file of [unfinished, `${path}.lock`]) giveTo(owner, file);
    if (isThere) return explainErrors(path, () => replaceFile(path, unfinished));
    moveAside(path);
    renameSync(unfinished, path);
    syncPath(dirname(path));
    return undefined;
  } finally {
    rmSync(unfinished, { force: true });
    held.close();
  }
}

/**
 * Makes the user of the server the owner of a file, if root restores or moves. Otherwise, that user could not open the
 * restored file or a lock. Links are not followed: that user could replace the file by a link, and become the owner of any
 * other file.
 */
export function giveTo({ uid, gid }: { uid: number; gid: number }, file: string): void {
  if (process.getuid?.() === 0) lchownSync(file, uid, gid);
}

/**
 * Creates a second name for a file. With two names, the first name always has a file during the replacement. A file
 * from an earlier restore is never replaced, because it may be the only file with today's hits.
 */
function addName(path: string): string {
  for (let count = 1; ; count++) {
    const kept = `${path}.before-restore${count === 1 ? '' : `-${count}`}`;
    // An earlier restore may have been killed after it created the second name. Then the old file has two names.
    const there = lstatSync(kept, { throwIfNoEntry: false });
    if (there && there.ino !== lstatSync(path).ino) continue;
    if (!there) linkOrCopy(path, kept);
    return kept;
  }
}

function linkOrCopy(path: string, other: string): void {
  try {
    linkSync(path, other);
  } catch (error) {
    // EXDEV means that the file is a mount point. Such a file cannot be replaced, therefore the error is thrown.
    if ((error as NodeJS.ErrnoException).code === 'EXDEV') throw error;
    // Some file systems have no hard links. Then the file is copied instead.
    copyFileSync(path, other, constants.COPYFILE_EXCL);
    syncPath(other);
  }
}

/**
 * Deletes the salts of the old file, which is only a backup from now on. With a salt, anyone could compute the visitor
 * codes of its day from IP addresses.
 */
function forgetSalt(path: string): void {
  const file = new Database(path);
  try {
    for (const pragma of ['secure_delete = ON', 'journal_mode = MEMORY']) file.pragma(pragma);
    file.exec('DELETE FROM salt');
  } catch {
    // The salts of a damaged file may be unreadable. The restore has already succeeded, therefore errors are ignored.
  } finally {
    file.close();
  }
}

/** Replaces a file by the restored one. Returns the new name of the old file. */
function replaceFile(path: string, by: string): string {
  moveWalInto(path);
  const kept = addName(path);
  moveAside(path, kept);
  renameSync(by, path);
  syncPath(dirname(path));
  forgetSalt(kept);
  return kept;
}

/**
 * Refuses a backup that lacks a table, an index or a column, even if its pages are not damaged. Queries on such a file
 * would fail.
 */
function assertComplete(from: string, copy: string): void {
  const lack = findLack(copy);
  if (lack === undefined) return;
  throw new Refusal(`${from}: the backup is not complete (${lack}). Use an older one`, UNUSABLE);
}
