import { stdin } from 'node:process';
import { buffer } from 'node:stream/consumers';
import { Refusal } from '../lib/errors.ts';
import { openLog } from '../logs/files.ts';
import { csvReader, type Row } from './csv.ts';
import { type JsonObject, jsonObjects } from './json-objects.ts';
import { lineRefusal } from './lines.ts';

/** A table of a file, with its rows by the names of its columns. `start` is the day that "Nth day" counts from, such as 20260101. */
export type GoogleTable = { names: readonly string[]; start: string | undefined; rows: { row: Row; line: number }[] };

const START = /^# Start date: (\d{8})/;
const GRAND_TOTAL = /(?:^,.*|,)Grand total\r?$/;

/** CSV exports of reports and explorations: comments, then tables with blank lines between; files may follow one another. */
function csvTables(text: string): GoogleTable[] {
  const tables: GoogleTable[] = [];
  let start: string | undefined;
  let open: { lines: string[]; firstLine: number } | undefined;
  const close = (): void => {
    if (open) tables.push(csvTable(open.lines, open.firstLine, start));
    open = undefined;
  };
  for (const [i, line] of [...text.split('\n'), ''].entries()) {
    if (line.trim() === '' || line.startsWith('#')) {
      close();
      if (line.startsWith('# ---')) continue;
      start = START.exec(line)?.[1] ?? start;
    } else {
      open ??= { lines: [], firstLine: i + 1 };
      // A blank line in its place, so that the lines after it keep their numbers.
      open.lines.push(GRAND_TOTAL.test(line) ? '' : line);
    }
  }
  return tables;
}

function csvTable(lines: readonly string[], firstLine: number, start: string | undefined): GoogleTable {
  let names: readonly string[] = [];
  const rows: GoogleTable['rows'] = [];
  const csv = csvReader({
    required: [],
    firstLine,
    header(found) {
      names = found;
      return found;
    },
    onRow: (row, line) => void rows.push({ row, line }),
  });
  csv.feed(Buffer.from(lines.join('\n')));
  csv.end();
  return { names, start, rows };
}

const listIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];
const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '');

/** Answers of runReport or batchRunReports; pages of one answer may follow one another, but none may be missing. */
function jsonTables(text: string): GoogleTable[] {
  const tables: GoogleTable[] = [];
  const missing = new Map<string, { rows: number; of: number; line: number }>();
  function add(report: JsonObject, line: number): void {
    if (report.error) throw lineRefusal(line, 'Google answered with an error; ask again');
    const names = [...listIn(report.dimensionHeaders), ...listIn(report.metricHeaders)].map(({ name }) => textOf(name));
    if (names.length === 0) throw lineRefusal(line, 'dimensionHeaders', 'is missing; this is no answer of runReport');
    const rows = listIn(report.rows).map(({ dimensionValues, metricValues }) => {
      const cells = [...listIn(dimensionValues), ...listIn(metricValues)].map(({ value }) => textOf(value));
      if (cells.length !== names.length) throw lineRefusal(line, `each row must have ${names.length} values`);
      return { row: Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ''])), line };
    });
    tables.push({ names, start: undefined, rows });
    const key = names.join();
    const before = missing.get(key)?.rows ?? 0;
    missing.set(key, { rows: before + rows.length, of: Number(textOf(report.rowCount) || 0), line });
  }
  const reader = jsonObjects((object, line) => {
    const reports = listIn(object.reports);
    for (const report of reports.length > 0 ? reports : [object]) add(report, line);
  });
  reader.feed(Buffer.from(text));
  reader.end();
  for (const { rows, of, line } of missing.values()) {
    if (rows < of)
      throw lineRefusal(line, `has ${rows} of ${of} rows; ask for the rest with offset, or for all with limit`);
  }
  return tables;
}

async function bytesOf(path: string): Promise<Buffer> {
  if (path === '-') return buffer(stdin);
  const file = openLog(path);
  const chunks: Buffer[] = [];
  try {
    // A copy, because the memory of a chunk is used again for the next.
    for await (const chunk of file.bytes(0)) chunks.push(Buffer.from(chunk));
  } finally {
    file.close();
  }
  return Buffer.concat(chunks);
}

export async function googleTables(path: string): Promise<GoogleTable[]> {
  const bytes = await bytesOf(path);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal('the file must be UTF-8; save it as UTF-8');
  }
  return /^\s*[[{]/.test(text) ? jsonTables(text) : csvTables(text);
}
