import type Database from 'better-sqlite3';

type Value = string | number | bigint | Buffer | null;

export type Db = ReturnType<typeof statements>;

/**
 * SQLite built with STAT4, as this one is, plans a join anew each time a value is bound that the planner looked at, which
 * takes ten times as long as the answer. It does not look into a subquery, so that values stand in one.
 */
const steady = (sql: string): string => (/^\s*SELECT/.test(sql) ? sql.replaceAll('?', '(SELECT ?)') : sql);

/**
 * The questions that can be put to the file. Every SQL text is a constant of our own, so each is prepared once and
 * kept; finding it again by its text costs less than 0.1 µs.
 */
export function statements(file: Database.Database) {
  const keep = (make: (sql: string) => Database.Statement) => {
    const prepared = new Map<string, Database.Statement>();
    return (sql: string): Database.Statement => {
      let statement = prepared.get(sql);
      if (!statement) {
        statement = make(sql);
        prepared.set(sql, statement);
      }
      return statement;
    };
  };
  const prepare = keep((sql) => file.prepare(steady(sql)));
  const prepareLists = keep((sql) => file.prepare(steady(sql)).raw());
  const transaction = file.transaction((work: () => unknown) => work());
  let failing = false;

  const db = {
    one: <Row>(sql: string, ...values: Value[]) => prepare(sql).get(...values) as Row | undefined,
    all: <Row>(sql: string, ...values: Value[]) => prepare(sql).all(...values) as Row[],
    /** The same with each row as a list, for many rows: a third of the time and a quarter of the memory. */
    lists: <Row extends Value[]>(sql: string, ...values: Value[]) => prepareLists(sql).all(...values) as Row[],
    /** Runs a change and says how many rows it touched and the id of the last row it added. */
    run(sql: string, ...values: Value[]): { changes: number; id: number } {
      const { changes, lastInsertRowid } = prepare(sql).run(...values);
      return { changes, id: Number(lastInsertRowid) };
    },
    /** How many rows this connection has changed so far. */
    changes: (): number => (prepare('SELECT total_changes() AS n').get() as { n: number }).n,
    /**
     * One transaction that holds the write lock from its beginning, so that what it reads cannot change before it
     * writes. All or nothing, and on disk when it returns.
     */
    write<Result>(work: () => Result): Result {
      try {
        const result = transaction.immediate(work) as Result;
        failing = false;
        return result;
      } catch (error) {
        if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_')) failing = true;
        throw error;
      }
    },
    /** Everything that is asked in between sees the file as it was at one moment. */
    read: <Result>(work: () => Result): Result => transaction.deferred(work) as Result,
    /** Whether the file takes writes: true after one that succeeded; after one that failed, by trying again. */
    isWritable(): boolean {
      if (failing) {
        try {
          db.write(() => db.run('UPDATE plan SET name = name WHERE id = 1'));
        } catch {
          return false;
        }
      }
      return true;
    },
    /**
     * Moves everything from the WAL into the file and cuts the WAL to nothing; false when that cannot be now, because
     * somebody still needs it or the disk takes nothing. It waits for nobody: a reader may take as long as it likes.
     */
    emptyWal(): boolean {
      const patience = file.pragma('busy_timeout', { simple: true });
      file.pragma('busy_timeout = 0');
      try {
        return file.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0;
      } catch {
        return false;
      } finally {
        file.pragma(`busy_timeout = ${patience}`);
      }
    },
    /**
     * The last process to close the file also empties its WAL. There is no PRAGMA optimize: statistics taken of a table
     * with a row or two make SQLite scan it, and it still would when there are thousands.
     */
    close: () => file.close(),
  };
  return db;
}
