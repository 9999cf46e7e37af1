// Migrations bring a database file of an older version up to date. A migration is SQL that changes a file of one
// version into the next version. New files are made from schema.sql, which always has the newest tables.
//
// Invariant: a migration and its version number are one transaction. If the process is killed, the file has either the
// old or the new version. The file is copied before the first migration. The file is changed only after that copy has
// passed its check.
//
// Example: a program with two migrations writes version 3. The program opens `daybook.db` of version 1, copies the file
// to `daybook.db.before-v2`, and runs both migrations. Nothing was released yet, therefore the list of migrations is
// empty and every file has version 1. openStore (open-file.ts) calls migrate.

import { renameSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { freeBytes, syncPath } from '../../lib/disk.ts';
import { Refusal, UNUSABLE } from '../../lib/errors.ts';
import { plural } from '../../lib/plural.ts';
import { finish } from '../../lib/steps.ts';
import { copyFile, findFault } from './copy.ts';

export type Migration = string;

/**
 * The migrations of all releases. Each entry is SQL that changes the tables. The first entry changes a file of version
 * 1 into version 2, and so on. An entry is never changed after its release. Before the first release, schema.sql itself
 * is changed, and the version stays 1.
 */
export const RELEASED: readonly Migration[] = [];

/** The version of the database files that this program writes. */
export const VERSION = RELEASED.length + 1;

/**
 * Runs the migrations that a file needs. Each migration runs in one transaction with its new version number. If the
 * process is killed, the file has either the old or the new version.
 */
export function migrate(file: Database.Database, path: string, migrations: readonly Migration[]): void {
  const from = file.pragma('user_version', { simple: true }) as number;
  if (from > migrations.length) return;
  const copy = copyBefore(path, from);
  // With foreign keys on, SQLite cannot rebuild a table. So the keys are checked before each commit instead.
  file.pragma('foreign_keys = OFF');
  for (const [index, sql] of migrations.entries()) {
    const version = index + 2;
    if (version <= from) continue;
    const step = file.transaction(() => {
      file.exec(sql);
      const broken = file.pragma('foreign_key_check') as unknown[];
      if (broken.length > 0) throw new Error(`${plural(broken.length, 'foreign key')} without a target`);
      file.pragma(`user_version = ${version}`);
    });
    try {
      step.immediate();
    } catch (error) {
      const reason = (error as Error).message;
      throw new Refusal(
        `${path}: updating to version ${version} failed (${reason}). ${copy} has it as it was`,
        UNUSABLE,
      );
    }
  }
  file.pragma('foreign_keys = ON');
}

/**
 * Copies the file into its own folder before the first migration. The copy gets its final name only after it is
 * complete, checked and on disk. Therefore a file with that name can always be used.
 */
function copyBefore(path: string, version: number): string {
  if (freeBytes(dirname(path)) < statSync(path).size * 1.2) {
    const remedy = 'updating it needs as much free space as its size. Free some space and start again';
    throw new Refusal(`${path}: ${remedy}`, UNUSABLE);
  }
  const copy = `${path}.before-v${version + 1}`;
  const unfinished = `${copy}.tmp`;
  finish(copyFile(path, unfinished));
  const fault = findFault(unfinished);
  if (fault)
    throw new Refusal(
      `${path}: its backup could not be read (${fault}). Nothing was changed. Check the disk and start again`,
      UNUSABLE,
    );
  renameSync(unfinished, copy);
  syncPath(dirname(path));
  return basename(copy);
}
