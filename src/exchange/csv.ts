import { shown, wrong } from './file-hits.ts';

/** A record by the names of its columns. */
export type Row = Readonly<Record<string, string>>;

type Options = {
  /** Columns without which the file is not what it should be. */
  required: readonly string[];
  /** What the first line is to be read as; throws where it cannot be. */
  header?: (names: readonly string[]) => readonly string[];
  take(row: Row, line: number): void;
};

type Cell = { value: string; end: number };

const LONGEST_RECORD = 256 * 1024;

/** Where an unquoted field ends. */
function bareEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === 44 || sign === 10) return at;
  }
  return text.length;
}

/**
 * Reads CSV as RFC 4180 tells it, from bytes in any pieces: fields in quotes may hold commas, line feeds and doubled quotes;
 * lines end in LF or CRLF. A record goes by the number of the line on which it begins.
 */
export function csvReader({ required, header = (names) => names, take }: Options) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let names: readonly string[] | undefined;
  let rest = '';
  let line = 1;

  function decoded(bytes?: Buffer): string {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw wrong(line, 'must be text in UTF-8 from here on; save it so again');
    }
  }

  /** Undefined where more of the text is needed to know where the field ends. */
  function quoted(text: string, from: number, isAll: boolean): Cell | undefined {
    for (let at = from + 1; ; at += 2) {
      at = text.indexOf('"', at);
      if (at < 0 && isAll) throw wrong(line, 'has a quote that is never closed; the file may be cut off');
      if (at < 0 || (at + 1 === text.length && !isAll)) return undefined;
      if (text[at + 1] !== '"') return { value: text.slice(from + 1, at).replaceAll('""', '"'), end: at + 1 };
    }
  }

  function bare(text: string, from: number, isAll: boolean): Cell | undefined {
    const end = bareEnd(text, from);
    if (end === text.length && !isAll) return undefined;
    const value = text.slice(from, text[end] === '\n' && text[end - 1] === '\r' && end > from ? end - 1 : end);
    if (value.includes('"')) throw wrong(line, `${shown(value)} must stand in quotes, with each of its own doubled`);
    return { value, end };
  }

  /** The fields of the record that begins at a place, and where the next one does. */
  function recordAt(text: string, start: number, isAll: boolean): { cells: string[]; next: number } | undefined {
    const cells: string[] = [];
    for (let from = start; ; from++) {
      const cell = text[from] === '"' ? quoted(text, from, isAll) : bare(text, from, isAll);
      if (!cell) return undefined;
      cells.push(cell.value);
      from = cell.end;
      if (text[from] === ',') continue;
      if (text[from] === '\r' && from + 1 === text.length && !isAll) return undefined;
      if (text[from] === '\r' && text[from + 1] === '\n') from++;
      if (from < text.length && text[from] !== '\n') throw wrong(line, 'must have a comma between two fields');
      return { cells, next: from + 1 };
    }
  }

  function begin(cells: readonly string[]): void {
    names = header(cells.map((name) => name.trim()));
    const missing = required.find((name) => !names?.includes(name));
    if (missing !== undefined) {
      throw wrong(1, missing, `this column is missing; the first line must name ${required.join(', ')}`);
    }
  }

  function add(cells: readonly string[]): void {
    if (!names) {
      begin(cells);
      return;
    }
    if (cells.length === 1 && cells[0] === '') return;
    if (cells.length !== names.length) {
      throw wrong(line, `must have ${names.length} fields, as the first line has, not ${cells.length}`);
    }
    take(Object.fromEntries(names.map((name, i) => [name, cells[i] as string])), line);
  }

  function read(text: string, isAll: boolean): void {
    let start = 0;
    while (start < text.length) {
      const record = recordAt(text, start, isAll);
      if (!record) break;
      add(record.cells);
      for (let at = text.indexOf('\n', start); at >= 0 && at < record.next; at = text.indexOf('\n', at + 1)) line++;
      start = record.next;
    }
    rest = text.slice(start);
    if (rest.length > LONGEST_RECORD) {
      throw wrong(line, `must have at most ${LONGEST_RECORD} characters; a quote may not be closed`);
    }
  }

  return {
    take: (chunk: Buffer): void => read(rest + decoded(chunk), false),
    end(): void {
      read(rest + decoded(), true);
      if (!names) throw wrong(1, `must name the columns ${required.join(', ')}`);
    },
  };
}
