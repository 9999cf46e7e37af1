import Database from 'better-sqlite3';
import { Refusal, UNUSABLE } from '../../lib/errors.ts';

/**
 * The locks of this process. Without this list, the garbage collector could close the connection of a lock. That would
 * release the lock.
 */
const HELD = new Set<Database.Database>();

export type Lock = { close(): void };

/**
 * Takes a lock that only one process can have. Node has no file locks, therefore the lock is an SQLite file of its own.
 * The operating system releases the lock even if the process is killed.
 */
export function takeLock(path: string, message: string): Lock {
  const file = new Database(`${path}.lock`, { timeout: 0 });
  try {
    file.pragma('journal_mode = MEMORY');
    file.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new Refusal(`${path}: ${message}`, UNUSABLE);
    }
    throw error;
  }
  HELD.add(file);
  return {
    close() {
      HELD.delete(file);
      file.close();
    },
  };
}
