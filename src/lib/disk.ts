import { closeSync, fsyncSync, openSync, statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'this is a folder',
};

export function findReason(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? message;
}

/**
 * Waits until a file, or the list of files in a folder, is on the disk. Otherwise a power failure could undo the
 * change.
 */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * The least free space in bytes. With less, the page /readyz says that the server is not ready for hits. Uploads, and
 * backups on the same disk, are refused if they would leave less.
 */
export const MIN_FREE_BYTES = 100 * 1024 * 1024;

export const hasRoomFor = (path: string) => async (): Promise<boolean> => {
  const { bavail, bsize } = await statfs(dirname(path));
  return bavail * bsize >= MIN_FREE_BYTES;
};
