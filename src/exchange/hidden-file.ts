import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { Refusal } from '../lib/errors.ts';

/** A file that only its owner can open, and on most systems not even they, because its name is gone at once. */
export function hiddenFile(path: string) {
  function explained<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw new Refusal(`${path}: ${(error as Error).message}`);
    }
  }

  // Fails where something is already, so that a link cannot lead elsewhere.
  const file = explained(() => openSync(path, 'wx+', 0o600));
  let isNamed = true;
  const forget = (): void => {
    if (isNamed) rmSync(path);
    isNamed = false;
  };
  try {
    forget();
  } catch {
    // This system does not let go of the name of an open file.
  }

  /** One call may move less than it was asked to. */
  function whole(length: number, move: (done: number) => number): void {
    for (let done = 0, moved = 0; done < length; done += moved) {
      moved = explained(() => move(done));
      if (moved === 0) throw new Refusal(`${path}: it is cut off`);
    }
  }

  return {
    write: (bytes: Uint8Array, length: number, at: number): void =>
      whole(length, (done) => writeSync(file, bytes, done, length - done, at + done)),
    read: (bytes: Uint8Array, length: number, at: number): void =>
      whole(length, (done) => readSync(file, bytes, done, length - done, at + done)),
    close(): void {
      closeSync(file);
      forget();
    },
  };
}
