import type Database from 'better-sqlite3';

type Value = string | number | bigint | Buffer | null;

export type Db = ReturnType<typeof statements>;

/**
 * SQLite with STAT4, as this one is built, plans a query again each time a parameter changes that its planner looked at, which
 * takes ten times as long as the answer. The planner does not look into subqueries, so that each parameter is wrapped in one.
 */
const steady = (sql: string): string => (/^\s*SELECT/.test(sql) ? sql.replaceAll('?', '(SELECT ?)') : sql);

/**
 * Every SQL text is a constant of our own, so each is prepared once and kept; finding it again by its text costs less than
 * 0.1 µs.
 */
function kept(prepare: (sql: string) => Database.Statement): (sql: string) => Database.Statement {
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
 * Moves everything from the WAL into the file and truncates the WAL; false where that cannot be done now, because a reader still
 * needs it or the disk is full. It does not wait for readers, which may take as long as they like.
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

/** What a file has in free pages before it is worth to write it anew. */
const WORTH_BYTES = 8 * 1024 * 1024;

/** Gives the pages that are free back to the disk, where they are many. */
function shrink(file: Database.Database): void {
  const [pages, bytes] = ['freelist_count', 'page_size'].map((name) => Number(file.pragma(name, { simple: true })));
  if ((pages ?? 0) * (bytes ?? 0) >= WORTH_BYTES) file.exec('VACUUM');
  emptyWal(file);
}

/** The file as the rest of the program uses it: queries and transactions. */
export function statements(file: Database.Database) {
  const prepare = kept((sql) => file.prepare(steady(sql)));
  const prepareLists = kept((sql) => file.prepare(steady(sql)).raw());
  const transaction = file.transaction((work: () => unknown) => work());
  let isFailing = false;
  let runs = 0;

  const db = {
    one: <Row>(sql: string, ...values: Value[]) => prepare(sql).get(...values) as Row | undefined,
    all: <Row>(sql: string, ...values: Value[]) => prepare(sql).all(...values) as Row[],
    /** The same with each row as a list, for many rows: a third of the time and a quarter of the memory. */
    lists: <Row extends Value[]>(sql: string, ...values: Value[]) => prepareLists(sql).all(...values) as Row[],
    /** Runs a change; gives how many rows it changed, and the id of the last row that it added. */
    run(sql: string, ...values: Value[]): { changes: number; id: number } {
      runs++;
      const { changes, lastInsertRowid } = prepare(sql).run(...values);
      return { changes, id: Number(lastInsertRowid) };
    },
    /** How many changes this connection has run so far. */
    runs: (): number => runs,
    /**
     * One transaction that holds the write lock from its beginning, so that what it reads cannot change before it
     * writes. All or nothing, and on disk when it returns.
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
    /** All queries in it see the file as it was at one moment. */
    read: <Result>(work: () => Result): Result => transaction.deferred(work) as Result,
    /** Whether the file takes writes: true after one that succeeded; after one that failed, by trying again. */
    isWritable(): boolean {
      if (isFailing) {
        try {
          // The same again, which every file takes.
          const id = file.pragma('application_id', { simple: true });
          db.write(() => file.pragma(`application_id = ${id}`));
        } catch {
          return false;
        }
      }
      return true;
    },
    emptyWal: () => emptyWal(file),
    /** Writes the file anew where most of it may be free. It takes as much room as what stays, and throws where that is missing. */
    shrink: () => shrink(file),
    /**
     * The last process to close the file also empties its WAL. PRAGMA optimize is left out: from statistics of a table with
     * a row or two SQLite would conclude that scanning it is best, and still scan it when it has thousands.
     */
    close: () => file.close(),
  };
  return db;
}
