import Database from 'better-sqlite3';

/** As many processes may open a new file at once. */
const MOST_TRIES = 20;

/** Set in this order. Each is read back, because SQLite gives no error for a value that it does not take. */
const PRAGMAS = [
  ['busy_timeout', 5000, 5000],
  ['journal_mode', 'WAL', 'wal'],
  // The build of better-sqlite3 would choose NORMAL, which loses acknowledged writes when the power fails.
  ['synchronous', 'FULL', 2],
  ['foreign_keys', 'ON', 1],
  ['trusted_schema', 'OFF', 0],
  ['cell_size_check', 'ON', 1],
  // Deleted and overwritten content must not stay in the file.
  ['secure_delete', 'ON', 1],
  ['temp_store', 'MEMORY', 2],
  // With 32 MB no more hits a second were stored, because they are appended.
  ['cache_size', -8_000, -8_000],
  ['journal_size_limit', 67_108_864, 67_108_864],
  // An I/O error on a mapped file would be a signal that ends the process.
  ['mmap_size', 0, 0],
] as const;

/** Two processes that switch a new file to WAL at once both get BUSY without any waiting; a transaction waits for its turn. */
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

/** Sets up a connection that writes. */
export function configure(file: Database.Database): void {
  for (const [name, value, expected] of PRAGMAS) {
    setPragma(file, name, value);
    const actual = file.pragma(name, { simple: true });
    if (actual !== expected) throw new Error(`SQLite keeps ${name} at ${actual}, not ${expected}`);
  }
}
