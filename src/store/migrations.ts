import { renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import Database from 'better-sqlite3';
import { freeBytes, syncPath } from '../lib/disk.ts';
import { Refusal } from '../lib/errors.ts';

/** SQL that takes a file from one version to the next. */
export type Migration = string;

/**
 * The way of old files to the schema of today: the first entry leads from version 1 to 2, and so on; schema.sql is
 * always the newest. Entries are never changed once released. It is empty because version 1 is the first.
 */
export const RELEASED: readonly Migration[] = [];

/** A copy beside the file, named after the version it holds. It has its final name only when it is whole and on disk. */
function copyBefore(file: Database.Database, path: string, version: number): string {
  if (freeBytes(dirname(path)) < statSync(path).size * 1.2) {
    throw new Refusal(`${path}: updating it needs as much free disk again as its size; make room and start again`, 78);
  }
  const copy = `${path}.before-v${version + 1}`;
  const unfinished = `${copy}.tmp`;
  rmSync(unfinished, { force: true });
  file.prepare('VACUUM INTO ?').run(unfinished);
  syncPath(unfinished);
  const check = new Database(unfinished, { readonly: true });
  const found = check.pragma('quick_check(1)', { simple: true });
  check.close();
  if (found !== 'ok') throw new Refusal(`${path}: its copy could not be read back (${found}); nothing was changed`, 78);
  renameSync(unfinished, copy);
  syncPath(dirname(path));
  return basename(copy);
}

/** Each step is one transaction with its new version, so that a kill at any moment leaves the old or the new. */
export function migrate(file: Database.Database, path: string, migrations: readonly Migration[]): void {
  const from = file.pragma('user_version', { simple: true }) as number;
  if (from > migrations.length) return;
  const copy = copyBefore(file, path, from);
  // Tables can only be rebuilt while references are not enforced; they are checked before each step is committed.
  file.pragma('foreign_keys = OFF');
  for (const [index, sql] of migrations.entries()) {
    const version = index + 2;
    if (version <= from) continue;
    const step = file.transaction(() => {
      file.exec(sql);
      const broken = file.pragma('foreign_key_check') as unknown[];
      if (broken.length > 0) throw new Error(`${broken.length} references lead nowhere`);
      file.pragma(`user_version = ${version}`);
    });
    try {
      step.immediate();
    } catch (error) {
      const reason = (error as Error).message;
      throw new Refusal(`${path}: updating to version ${version} failed (${reason}); ${copy} holds it as it was`, 78);
    }
  }
  file.pragma('foreign_keys = ON');
}
