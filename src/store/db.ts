// The connection to an SQLite file as the rest of daybook uses it: SQL texts with parameters, and transactions. Each
// SQL text is prepared once and kept, because every text is a constant of the program.
//
// Invariant: `write` takes the write lock before its first query, and its changes are on disk when it returns, or none
// of them is. `read` shows all of its queries one moment of the file.
//
// Example: `db.one<{ n: number }>('SELECT count(*) AS n FROM site WHERE account_id = ?', 7)` gives `{ n: 3 }`.
// openStore and openReader (store/file/open-file.ts) make the connections.

import type Database from 'better-sqlite3';

type SqlValue = string | number | bigint | Buffer | null;

export function makeDb(file: Database.Database) {
  const prepare = keepPrepared((sql) => file.prepare(wrapParameters(sql)));
  const prepareLists = keepPrepared((sql) => file.prepare(wrapParameters(sql)).raw());
  const transaction = file.transaction((work: () => unknown) => work());
  let isFailing = false;
  let runs = 0;

  const db = {
    one: <Row>(sql: string, ...values: SqlValue[]) => prepare(sql).get(...values) as Row | undefined,
    all: <Row>(sql: string, ...values: SqlValue[]) => prepare(sql).all(...values) as Row[],
    /** Gives each row as a list. For many rows this takes a third of the time and a quarter of the memory of `all`. */
    lists: <Row extends SqlValue[]>(sql: string, ...values: SqlValue[]) => prepareLists(sql).all(...values) as Row[],
    /** Runs a change. Gives the number of changed rows and the id of the last added row. */
    run(sql: string, ...values: SqlValue[]): { changes: number; id: number } {
      runs++;
      const { changes, lastInsertRowid } = prepare(sql).run(...values);
      return { changes, id: Number(lastInsertRowid) };
    },
    /** Counts the changes that this connection has run. */
    runs: (): number => runs,
    /**
     * Runs work in a transaction that takes the write lock first. So nothing that it reads can change before it writes.
     */
    write<Result>(work: () => Result): Result {
      try {
        const result = transaction.immediate(work) as Result;
        isFailing = false;
        return result;
      } catch (error) {
        if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_')) isFailing = true;
        throw error;
      }
    },
    /** Runs work in a transaction whose queries all see one moment of the file. */
    read: <Result>(work: () => Result): Result => transaction.deferred(work) as Result,
    /** Tells whether the file takes writes. After a failed write this tries another one. */
    isWritable(): boolean {
      if (isFailing) {
        try {
          // This write changes nothing: the id is already this one.
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
     * Rewrites the file without its free pages, if there are many. Needs as much free disk as the rest of the file, and
     * throws without that.
     */
    shrink: () => shrink(file),
    /**
     * Closes the file; the last process to do so also empties the WAL. There is no PRAGMA optimize: its statistics of a
     * table with two rows would make SQLite scan it, even when it has thousands.
     */
    close: () => file.close(),
  };
  return db;
}

export type Db = ReturnType<typeof makeDb>;

/**
 * Wraps each parameter of a query in a subquery. This build of SQLite has STAT4, whose planner plans a query again when
 * a parameter changes. That takes ten times as long as the answer. The planner does not look into subqueries.
 */
const wrapParameters = (sql: string): string => (/^\s*SELECT/.test(sql) ? sql.replaceAll('?', '(SELECT ?)') : sql);

/** Prepares each SQL text once. Finding a prepared statement by its text costs less than 0.1 µs. */
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
 * Moves the WAL into the file and truncates it, without waiting for readers. Gives false if a reader still needs the
 * WAL or the disk is full.
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

/** A file with less free space is not worth a VACUUM. */
const WORTH_BYTES = 8 * 1024 * 1024;

/** Gives free pages back to the disk if there are many. */
function shrink(file: Database.Database): void {
  const [pages, bytes] = ['freelist_count', 'page_size'].map((name) => Number(file.pragma(name, { simple: true })));
  if ((pages ?? 0) * (bytes ?? 0) >= WORTH_BYTES) file.exec('VACUUM');
  emptyWal(file);
}
