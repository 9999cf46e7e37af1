import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getRawAsset, isSea } from 'node:sea';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { Refusal } from '../lib/errors.ts';

/** What binary.mjs put into the single executable under a name; undefined in every other run. */
export const inside = (name: string): Buffer | undefined => (isSea() ? Buffer.from(getRawAsset(name)) : undefined);

const others: string[] = [];

/** Where else libraries may be unpacked, should the temporary folder not do: a server always has the folder of its file. */
export function mayUnpackBeside(file: string): void {
  others.push(dirname(file));
}

const contentOf = (file: string): Buffer | undefined => {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
};

/** A folder in which nobody else can have put anything. */
function ownFolder(parent: string): string {
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

/** Writes a library once; its name changes with what is in it, so that two versions do not get in each other's way. */
function unpack(parent: string, name: string, bytes: Buffer): string {
  const sum = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const file = join(ownFolder(parent), `${sum}-${name}`);
  if (contentOf(file)?.equals(bytes)) return file;
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

/**
 * A native library of the single executable, which systems load from files only. All threads load it by one path: two
 * copies of SQLite in a process would take each other's locks away.
 */
export function library(name: string): unknown {
  const known = getEnvironmentData(name);
  if (typeof known === 'string') return load(known);
  const failures: string[] = [];
  for (const parent of [tmpdir(), ...others]) {
    try {
      const file = unpack(parent, name, inside(name) as Buffer);
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
