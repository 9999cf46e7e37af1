import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { freeBytes, syncPath } from '../lib/disk.ts';
import { Refusal } from '../lib/errors.ts';
import type { Steps } from '../lib/steps.ts';
import { RELEASED } from './migrations.ts';
import { APPLICATION_ID, explained, UNUSABLE } from './open.ts';

/** With its salt the visitor codes of a day could be made again, so that not even an unfinished copy has it. */
const LEFT_OUT = ['salt'];

/** So much is copied at a time; what is on its way to the disk keeps the server's own writes waiting. */
const AT_ONCE = 2 * 1024 * 1024;

const PAGE = 4096;

type Piece = { type: string; name: string; sql: string; rows: boolean };

/** The rows of a table in steps, each as many as the one before says is right. */
function* copyRows(file: Database.Database, table: string): Steps {
  const nth = file.prepare(`SELECT rowid FROM live.${table} WHERE rowid > ? ORDER BY rowid LIMIT 1 OFFSET ?`).pluck();
  const insert = file.prepare(`INSERT INTO main.${table} SELECT * FROM live.${table} WHERE rowid > ? AND rowid <= ?`);
  const size = () => (file.pragma('main.page_count', { simple: true }) as number) * PAGE;
  let rows = 16;
  for (let from = 0; ; ) {
    const to = nth.get(from, rows - 1) as number | undefined;
    const before = size();
    insert.run(from, to ?? Number.MAX_SAFE_INTEGER);
    yield;
    if (to === undefined) return;
    rows = Math.ceil(rows * Math.min(AT_ONCE / (size() - before), 4));
    from = to;
  }
}

/** One without row numbers at once, as SQLite copies pages as they are; these do not grow large. */
function* copyWhole(file: Database.Database, table: string): Steps {
  file.exec(`INSERT INTO main.${table} SELECT * FROM live.${table}`);
  yield;
}

/**
 * Writes another file with all that a file holds at this moment. It keeps no lock: SQLite's own backup would begin anew each
 * time somebody writes, and its VACUUM INTO cannot pause or leave anything out.
 */
function* copyAll(from: string, to: string): Steps {
  const descriptor = openSync(to, 'w', 0o600);
  const file = new Database(to);
  try {
    // Until it is whole nobody relies on it, so that there is nothing to undo and nothing to wait for.
    for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'foreign_keys = OFF', 'cell_size_check = ON']) {
      file.pragma(pragma);
    }
    file.prepare('ATTACH ? AS live').run(from);
    file.exec('BEGIN');
    const pieces = file
      .prepare<[], Piece>(
        `SELECT s.type, s.name, s.sql, t.wr = 0 AS rows FROM live.sqlite_schema s
         LEFT JOIN pragma_table_list t ON t.schema = 'live' AND t.name = s.name
         WHERE s.sql IS NOT NULL AND s.name NOT LIKE 'sqlite_%' ORDER BY s.type = 'index'`,
      )
      .all();
    for (const { sql } of pieces) file.exec(sql);
    for (const { type, name, rows } of pieces) {
      if (type !== 'table' || LEFT_OUT.includes(name)) continue;
      const steps = rows ? copyRows(file, name) : copyWhole(file, name);
      for (const _ of steps) {
        fdatasyncSync(descriptor);
        yield;
      }
    }
    file.exec('DELETE FROM main.sqlite_sequence; INSERT INTO main.sqlite_sequence SELECT * FROM live.sqlite_sequence');
    for (const name of ['application_id', 'user_version']) {
      file.pragma(`main.${name} = ${file.pragma(`live.${name}`, { simple: true })}`);
    }
    file.exec('COMMIT');
  } catch (error) {
    const isDamage = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CORRUPT');
    throw isDamage ? damaged(from, error.message) : error;
  } finally {
    file.close();
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}

/** Whether a file is ours, and not from a later program; it may be damaged all the same. */
export function assertOurs(path: string): void {
  const file = new Database(path, { fileMustExist: true });
  try {
    if (file.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
      throw new Refusal(`${path}: this is not a daybook file`, UNUSABLE);
    }
    if ((file.pragma('user_version', { simple: true }) as number) > RELEASED.length + 1) {
      throw new Refusal(`${path}: it was written by a newer daybook; update the program`, UNUSABLE);
    }
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_NOTADB') throw error;
    throw new Refusal(`${path}: this is not a daybook file`, UNUSABLE);
  } finally {
    file.close();
  }
}

/** What SQLite finds wrong with a file; undefined when it is sound. */
export function faultIn(path: string): string | undefined {
  const file = new Database(path, { readonly: true });
  try {
    const found = file.pragma('integrity_check(1)', { simple: true }) as string;
    return found === 'ok' ? undefined : found;
  } finally {
    file.close();
  }
}

const damaged = (path: string, fault: string) =>
  new Refusal(`${path}: the file is damaged (${fault}); take an earlier copy of it`, UNUSABLE);

/** Writes a copy that is whole, sound and on the disk, under a name that is not yet the one it will have. */
export function* writeCopy(from: string, unfinished: string): Steps {
  if (freeBytes(dirname(unfinished)) < statSync(from).size) {
    throw new Refusal(`${unfinished}: a copy needs as much free disk as the file has; make room and try again`);
  }
  const steps = copyAll(from, unfinished);
  let isSound = false;
  try {
    while (!explained(unfinished, () => steps.next()).done) yield;
    const fault = faultIn(unfinished);
    if (fault) throw damaged(from, fault);
    isSound = true;
  } finally {
    steps.return();
    if (!isSound) rmSync(unfinished, { force: true });
  }
}

/** What stands where a copy is to go may only be another copy. */
function assertReplaceable(path: string, from: string, replace: boolean): void {
  if (!existsSync(dirname(path))) {
    throw new Refusal(`${path}: the folder ${dirname(path)} does not exist; make it first`);
  }
  if (!existsSync(path)) return;
  if (realpathSync(path) === from) throw new Refusal(`${path}: this is the file itself; name another for its copy`);
  if (!replace) throw new Refusal(`${path}: there is a file already; --replace writes the copy in its place`);
  assertOurs(path);
}

/** A copy of a file that others may write to meanwhile. It has its name from the moment on that it is finished. */
export function* backup(from: string, to: string, { replace = false } = {}): Steps {
  const path = resolve(to);
  explained(path, () => assertReplaceable(path, from, replace));
  const unfinished = `${path}.tmp`;
  yield* writeCopy(from, unfinished);
  renameSync(unfinished, path);
  syncPath(dirname(path));
}
