import Database from 'better-sqlite3';

/** Sets up a connection that writes. */
export function configure(file: Database.Database): void {
  for (const [name, value, expected] of PRAGMAS) {
    setPragma(file, name, value);
    const actual = file.pragma(name, { simple: true });
    if (actual !== expected) throw new Error(`SQLite keeps ${name} at ${actual}, not ${expected}`);
  }
}

/** How often WAL mode is tried. Up to 20 processes may open a new file at once. */
const MOST_TRIES = 20;

/**
 * Settings of a writing connection, in the order in which they are set. Each is read back, because SQLite ignores a
 * wrong value without an error.
 */
const PRAGMAS = [
  ['busy_timeout', 5000, 5000],
  ['journal_mode', 'WAL', 'wal'],
  // better-sqlite3 is built with NORMAL, which loses acknowledged hits in a power cut.
  ['synchronous', 'FULL', 2],
  ['foreign_keys', 'ON', 1],
  ['trusted_schema', 'OFF', 0],
  ['cell_size_check', 'ON', 1],
  // Deleted and overwritten content must not stay in the file.
  ['secure_delete', 'ON', 1],
  ['temp_store', 'MEMORY', 2],
  // A cache of 32 MB stored no more hits a second than this one of 8 MB: hits are appended.
  ['cache_size', -8_000, -8_000],
  ['journal_size_limit', 67_108_864, 67_108_864],
  // An I/O error on a mapped file would be a signal that ends the process.
  ['mmap_size', 0, 0],
] as const;

/**
 * Sets one pragma. Two processes that switch a new file to WAL mode at once both get BUSY without waiting. The empty
 * transaction waits for its turn, and then the pragma is tried again.
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
