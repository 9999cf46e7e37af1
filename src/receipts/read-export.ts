// Reads an export of hits, as NDJSON or CSV, and computes the digest (day-digest.ts) and the figures of each of its
// days.
//
// Invariant: only one part of the file and one day are in memory at a time. Both formats give equal digests. A line
// that programs could read differently is left out, and counted as unreadable. Without the line, the digest of its day
// is different. So a damaged byte does not hide the other days, and report.ts names the day of the byte.
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

/** The days of an export by date. `unreadable` counts the lines that cannot be read, and names the first of them. */
export type ReadExport = { days: Map<string, DayDigest>; unreadable: { line: number; count: number } | undefined };

export async function digestExport(crypto: Crypto, pieces: AsyncIterable<string>): Promise<ReadExport> {
  const days: ReadExport['days'] = new Map();
  let unreadable: ReadExport['unreadable'];
  let day: OpenDay | undefined;
  for await (const { line, number } of readLines(pieces)) {
    const next = line && findDay(line, day, days);
    if (!line || !next) {
      unreadable = { line: unreadable?.line ?? number, count: (unreadable?.count ?? 0) + 1 };
      if (!day && unreadable.count > MOST_BEFORE) throw new UnreadableExport(unreadable.line);
      continue;
    }
    if (day && day.date !== next.date) days.set(day.date, await day.counting.end());
    day = { ...next, counting: day?.date === next.date ? day.counting : beginDay(crypto) };
    day.counting.add(line);
  }
  if (!day && unreadable) throw new UnreadableExport(unreadable.line);
  if (day) days.set(day.date, await day.counting.end());
  return { days, unreadable };
}

/** With more unreadable lines before the first hit, a file counts as no export. */
const MOST_BEFORE = 100;

type OpenDay = { date: string; visitor: number; counting: ReturnType<typeof beginDay> };

/**
 * Finds the day and the visitor of a line. Returns undefined if the line cannot follow the lines before. In an export,
 * the lines of a day stand together, and the visitors of a day are numbered from 1.
 */
function findDay(
  line: DayLine,
  before: OpenDay | undefined,
  ended: ReadonlyMap<string, DayDigest>,
): Pick<OpenDay, 'date' | 'visitor'> | undefined {
  const [, date = '', number] = VISITOR.exec(line.visitor) ?? [];
  const visitor = Number(number);
  if (date === '' || !Number.isSafeInteger(line.visit) || ended.has(date)) return undefined;
  const last = before?.date === date ? before.visitor : 0;
  return visitor === last + 1 || (visitor === last && last > 0) ? { date, visitor } : undefined;
}

const VISITOR = /^(\d{4}-\d\d-\d\d)-([1-9]\d*)$/;

/** A line with its number in the file. `line` is undefined if the line cannot be read. */
type NumberedLine = { line: DayLine | undefined; number: number };

/** A line of the file as it stands there. In a CSV, a record may have several lines. */
type RawLine = { text: string; number: number };

/**
 * The most characters of a line or a record. No export has a longer line, so a file with a longer line is refused. A
 * record with an open quotation mark ends after this many characters. Otherwise, the search for the next quotation mark
 * could take hours.
 */
const LONGEST_RECORD = 2 ** 20;

/** The most characters that are read a second time after damaged quotation marks. With more, the file is refused. */
const MOST_AGAIN = 16 * LONGEST_RECORD;

async function* readLines(pieces: AsyncIterable<string>): AsyncGenerator<NumberedLine> {
  let rest = '';
  let number = 0;
  const reading = beginReading();
  for await (const piece of pieces) {
    rest += piece;
    let from = 0;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', from)) {
      yield* reading.add({ text: rest.slice(from, end), number: ++number });
      from = end + 1;
    }
    rest = rest.slice(from);
    if (rest.length > LONGEST_RECORD) throw new UnreadableExport(number + 1);
  }
  if (rest !== '') yield* reading.add({ text: rest, number: number + 1 });
  yield* reading.end();
}

/**
 * The first line decides how all lines are read. A line of NDJSON is an object. The first line of a CSV is its head.
 */
function beginReading() {
  let own: ReturnType<typeof beginCsv> | typeof OBJECTS_READING | undefined;
  return {
    *add(raw: RawLine): Generator<NumberedLine> {
      if (raw.text.trim() === '' && !own?.isOpen()) return;
      if (!own) {
        own = isObject(raw.text) ? OBJECTS_READING : beginCsv(readHead(raw));
        if (own !== OBJECTS_READING) return;
      }
      yield* own.add(raw);
    },
    *end(): Generator<NumberedLine> {
      if (own) yield* own.end();
    },
  };
}

/** An object begins with a brace and a quotation mark. One of the two may be damaged. */
const isObject = (text: string): boolean => text[0] === '{' || text[1] === '"';

const OBJECTS_READING = {
  isOpen: () => false,
  *add({ text, number }: RawLine): Generator<NumberedLine> {
    yield { line: readObject(text) as DayLine | undefined, number };
  },
  *end(): Generator<NumberedLine> {},
};

function readHead({ text, number }: RawLine): string[] {
  const names = readCells(text) ?? [];
  if (!names.includes('visit') || new Set(names).size < names.length) throw new UnreadableExport(number);
  return names;
}

/**
 * Reads the rows of a CSV. A line end inside quotation marks belongs to its cell, so a record may have several lines.
 * If a record cannot be read, only its first line is left out, and its other lines are read again. Otherwise, a damaged
 * quotation mark would hide all lines up to the next one.
 */
function beginCsv(names: readonly string[]) {
  let record: RawLine[] = [];
  let [quotes, length, again] = [0, 0, 0];

  function* add(raw: RawLine): Generator<NumberedLine> {
    // The last line of this list is read next.
    const waiting = [raw];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      record.push(next);
      quotes += countQuotes(next.text);
      length += next.text.length + 1;
      if (quotes % 2 === 0 || length > LONGEST_RECORD) yield readRecord(waiting);
    }
  }

  /** Ends the record. If it cannot be read, adds all of its lines but the first to the waiting lines. */
  function readRecord(waiting: RawLine[]): NumberedLine {
    const [{ number }, ...others] = record as [RawLine, ...RawLine[]];
    const cells = readCells(record.map(({ text }) => text).join('\n'));
    const line = cells && readRow(names, cells);
    if (!line && others.length > 0) {
      again += length;
      if (again > MOST_AGAIN) throw new UnreadableExport(number);
      for (const other of others.reverse()) waiting.push(other);
    }
    record = [];
    [quotes, length] = [0, 0];
    return { line, number };
  }

  return {
    isOpen: () => record.length > 0,
    add,
    *end(): Generator<NumberedLine> {
      while (record.length > 0) {
        const waiting: RawLine[] = [];
        yield readRecord(waiting);
        for (const raw of waiting.reverse()) yield* add(raw);
      }
    },
  };
}

function countQuotes(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) count++;
  return count;
}

const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^,"]*))(?:,|$)/y;

/**
 * Reads the cells of a record. Returns undefined if there is text after the end of a quoted cell, because programs read
 * such text in different ways.
 */
function readCells(record: string): string[] | undefined {
  const cells: string[] = [];
  const text = record.replace(/\r$/, '');
  CELL.lastIndex = 0;
  for (let isLast = false; !isLast; ) {
    const found = CELL.exec(text);
    if (!found) return undefined;
    const [whole, quoted, plain = ''] = found;
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    isLast = !whole.endsWith(',');
  }
  return cells;
}

function readObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function readRow(names: readonly string[], cells: readonly string[]): DayLine | undefined {
  if (cells.length !== names.length) return undefined;
  const line: Record<string, unknown> = {};
  for (const [i, name] of names.entries()) {
    // The export puts an apostrophe in front of a text that a spreadsheet would run as a formula. This apostrophe is
    // removed here.
    const cell = (cells[i] as string).replace(/^'(?='*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r])/, '');
    if (cell === '') continue;
    const value = (READERS[name] ?? readText)(cell);
    if (value === undefined) return undefined;
    line[name] = value;
  }
  return line as DayLine;
}

const readText = (cell: string): string => cell;
/** Accepts only digits. The function `Number` also reads other texts: for a space alone, it returns 0. */
const readNumber = (cell: string): number | undefined => (/^\d+$/.test(cell) ? Number(cell) : undefined);

/** Reads the cells of each column that has numbers, objects or `true`. Returns undefined for an unreadable cell. */
const READERS: Record<string, (cell: string) => unknown> = {
  engaged: readNumber,
  scroll: readNumber,
  visit: readNumber,
  props: readObject,
  revenue: readObject,
  excluded: (cell) => cell === 'true' || undefined,
};
