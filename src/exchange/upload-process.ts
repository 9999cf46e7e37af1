// The process that imports an uploaded file: the command `daybook import --json`. It reads the file, tells what it
// found, and waits for a word before it writes.
//
// Invariant: nothing is imported before `confirm`, and then all days of the file are shown in one transaction or none.
// Killing the process at any time leaves no part of the import in any report (test/cli/imports.program.test.ts).
//
// Example: the process prints `{"reading":{"bytes":65536,"rows":300,"days":2}}`, and `onLine` gets it as an object.
// uploads.ts starts the process.

import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
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
  done?: { id: number };
  error?: Coded;
};

export type FileOrder = { domain: string; file: string; from: string | undefined; skipUnreadable: boolean };

export type ImportProcess = {
  /** Lets the process write. With `replace`, the days of the file lose the hits that they have. */
  confirm(replace: boolean): void;
  stop(): void;
  ended: Promise<unknown>;
};

/** The last line is always `done` or `error`, unless `stop` was called. */
export function startImport(
  place: ProgramPlace & { settings: Record<string, string> },
  { domain, file, from, skipUnreadable }: FileOrder,
  onLine: (line: ImportLine) => void,
  log: Log,
): ImportProcess {
  const more = [...(from === undefined ? [] : ['--from', from]), ...(skipUnreadable ? ['--skip-unreadable'] : [])];
  const child = startProgram(['import', domain, file, '--json', ...more], place, place.settings);
  let isOver = false;
  const tell = (line: ImportLine): void => {
    if (isOver) return;
    isOver = line.done !== undefined || line.error !== undefined;
    onLine(line);
  };
  const lines = createInterface(child.stdout).on('line', (line) => tell(JSON.parse(line) as ImportLine));
  const said = text(child.stderr);
  const ended = Promise.all([once(child, 'close'), once(lines, 'close')]).then(async ([[code]]) => {
    if (isOver) return;
    log('import failed', { code: code ?? 'killed', message: (await said).slice(0, 1_000) });
    tell({ error: coded('import_failed') });
  });
  return {
    confirm: (replace) => void child.stdin.end(replace ? 'replace\n' : 'import\n'),
    stop() {
      isOver = true;
      child.kill('SIGKILL');
    },
    ended,
  };
}
