// Native libraries of the single executable. An operating system loads libraries only from files. Therefore each
// library is written into a folder to which only this user can write.
//
// Invariant: all threads of a process load a library from the same path. Otherwise, a process would have two copies of
// SQLite, and each copy would release the locks of the other.
//
// Example: `sqlite.node` is written to `/tmp/.daybook-1000/5f2c…-sqlite.node`. If programs cannot run from /tmp, it is
// written to the folder of the database. scripts/binary.mjs puts the libraries into the executable. The bundle calls
// embeddedLibrary where Node would load a file.

import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getRawAsset, isSea } from 'node:sea';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { Refusal } from '../lib/errors.ts';

/**
 * Loads a native library of the single executable. The first thread writes the file. All other threads load this file
 * too.
 */
export function embeddedLibrary(name: string): unknown {
  const known = getEnvironmentData(name);
  if (typeof known === 'string') return load(known);
  const failures: string[] = [];
  for (const parent of [tmpdir(), ...moreFolders]) {
    try {
      const file = unpack(parent, name, embedded(name) as Buffer);
      const exports = load(file);
      setEnvironmentData(name, file);
      return exports;
    } catch (error) {
      failures.push(`${parent} (${(error as Error).message})`);
    }
  }
  const message = `${name} must be unpacked into a folder that allows programs to run. Tried ${failures.join(', ')}`;
  throw new Refusal(`${message}. Name another with TMPDIR`, 78);
}

/**
 * Allows libraries to be written to the folder of `file`, such as the database. Some systems load no library from the
 * temporary folder.
 */
export function mayUnpackBeside(file: string): void {
  moreFolders.push(dirname(file));
}

/** Reads a file that scripts/binary.mjs has put into the single executable. Returns undefined in any other program. */
export const embedded = (name: string): Buffer | undefined => (isSea() ? Buffer.from(getRawAsset(name)) : undefined);

const moreFolders: string[] = [];

const readContent = (file: string): Buffer | undefined => {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
};

function makeOwnFolder(parent: string): string {
  const user = process.getuid?.();
  const folder = join(parent, user === undefined ? '.daybook' : `.daybook-${user}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const { uid, mode } = lstatSync(folder);
  if (user !== undefined && (uid !== user || (mode & 0o170777) !== 0o040700)) {
    throw new Error(`${folder} is not a folder of this user alone`);
  }
  return folder;
}

/**
 * Writes a library to a file, unless the file already has this content. The name has a hash, so different versions of a
 * library have different files.
 */
function unpack(parent: string, name: string, bytes: Buffer): string {
  const sum = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const file = join(makeOwnFolder(parent), `${sum}-${name}`);
  if (readContent(file)?.equals(bytes)) return file;
  const unfinished = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    writeFileSync(unfinished, bytes, { flag: 'wx', mode: 0o700 });
    renameSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
  return file;
}

function load(file: string): unknown {
  const loaded = { exports: {} };
  process.dlopen(loaded, file);
  return loaded.exports;
}
