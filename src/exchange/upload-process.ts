// The process that imports an uploaded file: the command `daybook import --json`. It reads the file, tells what it
// found, and waits for a word before it writes.
//
// Invariant: nothing is imported before `confirm`, and then all days of the file are shown in one transaction or none.
// Killing the process at any time leaves no part of the import in any report (test/cli/imports.program.test.ts).
//
// Example: the process prints `{"reading":{"bytes":65536,"rows":300,"days":2}}`, and `onLine` gets it as an object.
// uploads.ts starts the process.

import { createInterface } from 'node:readline';
import { type ProgramPlace, startProgram } from '../embedded/program.ts';
import { type Coded, coded } from '../lang/coded.ts';
import type { Log } from '../lib/log.ts';

/** What a file has. The dates are texts such as 2026-01-31. `taken` has the days on which the site has hits already. */
export type CheckedFile = { days: number; from: string; to: string; sheet: Coded[]; taken: string[] };

/** A line of the process has one of these members. */
export type ImportLine = {
  format?: string;
  reading?: { bytes: number; rows: number; days: number };
  checked?: CheckedFile;
  writing?: { days: number };
  /** The id is null for searches, which are stored apart from imports. */
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
  /** Lets the process write. With `replace`, the days of the file lose the hits that they have. */
  confirm(replace: boolean): void;
  /** Ends the process. After this, only a line `done` is given, because then the import is shown already. */
  stop(): void;
  /** Resolves after the last line, and never rejects. */
  ended: Promise<void>;
};

/**
 * The last line is always `done` or `error`, unless `stop` was called. A line that nobody can read ends the process with
 * an error. For example, the system may have killed it in the middle of a line.
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
