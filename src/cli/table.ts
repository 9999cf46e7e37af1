import { writeInLine } from '../lib/printable.ts';
import type { Flag, Invocation } from './command.ts';

export const LIST_FLAGS: Record<string, Flag> = { json: { help: 'print JSON: a list of objects' } };

/**
 * Prints rows in columns. The header goes to standard error, so that programs read only rows. In the lists of commands
 * such as `site list`, only the last column may contain blanks, so that a program can split a row. With --json, each
 * row is an object, and the column SENT-UNTIL becomes sent_until. If there are no rows, `none` is printed on standard
 * error. The last `figures` columns are aligned to the right.
 */
export function printTable(
  { flags, io: { print, explain } }: Pick<Invocation, 'flags' | 'io'>,
  header: readonly string[],
  rows: readonly (readonly TableCell[])[],
  { none, figures = 0 }: { none?: string; figures?: number } = {},
): void {
  if (flags.json !== undefined) {
    const objects = rows.map((row) => Object.fromEntries(header.map((name, i) => [makeKey(name), row[i]])));
    print(JSON.stringify(objects, null, 2));
    return;
  }
  if (rows.length === 0 && none !== undefined) {
    explain(none);
    return;
  }
  const clean = rows.map((row) => row.map((cell) => writeInLine(writeCell(cell))));
  // An SQL statement may return a million rows. Math.max does not accept so many arguments.
  const widths = header.map((name, i) =>
    clean.reduce((widest, row) => Math.max(widest, (row[i] ?? '').length), name.length),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i < header.length - figures ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  explain(line(header));
  for (const row of clean) print(line(row));
}

const makeKey = (name: string): string => name.toLowerCase().replaceAll('-', '_');

/**
 * A cell of a table. An object, such as filters, is written as JSON. Its blanks are escaped, so that a program can
 * split the row.
 */
type TableCell = string | number | object;

const writeCell = (cell: TableCell): string =>
  typeof cell === 'object' ? JSON.stringify(cell).replaceAll(' ', '\\u0020') : String(cell);
