// Sets the settings (pragmas) of a connection that writes to an SQLite file. In WAL mode, recent changes are in a
// second file, the WAL. `moveWalInto` ends the WAL mode of a database.
//
// Invariant: SQLite accepts every setting as it is written here. Otherwise, the file is not opened.
//
// Example: `moveWalInto('copy.db')` leaves a complete `copy.db`, and no `copy.db-wal` beside it. `open-file.ts`,
// `backup.ts`, `restore.ts` and `cluster/outbox.ts` call these functions.

import Database from 'better-sqlite3';

export function configure(file: Database.Database): void {
  for (const [name, value, expected] of PRAGMAS) {
    setPragma(file, name, value);
    const actual = file.pragma(name, { simple: true });
    if (actual !== expected) throw new Error(`SQLite keeps ${name} at ${actual}, not ${expected}`);
  }
}

/**
 * Moves the content of the WAL (SQLite's file of recent changes) into the database file. A damaged file stays as it is.
 * Throws if another process uses the file in WAL mode, even if that process only reads.
 */
export function moveWalInto(path: string): void {
  const file = new Database(path, { timeout: 0 });
  try {
    file.pragma('journal_mode = DELETE');
  } catch (error) {
    const code = error instanceof Database.SqliteError ? error.code : '';
    if (!DAMAGED.some((one) => code.startsWith(one))) throw error;
  } finally {
    file.close();
  }
}

const DAMAGED = ['SQLITE_NOTADB', 'SQLITE_CORRUPT'];

/**
 * How often a process tries to switch a file to WAL mode. If 20 processes open a new file at the same time, each
 * process may make the others fail once.
 */
const MOST_TRIES = 20;

/**
 * The settings of a connection that writes, in the order in which they are set. Each value is read again afterwards,
 * because SQLite ignores a wrong value without an error.
 */
const PRAGMAS = [
  ['busy_timeout', 5000, 5000],
  ['journal_mode', 'WAL', 'wal'],
  // In WAL mode, the default of better-sqlite3 is NORMAL. With NORMAL, a power failure would lose hits that were
  // already acknowledged.
  ['synchronous', 'FULL', 2],
  ['foreign_keys', 'ON', 1],
  ['trusted_schema', 'OFF', 0],
  ['cell_size_check', 'ON', 1],
  ['secure_delete', 'ON', 1],
  ['temp_store', 'MEMORY', 2],
  // The cache has 8 MB. With 32 MB, storing hits was not faster, because hits are only appended.
  ['cache_size', -8_000, -8_000],
  ['journal_size_limit', 67_108_864, 67_108_864],
  // The file is not mapped into memory. With a mapped file, an error of the disk would end the process (SIGBUS).
  ['mmap_size', 0, 0],
] as const;

/**
 * Sets one pragma. If two processes switch a new file to WAL mode at the same time, one of them may get BUSY
 * immediately. Then an empty transaction waits until the other process has finished. After that, the pragma is set
 * again.
 */
function setPragma(file: Database.Database, name: string, value: string | number): void {
  for (let tries = 1; ; tries++) {
    try {
      file.pragma(`${name} = ${value}`);
      return;
    } catch (error) {
      const isBusy = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!isBusy || tries === MOST_TRIES) throw error;
      file.exec('BEGIN IMMEDIATE; COMMIT');
    }
  }
}
