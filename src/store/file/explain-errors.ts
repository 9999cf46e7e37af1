import { Refusal, UNUSABLE } from '../../lib/errors.ts';

/** Does work on a file. An error of the disk or of SQLite becomes a refusal that says what to do. */
export function explainErrors<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw makeRefusal(path, error);
  }
}

/** Makes a refusal that explains a known error of the disk or of SQLite. An unknown error is returned unchanged. */
export function makeRefusal(path: string, error: unknown): unknown {
  const { code: given = '' } = error as { code?: string };
  const code = /^SQLITE_[A-Z]+/.exec(given)?.[0] ?? given;
  const explanation = EXPLANATIONS[code];
  return explanation === undefined ? error : new Refusal(`${path}: ${explanation}`, UNUSABLE);
}

const EXPLANATIONS: Record<string, string> = {
  SQLITE_NOTADB: 'this is not a daybook file. Name another with --db',
  SQLITE_CORRUPT: 'the file is damaged. Restore a backup',
  SQLITE_CANTOPEN: 'daybook cannot open it. Check the permissions of the file and its folder',
  SQLITE_READONLY: 'daybook cannot write it. Check the permissions of the file and its folder',
  SQLITE_PERM: 'daybook cannot open it. Check the permissions of the file',
  SQLITE_BUSY: 'another program has locked it. Stop that program first',
  SQLITE_FULL: 'the disk is full. Free some space and start again',
  SQLITE_IOERR: 'the disk cannot be read or written. Check it and start again',
  EBUSY: 'it is mounted by itself, so that no other file can replace it. Mount its folder instead',
  EXDEV: 'it is mounted by itself, so that no other file can replace it. Mount its folder instead',
  EACCES: 'daybook cannot open it. Check the permissions of the file and its folder',
  EIO: 'the disk cannot be read or written. Check it and start again',
  ENOENT: 'its folder, or the folder of its link, does not exist. Attach its disk, or name another file',
  ENOTDIR: 'a part of its path is a file, not a folder. Name another place',
  ELOOP: 'it is a link that leads back to itself. Name another file',
  ENAMETOOLONG: 'its name is too long. Choose a shorter one',
  EISDIR: 'a folder has the name of its backup. Move that folder away',
  ENOTEMPTY: 'a folder has the name of its backup. Move that folder away',
  EROFS: 'its disk is read-only. Choose another --db',
  ENOSPC: 'the disk is full. Free some space and start again',
};
