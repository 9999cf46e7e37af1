import { existsSync, lstatSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Refusal, UNUSABLE } from '../../lib/errors.ts';

/** The numbers of file systems whose locks are not reliable: NFS, SMB and CIFS. */
const NETWORK_FILE_SYSTEMS = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

/**
 * Refuses a path where a daybook file is not safe. Examples are a missing folder, a network disk, and a name with a
 * space at its end.
 */
export function assertPlace(path: string): void {
  assertName(path);
  const folder = dirname(path);
  if (!existsSync(folder)) throw new Refusal(`${path}: the folder ${folder} does not exist. Create it first`, UNUSABLE);
  if (!statSync(folder).isDirectory()) {
    throw new Refusal(`${path}: ${folder} is a file, not a folder. Name another place with --db`, UNUSABLE);
  }
  if (NETWORK_FILE_SYSTEMS.has(statfsSync(folder).type)) {
    throw new Refusal(`${path}: a network file system cannot store it safely. Put it on a local disk`, UNUSABLE);
  }
  if (existsSync(path) && statSync(path).isDirectory()) {
    throw new Refusal(`${path}: this is a folder. Name a file in it with --db`, UNUSABLE);
  }
}

/** Refuses a name with a space at its end. The library better-sqlite3 would ignore the space, and open another file. */
export function assertName(path: string): void {
  if (path === path.trimEnd()) return;
  throw new Refusal(`${path}: the name ends with a space, which SQLite leaves out. Name another file`, UNUSABLE);
}

/**
 * Finds the real path of a file: the path without links. Through the real path, a file and a link to it are recognised
 * as one file. If the file does not exist yet, only the links in the path of its folder are followed. A link to a
 * missing file is refused, because the disk of that file may not be attached.
 */
export function followLink(file: string): string {
  const path = resolve(file);
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(path);
  if (!existsSync(folder)) return path;
  if (!lstatSync(path, { throwIfNoEntry: false })) return join(realpathSync(folder), basename(path));
  throw new Refusal(`${path}: this is a link to a file that does not exist. Name that file`, UNUSABLE);
}
