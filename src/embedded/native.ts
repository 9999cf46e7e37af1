// Native libraries of the single executable. Systems load libraries from files only, so each is unpacked into a folder
// that only this user can write to.
//
// Invariant: all threads of a process load a library by one path. Two copies of SQLite in a process would release each
// other's locks.
//
// Example: `sqlite.node` is unpacked as `/tmp/.daybook-1000/5f2c…-sqlite.node`, or beside the database
// if programs cannot run from /tmp. scripts/binary.mjs puts the libraries in, and the bundle calls embeddedLibrary
// where node would load a file.

import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getRawAsset, isSea } from 'node:sea';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { Refusal } from '../lib/errors.ts';

/** Loads a native library of the single executable, by one path in all threads. */
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
  const message = `${name} must be unpacked into a folder from which programs may be run; tried ${failures.join(', ')}`;
  throw new Refusal(`${message}; TMPDIR names another`, 78);
}

/** Allows unpacking beside a file, such as the database, if the temporary folder does not work. */
export function mayUnpackBeside(file: string): void {
  moreFolders.push(dirname(file));
}

/** Reads a file that scripts/binary.mjs put into the single executable; undefined in any other program. */
export const embedded = (name: string): Buffer | undefined => (isSea() ? Buffer.from(getRawAsset(name)) : undefined);

const moreFolders: string[] = [];

const readContent = (file: string): Buffer | undefined => {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
};

/** Makes a folder that no other user can write to. */
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

/** Writes a library, unless it is there. A hash in its name keeps versions apart. */
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
