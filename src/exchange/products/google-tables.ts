// Reads the tables in a file of Google Analytics. The file is CSV with several tables and comments, or JSON responses
// of runReport.
//
// A table has its column names and its rows. All rows are in memory together, because the totals may come after the
// breakdowns in the file. For this reason, a file with more than 2,000,000 rows or 256 MB (unpacked) is refused
// (test/exchange/products/google.test.ts).
//
// Example: "Date,Sessions" followed by "20260105,3" gives one table with one row, { Date: "20260105", Sessions: "3" }.
// google.ts calls `readGoogleTables`.

import { stdin } from 'node:process';
import { Refusal } from '../../lib/errors.ts';
import { openLog, unpackPipe } from '../../logs/files.ts';
import { type CsvRow, csvReader } from '../reading/csv.ts';
import { type JsonObject, jsonObjects } from '../reading/json-objects.ts';
import { lineRefusal, lineSplitter } from '../reading/lines.ts';

/** A table of a file. If its days are numbers (column "Nth day"), `start` is the date of day 0, such as 20260101. */
export type GoogleTable = {
  names: readonly string[];
  start: string | undefined;
  rows: { row: CsvRow; line: number }[];
};

/** Limits of a file. A larger file is refused, because all rows are in memory together. 2,000,000 rows take 600 MB. */
export type TableLimits = { rows: number; bytes: number };
const LIMITS: TableLimits = { rows: 2_000_000, bytes: 256 * 1024 * 1024 };
/**
 * The longest JSON response that is read, in characters. A response with 250,000 rows has 32 million characters, or 96
 * million if it is indented.
 */
const LONGEST_ANSWER = 96 * 1024 * 1024;

type Reader = { feed(chunk: Buffer): void; end(): void };
type Tables = { tables: GoogleTable[]; reader: Reader };

/**
 * How many cells (values) a file may have for each allowed row. With 2,000,000 allowed rows, a file may have 16,000,000
 * cells. Cells fill the memory, so a file with more than 8 columns may have fewer rows.
 */
const ROW_CELLS = 8;

/**
 * Reads the tables of a file. The size is checked while the file is unpacked, because a small file may unpack to
 * gigabytes.
 */
export async function readGoogleTables(path: string, { rows, bytes }: TableLimits = LIMITS): Promise<GoogleTable[]> {
  const count = rowCount(rows);
  const csv = csvTables(count);
  let chosen: Tables | undefined;
  let size = 0;
  for await (const chunk of readBytes(path)) {
    size += chunk.length;
    if (size > bytes) {
      const most = Math.round(bytes / 1024 / 1024);
      throw new Refusal(`the file has more than ${most} MB unpacked. Import fewer days at a time`);
    }
    // JSON begins with a bracket or a brace. Everything else is CSV.
    const [first] = chosen ? [] : (/[^\s\ufeff]/.exec(chunk.toString()) ?? []);
    if (first !== undefined) chosen = first === '[' || first === '{' ? jsonTables(count) : csv;
    (chosen ?? csv).reader.feed(chunk);
  }
  const { tables, reader } = chosen ?? csv;
  reader.end();
  return tables;
}

function rowCount(most: number) {
  let [rows, cells] = [0, 0];
  return (width: number): void => {
    rows++;
    cells += width;
    if (rows > most) throw new Refusal(`the file has more than ${most} rows. Import fewer days at a time`);
    if (cells > most * ROW_CELLS)
      throw new Refusal(`the file has more than ${most * ROW_CELLS} cells. Import fewer days or columns at a time`);
  };
}

const START = /^# Start date: (\d{8})/;
/**
 * Recognises a comment below the rows of a table. A `#` alone does not make a comment, because a row may begin with the
 * campaign `#spring`.
 */
const COMMENT = /^#(?:\s|-{3}|$)/;
const GRAND_TOTAL = /(?:^,.*|,)Grand total\r?$/;

/**
 * Reads CSV exports of reports and explorations. An export begins with comments. The tables follow, with blank lines
 * between them. A file may contain several exports, one after the other.
 */
function csvTables(count: (width: number) => void): Tables {
  const tables: GoogleTable[] = [];
  let start: string | undefined;
  let open: Reader | undefined;

  function begin(firstLine: number): Reader {
    const table: GoogleTable = { names: [], start, rows: [] };
    tables.push(table);
    return csvReader({
      required: [],
      firstLine,
      header(found) {
        table.names = found;
        return found;
      },
      onRow(row, line) {
        count(table.names.length);
        table.rows.push({ row, line });
      },
    });
  }

  const close = (): void => {
    open?.end();
    open = undefined;
  };
  const lines = lineSplitter((line, number) => {
    if (line.trim() === '' || (open ? COMMENT.test(line) : line.startsWith('#'))) {
      close();
      if (!line.startsWith('# ---')) start = START.exec(line)?.[1] ?? start;
      return;
    }
    open ??= begin(number);
    // The line of grand totals is not a row of the table. A blank line replaces it, so that error messages name the
    // right line numbers.
    open.feed(Buffer.from(GRAND_TOTAL.test(line) ? '\n' : `${line}\n`));
  });
  return {
    tables,
    reader: {
      feed: lines.feed,
      end(): void {
        lines.end();
        close();
      },
    },
  };
}

const listIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];
const readText = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '');

/**
 * Reads JSON responses of Google's API. Google divides a long report into several responses. If one of them is missing,
 * the file is refused, because the sums would be too small.
 */
function jsonTables(count: (width: number) => void): Tables {
  const tables: GoogleTable[] = [];
  const missing = new Map<string, { rows: number; of: number; line: number }>();
  function add(report: JsonObject, line: number): void {
    if (report.error) throw lineRefusal(line, 'Google answered with an error. Request the report again');
    const names = [...listIn(report.dimensionHeaders), ...listIn(report.metricHeaders)].map(({ name }) =>
      readText(name),
    );
    if (names.length === 0)
      throw lineRefusal(line, 'dimensionHeaders', 'is missing. This is not an answer of runReport');
    const rows = listIn(report.rows).map(({ dimensionValues, metricValues }) => {
      count(names.length);
      const cells = [...listIn(dimensionValues), ...listIn(metricValues)].map(({ value }) => readText(value));
      if (cells.length !== names.length) throw lineRefusal(line, `each row must have ${names.length} values`);
      return { row: Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ''])), line };
    });
    tables.push({ names, start: undefined, rows });
    const of = Number(readText(report.rowCount) || 0);
    const key = `${names.join()} ${of}`;
    const before = missing.get(key)?.rows ?? 0;
    missing.set(key, { rows: before + rows.length, of, line });
  }
  const objects = jsonObjects((object, line) => {
    const reports = listIn(object.reports);
    for (const report of reports.length > 0 ? reports : [object]) add(report, line);
  }, LONGEST_ANSWER);

  function refuseMissing(): void {
    for (const { rows, of, line } of missing.values()) {
      // `of` is the number of rows of the whole report. A file may have reports about two periods, with equal columns
      // and equal `of`. Their rows are counted together, so `rows` may be a multiple of `of`.
      const lacking = rows === 0 ? of : (of - (rows % of)) % of;
      if (lacking > 0)
        throw lineRefusal(line, `lacks ${lacking} of ${of} rows. Request the rest with offset, or all with limit`);
    }
  }

  return {
    tables,
    reader: {
      feed: objects.feed,
      end(): void {
        objects.end();
        refuseMissing();
      },
    },
  };
}

async function* readBytes(path: string): AsyncGenerator<Buffer> {
  if (path === '-') return yield* unpackPipe(stdin);
  const file = openLog(path);
  try {
    yield* file.bytes(0);
  } finally {
    file.close();
  }
}
