// Copies a daybook database file while servers and commands continue to write to it. SQLite's own backup would begin
// again after each write. VACUUM INTO, a statement of SQLite, can neither pause nor leave out a table.
//
// Invariant: all tables of a copy have the content of one moment. A copy has no salts: with a salt, anyone could
// compute the visitor codes of its day. A copy has no secrets of destinations either.
//
// Example: a file of 1 GB is copied in about 500 steps of 2 MB. In the pause after each step, the server can write to
// the disk. backup.ts, restore.ts (through writeCopy) and migrations.ts call copyFile.

import { closeSync, fdatasyncSync, fsyncSync, lstatSync, openSync, unlinkSync } from 'node:fs';
import Database from 'better-sqlite3';
import { Refusal, UNUSABLE } from '../../lib/errors.ts';
import type { Steps } from '../../lib/steps.ts';
import { type Db, makeDb } from '../db.ts';

/** A function that writes something into a copy, such as the time of the copy. */
export type Finish = (copy: Db) => void;

/**
 * Copies a database file. Other processes can write to the original during the copy. `finish` may write to the copy
 * before the commit.
 */
export function* copyFile(from: string, to: string, finish: Finish = () => {}): Steps {
  // Another user of the machine may have made a file or link with this name. Then the copy would be readable for that
  // user, or overwrite another file.
  if (lstatSync(to, { throwIfNoEntry: false })) unlinkSync(to);
  const descriptor = openSync(to, 'wx', 0o600);
  const file = new Database(to);
  try {
    // Nothing reads the copy before it is complete. Therefore SQLite needs neither a journal on disk nor syncs. The
    // journal is in memory, because better-sqlite3 refuses the journal mode OFF.
    for (const pragma of ['journal_mode = MEMORY', 'synchronous = OFF', 'foreign_keys = OFF', 'cell_size_check = ON']) {
      file.pragma(pragma);
    }
    file.prepare('ATTACH ? AS live').run(from);
    file.exec('BEGIN');
    let synced = 0;
    for (const _ of copyTables(file)) {
      if (measureSize(file) - synced >= AT_ONCE / 2) {
        fdatasyncSync(descriptor);
        synced = measureSize(file);
      }
      yield;
    }
    file.exec('DELETE FROM main.sqlite_sequence; INSERT INTO main.sqlite_sequence SELECT * FROM live.sqlite_sequence');
    for (const name of ['application_id', 'user_version']) {
      file.pragma(`main.${name} = ${file.pragma(`live.${name}`, { simple: true })}`);
    }
    finish(makeDb(file));
    file.exec('COMMIT');
  } catch (error) {
    const isCorrupt = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CORRUPT');
    throw isCorrupt || error instanceof RangeError ? refuseDamage(from, error.message) : error;
  } finally {
    file.close();
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}

/** Checks all pages of a database file. Returns the first fault in one line, or undefined if the file has no fault. */
export function findFault(path: string): string | undefined {
  const file = new Database(path, { readonly: true });
  try {
    const found = file.pragma('integrity_check(1)', { simple: true }) as string;
    return found === 'ok' ? undefined : found.replaceAll(/\s+/g, ' ');
  } finally {
    file.close();
  }
}

export const refuseDamage = (path: string, fault: string) =>
  new Refusal(`${path}: the file is damaged (${fault}). Use an older backup`, UNUSABLE);

/**
 * Tables whose rows are not copied. With a salt, anyone could compute the visitor codes of its day from IP addresses.
 * With the secrets of a destination, anyone could write to its channel.
 */
const LEFT_OUT = ['salt', 'destination_secret'];

/**
 * The number of bytes that one step copies. While these bytes are written to disk, the server must wait with its own
 * writes.
 */
const AT_ONCE = 2 * 1024 * 1024;

const measureSize = (file: Database.Database): number =>
  (file.pragma('main.page_count', { simple: true }) as number) *
  (file.pragma('main.page_size', { simple: true }) as number);

type SchemaEntry = { type: string; name: string; sql: string };

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Makes a table or an index with the SQL text from another file, which may be forged. A text with more than one
 * statement is refused, and none of its statements runs (test/store/file/copy.test.ts).
 */
export const makeAs = (file: Database.Database, sql: string): void => void file.prepare(sql).run();

/**
 * Finds the names of the row id, the hidden integer key of a table. SQLite accepts three names for it. A name that the
 * table uses for one of its columns is left out.
 */
const ROW_IDS = `SELECT id.value FROM json_each('["rowid", "oid", "_rowid_"]') AS id
  WHERE id.value NOT IN (SELECT lower(name) FROM pragma_table_xinfo(?, 'live'))`;

/**
 * Finds the columns that identify a row of a table, in order. For most tables, this is the hidden row id. SQLite has
 * three names for the row id. If the table has columns with all three names, the row id cannot be read. Then this
 * function returns an empty list, and the table is copied in one step.
 */
function listKey(file: Database.Database, table: string): string[] {
  const isRowid = file.prepare("SELECT wr = 0 FROM pragma_table_list WHERE schema = 'live' AND name = ?").pluck();
  if (isRowid.get(table) === 1) return file.prepare<[string], string>(ROW_IDS).pluck().all(table).slice(0, 1);
  const primary = file.prepare("SELECT name FROM pragma_table_info(?, 'live') WHERE pk > 0 ORDER BY pk").pluck();
  return (primary.all(table) as string[]).map(quoteName);
}

/**
 * Copies the rows of a table in steps of about 2 MB (`AT_ONCE`). After each step, the number of rows for the next step
 * is computed from the written bytes.
 */
function* copyRows(file: Database.Database, table: string): Steps {
  const names = listKey(file, table);
  const [key, values] = [names.join(', '), names.map(() => '?').join(', ')];
  const [into, all] = [`INSERT INTO main.${quoteName(table)} SELECT *`, `FROM live.${quoteName(table)}`];
  if (names.length === 0) {
    file.prepare(`${into} ${all}`).run();
    return yield;
  }
  // The first step has no lower limit for the id, because a table that an operator added may have negative ids.
  const stepAfter = (where: string) => ({
    nth: file.prepare(`SELECT ${key} ${all} ${where} ORDER BY ${key} LIMIT 1 OFFSET ?`).raw(),
    insert: file.prepare(`${into} ${all} ${where} ORDER BY ${key} LIMIT ?`),
  });
  let { nth, insert } = stepAfter('');
  let rows = 16;
  let from: unknown[] | undefined = [];
  while (from) {
    const to = nth.get(...from, rows - 1) as unknown[] | undefined;
    const before = measureSize(file);
    insert.run(...from, rows);
    yield;
    if (from.length === 0) ({ nth, insert } = stepAfter(`WHERE (${key}) > (${values})`));
    rows = Math.ceil(rows * Math.min(AT_ONCE / (measureSize(file) - before), 4));
    from = to;
  }
}

function* copyTables(file: Database.Database): Steps {
  const pieces = file.prepare<[], SchemaEntry>(
    "SELECT type, name, sql FROM live.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite@_%' ESCAPE '@'",
  );
  const { table = [], index = [] } = Object.groupBy(pieces.all(), ({ type }) => type);
  for (const piece of table) {
    yield* nameFailures(piece, function* () {
      makeAs(file, piece.sql);
      if (!LEFT_OUT.includes(piece.name)) yield* copyRows(file, piece.name);
    });
  }
  // Indexes are made after all rows, because sorting all rows once is faster than inserting each row into an index.
  for (const piece of index) {
    yield* nameFailures(piece, function* () {
      makeAs(file, piece.sql);
      yield;
    });
  }
}

/**
 * Adds the name of the table or index to SQLite's error. For example, an operator may have added a virtual table, which
 * cannot be copied.
 */
function* nameFailures({ type, name }: SchemaEntry, work: () => Steps): Steps {
  try {
    yield* work();
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_ERROR') throw error;
    const remedy = 'remove it, or move it to a file of its own';
    throw new Refusal(`the ${type} ${JSON.stringify(name)} cannot be copied (${error.message}). ${remedy}`, UNUSABLE);
  }
}
