import { renameSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { freeBytes, syncPath } from '../../lib/disk.ts';
import { Refusal, UNUSABLE } from '../../lib/errors.ts';
import { plural } from '../../lib/plural.ts';
import { finish } from '../../lib/steps.ts';
import { copyFile, faultIn } from './copy.ts';

/** SQL that takes a file from one version to the next. */
export type Migration = string;

/**
 * The first entry leads from version 1 to 2, and so on; schema.sql is always the newest. An entry that was released is never changed.
 * Nothing was released yet: until then schema.sql changes in place, and stays version 1.
 */
export const RELEASED: readonly Migration[] = [];

/** The version of the files that this program writes. */
export const VERSION = RELEASED.length + 1;

/** Copies the file beside itself, named after the next version. The copy gets its name only when it is complete and on disk. */
function copyBefore(path: string, version: number): string {
  if (freeBytes(dirname(path)) < statSync(path).size * 1.2) {
    const remedy = 'updating it needs as much free disk again as its size; make room and start again';
    throw new Refusal(`${path}: ${remedy}`, UNUSABLE);
  }
  const copy = `${path}.before-v${version + 1}`;
  const unfinished = `${copy}.tmp`;
  finish(copyFile(path, unfinished));
  const fault = faultIn(unfinished);
  if (fault)
    throw new Refusal(
      `${path}: its copy could not be read back (${fault}); nothing was changed; check the disk and start again`,
      UNUSABLE,
    );
  renameSync(unfinished, copy);
  syncPath(dirname(path));
  return basename(copy);
}

/** Each step and its version number are one transaction, so that a kill at any moment leaves the old or the new version. */
export function migrate(file: Database.Database, path: string, migrations: readonly Migration[]): void {
  const from = file.pragma('user_version', { simple: true }) as number;
  if (from > migrations.length) return;
  const copy = copyBefore(path, from);
  // Tables can only be rebuilt while references are not enforced; they are checked before each step is committed.
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
        `${path}: updating to version ${version} failed (${reason}); ${copy} holds it as it was`,
        UNUSABLE,
      );
    }
  }
  file.pragma('foreign_keys = ON');
}
