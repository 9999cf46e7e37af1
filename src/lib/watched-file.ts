// A watched file is a file of the operator, such as the list of spam or the database of countries. The server reads the
// file at its start, and again after each change.
//
// Invariant: content() never waits for the disk, and always returns a valid content. If a changed file cannot be read,
// the last valid content stays in use, and the error is logged once.
//
// Example: the operator replaces `spam.txt` at 10:00:00. A hit at 10:00:05 still uses the old list, and starts a check
// in the background. Later hits use the new list. classify/spam.ts and classify/country.ts call watchFile.

import { readFileSync, type Stats, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { findReason } from './disk.ts';
import { Refusal, UNUSABLE } from './errors.ts';
import type { Log } from './log.ts';
import type { Clock } from './time.ts';

/**
 * Starts to watch a file. Throws if the file has a fault when the server starts. Later, content() checks now and then
 * whether the file has changed.
 */
export function watchFile<Content>({
  path,
  flag,
  name,
  parse,
  clock,
  log,
}: WatchOptions<Content>): WatchedFile<Content> {
  let version: string;
  let content: Content;
  try {
    // The version is read before the content. If the file changes in between, the next check reads the file again.
    version = readVersion(statSync(path));
    content = parse(readFileSync(path));
  } catch (error) {
    throw new Refusal(`${flag}: ${path}: ${findReason(error)}`, UNUSABLE);
  }
  /**
   * The version of the file and the error that were logged last, or an empty text after a success. So each error is
   * logged only once.
   */
  let logged = '';
  let checked = clock.tick();
  let check = Promise.resolve();

  async function read(): Promise<void> {
    let found = '';
    try {
      found = readVersion(await stat(path));
      if (found !== version) content = parse(await readFile(path));
      version = found;
      logged = '';
    } catch (error) {
      const reason = findReason(error);
      if (logged !== found + reason) {
        log(`${name} cannot be read. The last good one stays in use. Correct or replace the file`, { path, reason });
      }
      logged = found + reason;
    }
    checked = clock.tick();
  }

  return {
    content(): Content {
      if (clock.tick() - checked >= INTERVAL_MS) {
        checked = Number.POSITIVE_INFINITY;
        check = read();
      }
      return content;
    },
    settle: () => check,
  };
}

/** If the last check is older than this, the next use of the content starts a check in the background. */
const INTERVAL_MS = 5_000;

export type WatchedFile<Content> = {
  /** Returns the latest valid content, without waiting for the disk (test/lib/watched-file.test.ts). */
  content(): Content;
  settle(): Promise<void>;
};

type WatchOptions<Content> = {
  path: string;
  /**
   * `flag` is the command-line flag of the file, for errors at the start. `name` is the name of the file in the log.
   */
  flag: string;
  name: string;
  /** Throws if the file has a fault. */
  parse(bytes: Buffer): Content;
  clock: Pick<Clock, 'tick'>;
  log: Log;
};

/** Returns a text that changes when the file is written or replaced, without reading the file's content. */
const readVersion = ({ mtimeMs, ctimeMs, size, ino }: Stats): string => [mtimeMs, ctimeMs, size, ino].join();

/** Wraps a content that comes with the program, for callers that expect a watched file. */
export const makeUnchanging = <Content>(content: Content): WatchedFile<Content> => ({
  content: () => content,
  settle: async () => {},
});
