import Database from 'better-sqlite3';
import { schema } from '../../embedded/schema.ts';
import { makeAs } from './copy.ts';
import { RELEASED } from './migrations.ts';

/**
 * Finds the first table, index or column that a file would lack even after its migrations. A file that lacks such a
 * part cannot be restored. If the SQL of the file's tables or of a migration fails, returns SQLite's message. Tables
 * that an operator added are ignored. No row is read, therefore a large file takes no longer than a small one.
 */
export function findLack(path: string): string | undefined {
  const from = new Database(path, { readonly: true, fileMustExist: true });
  const [newest, made] = [new Database(':memory:'), new Database(':memory:')];
  try {
    newest.exec(schema);
    makeUpToDate(made, from);
    const found = new Set(listParts(made));
    return listParts(newest).find((part) => !found.has(part));
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_ERROR') throw error;
    return error.message;
  } finally {
    for (const file of [from, newest, made]) file.close();
  }
}

const PARTS = `SELECT type || ' ' || name FROM sqlite_schema WHERE name NOT LIKE 'sqlite@_%' ESCAPE '@'
  UNION ALL SELECT 'column ' || c.name || ' of ' || s.name FROM sqlite_schema s JOIN pragma_table_info(s.name) c
    WHERE s.type = 'table'`;

const PIECES = `SELECT sql FROM sqlite_schema WHERE type IN ('table', 'index') AND sql IS NOT NULL
  AND name NOT LIKE 'sqlite@_%' ESCAPE '@' ORDER BY type = 'index'`;

const listParts = (file: Database.Database): string[] => file.prepare<[], string>(PARTS).pluck().all();

/**
 * Makes the tables of the file `from` again in `file`, without rows. Then runs the migrations that are newer than
 * `from`.
 */
function makeUpToDate(file: Database.Database, from: Database.Database): void {
  const version = from.pragma('user_version', { simple: true }) as number;
  for (const sql of from.prepare<[], string>(PIECES).pluck().all()) makeAs(file, sql);
  for (const sql of RELEASED.slice(version - 1)) file.exec(sql);
}
