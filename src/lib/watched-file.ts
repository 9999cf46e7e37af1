// A watched file is a file of the operator that the server reads at its start, and again when it changes: the list of
// spam or the database of countries.
//
// Invariant: content() never waits for the disk and always has a sound content. A change that cannot be read leaves the
// last good one in use, and is logged once.
//
// Example: the operator replaces `spam.txt` at 10:00:00. A hit at 10:00:05 still uses the old list, and starts a check
// in the background; hits after that use the new one. classify/spam.ts and classify/country.ts call this.

import { readFileSync, type Stats, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { findReason } from './disk.ts';
import { Refusal, UNUSABLE } from './errors.ts';
import type { Log } from './log.ts';
import type { Clock } from './time.ts';

/**
 * Reads a file at the start, and checks it for changes while its content is asked for. Refuses a file with a fault at
 * the start.
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
    // The version is read first, so that a change in between is noticed by the next check.
    version = readVersion(statSync(path));
    content = parse(readFileSync(path));
  } catch (error) {
    throw new Refusal(`${flag}: ${path}: ${findReason(error)}`, UNUSABLE);
  }
  /** The failure that was logged last; empty after a success. */
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
        log(`${name} cannot be read; the last good one stays in use; correct or replace the file`, { path, reason });
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

/** How long a change of the file may stay unnoticed. */
const INTERVAL_MS = 5_000;

export type WatchedFile<Content> = {
  /** Gives the latest sound content, without waiting for the disk (test/lib/watched-file.test.ts). */
  content(): Content;
  /** Resolves when a running check of the file has ended. */
  settle(): Promise<void>;
};

type WatchOptions<Content> = {
  path: string;
  /** The flag that names the file, and the name of the file in the log. */
  flag: string;
  name: string;
  /** Reads the content. Throws for a file with a fault. */
  parse(bytes: Buffer): Content;
  clock: Pick<Clock, 'tick'>;
  log: Log;
};

/** Makes a text that changes when the file is written or replaced. */
const readVersion = ({ mtimeMs, ctimeMs, size, ino }: Stats): string => [mtimeMs, ctimeMs, size, ino].join();

/** Makes a watched file of a content that comes with the program. */
export const makeUnchanging = <Content>(content: Content): WatchedFile<Content> => ({
  content: () => content,
  settle: async () => {},
});
