// Opens daybook's SQLite file: for a server, for a command, or for queries in a thread.
//
// Invariant: no byte changes in a file that daybook did not write, that a newer program wrote, or that is damaged. At
// most one server uses a file. The server has an SQLite lock on the file `….lock`, which the operating system releases
// even if the server is killed.
//
// Example: `openStore('daybook.db', { serve: true })` checks the folder, the header and the pages. Then it locks
// `daybook.db.lock`, sets the pragmas, and makes the tables of a new file. compose.ts calls openStore for the server,
// cli/command.ts for commands, and worker.ts calls openReader for queries.

import { closeSync, existsSync, lstatSync, openSync, readSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { schema } from '../../embedded/schema.ts';
import { Refusal, UNUSABLE } from '../../lib/errors.ts';
import { type Db, makeDb } from '../db.ts';
import { type Migration, migrate, RELEASED } from './migrations.ts';
import { configure, moveWalInto } from './pragmas.ts';

type OpenOptions = {
  /**
   * Locks the file against a second server. Commands open the file without this lock, and write in short
   * transactions.
   */
  serve?: boolean;
  /** Makes the file if it does not exist. */
  create?: boolean;
  migrations?: readonly Migration[];
  /** Called before an older file is copied and migrated. As that may take long, the server can log a line first. */
  onUpdate?(from: number, to: number): void;
};

export type Opened = { db: Db; path: string; close(): void };

/** Opens the database file for writing and runs the migrations that it has not had yet. */
export function openStore(file: string, options: OpenOptions = {}): Opened {
  const { serve = false, create: mayCreate = true, migrations = RELEASED } = options;
  return explainErrors(resolve(file), () => {
    const path = findPlace(file, mayCreate);
    const version = migrations.length + 1;
    inspect(path, version, serve);
    const serverLock = serve
      ? takeLock(path, 'another server is running on it; stop that one or choose another --db')
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
 * Refuses a file with a second hard link (a second name) that another process has open. A server under the other name
 * would have its own lock and WAL. Both servers would write over each other's pages. A supervisor may try again after
 * this error, because the process may be a short command.
 */
function assertAlone(path: string): void {
  try {
    moveWalInto(path);
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error;
    throw new Refusal(
      `${path}: it has another name (a hard link), and another program has it open; delete that name, or stop that program`,
    );
  }
}

/**
 * Opens the database file only for reading. Called in a thread of a program that already has the file open for writing.
 */
export function openReader(path: string): Opened {
  const file = new Database(path, { readonly: true, fileMustExist: true });
  for (const pragma of READER_PRAGMAS) file.pragma(pragma);
  const db = makeDb(file);
  return { db, path, close: db.close };
}

/** The application id in the header of each daybook file. Its bytes are the text "dybk". */
export const APPLICATION_ID = 0x6479626b;
/** The application id in files from before the first release. Its bytes are the text "dayb". */
const UNRELEASED_ID = 0x64617962;

/**
 * A file up to this size is checked at every start, which takes about 2 ms for each megabyte. A larger file is
 * checked only after a crash.
 */
const CHECKED_AT_START = 64 * 1024 * 1024;

/** Refuses a version of SQLite with a known fault. In WAL mode, two processes that write could damage the file. */
export function assertVersion(version: string): void {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const number = major * 1_000_000 + minor * 1000 + patch;
  if (number < 3_051_003 || number === 3_052_000) {
    throw new Refusal(`SQLite ${version} can corrupt files; 3.51.3 or newer is needed. Run npm ci again.`);
  }
}

/** Types of file systems whose locks are not reliable: NFS, SMB and CIFS. */
const NETWORK_FILE_SYSTEMS = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

/** Refuses a name with a space at its end. SQLite would leave the space out, and open another file. */
export function assertName(path: string): void {
  if (path === path.trimEnd()) return;
  throw new Refusal(`${path}: the name ends with a space, which SQLite leaves out; name another file`, UNUSABLE);
}

/**
 * Finds the file that a link leads to. A new file gets the real path of its folder, so that two names of one file are
 * recognized. A link to a missing file is refused, because the disk of that file may not be attached.
 */
export function followLink(file: string): string {
  const path = resolve(file);
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(path);
  if (!existsSync(folder)) return path;
  if (!lstatSync(path, { throwIfNoEntry: false })) return join(realpathSync(folder), basename(path));
  throw new Refusal(`${path}: this is a link to a file that does not exist; name that file`, UNUSABLE);
}

export function assertPlace(path: string): void {
  assertName(path);
  const folder = dirname(path);
  if (!existsSync(folder)) throw new Refusal(`${path}: the folder ${folder} does not exist; make it first`, UNUSABLE);
  if (!statSync(folder).isDirectory()) {
    throw new Refusal(`${path}: ${folder} is a file, and no folder; name another place with --db`, UNUSABLE);
  }
  if (NETWORK_FILE_SYSTEMS.has(statfsSync(folder).type)) {
    throw new Refusal(`${path}: a network file system cannot hold it safely; put it on a local disk`, UNUSABLE);
  }
  if (existsSync(path) && statSync(path).isDirectory()) {
    throw new Refusal(`${path}: this is a folder; name a file in it with --db`, UNUSABLE);
  }
}

const EXPLANATIONS: Record<string, string> = {
  SQLITE_NOTADB: 'this is not a daybook file; name another with --db',
  SQLITE_CORRUPT: 'the file is damaged; restore an earlier copy',
  SQLITE_CANTOPEN: 'it cannot be opened; check who may read and write the file and its folder',
  SQLITE_READONLY: 'it cannot be written; check who may write the file and its folder',
  SQLITE_PERM: 'it cannot be opened; check who may read and write the file',
  SQLITE_BUSY: 'another program has locked it; stop that first',
  SQLITE_FULL: 'the disk is full; make room and start again',
  SQLITE_IOERR: 'the disk cannot be read or written; check it and start again',
  EBUSY: 'it is mounted by itself, so that no other file can take its place; mount its folder instead',
  EXDEV: 'it is mounted by itself, so that no other file can take its place; mount its folder instead',
  EACCES: 'it cannot be opened; check who may read and write the file and its folder',
  EIO: 'the disk cannot be read or written; check it and start again',
  ENOENT: 'its folder, or the one that it links to, does not exist; attach its disk, or name another file',
  ENOTDIR: 'a part of its path is a file, and no folder; name another place',
  ELOOP: 'it is a link that leads back to itself; name another file',
  ENAMETOOLONG: 'its name is too long; choose a shorter one',
  EISDIR: 'a folder stands where its copy should go; move that away',
  ENOTEMPTY: 'a folder stands where its copy should go; move that away',
  EROFS: 'it lies on a disk that may only be read; choose another --db',
  ENOSPC: 'the disk is full; make room and start again',
};

/**
 * Turns an error about a file into a refusal with an explanation of one line. Gives an unknown error back unchanged.
 */
export function makeRefusal(path: string, error: unknown): unknown {
  const { code: given = '' } = error as { code?: string };
  const code = /^SQLITE_[A-Z]+/.exec(given)?.[0] ?? given;
  const explanation = EXPLANATIONS[code];
  return explanation === undefined ? error : new Refusal(`${path}: ${explanation}`, UNUSABLE);
}

export function explainErrors<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw makeRefusal(path, error);
  }
}

const refuseForeign = (path: string) =>
  new Refusal(`${path}: this is not a daybook file; name another with --db`, UNUSABLE);
const refuseUnreleased = (path: string) =>
  new Refusal(
    `${path}: a daybook from before the first release wrote it; export each site with that program, and import it with this one into a new file`,
    UNUSABLE,
  );
export const refuseId = (path: string, id: unknown): Refusal =>
  id === UNRELEASED_ID ? refuseUnreleased(path) : refuseForeign(path);
const refuseDamage = (path: string) => new Refusal(`${path}: the file is damaged; restore an earlier copy`, UNUSABLE);

function assertNotNewer(path: string, version: number, newest: number): void {
  if (version <= newest) return;
  const versions = `file version ${version}, this program knows ${newest}`;
  throw new Refusal(`${path}: it was written by a newer daybook (${versions}); update the program`, UNUSABLE);
}

/**
 * Checks the header of a file, the first 100 bytes that SQLite's file format defines. A foreign file is refused before
 * SQLite opens it.
 */
function assertHeader(path: string, newest: number): void {
  const header = Buffer.alloc(100);
  // The header is read before any connection to the file is opened. On Unix, closing a file descriptor releases all
  // locks that this process has on the file. So later, it would release SQLite's locks.
  const descriptor = openSync(path, 'r');
  const read = readSync(descriptor, header, 0, header.length, 0);
  closeSync(descriptor);
  if (read === 0) return;
  if (read < header.length || header.toString('latin1', 0, 16) !== 'SQLite format 3\0') throw refuseForeign(path);
  const id = header.readUInt32BE(68);
  if (id !== 0 && id !== APPLICATION_ID) throw refuseId(path, id);
  if (id === APPLICATION_ID) assertNotNewer(path, header.readUInt32BE(60), newest);
}

/** Checks a file without writing to it, so that a damaged file stays as it was and can still be repaired. */
function inspect(path: string, newest: number, serve: boolean): void {
  assertHeader(path, newest);
  const hasWal = existsSync(`${path}-wal`);
  // A process that was killed while it changed the journal mode leaves this journal. Only a connection that may write
  // can undo such a change.
  const hasJournal = existsSync(`${path}-journal`);
  // After a clean stop, neither the WAL nor the journal exists. If one of them exists, the last server was probably
  // killed, so the pages are checked.
  const isChecked = statSync(path).size <= CHECKED_AT_START || (serve && (hasWal || hasJournal));
  // A connection to a file in WAL mode makes the files -wal and -shm, and a read-only connection cannot delete them. So
  // a file without -wal is opened for writing, although nothing is written.
  const file = new Database(path, { readonly: hasWal && !hasJournal, fileMustExist: true });
  try {
    // Both queries run in one transaction. Otherwise another process could make the tables between the queries.
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
 * All locks of this process. Without this list, the garbage collector could close the connection of a lock, and thereby
 * release the lock.
 */
const HELD = new Set<Database.Database>();

export type Lock = { close(): void };

/**
 * Takes a lock that only one process can have. The lock is an SQLite file of its own, because Node has no file locks.
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

/**
 * Makes the tables of an empty file in one transaction. Several processes may call this: only one makes the tables. In
 * a file with tables the application id is written again. If the file is read-only, this write fails now, and not later
 * with the first hit.
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
    : takeLock(path, 'it must be updated first, but a server or another command is using it; stop that, or try again');
  try {
    migrate(file, path, migrations);
  } finally {
    updateLock?.close();
  }
}

/**
 * Finds the real path of a file, so that a file with two names has only one lock. If the file does not exist, an empty
 * file is made.
 */
function findPlace(file: string, create: boolean): string {
  assertPlace(resolve(file));
  if (!existsSync(file)) {
    if (!create) throw new Refusal(`${resolve(file)}: there is no such file; name another with --db`, UNUSABLE);
    closeSync(openSync(file, 'a', 0o600));
  }
  const path = realpathSync(file);
  const kind = statSync(path);
  // Opening a named pipe would wait for another process without end. A folder passes here; opening it later gives a
  // clear error.
  if (!kind.isFile() && !kind.isDirectory())
    throw new Refusal(`${path}: this is a pipe, a socket or a device; name a file with --db`, UNUSABLE);
  return path;
}

/**
 * The settings of a connection that only reads. Its cache has only 2 MB, because columns that queries read repeatedly
 * stay in memory elsewhere (ledger/column/column-cache.ts).
 */
const READER_PRAGMAS = [
  'busy_timeout = 5000',
  'query_only = ON',
  'trusted_schema = OFF',
  'temp_store = MEMORY',
  'cache_size = -2000',
];

/** Loads SQLite's library into a thread at the start, so that the first connection does not wait for it. */
export function loadSqlite(): void {
  new Database(':memory:').close();
}
