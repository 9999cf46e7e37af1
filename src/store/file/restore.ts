// Restore puts a copy in the place of the server's file. The old file stays beside it, named
// `….before-restore`, or `….before-restore-2` where an earlier restore has kept one.
//
// Invariant: a kill at any moment leaves the old file or the new one under the file's name, and never one with the
// other's WAL (test/store/file/restore.test.ts).
//
// Example: `daybook restore monday.db --db daybook.db --replace` writes `daybook.db.restoring`, checks it, and gives
// the old file the second name `daybook.db.before-restore`. Then one rename shows the new file. The command `restore`
// calls this.

import { constants, copyFileSync, existsSync, linkSync, lstatSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { syncPath } from '../../lib/disk.ts';
import { Refusal, UNUSABLE } from '../../lib/errors.ts';
import type { Steps } from '../../lib/steps.ts';
import { assertApart, assertOurs, moveAside, moveWalInto, writeCopy } from './backup.ts';
import { findLack } from './lack.ts';
import { assertPlace, explainErrors, takeLock } from './open-file.ts';

/** Restores a copy, whether the server's file exists or not. Gives the name of the old file, if there was one. */
export function* restore(copy: string, file: string, { replace = false } = {}): Steps<string | undefined> {
  const from = resolve(copy);
  const isThere = existsSync(file);
  const path = isThere ? realpathSync(file) : resolve(file);
  // The file would get the name of the link, and so might lie on another disk than meant.
  if (!isThere && lstatSync(path, { throwIfNoEntry: false })) {
    throw new Refusal(`${path}: this is a link to a file that does not exist; name that file`, UNUSABLE);
  }
  explainErrors(path, () => assertPlace(path));
  if (!existsSync(from)) throw new Refusal(`${from}: there is no such file`);
  explainErrors(from, () => assertOurs(from));
  if (realpathSync(from) === path) throw new Refusal(`${from}: this is the file itself; name a copy of it`);
  if (isThere && !replace) {
    throw new Refusal(`${path}: there is a file already; --replace puts the copy in its place, and keeps it beside`);
  }
  const unfinished = `${path}.restoring`;
  assertApart(from, unfinished);
  const held = explainErrors(path, () => takeLock(path, 'a server is running on it; stop that first'));
  try {
    yield* writeCopy(from, unfinished);
    assertComplete(from, unfinished);
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
 * Gives a file a second name, so that its first name never points to nothing during the replacement. What an earlier
 * restore kept stays: it may be the only file with the hits of today.
 */
function addName(path: string): string {
  for (let count = 1; ; count++) {
    const kept = `${path}.before-restore${count === 1 ? '' : `-${count}`}`;
    // A kill between the two names leaves one file with both.
    const there = lstatSync(kept, { throwIfNoEntry: false });
    if (there && there.ino !== lstatSync(path).ino) continue;
    if (!there) linkOrCopy(path, kept);
    return kept;
  }
}

function linkOrCopy(path: string, other: string): void {
  try {
    linkSync(path, other);
  } catch {
    // Some file systems have no hard links.
    copyFileSync(path, other, constants.COPYFILE_EXCL);
    syncPath(other);
  }
}

/** Deletes the salts of the old file, which is a copy from now on: copies never have salts. */
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

/** Replaces a file and keeps the old one. Gives the name of the old one. */
function replaceFile(path: string, by: string): string {
  moveWalInto(path);
  const kept = addName(path);
  moveAside(path, kept);
  renameSync(by, path);
  syncPath(dirname(path));
  forgetSalt(kept);
  return kept;
}

/** Refuses a copy that lacks a table, an index or a column although all that it has is sound. */
function assertComplete(from: string, copy: string): void {
  const lack = findLack(copy);
  if (lack === undefined) return;
  throw new Refusal(`${from}: the copy is not complete (${lack}); use an earlier one`, UNUSABLE);
}
