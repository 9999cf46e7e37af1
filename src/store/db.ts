// A connection to an SQLite file, with functions for SQL texts, parameters and transactions. Each SQL text is prepared
// once, and the prepared statement stays in memory. There are few statements, because each SQL text is a constant of
// the program.
//
// Invariant: `write` takes the write lock before the first query. If `write` returns, all its changes are on disk. If
// `write` throws, none are. A `write` inside another `write` belongs to the outer transaction. All queries inside one
// `read` see one state of the database.
//
// Example: `db.one<{ n: number }>('SELECT count(*) AS n FROM site WHERE account_id = ?', 7)` returns `{ n: 3 }`. Most
// connections come from openStore and openReader (store/file/open-file.ts).

import type Database from 'better-sqlite3';

type SqlValue = string | number | bigint | Buffer | null;

export function makeDb(file: Database.Database) {
  const prepare = keepPrepared((sql) => file.prepare(wrapParameters(sql)));
  const prepareLists = keepPrepared((sql) => file.prepare(wrapParameters(sql)).raw());
  const transaction = file.transaction((work: () => unknown) => work());
  let isFailing = false;
  let runs = 0;

  const db = {
    /** The path of the file. Code that needs another connection opens this path. */
    path: file.name,
    one: <Row>(sql: string, ...values: SqlValue[]) => prepare(sql).get(...values) as Row | undefined,
    all: <Row>(sql: string, ...values: SqlValue[]) => prepare(sql).all(...values) as Row[],
    /**
     * Returns each row as a list of values. For many rows, `lists` takes a third of the time and a quarter of the
     * memory of `all`.
     */
    lists: <Row extends SqlValue[]>(sql: string, ...values: SqlValue[]) => prepareLists(sql).all(...values) as Row[],
    run(sql: string, ...values: SqlValue[]): { changes: number; id: number } {
      runs++;
      const { changes, lastInsertRowid } = prepare(sql).run(...values);
      return { changes, id: Number(lastInsertRowid) };
    },
    runs: (): number => runs,
    /**
     * Runs work in a transaction that takes the write lock first. Until the end of the transaction, no other process
     * can change what the work reads.
     */
    write<Result>(work: () => Result): Result {
      try {
        const result = transaction.immediate(work) as Result;
        isFailing = false;
        return result;
      } catch (error) {
        if (isSqliteError(error)) isFailing = true;
        throw error;
      }
    },
    /** Runs work in a transaction for reading. All queries of the work see one state of the database. */
    read: <Result>(work: () => Result): Result => transaction.deferred(work) as Result,
    /** True if the file can be written. If the last write failed, this function tries a write that changes nothing. */
    isWritable(): boolean {
      if (isFailing) {
        try {
          // This write is only a test. The file already has this id, therefore the write changes nothing.
          const id = file.pragma('application_id', { simple: true });
          db.write(() => file.pragma(`application_id = ${id}`));
        } catch {
          return false;
        }
      }
      return true;
    },
    emptyWal: () => emptyWal(file),
    /**
     * Rewrites the database file without its unused pages, if they have 8 MB or more together. The disk needs free
     * space for a second copy of the file. If there is less space, this function throws.
     */
    shrink: () => shrink(file),
    /**
     * Closes the connection. The last process that closes the file also empties the WAL, SQLite's file of recent
     * changes.
     *
     * PRAGMA optimize is not called here. This pragma may record that a table has two rows. SQLite would then scan the
     * whole table even after the table has thousands of rows.
     */
    close: () => file.close(),
  };
  return db;
}

export type Db = ReturnType<typeof makeDb>;

/**
 * Wraps each parameter of a query in a subquery. This build of SQLite has the option STAT4. With STAT4, SQLite plans a
 * query again whenever a parameter changes. Planning takes ten times as long as running the query. SQLite ignores
 * parameters inside subqueries, therefore it plans the wrapped query only once.
 */
const wrapParameters = (sql: string): string => (/^\s*SELECT/.test(sql) ? sql.replaceAll('?', '(SELECT ?)') : sql);

/**
 * Keeps prepared statements by their text. Finding a statement takes less than 0.1 µs. Preparing it again would take
 * much longer.
 */
function keepPrepared(prepare: (sql: string) => Database.Statement): (sql: string) => Database.Statement {
  const statements = new Map<string, Database.Statement>();
  return (sql) => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
}

/**
 * Moves the content of the WAL (SQLite's file of recent changes) into the database file, and truncates the WAL. This
 * function does not wait for other connections. Returns false if another connection still reads the WAL, or if the disk
 * is full.
 */
function emptyWal(file: Database.Database): boolean {
  const timeout = file.pragma('busy_timeout', { simple: true });
  file.pragma('busy_timeout = 0');
  try {
    return file.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0;
  } catch {
    return false;
  } finally {
    file.pragma(`busy_timeout = ${timeout}`);
  }
}

/** VACUUM runs if at least this many bytes are unused. VACUUM rewrites the whole file, which takes long. */
const WORTH_BYTES = 8 * 1024 * 1024;

function shrink(file: Database.Database): void {
  const [pages, bytes] = ['freelist_count', 'page_size'].map((name) => Number(file.pragma(name, { simple: true })));
  if ((pages ?? 0) * (bytes ?? 0) >= WORTH_BYTES) file.exec('VACUUM');
  emptyWal(file);
}

/** True if the error is from SQLite, for example because the disk is full. */
export const isSqliteError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_');
