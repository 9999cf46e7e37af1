// Reads an export of hits, as NDJSON or CSV, and computes the digest (day-digest.ts) and the figures of each of its
// days.
//
// Invariant: only one part of the file and one day are in memory at a time. Both formats give equal digests. A file is
// refused if other programs could read it differently. An example is a CSV in which two columns have one name.
//
// Example: a CSV line begins with `2026-01-05T10:00:00Z,https://example.com/a,…`. Its cells become the fields of a line
// of NDJSON. Empty cells are left out, `engaged` becomes a number, and `props` becomes an object.
//
// `daybook verify` and verify.html call `digestExport`.

import type { Crypto } from './crypto.ts';
import { beginDay, type DayDigest, type DayLine } from './day-digest.ts';

/** A file that is no export. `line` is the number of the line that cannot be read. */
export class UnreadableExport extends Error {
  readonly line: number;
  constructor(line: number) {
    super(`line ${line} is not a line of an export`);
    this.line = line;
  }
}

/** Returns the digest and the figures of each day, by its date. */
export async function digestExport(crypto: Crypto, pieces: AsyncIterable<string>): Promise<Map<string, DayDigest>> {
  const days = new Map<string, DayDigest>();
  let day: { date: string; counting: ReturnType<typeof beginDay> } | undefined;
  for await (const { line, number } of readLines(pieces)) {
    const date = DATE.exec(line.visitor)?.[1];
    if (date === undefined || !Number.isSafeInteger(line.visit)) throw new UnreadableExport(number);
    if (date !== day?.date) {
      if (day) days.set(day.date, await day.counting.end());
      // The lines of a day stand together in an export. So a day that comes a second time is a fault.
      if (days.has(date)) throw new UnreadableExport(number);
      day = { date, counting: beginDay(crypto) };
    }
    day.counting.add(line);
  }
  if (day) days.set(day.date, await day.counting.end());
  return days;
}

const DATE = /^(\d{4}-\d\d-\d\d)-\d+$/;

type NumberedLine = { line: DayLine; number: number };

/**
 * Reads the lines of a file. The first record decides the format. An object is a line of NDJSON, and anything else is
 * the head of a CSV.
 */
async function* readLines(pieces: AsyncIterable<string>): AsyncGenerator<NumberedLine> {
  let read: ((record: string, number: number) => DayLine) | undefined;
  let number = 0;
  for await (const record of readRecords(pieces)) {
    number++;
    if (record.trim() === '') continue;
    if (read) {
      yield { line: read(record, number), number };
    } else if (record.startsWith('{')) {
      read = readObject;
      yield { line: read(record, number), number };
    } else {
      const names = readCells(record, number);
      if (!names.includes('visit') || new Set(names).size < names.length) throw new UnreadableExport(number);
      read = (row, at) => readRow(names, readCells(row, at), at);
    }
  }
}

/**
 * The longest record. A file with a longer record is refused, and no export has such a record. Without this limit, the
 * search for the end of an open quotation mark could take hours.
 */
const LONGEST_RECORD = 2 ** 20;

/**
 * Splits a text into records. A line end inside quotation marks belongs to its cell. NDJSON has no line ends inside a
 * record.
 */
async function* readRecords(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  let records = 0;
  let isCsv: boolean | undefined;
  for await (const piece of pieces) {
    rest += piece;
    isCsv ??= rest === '' ? undefined : !rest.startsWith('{');
    let [from, quotes, at] = [0, 0, 0];
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', end + 1)) {
      for (; isCsv && at < end; at++) if (rest.charCodeAt(at) === QUOTE) quotes++;
      if (quotes % 2 === 1) continue;
      records++;
      yield rest.slice(from, end);
      from = end + 1;
      quotes = 0;
      at = from;
    }
    rest = rest.slice(from);
    if (rest.length > LONGEST_RECORD) throw new UnreadableExport(records + 1);
  }
  if (rest !== '') yield rest;
}

const QUOTE = 34;

const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^,"]*))(?:,|$)/y;

/**
 * Reads the cells of a record. Text after the end of a quoted cell is refused, because programs read it in different
 * ways.
 */
function readCells(record: string, number: number): string[] {
  const cells: string[] = [];
  const text = record.replace(/\r$/, '');
  CELL.lastIndex = 0;
  for (let isLast = false; !isLast; ) {
    const found = CELL.exec(text);
    if (!found) throw new UnreadableExport(number);
    const [whole, quoted, plain = ''] = found;
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    isLast = !whole.endsWith(',');
  }
  return cells;
}

function readObject(record: string, number: number): DayLine {
  let line: unknown;
  try {
    line = JSON.parse(record);
  } catch {
    throw new UnreadableExport(number);
  }
  return typeof line === 'object' && line !== null ? (line as DayLine) : ({} as DayLine);
}

function readRow(names: readonly string[], cells: readonly string[], number: number): DayLine {
  if (cells.length !== names.length) throw new UnreadableExport(number);
  const line: Record<string, unknown> = {};
  for (const [i, name] of names.entries()) {
    // The export puts an apostrophe in front of a text that a spreadsheet would run as a formula. This apostrophe is
    // removed here.
    const cell = (cells[i] as string).replace(/^'(?='*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r])/, '');
    if (cell === '') continue;
    line[name] = NUMBERS.includes(name) ? Number(cell) : OBJECTS.includes(name) ? readObject(cell, number) : cell;
  }
  if (line.excluded !== undefined) line.excluded = line.excluded === 'true';
  return line as DayLine;
}

const NUMBERS: readonly string[] = ['engaged', 'scroll', 'visit'];
const OBJECTS: readonly string[] = ['props', 'revenue'];
