import { closeSync, fsyncSync, openSync, statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'this is a folder',
};

/** Says in words why a file cannot be read. */
export function findReason(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? message;
}

/** Writes the content of a file, or the list of files in a folder, through to the disk. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Measures the free space on the disk of a folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** With less free disk space than this, /readyz reports the server as not ready. */
export const MIN_FREE_BYTES = 100 * 1024 * 1024;

/** Makes a check that tells whether the disk of a file has enough free space for new hits. */
export const hasRoomFor = (path: string) => async (): Promise<boolean> => {
  const { bavail, bsize } = await statfs(dirname(path));
  return bavail * bsize >= MIN_FREE_BYTES;
};
