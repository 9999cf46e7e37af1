// Writes what `daybook import --json` prints for a program: lines of JSON. Each line has one field, whose name says
// what the line is about.
//
// For an upload in the dashboard, the server starts this command and reads its lines (src/exchange/uploads.ts).
//
// Example: `{"reading":{"bytes":16384,"rows":90,"days":2}}` is printed a few times a second. After
// `{"checked":{"days":40,…}}`, the command waits for a word on standard input. `import` confirms the import. `replace`
// also deletes the hits that the site already has on these days. The last line is `{"done":{"id":3}}`. After a failure,
// it is `{"error":{"code":"other_text",…}}`.

import { basename, dirname } from 'node:path';
import { NO_FORMAT } from '../exchange/recognize.ts';
import type { ImportLine } from '../exchange/upload-process.ts';
import { type Coded, coded } from '../lang/coded.ts';
import { Problem, Refusal } from '../lib/errors.ts';
import { findMemory } from '../lib/memory.ts';
import { clock, type Io } from './command.ts';

const PAUSE_MS = 250;

/**
 * The share of the memory that an upload may take. If the command takes more, it ends with an error. The server needs
 * the rest for hits and queries. A day of 1,500,000 hits takes 1.7 GB.
 */
const MEMORY_SHARE = 0.75;

/**
 * Makes the functions that print the lines and read the answer. Without `isOn`, nothing is printed. `memory` is the
 * memory of the machine in bytes.
 */
export function importLines(io: Io, isOn: boolean, memory = findMemory()) {
  let said = Number.NEGATIVE_INFINITY;
  const parent = process.ppid;
  const print = (line: ImportLine): void => {
    if (isOn) io.print(JSON.stringify(line));
  };
  return {
    isOn,
    print,
    /** Prints a line, but skips it if the last one was printed less than 250 ms ago. */
    printSometimes(line: ImportLine): void {
      if (clock.tick() - said < PAUSE_MS) return;
      said = clock.tick();
      // If the parent process has changed, the server was killed. Nobody can confirm or cancel the import any more.
      if (isOn && process.ppid !== parent) throw new Refusal('the server has ended. Nothing was imported');
      if (isOn && process.memoryUsage.rss() > memory * MEMORY_SHARE)
        throw new Refusal('it takes more memory than an upload may. Nothing was imported. Split it by days');
      print(line);
    },
    /** Waits for the word that confirms the import: `import` or `replace`. Any other word ends the command. */
    async readAnswer(): Promise<'import' | 'replace' | undefined> {
      const word = (await io.readLine()).trim();
      return word === 'import' || word === 'replace' ? word : undefined;
    },
  };
}

export type ImportLines = ReturnType<typeof importLines>;

/**
 * Makes the line of an error. People in the browser need not know the folders of the server, so paths are removed from
 * the text.
 */
export function describeFailure(error: unknown, file: string, db: string): Coded {
  const { message, code = '' } = error as NodeJS.ErrnoException;
  if (/ENOSPC|SQLITE_FULL/.test(`${code} ${message}`)) return coded('disk_full');
  if (error instanceof Problem && error.code === 'not_found') return error.said;
  if (!(error instanceof Refusal)) return coded('import_failed');
  if (message.includes(NO_FORMAT)) return coded('no_known_format');
  const text = message.replaceAll(`${file}: `, '').replaceAll(file, 'the file');
  return text.includes(dirname(db)) || text.includes(basename(db))
    ? coded('import_failed')
    : coded('other_text', {
        text: text.replace(/^(?:it|line|no) /, (word) => word.charAt(0).toUpperCase() + word.slice(1)),
      });
}
