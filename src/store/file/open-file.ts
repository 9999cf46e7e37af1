// Opens daybook's SQLite file: for a server, for a command, or for queries in a thread.
//
// Invariant: no byte changes in a file of another program, of a newer daybook, or with damage that is found here. At
// most one server uses a file. The server has an SQLite lock on the file `….lock`. The operating system releases the
// lock even if the server is killed.
//
// Example: `openStore('daybook.db', { serve: true })` checks the folder, the header and the pages. Then it locks
// `daybook.db.lock`, sets the pragmas, and makes the tables of a new file. compose.ts calls openStore for the server,
// cli/command.ts for commands, and worker.ts calls openReader for queries.

import { closeSync, existsSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import Database from 'better-sqlite3';
import { schema } from '../../embedded/schema.ts';
import { Refusal, UNUSABLE } from '../../lib/errors.ts';
import { type Db, makeDb } from '../db.ts';
import { explainErrors } from './explain-errors.ts';
import { takeLock } from './lock.ts';
import { type Migration, migrate, RELEASED } from './migrations.ts';
import { assertPlace } from './place.ts';
import { configure, moveWalInto } from './pragmas.ts';

type OpenOptions = {
  /**
   * Locks the file against a second server. Commands write in short transactions, therefore they take this lock only
   * while they migrate the file.
   */
  serve?: boolean;
  create?: boolean;
  migrations?: readonly Migration[];
  /**
   * This function runs before an older file is copied and migrated. The server logs a line first, because migrating may
   * take long.
   */
  onUpdate?(from: number, to: number): void;
};

export type Opened = { db: Db; path: string; close(): void };

export function openStore(file: string, options: OpenOptions = {}): Opened {
  const { serve = false, create: mayCreate = true, migrations = RELEASED } = options;
  return explainErrors(resolve(file), () => {
    const path = findPlace(file, mayCreate);
    const version = migrations.length + 1;
    inspect(path, version, serve);
    const serverLock = serve
      ? takeLock(path, 'another server is running on it. Stop that one, or choose another --db')
      : undefined;
    let writer: Database.Database | undefined;
    try {
      if (serve && statSync(path).nlink > 1) assertAlone(path);
      writer = new Database(path);
      assertVersion(writer.prepare('SELECT sqlite_version()').pluck().get() as string);
      configure(writer);
      create(writer, version);
      upgrade(writer, path, migrations, options);
    } catch (error) {
      writer?.close();
      serverLock?.close();
      throw error;
    }
    const db = makeDb(writer);
    return {
      db,
      path,
      close() {
        db.close();
        serverLock?.close();
      },
    };
  });
}

/**
 * Refuses a file that another process has open under a second hard link (a second name). A server under the other name
 * would have its own lock and WAL. Then two servers would overwrite each other's pages.
 *
 * The process may be a short command. Therefore it makes sense to try again after this error.
 */
function assertAlone(path: string): void {
  try {
    moveWalInto(path);
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error;
    throw new Refusal(
      `${path}: it has another name (a hard link), and another program has it open. Delete that name, or stop that program`,
    );
  }
}

/**
 * Opens a file for reading, without a check and without migrations. Callers have opened the file with openStore before,
 * or they read a backup.
 */
export function openReader(path: string): Opened {
  const file = new Database(path, { readonly: true, fileMustExist: true });
  for (const pragma of READER_PRAGMAS) file.pragma(pragma);
  const db = makeDb(file);
  return { db, path, close: db.close };
}

/** The application id in the header of each daybook file. Its bytes are the text "dybk". */
export const APPLICATION_ID = 0x6479626b;
/** The application id in files from before the first release, which are refused. Its bytes are the text "dayb". */
const UNRELEASED_ID = 0x64617962;

/**
 * A file up to this size is checked each time that it is opened for writing. The check takes about 2 ms for each
 * megabyte. A larger file is checked only when a server starts after a crash.
 */
const CHECKED_AT_START = 64 * 1024 * 1024;

/**
 * Refuses versions of SQLite with a fault: all before 3.51.3, and 3.52.0. With these versions, two processes that write
 * in WAL mode could damage the file.
 */
export function assertVersion(version: string): void {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const number = major * 1_000_000 + minor * 1000 + patch;
  if (number < 3_051_003 || number === 3_052_000) {
    throw new Refusal(
      `SQLite ${version} can corrupt files. daybook needs 3.51.3 or newer, but not 3.52.0. Run npm ci again`,
    );
  }
}

const refuseForeign = (path: string) =>
  new Refusal(`${path}: this is not a daybook file. Name another with --db`, UNUSABLE);
const refuseUnreleased = (path: string) =>
  new Refusal(
    `${path}: a daybook from before the first release wrote it. Export each site with that program. Then import it with this one into a new file`,
    UNUSABLE,
  );
export const refuseId = (path: string, id: unknown): Refusal =>
  id === UNRELEASED_ID ? refuseUnreleased(path) : refuseForeign(path);
const refuseDamage = (path: string) => new Refusal(`${path}: the file is damaged. Restore a backup`, UNUSABLE);

function assertNotNewer(path: string, version: number, newest: number): void {
  if (version <= newest) return;
  const versions = `file version ${version}, this program knows ${newest}`;
  throw new Refusal(`${path}: a newer daybook wrote it (${versions}). Update the program`, UNUSABLE);
}

/**
 * Checks the first 100 bytes, the header of SQLite's file format. With this check, a foreign file is refused before
 * SQLite opens it.
 */
function assertHeader(path: string, newest: number): void {
  const header = Buffer.alloc(100);
  // The header is read before SQLite opens the file. On Unix, closing a file descriptor releases all locks of the
  // process on that file, including SQLite's locks.
  const descriptor = openSync(path, 'r');
  const read = readSync(descriptor, header, 0, header.length, 0);
  closeSync(descriptor);
  if (read === 0) return;
  if (read < header.length || header.toString('latin1', 0, 16) !== 'SQLite format 3\0') throw refuseForeign(path);
  const id = header.readUInt32BE(68);
  if (id !== 0 && id !== APPLICATION_ID) throw refuseId(path, id);
  if (id === APPLICATION_ID) assertNotNewer(path, header.readUInt32BE(60), newest);
}

/** Checks a file without writing to it, because somebody may still be able to repair a damaged file. */
function inspect(path: string, newest: number, serve: boolean): void {
  assertHeader(path, newest);
  const hasWal = existsSync(`${path}-wal`);
  // A process that is killed while it changes the journal mode leaves the file -journal. Only a connection that may
  // write can undo such a change.
  const hasJournal = existsSync(`${path}-journal`);
  // After a clean stop, neither the WAL nor the journal exists. If one of them exists, the last server was probably
  // killed. Then the pages are checked.
  const isChecked = statSync(path).size <= CHECKED_AT_START || (serve && (hasWal || hasJournal));
  // A connection in WAL mode makes the files -wal and -shm, and a read-only connection cannot delete them. Therefore a
  // file without -wal is opened for writing, although nothing is written.
  const file = new Database(path, { readonly: hasWal && !hasJournal, fileMustExist: true });
  try {
    // The id and the tables are read in one transaction. Otherwise, another process could make the tables in between.
    const [id, tables] = file.transaction(() => [
      file.pragma('application_id', { simple: true }),
      file.prepare('SELECT count(*) FROM sqlite_schema').pluck().get(),
    ])();
    if (id === 0 && tables === 0) return;
    if (id !== APPLICATION_ID) throw refuseId(path, id);
    assertNotNewer(path, file.pragma('user_version', { simple: true }) as number, newest);
    if (isChecked && file.pragma('quick_check(1)', { simple: true }) !== 'ok') throw refuseDamage(path);
  } finally {
    file.close();
  }
}

/**
 * Makes the tables of an empty file in one transaction. If several processes call this function, only one makes the
 * tables. In a file with tables, the application id is written again. If the file is read-only, this write fails now,
 * and not later with the first hit.
 */
function create(file: Database.Database, version: number): void {
  const make = file.transaction(() => {
    const isNew = file.pragma('application_id', { simple: true }) !== APPLICATION_ID;
    file.pragma(`application_id = ${APPLICATION_ID}`);
    if (!isNew) return;
    file.exec(schema);
    file.pragma(`user_version = ${version}`);
  });
  make.immediate();
}

function upgrade(
  file: Database.Database,
  path: string,
  migrations: readonly Migration[],
  { serve, onUpdate }: OpenOptions,
): void {
  const from = file.pragma('user_version', { simple: true }) as number;
  if (from > migrations.length) return;
  onUpdate?.(from, migrations.length + 1);
  const updateLock = serve
    ? undefined
    : takeLock(path, 'it must be updated first, but a server or another command is using it. Stop that, or try again');
  try {
    migrate(file, path, migrations);
  } finally {
    updateLock?.close();
  }
}

/**
 * Finds the real path of a file. Through the real path, a file and a symbolic link to it have only one lock. If the
 * file does not exist, an empty file is made if `create` is true. Otherwise, the path is refused.
 */
function findPlace(file: string, create: boolean): string {
  assertPlace(resolve(file));
  if (!existsSync(file)) {
    if (!create) throw new Refusal(`${resolve(file)}: there is no such file. Name another with --db`, UNUSABLE);
    closeSync(openSync(file, 'a', 0o600));
  }
  const path = realpathSync(file);
  const kind = statSync(path);
  // Opening a named pipe would wait for another process without end. A folder passes here, because opening it later
  // causes a clear error.
  if (!kind.isFile() && !kind.isDirectory())
    throw new Refusal(`${path}: this is a pipe, a socket or a device. Name a file with --db`, UNUSABLE);
  return path;
}

/**
 * Settings for reading. The cache has only 2 MB, because columns that queries read repeatedly stay in memory elsewhere
 * (ledger/column/column-cache.ts).
 */
export const READER_PRAGMAS = [
  'busy_timeout = 5000',
  'query_only = ON',
  'trusted_schema = OFF',
  'temp_store = MEMORY',
  'cache_size = -2000',
];

/** Loads SQLite's library into a thread. The first connection then does not wait for it. */
export function loadSqlite(): void {
  new Database(':memory:').close();
}
