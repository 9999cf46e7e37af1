import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { Refusal } from '../../lib/errors.ts';

/**
 * Opens a temporary file that no other process can open, because its name is deleted at once. On Windows, the name of
 * an open file cannot be deleted. There, the name is deleted when the file is closed.
 */
export function hiddenFile(path: string) {
  function refusing<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw new Refusal(`${path}: ${(error as Error).message}`);
    }
  }

  // The flag x makes opening fail if the name exists already. An attacker therefore cannot put a link there that leads
  // the writes to another file (test/exchange/reading/spool.long.test.ts).
  const file = refusing(() => openSync(path, 'wx+', 0o600));
  let isNamed = true;
  const unlink = (): void => {
    if (isNamed) rmSync(path);
    isNamed = false;
  };
  try {
    unlink();
  } catch {
    // Windows cannot delete the name of an open file. `close` tries again.
  }

  /** Repeats a read or a write until all bytes are moved. One system call may move fewer bytes than asked. */
  function moveAll(length: number, move: (done: number) => number): void {
    for (let done = 0, moved = 0; done < length; done += moved) {
      moved = refusing(() => move(done));
      if (moved === 0) throw new Refusal(`${path}: the file ends too early`);
    }
  }

  return {
    write: (bytes: Uint8Array, length: number, at: number): void =>
      moveAll(length, (done) => writeSync(file, bytes, done, length - done, at + done)),
    read: (bytes: Uint8Array, length: number, at: number): void =>
      moveAll(length, (done) => readSync(file, bytes, done, length - done, at + done)),
    close(): void {
      closeSync(file);
      unlink();
    },
  };
}
