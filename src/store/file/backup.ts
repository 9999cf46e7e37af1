// A backup copies the database file of the server to another name, while the server continues to write.
//
// Invariant: a file with the name of a backup is always complete and checked. The backup is written as `….tmp`, synced,
// checked by SQLite, and then renamed. A backup never replaces a file of another program or of a running server.
//
// Example: `daybook backup --db daybook.db monday.db` writes `monday.db.tmp`, checks that file, and renames it to
// `monday.db`. The nightly job (src/jobs/backup.ts) and the command `backup` call the function `backup`. restore.ts
// uses the checks and writeCopy too.

import { existsSync, lstatSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { freeBytes, MIN_FREE_BYTES, syncPath } from '../../lib/disk.ts';
import { Refusal, UNUSABLE } from '../../lib/errors.ts';
import type { Steps } from '../../lib/steps.ts';
import { copyFile, type Finish, findFault, refuseDamage } from './copy.ts';
import { explainErrors } from './explain-errors.ts';
import { VERSION } from './migrations.ts';
import { APPLICATION_ID, refuseId } from './open-file.ts';
import { assertName, followLink } from './place.ts';
import { moveWalInto } from './pragmas.ts';

/** Copies a database file. Other processes may write to the file during the copy. */
export function* backup(
  from: string,
  to: string,
  { replace = false, finish }: { replace?: boolean; finish?: Finish } = {},
): Steps {
  const path = explainErrors(resolve(to), () => followLink(to));
  explainErrors(path, () => assertReplaceable(path, from, replace));
  const unfinished = `${path}.tmp`;
  assertApart(from, unfinished);
  // A backup on the same disk as the server's file must leave free space. Otherwise, the server would soon refuse hits.
  const isBeside = statSync(dirname(path)).dev === statSync(from).dev;
  assertRoom(from, unfinished, isBeside ? MIN_FREE_BYTES : 0);
  yield* writeCopy(from, unfinished, finish);
  try {
    // The older backup at this path is checked a second time. Somebody may have started a server on it while the new
    // backup was written. Replacing that file would lose the hits of that server.
    explainErrors(path, () => {
      assertReplaceable(path, from, replace);
      moveAside(path);
      renameSync(unfinished, path);
    });
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  syncPath(dirname(path));
}

/**
 * Refuses a file of another program, of a newer daybook, or from before the first release. This function does not check
 * the pages of the file for damage.
 */
export function assertOurs(path: string): void {
  const file = new Database(path, { fileMustExist: true });
  try {
    const id = file.pragma('application_id', { simple: true });
    if (id !== APPLICATION_ID) throw refuseId(path, id);
    const version = file.pragma('user_version', { simple: true }) as number;
    if (version < 1) throw new Refusal(`${path}: its version is ${version}, which no daybook has written`, UNUSABLE);
    if (version > VERSION) {
      throw new Refusal(`${path}: a newer daybook wrote it. Update the program`, UNUSABLE);
    }
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_NOTADB') throw error;
    throw new Refusal(`${path}: this is not a daybook file`, UNUSABLE);
  } finally {
    file.close();
  }
}

/**
 * Refuses to copy a file onto itself. Writing a backup first deletes any file with the temporary name of the backup.
 * Therefore the original must not have that name.
 */
export function assertApart(from: string, unfinished: string): void {
  if (!existsSync(unfinished) || realpathSync(unfinished) !== realpathSync(from)) return;
  throw new Refusal(`${from}: a backup would begin under this name. Give one of the two another name`);
}

/**
 * Writes a backup under a temporary name, syncs it to disk and checks it. If anything fails, the unfinished backup is
 * deleted, unless another process has replaced it.
 */
export function* writeCopy(from: string, unfinished: string, finish?: Finish): Steps {
  assertRoom(from, unfinished);
  const steps = copyFile(from, unfinished, finish);
  let own: number | undefined;
  let isSound = false;
  try {
    while (!explainErrors(unfinished, () => steps.next()).done) {
      own ??= fileNumber(unfinished);
      assertOwn(unfinished, own);
      yield;
    }
    const fault = explainErrors(unfinished, () => findFault(unfinished));
    if (fault) throw refuseDamage(from, fault);
    assertOwn(unfinished, own);
    isSound = true;
  } finally {
    steps.return();
    if (!isSound && [undefined, fileNumber(unfinished)].includes(own)) rmSync(unfinished, { force: true });
  }
}

/** The unit, in bytes, of the number `blocks` that Node gives for a file. */
const BLOCK_BYTES = 512;

function assertRoom(from: string, unfinished: string, spare = 0): void {
  // A killed process may have left an unfinished backup under this name. The new backup replaces that file. Therefore
  // the space of that file counts as free.
  const left = lstatSync(unfinished, { throwIfNoEntry: false });
  const free = freeBytes(dirname(unfinished)) + (left?.isFile() ? left.blocks * BLOCK_BYTES : 0);
  if (free >= statSync(from).size + spare) return;
  const more = spare > 0 ? `, and ${spare / 1024 ** 2} MB for the server` : '';
  throw new Refusal(
    `${unfinished}: a backup needs as much free space as the file has${more}. Free some space and try again`,
  );
}

const fileNumber = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;

/**
 * Refuses to continue if another process has replaced the unfinished backup. `own` is the inode number of the file that
 * this process wrote.
 */
function assertOwn(unfinished: string, own: number | undefined): void {
  if (fileNumber(unfinished) === own) return;
  throw new Refusal(`${unfinished}: another backup has begun under this name. Wait for that one, or name another file`);
}

/**
 * Renames journals (SQLite's files of changes) that a crash left beside the database file `path`. Otherwise, SQLite
 * would write old pages from the journals over the next file with the name `path`. The journals get names that begin
 * with `kept`. Only the database to which the journals belong may have the name `kept`. SQLite would apply the
 * journals to any other database too.
 */
export function moveAside(path: string, kept = `${path}.left-over`): void {
  for (const end of ['-wal', '-journal']) {
    rmSync(kept + end, { force: true });
    if (existsSync(path + end)) renameSync(path + end, kept + end);
  }
  rmSync(`${path}-shm`, { force: true });
}

/**
 * The last parts of the names of files that SQLite, the server and a move make beside the database file. A backup must
 * not get such a name.
 */
const OWN_ENDS = ['-wal', '-shm', '-journal', '.lock', '.move.lock', '.outbox', '.open-days'];

/**
 * Refuses the names of the server's own files, and a target file that exists. With `replace`, an existing daybook file
 * may be replaced if no server uses it.
 */
function assertReplaceable(path: string, from: string, replace: boolean): void {
  if (!existsSync(dirname(path))) {
    throw new Refusal(`${path}: the folder ${dirname(path)} does not exist. Create it first`);
  }
  assertName(path);
  if (OWN_ENDS.some((end) => path === from + end)) {
    throw new Refusal(`${path}: the server uses this name for its own file. Name another file for the backup`);
  }
  if (!existsSync(path)) return;
  if (realpathSync(path) === from)
    throw new Refusal(`${path}: this is the database file itself. Name another file for its backup`);
  if (!replace) throw new Refusal(`${path}: there is a file already. To overwrite it, use --replace`);
  assertOurs(path);
  // This call throws if a server uses the target. Otherwise, that server would continue to write to a deleted file, and
  // its hits would be lost.
  moveWalInto(path);
}
