// Reads CSV in the form that RFC 4180 describes. Fields in quotes may contain commas, line feeds and doubled quotes.
// Lines end in LF or CRLF.
//
// A chunk may end in the middle of a record. Error messages name the line on which a record begins. A record that is
// still incomplete after 262,144 characters is refused. Without this limit, a quote that is never closed would put the
// rest of the file into memory.
//
// Example: after a header, the chunks `a,"b` and `c"` LF give one record with the fields a and bc. `csvReader` reads
// every CSV format (../formats.ts, ../products). daybook has its own reader for two reasons: the package csv-parse
// takes four times as long, and papaparse counts no lines and accepts bytes that are not UTF-8.

import { excerpt, lineRefusal } from './lines.ts';

export type CsvRow = Readonly<Record<string, string>>;

type CsvOptions = {
  /** A file without one of these columns is refused. */
  required: readonly string[];
  /**
   * Makes the names of the columns from the fields of the first line. Throws if the line cannot be the first of a file
   * in this format.
   */
  header?: (names: readonly string[]) => readonly string[];
  /**
   * The line of the file on which the table begins, 1 by default. Error messages count lines from the beginning of the
   * file.
   */
  firstLine?: number;
  onRow(row: CsvRow, line: number): void;
};

/**
 * Text of the file, from which records are read. The record that is read now begins on the line `line` of the file.
 * `isAll` is true if the file ends with this text.
 */
type Input = { text: string; line: number; isAll: boolean };

type CsvCell = { value: string; end: number };

const LONGEST_RECORD = 256 * 1024;
export const TWICE = 'two columns have this name. Leave one of them out';
const COMMA = 44;
const LINE_FEED = 10;

/** Finds a column name that comes twice. Without this check, one of the two columns would be lost silently. */
export const findRepeatedName = (names: readonly string[]): string | undefined =>
  names.find((name, i) => name !== '' && names.indexOf(name) !== i);

export function csvReader(options: CsvOptions) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const rows = rowReader(options);
  let rest = '';
  let line = options.firstLine ?? 1;

  function decoded(bytes?: Buffer): string {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw lineRefusal(line, 'must be UTF-8 from here on. Save the file as UTF-8');
    }
  }

  function read(text: string, isAll: boolean): void {
    let start = 0;
    while (start < text.length) {
      const record = recordAt({ text, line, isAll }, start);
      if (!record) break;
      rows.add(record.cells, line);
      for (let at = text.indexOf('\n', start); at >= 0 && at < record.next; at = text.indexOf('\n', at + 1)) line++;
      start = record.next;
    }
    rest = text.slice(start);
    if (rest.length > LONGEST_RECORD) {
      throw lineRefusal(line, `must have at most ${LONGEST_RECORD} characters. Perhaps a quote is not closed`);
    }
  }

  return {
    feed: (chunk: Buffer): void => read(rest + decoded(chunk), false),
    end(): void {
      read(rest + decoded(), true);
      rows.end();
    },
  };
}

function bareEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === COMMA || code === LINE_FEED) return at;
  }
  return text.length;
}

/** Reads a field without quotes. Returns undefined if the field may continue in the next chunk. */
function bareCell({ text, line, isAll }: Input, from: number): CsvCell | undefined {
  const end = bareEnd(text, from);
  if (end === text.length && !isAll) return undefined;
  const value = text.slice(from, text[end] === '\n' && text[end - 1] === '\r' && end > from ? end - 1 : end);
  if (value.includes('"')) {
    throw lineRefusal(line, `${excerpt(value)} must be in quotes, with each quote inside doubled`);
  }
  return { value, end };
}

/** Reads a field in quotes. Returns undefined if the field may continue in the next chunk. */
function quotedCell({ text, line, isAll }: Input, from: number): CsvCell | undefined {
  for (let at = from + 1; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0 && isAll) throw lineRefusal(line, 'has a quote that is never closed. Perhaps the file is cut off');
    if (at < 0 || (at + 1 === text.length && !isAll)) return undefined;
    if (text[at + 1] !== '"') return { value: text.slice(from + 1, at).replaceAll('""', '"'), end: at + 1 };
  }
}

/**
 * Reads the record that begins at the index `start`. The next record begins at the index `next`. Returns undefined if
 * the record may continue in the next chunk.
 */
function recordAt(input: Input, start: number): { cells: string[]; next: number } | undefined {
  const { text, line, isAll } = input;
  const cells: string[] = [];
  for (let from = start; ; from++) {
    const cell = text[from] === '"' ? quotedCell(input, from) : bareCell(input, from);
    if (!cell) return undefined;
    cells.push(cell.value);
    from = cell.end;
    if (text[from] === ',') continue;
    if (text[from] === '\r' && from + 1 === text.length && !isAll) return undefined;
    if (text[from] === '\r' && text[from + 1] === '\n') from++;
    if (from < text.length && text[from] !== '\n') throw lineRefusal(line, 'must have a comma between two fields');
    return { cells, next: from + 1 };
  }
}

function rowReader({ required, header = (names) => names, onRow }: CsvOptions) {
  let names: readonly string[] | undefined;

  function begin(cells: readonly string[], line: number): void {
    names = header(cells.map((name) => name.trim()));
    const missing = required.find((name) => !names?.includes(name));
    if (missing !== undefined) {
      throw lineRefusal(1, missing, `this column is missing. The first line must name ${required.join(', ')}`);
    }
    const repeated = findRepeatedName(names.filter((name) => required.includes(name)));
    if (repeated !== undefined) throw lineRefusal(line, repeated, TWICE);
  }

  return {
    add(cells: readonly string[], line: number): void {
      if (!names) {
        begin(cells, line);
        return;
      }
      if (cells.length === 1 && cells[0] === '') return;
      if (cells.length !== names.length) {
        throw lineRefusal(line, `must have ${names.length} fields, as the first line has, not ${cells.length}`);
      }
      const row: Record<string, string> = {};
      // With Object.fromEntries in place of this loop, reading a whole file would take 50 % longer.
      for (let i = 0; i < names.length; i++) row[names[i] as string] = cells[i] as string;
      onRow(row, line);
    },
    end(): void {
      if (!names) throw lineRefusal(1, `must name the columns ${required.join(', ')}`);
    },
  };
}
