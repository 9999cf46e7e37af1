// A backup copies the server's file to another name while the server goes on writing.
//
// Invariant: the name of a backup never has an incomplete file, nor one that was not checked. The copy is written as
// `….tmp`, synced, checked by SQLite, and then renamed. A backup replaces only another copy of a daybook file.
//
// Example: `daybook backup --db daybook.db monday.db` writes `monday.db.tmp`, and renames it to `monday.db` when it is
// sound. The nightly job (src/jobs/backup.ts) and the command `backup` call this; restore.ts shares the checks and
// writeCopy.

import { existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { freeBytes, MIN_FREE_BYTES, syncPath } from '../../lib/disk.ts';
import { Refusal, UNUSABLE } from '../../lib/errors.ts';
import type { Steps } from '../../lib/steps.ts';
import { copyFile, findFault, type Mark, refuseDamage } from './copy.ts';
import { VERSION } from './migrations.ts';
import { APPLICATION_ID, explainErrors, refuseId } from './open-file.ts';

/** Copies a file that other processes may write to meanwhile. */
export function* backup(
  from: string,
  to: string,
  { replace = false, mark }: { replace?: boolean; mark?: Mark } = {},
): Steps {
  const path = resolve(to);
  explainErrors(path, () => assertReplaceable(path, from, replace));
  const unfinished = `${path}.tmp`;
  assertApart(from, unfinished);
  // A copy beside the file must not make its server refuse hits.
  const isBeside = statSync(dirname(path)).dev === statSync(from).dev;
  assertRoom(from, unfinished, isBeside ? MIN_FREE_BYTES : 0);
  yield* writeCopy(from, unfinished, mark);
  try {
    // Again, because a server may have been started on the older copy while the new one was written.
    explainErrors(path, () => assertReplaceable(path, from, replace));
    moveAside(path);
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  syncPath(dirname(path));
}

/** Refuses a file that is not daybook's, or is from a newer program. The file may still be damaged. */
export function assertOurs(path: string): void {
  const file = new Database(path, { fileMustExist: true });
  try {
    const id = file.pragma('application_id', { simple: true });
    if (id !== APPLICATION_ID) throw refuseId(path, id);
    const version = file.pragma('user_version', { simple: true }) as number;
    if (version < 1) throw new Refusal(`${path}: its version is ${version}, which no daybook has written`, UNUSABLE);
    if (version > VERSION) {
      throw new Refusal(`${path}: it was written by a newer daybook; update the program`, UNUSABLE);
    }
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_NOTADB') throw error;
    throw new Refusal(`${path}: this is not a daybook file`, UNUSABLE);
  } finally {
    file.close();
  }
}

/** Refuses to copy a file onto itself: a copy first deletes the file that has its temporary name. */
export function assertApart(from: string, unfinished: string): void {
  if (!existsSync(unfinished) || realpathSync(unfinished) !== realpathSync(from)) return;
  throw new Refusal(`${from}: a copy would begin under this name; give one of the two another name`);
}

/** Writes a copy under a temporary name, syncs and checks it. A copy that fails is deleted. */
export function* writeCopy(from: string, unfinished: string, mark?: Mark): Steps {
  assertRoom(from, unfinished);
  const steps = copyFile(from, unfinished, mark);
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

function assertRoom(from: string, unfinished: string, spare = 0): void {
  if (freeBytes(dirname(unfinished)) >= statSync(from).size + spare) return;
  const more = spare > 0 ? `, and ${spare / 1024 ** 2} MB for the server` : '';
  throw new Refusal(`${unfinished}: a copy needs as much free disk as the file has${more}; make room and try again`);
}

const fileNumber = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;

/** Refuses to go on with a copy in whose place another process has begun its own. */
function assertOwn(unfinished: string, own: number | undefined): void {
  if (fileNumber(unfinished) === own) return;
  throw new Refusal(`${unfinished}: another copy has begun under this name; wait for that one, or name another file`);
}

const DAMAGED = ['SQLITE_NOTADB', 'SQLITE_CORRUPT'];

/**
 * Moves the WAL into the file, so that the file is complete by itself. A damaged file stays as it is. Fails if another
 * process has the file open and may write to it.
 */
export function moveWalInto(path: string): void {
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

/**
 * Moves away the journals that a crash left beside a file name. SQLite would take a journal for a part of the new file,
 * and write old pages over it. `kept` must not be the name of another existing file: the journals are no part of that
 * one either.
 */
export function moveAside(path: string, kept = `${path}.left-over`): void {
  for (const end of ['-wal', '-journal']) {
    rmSync(kept + end, { force: true });
    if (existsSync(path + end)) renameSync(path + end, kept + end);
  }
  rmSync(`${path}-shm`, { force: true });
}

/** Refuses a target that exists, unless it is a copy that nobody uses and may be replaced. */
function assertReplaceable(path: string, from: string, replace: boolean): void {
  if (!existsSync(dirname(path))) {
    throw new Refusal(`${path}: the folder ${dirname(path)} does not exist; make it first`);
  }
  if (!existsSync(path)) return;
  if (realpathSync(path) === from) throw new Refusal(`${path}: this is the file itself; name another for its copy`);
  if (!replace) throw new Refusal(`${path}: there is a file already; --replace writes the copy in its place`);
  assertOurs(path);
  // A server would go on writing to the replaced file, which has no name any more.
  moveWalInto(path);
}
