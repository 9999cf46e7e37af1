import { readFileSync, type Stats, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { findReason } from './disk.ts';
import { Refusal, UNUSABLE } from './errors.ts';
import type { Log } from './log.ts';
import type { Clock } from './time.ts';

/** How long a change of the file may go unnoticed. */
const INTERVAL_MS = 5_000;

export type WatchedFile<Content> = {
  /** What the file held when it could last be read. It never waits for the disk: held by test/lib/watched-file.test.ts. */
  content(): Content;
  /** Resolves when the check of the file that is under way, if any, has ended. */
  settle(): Promise<void>;
};

type Options<Content> = {
  path: string;
  /** The flag that names the file, and what it is called in the log. */
  flag: string;
  name: string;
  /** Throws where the file is not what it should be. */
  parse(bytes: Buffer): Content;
  clock: Pick<Clock, 'tick'>;
  log: Log;
};

/** A text that changes whenever the file is written or replaced. */
const readVersion = ({ mtimeMs, ctimeMs, size, ino }: Stats): string => [mtimeMs, ctimeMs, size, ino].join();

/**
 * A file that is read at the start, or refused, and checked for changes in the background while somebody asks for its content.
 * Of a change that cannot be read one line is logged, and the last good content stays.
 */
export function watchedFile<Content>({ path, flag, name, parse, clock, log }: Options<Content>): WatchedFile<Content> {
  let version: string;
  let content: Content;
  try {
    // Before the content, so that what is written in between is read at the next check.
    version = readVersion(statSync(path));
    content = parse(readFileSync(path));
  } catch (error) {
    throw new Refusal(`${flag}: ${path}: ${findReason(error)}`, UNUSABLE);
  }
  /** What was logged last, and not since the file could be read again. */
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

/** Stands for a watched file where the content comes with the program. */
export const unchanging = <Content>(content: Content): WatchedFile<Content> => ({
  content: () => content,
  settle: async () => {},
});
