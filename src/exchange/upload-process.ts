// Runs the process that imports an uploaded file: the command `daybook import --json`. The process reads the file,
// reports what it found, and waits for a confirmation before it writes.
//
// Invariant: nothing is imported before `confirm` is called. Then all days of the file are shown in one transaction, or
// none. If the process is killed at any time, no report shows a part of the import (test/cli/imports.program.test.ts).
//
// Example: the process prints `{"reading":{"bytes":65536,"rows":300,"days":2}}`, and `onLine` gets this object.
// uploads.ts starts the process.

import { createInterface } from 'node:readline';
import { type ProgramPlace, startProgram } from '../embedded/program.ts';
import { type Coded, coded } from '../lang/coded.ts';
import type { Log } from '../lib/log.ts';

/**
 * What a file contains. The dates are texts such as 2026-01-31. `taken` lists the days on which the site already has
 * hits.
 */
export type CheckedFile = { days: number; from: string; to: string; sheet: Coded[]; taken: string[] };

/** A line that the process prints. Exactly one of these fields is set. */
export type ImportLine = {
  format?: string;
  reading?: { bytes: number; rows: number; days: number };
  checked?: CheckedFile;
  writing?: { days: number };
  /** The id of the import. Figures about searches on Google are not stored as an import, so their id is null. */
  done?: { id: number | null };
  error?: Coded;
};

export type FileOrder = {
  siteId: number;
  domain: string;
  file: string;
  from: string | undefined;
  skipUnreadable: boolean;
};

export type ImportProcess = {
  /** Lets the process write. With `replace`, the hits that the site already has on the days of the file are removed. */
  confirm(replace: boolean): void;
  /**
   * Ends the process. If reports already count the import, `onLine` still gets the line `done`. All other lines are
   * ignored.
   */
  stop(): void;
  /** Resolves after the last line, and never rejects. */
  ended: Promise<void>;
};

/**
 * Starts the process. The last line is always `done` or `error`, unless `stop` was called. If a line is not whole JSON,
 * the import ends with an error. For example, the system may have killed the process in the middle of a line.
 */
export function startImport(
  place: ProgramPlace & { settings: Record<string, string> },
  { siteId, domain, file, from, skipUnreadable }: FileOrder,
  onLine: (line: ImportLine) => void,
  log: Log,
): ImportProcess {
  const more = [...(from === undefined ? [] : ['--from', from]), ...(skipUnreadable ? ['--skip-unreadable'] : [])];
  const words = ['import', domain, file, '--json', '--site-id', String(siteId), ...more];
  const program = startProgram(words, place, place.settings);
  let [isOver, isStopped] = [false, false];
  const tell = (line: ImportLine): void => {
    if (isOver || (isStopped && line.done === undefined)) return;
    isOver = line.done !== undefined || line.error !== undefined;
    onLine(line);
  };
  const fail = (details: { code?: number | string; message: string }): void => {
    if (isOver || isStopped) return;
    log('import failed', details);
    program.stop();
    tell({ error: coded('import_failed') });
  };
  const lines = createInterface(program.stdout).on('line', (line) => {
    try {
      if (!isOver) tell(JSON.parse(line) as ImportLine);
    } catch (error) {
      fail({ message: (error as Error).message });
    }
  });
  const { promise: read, resolve } = Promise.withResolvers<void>();
  lines.once('close', resolve);
  const ended = Promise.all([program.ended, program.said, read]).then(([code, said]) =>
    fail({ code, message: said.slice(0, 1_000) }),
  );
  return {
    confirm: (replace) => program.give(replace ? 'replace\n' : 'import\n'),
    stop() {
      isStopped = true;
      program.stop();
    },
    ended,
  };
}
